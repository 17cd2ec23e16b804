"""The journal for whoever audits it: commits from the newest back, and the proof of an event.

A commit holds the root of the tree after it. That an event is in that tree is shown by its leaf
and the hashes beside its way to the root (RFC 9162, 2.1.3), made of the commit's own leaves and of
what the commit before left.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from ledger.application.ledger import Ledger
from ledger.errors import NotFound
from ledger.journal.envelope import peaks_of
from ledger.journal.merkle import CompactRange, includes, inclusion_proof_beyond
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.event_check import EventCheck
from ledger.json_form import JsonForm

PAGE: Final = 50
LONGEST: Final = 20_000
"""Of an event in a longer commit no proof is made here: ``verify`` checks the whole tree."""


def commits_back(ledger: Ledger, *, before: int | None = None, limit: int = PAGE) -> list[Commit]:
    """Returns commits, the newest first: those before a number (None: from the last one)."""
    last = ledger.journal.head().commit_id if before is None else before - 1
    first = max(0, last - limit)
    there = islice(ledger.journal.commits(after=first), max(0, last - first))
    return [commit for commit in there if commit.commit_id <= last][::-1]


def events_of(
    ledger: Ledger, commit: Commit, *, after: int = 0, limit: int = PAGE
) -> list[StoredEvent]:
    """Returns events of a commit after a seq, checked.

    Raises:
        VerificationFailed: one is not what was recorded.
    """
    first = max(after, commit.first_seq - 1)
    events = ledger.journal.events(after=first, upto=min(commit.last_seq, first + limit))
    return list(EventCheck(ledger.journal).checked(events))


@dataclass(frozen=True, slots=True)
class Inclusion(JsonForm):
    """That an event is in the tree after its commit, in hexadecimal.

    ``path`` are the hashes beside the way from the leaf to the root, from below; None where the
    commit is too long. ``holds`` says whether they come to the root.
    """

    root: str
    size: int
    index: int
    path: tuple[str, ...] | None
    holds: bool | None


@dataclass(frozen=True, slots=True)
class AuditedEvent(JsonForm):
    """An event as it is stored, the commit that it came by, and its proof.

    ``payload`` is the canonical text that was hashed, ``said`` the same as JSON data.
    """

    event: StoredEvent
    commit: Commit
    said: dict[str, Any]
    inclusion: Inclusion


def audited_event(ledger: Ledger, seq: int) -> AuditedEvent:
    """Returns an event with its proof.

    Raises:
        NotFound: there is no such seq.
        VerificationFailed: it is not what was recorded.
    """
    last = ledger.journal.head().seq
    if not 1 <= seq <= last:
        raise NotFound("database.no_such_seq", seq=seq, last=last)
    check = EventCheck(ledger.journal)
    (event,) = check.checked(ledger.journal.events(after=seq - 1, upto=seq))
    commit = check.commit(event.commit_id, seq)
    return AuditedEvent(event, commit, json.loads(event.payload), _inclusion(ledger, event, commit))


def _inclusion(ledger: Ledger, event: StoredEvent, commit: Commit) -> Inclusion:
    size, index = commit.last_seq, event.seq - 1
    if commit.last_seq - commit.first_seq >= LONGEST:
        return Inclusion(commit.root, size, index, None, None)
    path = inclusion_proof_beyond(*_tree(ledger, commit), index)
    holds = includes(bytes.fromhex(commit.root), size, index, bytes.fromhex(event.leaf_hash), path)
    return Inclusion(commit.root, size, index, tuple(step.hex() for step in path), holds)


def _tree(ledger: Ledger, commit: Commit) -> tuple[CompactRange, list[bytes]]:
    """Returns the tree before a commit, and the commit's leaves."""
    is_first = commit.commit_id == 1
    before = None if is_first else next(ledger.journal.commits(after=commit.commit_id - 2))
    tree = CompactRange(before.last_seq, peaks_of(before.peaks)) if before else CompactRange()
    events = ledger.journal.events(after=commit.first_seq - 1, upto=commit.last_seq)
    return tree, [bytes.fromhex(each.leaf_hash) for each in events]


def last_recorded_on(ledger: Ledger) -> dt.date:
    """Returns the day (UTC) of the last commit; the first of days where there is none.

    A question that depends on the day has one answer by it, whenever it is asked.
    """
    commit = ledger.journal.commit_by(ledger.journal.head().seq)
    return dt.date.fromisoformat(commit.recorded_at[:10]) if commit else dt.date.min
