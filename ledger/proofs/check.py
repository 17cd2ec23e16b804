"""Checks a proof against the keys that somebody trusts; the steps are those of docs/proofs.md.

Signatures come first: nothing that a checkpoint says is looked at before somebody who is trusted
has signed it. Every step that fails has a sentence of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, TypeAlias

from ledger.errors import InputRefused, VerificationFailed
from ledger.journal.checkpoint import MOST_EVENTS, Checkpoint, Signature, Verifier
from ledger.journal.merkle import includes, leaf_hash, path_length
from ledger.proofs.consistency import OLD, ConsistencyProof, read_consistency_proof
from ledger.proofs.contents import (
    Content,
    EventContent,
    RowContent,
    header_in,
    read_content,
    row_in,
    said_in,
)
from ledger.proofs.lines import as_read, signed_page
from ledger.proofs.policy import Policy
from ledger.proofs.tlog_proof import TlogProof, read_tlog_proof
from ledger.wording import Message

Cosigned: TypeAlias = dict[str, int]
"""Witnesses by the names of the policy, each with the time of its cosignature."""

_PUBLISHED: Final = "list.published"
_OF_EVENT: Final = ("proof.index", "proof.short", "proof.long")
_OF_ROW: Final = ("proof.row_index", "proof.row_short", "proof.row_long")
_HASH: Final = re.compile("[0-9a-f]{64}")
_AHEAD_SECONDS: Final = 3_600  # that a witness's clock may be ahead


@dataclass(frozen=True, slots=True)
class Proven:
    """What a proof has shown.

    Args:
        checkpoint: the one that it leads to.
        log: the name of the key that signed it.
        cosigned: by whom, and when (seconds since 1970).
        event: the envelope of the event, its payload as data; absent in a proof of consistency.
        commit: the header of its commit, where the proof has it.
        row: the row of a list, where it is about one.
        document: whether a file was held against the event, and is the published one.
        continues: the size of the earlier checkpoint that was held against this one.
    """

    checkpoint: Checkpoint
    log: str
    cosigned: Cosigned = field(default_factory=dict)
    event: dict[str, Any] | None = None
    commit: dict[str, Any] | None = None
    row: dict[str, Any] | None = None
    document: bool = False
    continues: int | None = None


def check_proof(text: str, policy: Policy, now: int, document: bytes | None = None) -> Proven:
    """Checks a proof of any kind.

    Args:
        text: the file of the proof.
        policy: whose signatures count.
        now: the time, in seconds since 1970 (UTC).
        document: the file that it is about: the published list; of a proof of consistency the
            earlier checkpoint.

    Raises:
        VerificationFailed: with the first thing that is wrong.
        InputRefused: the file that it is about is needed.
    """
    if text.startswith(OLD):
        if document is None:
            raise InputRefused("proof.needs_earlier")
        return _check_consistency(read_consistency_proof(text), policy, now, document)
    return _check_inclusion(read_tlog_proof(text), policy, now, document)


def _check_consistency(
    proof: ConsistencyProof, policy: Policy, now: int, document: bytes
) -> Proven:
    log, cosigned = check_checkpoint(proof.checkpoint, policy, now)
    earlier = signed_page(as_read(document))
    _check_log(earlier, policy)
    proof.check(earlier)
    return Proven(proof.checkpoint, log, cosigned, continues=earlier.size)


def _check_inclusion(proof: TlogProof, policy: Policy, now: int, document: bytes | None) -> Proven:
    log, cosigned = check_checkpoint(proof.checkpoint, policy, now)
    content = read_content(proof.extra)
    size, index = proof.checkpoint.size, proof.index
    _check_length(index, size, len(proof.path), _OF_EVENT)
    event, payload = said_in(content)
    if event["seq"] != index + 1:
        raise VerificationFailed("proof.order", seq=event["seq"], place=index + 1)
    if not includes(
        proof.checkpoint.root, size, index, leaf_hash(content.envelope.encode()), proof.path
    ):
        raise VerificationFailed("proof.root", seq=event["seq"], size=size)
    commit, row = _check_content(content, event, payload)
    if document is not None:
        _check_document(document, event, payload)
    return Proven(
        proof.checkpoint,
        log,
        cosigned,
        event | {"payload": payload},
        commit,
        row,
        document=document is not None,
    )


def _check_length(index: int, size: int, found: int, keys: tuple[str, str, str]) -> None:
    """Checks that a leaf is in a tree of the size, and its path as long as it is there.

    ``keys`` are of the sentences: the leaf is beyond it, the path is too short, too long.
    """
    beyond, short, long = keys
    if index >= size:
        raise VerificationFailed(beyond, index=index, size=size)
    expected = path_length(index, size)
    if found != expected:
        key = short if found < expected else long
        raise VerificationFailed(key, found=found, expected=expected)


def _check_content(
    content: Content, event: dict[str, Any], payload: dict[str, Any]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Checks what hangs on an event that is in the tree; returns the commit's header, the row."""
    match content:
        case EventContent():
            return header_in(content, event["commit"]), None
        case RowContent():
            return None, _check_row(content, event, payload)


