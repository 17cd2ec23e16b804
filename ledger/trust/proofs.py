"""Proofs for others, made from a ledger; and checked by whoever has none.

Every proof leads to a signed checkpoint. It is one that was given away before, perhaps with
cosignatures of witnesses, or one that is signed now.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ledger.errors import InputRefused, NotFound, VerificationFailed
from ledger.events.lists import ListPublished
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.journal.checkpoint import Checkpoint, Signer, make_checkpoint
from ledger.journal.envelope import envelope, header, header_digest
from ledger.journal.records import StoredEvent
from ledger.json_form import JsonForm
from ledger.lists.committed_rows import CommittedRow, CommittedRows, committed_rows
from ledger.lists.people import People
from ledger.lists.rating_list import rating_list
from ledger.proofs.check import Proven, check_proof
from ledger.proofs.consistency import ConsistencyProof
from ledger.proofs.contents import Content, EventContent, RowContent
from ledger.proofs.cosignatures import claimed_time
from ledger.proofs.policy import Policy
from ledger.proofs.tlog_proof import TlogProof
from ledger.views.list_editions import editions_of, require_edition, require_period
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class CheckpointLine:
    """A line below a checkpoint: whose it says it is, and when it says that it was cosigned.

    ``cosigned_at`` is None where it is no witness's, but the signature of the ledger.
    """

    name: str
    cosigned_at: str | None


def signed_now(
    view: LedgerView, signer: Signer, origin: str | None, size: int | None = None
) -> Checkpoint:
    """Returns a checkpoint that is signed now.

    ``origin`` names the ledger; None: as the key is named, as C2SP wants it. ``size`` is that
    of the tree over the first events; None: of all of them.

    Raises:
        NotFound: there are not so many events.
    """
    if size is None:
        return make_checkpoint(view.journal, origin or signer.name, signer)
    if size > (last := view.journal.head().seq):
        raise NotFound("database.no_such_seq", seq=size, last=last)
    bare = Checkpoint(origin or signer.name, size, view.tree.root(size))
    return replace(bare, signatures=(signer.sign(bare.text),))


def prove_event(view: LedgerView, seq: Seq, page: Checkpoint) -> TlogProof:
    """Proves that an event, with the header of its commit, is in the tree of a checkpoint.

    Raises:
        NotFound: there is no such seq.
        InputRefused: the checkpoint was made before it, or is not signed.
        VerificationFailed: the event is not what was recorded, or the checkpoint is of another
            history.
    """
    event, commit = view.event_check().read(seq)
    text = envelope(event, header_digest(commit)).decode()
    return _proof(view, event, EventContent(text, header(commit).decode()), page)


def prove_list(
    view: LedgerView, name: str, period: str, edition: int | None, page: Checkpoint
) -> TlogProof:
    """Proves a published list by the event that has its digests; raises as ``prove_event``.

    Where no edition is named, it is the last one that the checkpoint covers.
    """
    publication = edition_named(view, name, period, edition, page)
    return prove_event(view, _seq(view.facts(), publication), page)


def prove_player(
    view: LedgerView, player: str, publication: ListPublished, page: Checkpoint
) -> TlogProof:
    """Proves one player's row of a published list; raises as ``rows_of`` and ``prove_row``.

    Raises:
        NotFound: the player is not in the list.
    """
    return prove_row(view, rows_of(view, publication).row(player), publication, page)


def rows_of(view: LedgerView, publication: ListPublished) -> CommittedRows:
    """Returns the leaves of a published list, replayed to its basis: no name has a part in them.

    Raises:
        InputRefused: the list was published without a root over its rows.
    """
    require_root(publication)
    facts, basis = view.facts(), publication.basis_seq
    period = require_period(facts, publication.list, publication.period, basis)
    outcome = view.calculated(facts, publication.list, basis, period)
    nameless = People(outcome.timeline.known, lambda _: {})
    rating_list_ = rating_list(outcome, nameless, seq=basis, edition=publication.edition)
    return committed_rows(rating_list_.rows.published, nameless)


def require_root(publication: ListPublished) -> str:
    """Returns the root over a list's rows; raises ``InputRefused`` where none was published."""
    if publication.rows_root is None:
        raise InputRefused("proof.no_rows", **_which(publication))
    return publication.rows_root


def prove_row(
    view: LedgerView, row: CommittedRow, publication: ListPublished, page: Checkpoint
) -> TlogProof:
    """Proves a row of a published list, wherever the row comes from: its path must fit.

    Raises:
        LedgerError: as ``prove_event``.
        InputRefused: the list was published without a root over its rows.
        VerificationFailed: the row is not among those that were published.
    """
    root = require_root(publication)
    if (replayed := row.root()) != root:
        values = {"what": "rows_root", "published": root, "replayed": replayed}
        raise VerificationFailed("verify.list_value", **_which(publication), **values)
    event, commit = view.event_check().read(_seq(view.facts(), publication))
    text = envelope(event, header_digest(commit)).decode()
    return _proof(view, event, RowContent(text, row.text, row.index, row.path), page)


def _which(publication: ListPublished) -> Mapping[str, object]:
    return {
        "list": publication.list,
        "period": publication.period,
        "edition": publication.edition,
    }


