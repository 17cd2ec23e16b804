"""Signatures of commits, and of proposals: what is signed, how, and whether a signature is good.

Signed is the place of a commit and the root of the tree after it. The root covers every column of
the commit and of its events, and all that was recorded before: a signature means nothing for
another commit, at another place or in another ledger. It names the account, so that it means
nothing for another one; and its text is neither a checkpoint nor anything else that a key of this
program signs.

What the first of two people signs, where the second records it later, is a proposal. The first
cannot sign the commit: when the second agrees, the ledger has gone on, and the first is not there.
Signed is what was asked for: the key under which it is carried out once, the reason, the document,
and every event that it comes to. The second signs the commit, whose root covers the same events
where they stand. Where they would be other ones by then, the first has to sign again. Not covered
is what nobody can know before: the place in the ledger, the instant, the digests of names, which
are salted anew (the digest of the document covers what they come from), and the day of what holds
from the day on which it is recorded.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from ledger.events.players import PlayerErased, PlayerIdentityCorrected, PlayerRegistered
from ledger.events.tournaments import TournamentAccepted, TournamentAnnulled, TournamentRejected
from ledger.journal.assertions import is_asserted, passkey_public
from ledger.journal.batch import EventRow, pages_of
from ledger.journal.checkpoint import Signer, Verifier, decoded, is_signature, is_sound
from ledger.journal.records import Commit, CommitSignature, Draft, SignCommit, StoredEvent

_KEY_BYTES = 32
_FIRST_LINE = "rating-ledger commit signature"


def public_key(signer: Signer) -> str:
    """Returns the public key of a signer as events and signatures name it."""
    return coded_key(signer.verifier)


def coded_key(verifier: Verifier) -> str:
    """Returns a public key as events and signatures name it: its 32 bytes in base64."""
    return base64.b64encode(verifier.public).decode()


def can_sign(key: str, relying_party: str | None) -> bool:
    """Whether a public key in base64 is one with which its owner, and nobody else, can sign.

    ``relying_party`` is the host for which it was made, where it is a passkey.
    """
    if relying_party is None:
        return is_sound(decoded(key))
    return passkey_public(key) is not None


def signed_text(commit: Commit, account: str) -> str:
    """Returns the text that an account signs, with its last newline."""
    lines = (
        _FIRST_LINE,
        f"account {account}",
        f"commit {commit.commit_id}",
        f"seq {commit.last_seq}",
        f"root {commit.root}",
    )
    return "".join(f"{line}\n" for line in lines)


def signing(signers: Sequence[tuple[str, Signer]]) -> SignCommit:
    """Returns what signs a commit for accounts, each with its key."""

    def sign(commit: Commit) -> tuple[CommitSignature, ...]:
        return tuple(_signature(commit, account, signer) for account, signer in signers)

    return sign


def _signature(commit: Commit, account: str, signer: Signer) -> CommitSignature:
    value = signer.sign(signed_text(commit, account)).value
    coded = base64.b64encode(value).decode()
    return CommitSignature(commit.commit_id, account, public_key(signer), coded)


def is_good(
    signature: CommitSignature,
    commit: Commit,
    relying_party: str | None = None,
    text: str | None = None,
) -> bool:
    """Whether a signature is one of its key, of the commit for its account.

    ``relying_party`` is the host for which its key was made, where that is a passkey. ``text`` is
    what is signed, where that is not the text of the commit.
    """
    if signature.commit_id != commit.commit_id:
        return False
    said = text or signed_text(commit, signature.account)
    if relying_party is not None:
        return is_asserted(signature.signature, signature.key, relying_party, said)
    key = decoded(signature.key)
    return len(key) == _KEY_BYTES and is_signature(key, decoded(signature.signature), said)


_PROPOSAL_LINE: Final = "rating-ledger proposal signature"
_SALTED: Final = {PlayerRegistered.TYPE, PlayerIdentityCorrected.TYPE}
_OF_THE_DAY: Final = {
    PlayerErased.TYPE, TournamentAccepted.TYPE, TournamentAnnulled.TYPE, TournamentRejected.TYPE,
    *_SALTED,
}  # fmt: skip


def proposed_text(account: str, digest: str) -> str:
    """Returns the text that an account signs to propose something, with its last newline."""
    return f"{_PROPOSAL_LINE}\naccount {account}\ndraft {digest}\n"


def draft_digest(draft: Draft) -> str:
    """Returns the digest of what a draft asks for and comes to, in hexadecimal."""
    return _digest(draft, (row for page in pages_of(draft.events) for row in page))


def commit_digest(commit: Commit, events: Iterable[StoredEvent]) -> str:
    """Returns that of the draft that a commit was; ``events`` are all of the commit."""
    rows = ((e.type, e.version, e.effective_on, e.stream, e.payload) for e in events)
    return _digest(commit, rows)


def lines_of(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """Yields what events say at whatever moment they are recorded, each as a line of JSON."""
    for type_, version, effective_on, stream, payload in rows:
        day = None if type_ in _OF_THE_DAY else effective_on
        line = (type_, version, day, stream, _unsalted(type_, payload))
        yield json.dumps(line).encode() + b"\n"


def _unsalted(type_: str, payload: str) -> str:
    """Returns a payload without the digest of a name, which is another one at each try."""
    if type_ not in _SALTED:
        return payload
    said = json.loads(payload)
    said.pop("identity", None)
    return json.dumps(said, sort_keys=True)


def _digest(about: Draft | Commit, rows: Iterable[EventRow]) -> str:
    head = (
        about.idempotency_key, about.body_sha256, about.reason, about.source_name,
        about.source_sha256,
    )  # fmt: skip
    digest = sha256(json.dumps(head).encode() + b"\n")
    for line in lines_of(rows):
        digest.update(line)
    return digest.hexdigest()
