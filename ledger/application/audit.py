"""The journal for whoever audits it: its commits, back or on, and the proof of an event.

A commit says who recorded something, when and why, and holds the root of the tree after it. That an
event is in that tree is shown by its leaf and the hashes beside its way to the root (RFC 9162,
2.1.3).
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from ledger.application.ledger import Ledger
from ledger.application.signers import signers_between
from ledger.errors import NotFound
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.event_check import EventCheck
from ledger.json_form import JsonForm

PAGE: Final = 50


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

    ``path`` are the hashes beside the way from the leaf to the root, from below. ``holds`` says
    whether they come to the root; where no path does, there is none.
    """

    root: str
    size: int
    index: int
    path: tuple[str, ...]
    holds: bool


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
    event, commit = EventCheck(ledger.journal).read(seq)
    return AuditedEvent(event, commit, json.loads(event.payload), _inclusion(ledger, event, commit))


def _inclusion(ledger: Ledger, event: StoredEvent, commit: Commit) -> Inclusion:
    size, index = commit.last_seq, event.seq - 1
    root, leaf = bytes.fromhex(commit.root), bytes.fromhex(event.leaf_hash)
    path = ledger.tree.proved(index, size, root, leaf)
    steps = tuple(step.hex() for step in path or ())
    return Inclusion(commit.root, size, index, steps, path is not None)


def last_recorded_on(ledger: Ledger) -> dt.date:
    """Returns the day (UTC) of the last commit; the first of days where there is none.

    A question that depends on the day has one answer by it, whenever it is asked.
    """
    commit = ledger.journal.commit_by(ledger.journal.head().seq)
    return dt.date.fromisoformat(commit.recorded_at[:10]) if commit else dt.date.min


def head_of(ledger: Ledger) -> dict[str, Any]:
    """Returns the last seq, how many commits there are and the root over all events, as JSON."""
    head = ledger.journal.head()
    return {"seq": head.seq, "commits": head.commit_id, "root": head.root}


def commits_after(ledger: Ledger, after: int, limit: int) -> list[dict[str, Any]]:
    """Returns commits in their order as JSON data: those after a number, so many at most."""
    commits = list(islice(ledger.journal.commits(after=after), limit))
    signed = signers_between(ledger.journal, after + 1, after + limit)
    return [_data(commit, signed.get(commit.commit_id, [])) for commit in commits]


def numbered_commit(ledger: Ledger, number: int) -> Commit:
    """Returns a commit by its number; raises ``NotFound``."""
    there = 1 <= number <= ledger.journal.head().commit_id
    commit = next(ledger.journal.commits(after=number - 1), None) if there else None
    if commit is None or commit.commit_id != number:
        raise NotFound("database.no_such_commit", commit=number)
    return commit


def commit_of(ledger: Ledger, seq: int) -> Commit:
    """Returns the commit by which an event was recorded, checked; raises ``NotFound``."""
    return EventCheck(ledger.journal).read(seq)[1]


def commit_data(ledger: Ledger, number: int) -> dict[str, Any]:
    """Returns a commit by its number, as JSON data; raises ``NotFound``."""
    return _data(numbered_commit(ledger, number), signed_by(ledger, number))


def signed_by(ledger: Ledger, number: int) -> list[str]:
    """Returns the accounts that signed a commit; whether rightly, ``verify`` says."""
    return signers_between(ledger.journal, number, number).get(number, [])


def _data(commit: Commit, signed: list[str]) -> dict[str, Any]:
    return {
        "commit": commit.commit_id,
        "recorded_at": commit.recorded_at,
        "actor": commit.actor,
        "reason": commit.reason,
        "signed_by": signed,
        "source": commit.source_name,
        "source_sha256": commit.source_sha256,
        "first_seq": commit.first_seq,
        "last_seq": commit.last_seq,
        "root": commit.root,
    }
