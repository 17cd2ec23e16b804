"""The commits of a journal, back or on, and their events: who recorded what, when and why.

What a commit recorded is said in words by its events of the types that tell most.

An event for whoever audits it: as it is stored, and the proof that it came by its commit.

A commit holds the root of the tree after it. That an event is in that tree is shown by its leaf and
the hashes beside its way to the root (RFC 9162, 2.1.3).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Any, Final

from ledger.errors import NotFound
from ledger.events import lists as li
from ledger.events import tournaments as to
from ledger.events.players import PlayerErased, PlayerRegistered, RatingSeeded
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.stores.database import open_journal
from ledger.json_form import INSTANT, SHA256, JsonForm
from ledger.trust.signers import signers_between
from ledger.views.past import whole_of
from ledger.views.view import LedgerView
from ledger.wording import Message, Quantity
from ledger.wording.masking import masked_file


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

    ``payload`` is the canonical text that was hashed, ``content`` the same as JSON data.
    """

    event: StoredEvent
    commit: Commit
    content: dict[str, Any]
    inclusion: Inclusion


def audited_event(view: LedgerView, seq: Seq) -> AuditedEvent:
    """Returns an event with its proof.

    Raises:
        NotFound: there is no such seq.
        VerificationFailed: it is not what was recorded.
    """
    event, commit = view.event_check().read(seq)
    return AuditedEvent(event, commit, json.loads(event.payload), _inclusion(view, event, commit))


def _inclusion(view: LedgerView, event: StoredEvent, commit: Commit) -> Inclusion:
    size, index = commit.last_seq, event.seq - 1
    root, leaf = bytes.fromhex(commit.root), bytes.fromhex(event.leaf_hash)
    path = view.tree.proved(index, size, root, leaf)
    steps = tuple(step.hex() for step in path or ())
    return Inclusion(commit.root, size, index, steps, path is not None)


PAGE: Final = 50
MOST_COUNTED: Final = 5_000  # events of a commit: of a larger one nobody waits until they are read
_PATIENCE: Final = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class HeadReport(JsonForm):
    """The last seq, how many commits there are, and the root over all events."""

    seq: Seq
    commits: int
    root: Annotated[str, SHA256]


@dataclass(frozen=True, slots=True)
class CommitReport(JsonForm):
    """A commit: who recorded what, when, why and from which document, and who signed it."""

    commit: int
    recorded_at: Annotated[str, INSTANT]
    actor: str
    reason: str
    signed_by: Sequence[str]
    source: str | None
    source_sha256: Annotated[str | None, SHA256]
    first_seq: Seq
    last_seq: Seq
    root: Annotated[str, SHA256]


@dataclass(frozen=True, slots=True)
class Commits(JsonForm):
    """Some commits, in their order."""

    commits: Sequence[CommitReport]


def head_of(view: LedgerView) -> HeadReport:
    """Returns where the journal ends."""
    head = view.journal.head()
    return HeadReport(head.seq, head.commit_id, head.root)


def last_recorded_on(view: LedgerView) -> dt.date:
    """Returns the day (UTC) of the last commit; the first of days where there is none.

    A question that depends on the day has one answer by it, whenever it is asked.
    """
    commit = view.journal.commit_by(view.journal.head().seq)
    return dt.date.fromisoformat(commit.recorded_at[:10]) if commit else dt.date.min


def settled_commits(url: str, keys: Sequence[str]) -> list[tuple[int, Message]]:
    """Returns numbers and contents of the commits under some keys, once none can still be added.

    The database is asked over a connection of its own: who asked for the commits was interrupted,
    and a server may still be at the last of them.

    Raises:
        DatabaseError: it cannot be asked, or somebody goes on recording for longer than is waited.
    """
    journal = open_journal(url, lock_timeout=_PATIENCE)
    try:
        commits = list(map(journal.commit_with_key, keys))
        if None in commits:
            journal.await_writer()
            commits = list(map(journal.commit_with_key, keys))
        return [(each.commit_id, _in_words(journal, each)) for each in commits if each is not None]
    finally:
        journal.close()


def _in_words(journal: Journal, commit: Commit) -> Message:
    counts = journal.type_counts(after=commit.first_seq - 1, upto=commit.last_seq)
    return recorded_in_words(counts)


def commits_back(view: LedgerView, *, before: int | None = None, limit: int = PAGE) -> list[Commit]:
    """Returns commits, the newest first: those before a number (None: from the last one)."""
    last = view.journal.head().commit_id if before is None else before - 1
    first = max(0, last - limit)
    found = islice(view.journal.commits(after=first), max(0, last - first))
    return _shown(view, [commit for commit in found if commit.commit_id <= last][::-1])