def _check_row(
    content: RowContent, event: dict[str, Any], payload: dict[str, Any]
) -> dict[str, Any]:
    if event["type"] != _PUBLISHED:
        raise VerificationFailed("proof.no_list", type=event["type"])
    root, count = payload.get("rows_root"), payload.get("row_count")
    if (
        not isinstance(root, str)
        or not _HASH.fullmatch(root)
        or type(count) is not int
        or count > MOST_EVENTS
    ):
        raise VerificationFailed("proof.no_rows", **_which(payload))
    _check_length(content.index, count, len(content.path), _OF_ROW)
    leaf = leaf_hash(content.row.encode())
    if not includes(bytes.fromhex(root), count, content.index, leaf, content.path):
        raise VerificationFailed("proof.row_root", **_which(payload))
    return row_in(content)


def _check_document(document: bytes, event: dict[str, Any], payload: dict[str, Any]) -> None:
    if event["type"] != _PUBLISHED:
        raise VerificationFailed("proof.no_list", type=event["type"])
    found, published = sha256(document).hexdigest(), payload.get("output_sha256")
    if found != published:
        raise VerificationFailed(
            "proof.document", found=found, published=published, **_which(payload)
        )


def _which(payload: dict[str, Any]) -> dict[str, Any]:
    return {name: payload.get(name) for name in ("list", "period", "edition")}


# Signatures


def check_checkpoint(of: Checkpoint, policy: Policy, now: int) -> tuple[str, Cosigned]:
    """Checks the signatures of a checkpoint; those of unknown keys are passed over.

    Returns:
        The name of the log's key, and the cosignatures that count.

    Raises:
        VerificationFailed: a log's or a witness's is missing, wrong, twice there or too old.
    """
    return _check_log(of, policy), check_witnesses(of, policy, now)


def check_witnesses(of: Checkpoint, policy: Policy, now: int) -> Cosigned:
    """Checks the cosignatures alone; returns those that count. Raises as ``check_checkpoint``."""
    cosigned, stale = _cosigned(of, policy, now)
    if policy.has_quorum({*cosigned}):
        return cosigned
    if stale:
        name = min(stale)
        raise VerificationFailed(
            "proof.stale", name=name, days=abs(now - stale[name]) // 86_400, quorum=policy.quorum
        )
    have, least = policy.count(policy.quorum, {*cosigned})
    raise VerificationFailed("proof.quorum", quorum=policy.quorum, have=have, least=least)


def _check_log(of: Checkpoint, policy: Policy) -> str:
    """Checks that a log of the policy has signed; returns its name."""
    found = None
    for log in policy.logs:
        line = _line_of(of, log.name, log.key_id)
        if line is None:
            continue
        if not log.verify(line.value, of.text):
            raise VerificationFailed("proof.signature", name=log.name)
        if policy.names_origins and log.name != of.origin:
            raise VerificationFailed("proof.origin", name=log.name, origin=of.origin)
        found = log.name
    if found is None:
        raise VerificationFailed("proof.unsigned", names=_named(policy.logs))
    return found


def _cosigned(of: Checkpoint, policy: Policy, now: int) -> tuple[Cosigned, Cosigned]:
    """Returns the cosignatures that count, and those that are too old for it or too new."""
    counted, stale = Cosigned(), Cosigned()
    for name, witness in policy.witnesses.items():
        line = _line_of(of, witness.name, witness.key_id)
        if line is None:
            continue
        time = witness.time_of(line, of)
        if time is None:
            raise VerificationFailed("proof.cosignature", name=name)
        is_late = policy.within is not None and not -_AHEAD_SECONDS <= now - time <= policy.within
        (stale if is_late else counted)[name] = time
    return counted, stale


def _line_of(of: Checkpoint, name: str, key_id: bytes) -> Signature | None:
    """Returns the line that a key has signed; raises ``VerificationFailed`` where it did twice."""
    found = [each for each in of.signatures if (each.name, each.key_id) == (name, key_id)]
    if len(found) > 1:
        raise VerificationFailed("proof.twice", name=name)
    return found[0] if found else None


def _named(logs: tuple[Verifier, ...]) -> str | Message:
    said = ", ".join(f"{log.name} ({log.key_id.hex()})" for log in logs)
    return said or Message.of("proof.no_log")