def prove_consistency(
    view: LedgerView, earlier: Checkpoint | int, page: Checkpoint
) -> ConsistencyProof:
    """Proves that a checkpoint continues an earlier one, or the tree of the first events.

    Raises:
        InputRefused: the earlier tree is larger than the later one; the two are not named as the
            same ledger; or one is not signed: nobody could check the proof.
        VerificationFailed: one of the checkpoints is of another history.
    """
    require_signed(page)
    size = earlier if isinstance(earlier, int) else earlier.size
    if not isinstance(earlier, int):
        require_signed(earlier)
        require_own(view, earlier)
        if earlier.origin != page.origin:
            raise InputRefused("proof.other_log", origin=earlier.origin, other=page.origin)
    if size > page.size:
        raise InputRefused("proof.shrunk", size=size, later=page.size)
    require_own(view, page)
    path = view.tree.consistency(size, page.size) if size else []
    return ConsistencyProof(size, tuple(path), page)


def require_signed(page: Checkpoint) -> None:
    """Raises ``InputRefused`` for a checkpoint that is not signed: none can check its proofs."""
    if not page.signatures:
        raise InputRefused("proof.page_unsigned")


def require_own(view: LedgerView, page: Checkpoint) -> None:
    """Raises ``VerificationFailed`` for a checkpoint of another history, or of a later state."""
    if page.size > (last := view.journal.head().seq):
        raise VerificationFailed("verify.cut", size=page.size, seq=last)
    for _ in range(2):
        if view.tree.root(page.size) == page.root:
            return
        view.tree.forget()
    raise VerificationFailed("verify.rewritten", size=page.size)


def edition_named(
    view: LedgerView, name: str, period: str, edition: int | None, page: Checkpoint
) -> ListPublished:
    """Returns a publication; where no edition is named, the last one that a checkpoint covers.

    If it covers none, it is the last one of all.

    Raises:
        NotFound: there is no such publication.
    """
    facts = view.facts()
    if edition is None and name in facts.lists:
        covered = editions_of(facts, name, period, Seq(page.size))
        edition = covered[-1].edition if covered else None
    return require_edition(facts, name, period, edition)


def _seq(facts: Facts, publication: ListPublished) -> Seq:
    found = facts.lists[publication.list].publications
    wanted = publication.period, publication.edition
    return next(seq for seq, each in found if (each.period, each.edition) == wanted)


def _proof(view: LedgerView, event: StoredEvent, content: Content, page: Checkpoint) -> TlogProof:
    require_signed(page)
    if event.seq > page.size:
        raise InputRefused("proof.no_event", seq=event.seq, size=page.size)
    if page.size > (last := view.journal.head().seq):
        raise VerificationFailed("verify.cut", size=page.size, seq=last)
    leaf = bytes.fromhex(event.leaf_hash)
    path = view.tree.proved(event.seq - 1, page.size, page.root, leaf)
    if path is None:
        raise VerificationFailed("verify.rewritten", size=page.size)
    return TlogProof(event.seq - 1, tuple(path), page, content.extra())


# What was checked


@dataclass(frozen=True, slots=True)
class Cosigner(JsonForm):
    """A witness whose cosignature counts, by the name in the policy; ``at`` is an instant (UTC)."""

    witness: str
    at: str


@dataclass(frozen=True, slots=True)
class CheckedProof(JsonForm):
    """What a proof has shown: of what, signed by whom, in a tree of how many events.

    ``kind`` is ``event``, ``list``, ``row`` or ``consistency``; ``payload`` the event's, ``commit``
    the header of its commit, where the proof has it; ``document`` says whether a file was held
    against the list, and is the published one; ``continues`` is the size of the earlier checkpoint.
    """

    kind: str
    origin: str
    size: int
    root: str
    signed_by: str
    cosigned: tuple[Cosigner, ...]
    seq: Seq | None
    type: str | None
    effective_on: str | None
    payload: Mapping[str, object] | None
    commit: Mapping[str, object] | None
    row: Mapping[str, object] | None
    document: bool
    continues: int | None


def checked(text: str, policy: Policy, now: dt.datetime, document: bytes | None) -> CheckedProof:
    """Checks a proof; no ledger is needed. Raises as ``ledger.proofs.check.check_proof``."""
    return _told(check_proof(text, policy, int(now.timestamp()), document))


def _told(proven: Proven) -> CheckedProof:
    page, event = proven.checkpoint, proven.event or {}
    return CheckedProof(
        kind=_kind(proven),
        origin=page.origin,
        size=page.size,
        root=page.root.hex(),
        signed_by=proven.log,
        cosigned=tuple(
            Cosigner(name, instant_of(time)) for name, time in sorted(proven.cosigned.items())
        ),
        seq=event.get("seq"),
        type=event.get("type"),
        effective_on=event.get("effective_on"),
        payload=event.get("payload"),
        commit=proven.commit,
        row=proven.row,
        document=proven.document,
        continues=proven.continues,
    )


def _kind(proven: Proven) -> str:
    if proven.event is None:
        return "consistency"
    if proven.row is not None:
        return "row"
    return "list" if proven.event["type"] == ListPublished.TYPE else "event"


def lines_of(page: Checkpoint) -> tuple[CheckpointLine, ...]:
    """Returns what the lines below a checkpoint say of themselves; no key is asked."""
    times = ((line.name, claimed_time(line)) for line in page.signatures)
    return tuple(
        CheckpointLine(name, None if time is None else instant_of(time)) for name, time in times
    )


def instant_of(seconds: int) -> str:
    """Returns an instant in ISO form; one that no calendar has is its number of seconds."""
    try:
        return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return str(seconds)