def commits_after(view: LedgerView, after: int, limit: int) -> list[CommitReport]:
    """Returns commits in their order: those after a number, so many at most."""
    commits = _shown(view, list(islice(view.journal.commits(after=after), limit)))
    signed = signers_between(view.journal, after + 1, after + limit)
    return [_reported(each, signed.get(each.commit_id, [])) for each in commits]


def numbered_commit(view: LedgerView, number: int) -> Commit:
    """Returns a commit by its number; raises ``NotFound``."""
    is_one = 1 <= number <= view.journal.head().commit_id
    commit = next(view.journal.commits(after=number - 1), None) if is_one else None
    if commit is None or commit.commit_id != number:
        raise NotFound("database.no_such_commit", commit=number)
    return _shown(view, [commit])[0]


def commit_of(view: LedgerView, seq: Seq) -> Commit:
    """Returns the commit by which an event was recorded, checked; raises ``NotFound``."""
    return view.event_check().read(seq)[1]


def events_of(
    view: LedgerView, commit: Commit, *, after: int = 0, limit: int = PAGE
) -> list[StoredEvent]:
    """Returns events of a commit after a seq, checked.

    Raises:
        VerificationFailed: one is not what was recorded.
    """
    first = max(after, commit.first_seq - 1)
    events = view.journal.events(after=first, upto=min(commit.last_seq, first + limit))
    return list(view.event_check().checked(events))


_FIRST: Final = (
    li.ListPublished.TYPE, to.TournamentOpened.TYPE, PlayerRegistered.TYPE, RatingSeeded.TYPE,
    to.ResultRecorded.TYPE, to.ResultCorrected.TYPE, to.ResultAnnulled.TYPE, to.PlayerEntered.TYPE,
)  # fmt: skip
"""The types of events that are named first, in this order."""


def count_in_words(type_: str, count: int) -> Message:
    """Returns how many facts of an event type there are, in words: "16 players"."""
    return Message.of("counted." + type_.replace(".", "_").replace("-", "_"), count=Quantity(count))


def recorded_in_words(counts: Mapping[str, int], about: str = "") -> Message:
    """Returns what is recorded, by the number of events of each type: "12 players, 8 entries".

    ``about`` is the id of the tournament, player or list that all of it concerns, if it is one.
    """
    types = dict.fromkeys([*(type_ for type_ in _FIRST if type_ in counts), *counts])
    words = tuple(count_in_words(type_, counts[type_]) for type_ in types)
    key = "commit.recorded_about" if about else "commit.recorded"
    return Message.of(key, what=words, about=about)


def summaries(view: LedgerView, commits: Sequence[Commit]) -> list[Message | None]:
    """Says what each commit recorded; None of one with more events than are counted meanwhile."""
    return [
        _in_words(view.journal, each) if each.last_seq - each.first_seq < MOST_COUNTED else None
        for each in commits
    ]


def reported_commit(view: LedgerView, number: int) -> CommitReport:
    """Returns a commit by its number; raises ``NotFound``."""
    return _reported(numbered_commit(view, number), signed_by(view, number))


def signed_by(view: LedgerView, number: int) -> list[str]:
    """Returns the accounts that signed a commit; whether rightly, ``verify`` says."""
    return signers_between(view.journal, number, number).get(number, [])


def source_of_commit(view: LedgerView, commit: Commit) -> str | None:
    """Returns the name of the file that a commit came from; masked, if it named an erased person.

    Whoever is erased by now is meant, whenever it is asked as of.
    """
    return _shown(view, [commit])[0].source_name


def _shown(view: LedgerView, commits: list[Commit]) -> list[Commit]:
    """Returns commits with the sources that are shown; see ``source_of_commit``."""
    if all(each.source_name is None for each in commits):
        return commits
    erasures = whole_of(view).facts().recorded(PlayerErased)
    masked = {number for erasure in erasures for number in erasure.event.sources or ()}
    return [
        replace(each, source_name=masked_file(each.source_name))
        if each.source_name is not None and each.commit_id in masked
        else each
        for each in commits
    ]


def _reported(commit: Commit, signed: Sequence[str]) -> CommitReport:
    return CommitReport(
        commit=commit.commit_id,
        recorded_at=commit.recorded_at,
        actor=commit.actor,
        reason=commit.reason,
        signed_by=signed,
        source=commit.source_name,
        source_sha256=commit.source_sha256,
        first_seq=commit.first_seq,
        last_seq=commit.last_seq,
        root=commit.root,
    )
