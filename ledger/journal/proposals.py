"""What the first of two people signs, where the second records it later.

The first cannot sign the commit: when the second agrees, the ledger has gone on, and the first is
not there. Signed is what was asked for: the key under which it is carried out once, the reason, the
document, and every event that it comes to. The second signs the commit, whose root covers the same
events where they stand. Where they would be other ones by then, the first has to sign again.

Not covered is what nobody can know before: the place in the ledger, the instant, the digests of
names, which are salted anew (the digest of the document covers what they come from), and the day of
what holds from the day on which it is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from ledger.events.players import PlayerErased, PlayerIdentityCorrected, PlayerRegistered
from ledger.events.tournaments import TournamentAccepted, TournamentAnnulled, TournamentRejected
from ledger.journal.batch import EventRow, pages_of
from ledger.journal.records import Commit, Draft, StoredEvent

_FIRST_LINE: Final = "rating-ledger proposal signature"
_SALTED: Final = {PlayerRegistered.TYPE, PlayerIdentityCorrected.TYPE}
_OF_THE_DAY: Final = {
    PlayerErased.TYPE, TournamentAccepted.TYPE, TournamentAnnulled.TYPE, TournamentRejected.TYPE,
    *_SALTED,
}  # fmt: skip


def proposed_text(account: str, digest: str) -> str:
    """Returns the text that an account signs to propose something, with its last newline."""
    return f"{_FIRST_LINE}\naccount {account}\ndraft {digest}\n"


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
