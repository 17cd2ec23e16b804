"""The bulk check of commits and events, a page at a time; ``integrity`` is its specification.

It tells up to which event a journal is as it was written, in half the time that looking at events
one by one takes: hashes, ids and the tree are calculated for a page at once, and the payloads a
large ledger is full of are read by structs (``events.fast``), which accept no more than the models
do. At the first commit in which anything is not as expected it ends; ``integrity`` goes on from
there and names what is wrong.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from pydantic import ConfigDict, TypeAdapter

from ledger.errors import LedgerError
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import DECODERS, FastEvent
from ledger.events.model import PlayerId, TournamentId
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.journal.envelope import (
    event_ids,
    header_digest,
    leaf_hashes,
    peaks_of,
    peaks_text,
)
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, Journal, Progress, StoredRow, no_progress

LOWEST: Final = -(2**62)
"""No row hides below the first: this is lower than anybody would count."""

IDENTIFYING: Final = (PlayerRegistered, PlayerIdentityCorrected)
"""Events that refer to a personal document."""

MADE_ANEW: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
"""What values that nobody expects lead to, in a table that was made anew or hashed by others."""

PROGRESS_EVENTS: Final = 5_000

_CONFIG: Final = ConfigDict(strict=True, regex_engine="rust-regex")
_PLAYERS: Final = TypeAdapter(list[PlayerId], config=_CONFIG)
_TOURNAMENTS: Final = TypeAdapter(list[TournamentId], config=_CONFIG)
_encode_lines = msgspec.json.Encoder().encode_lines
Reference: TypeAlias = tuple[int, int, str]
"""The seq and the commit of an event that refers to a personal document, and the player's id."""

# Type, version, result, ruling.
_Said: TypeAlias = tuple[str, int, str | None, str | None]


class PageReader(Protocol):
    """Is shown every event that is read, for what else may be made of it.

    What was made of a stretch can be written as bytes, so that another process may make it.
    """

    def page(self, rows: Sequence[StoredRow], fast: Sequence[FastEvent]) -> None:
        """Takes the next events, and those of them that were read by structs, in order."""
        ...

    def made(self) -> Any:
        """Returns what was made of them."""
        ...

    def packed(self) -> bytes:
        """Returns the same as bytes."""
        ...

    @staticmethod
    def unpacked(data: bytes) -> Any:
        """Returns what bytes say that ``packed`` made."""
        ...


@dataclass(frozen=True, slots=True)
class PageReading:
    """What is to be made of the events while they are read.

    Attributes:
        gleaner: a module's own class, made for every stretch in whatever process it is read.
        take: gets what was made of each stretch that is wholly intact, in order.
    """

    gleaner: type[PageReader]
    take: Callable[[Any], None]


@dataclass(slots=True)
class Intact:
    """How far a journal is as it was written, and what was seen up to there.

    Attributes:
        commits: the last commit that is right, with all its events.
        seq: its last event.
        tree: the tree over the events up to that one.
        within: the tree over more events, of a commit that goes on behind them; else None.
        identities: digests of personal documents, each with the seq and the commit of the first
            event that refers to it, and its player.
        days: effective dates that are in order.
    """

    commits: int = 0
    seq: int = 0
    tree: CompactRange = field(default_factory=CompactRange)
    within: CompactRange | None = None
    identities: dict[str, Reference] = field(default_factory=dict)
    days: set[str] = field(default_factory=set)

    @classmethod
    def behind(cls, commit: Commit | None) -> Intact:
        """Begins at the end of a commit; raises ``ValueError`` when there can be no such tree."""
        if commit is None:
            return cls()
        return cls(commit.commit_id, commit.last_seq, tree_after(commit))

    @property
    def reached(self) -> int:
        """The last event that is right, perhaps within a commit."""
        return self.seq if self.within is None else self.within.size

    def end(self, commit: Commit, tree: CompactRange) -> bool:
        """Goes on behind a commit, if the tree over its events is the one that it names."""
        if (commit.peaks, commit.root) != (peaks_text(tree), tree.root().hex()):
            return False
        self.commits, self.seq, self.tree, self.within = commit.commit_id, tree.size, tree, None
        return True

    def go_on(self, part: Stretch, its: Accepted) -> bool:
        """Adds what is right of the next stretch; returns whether all of it is."""
        for digest, first in its.intact.identities.items():
            self.identities.setdefault(digest, first)
        self.days |= its.intact.days
        if not part.is_within:
            if part.before is not None and tree_after(part.before).peaks != self.tree.peaks:
                return False  # it began at a tree that is not the one before it
            found = its.intact
            self.commits, self.seq, self.tree = found.commits, found.seq, found.tree
            self.within = found.within
            return found.reached == part.last_seq
        tree = self.within or self.tree
        tree = tree.copy()
        tree.extend(its.leaves)
        if tree.size != part.last_seq:
            return False
        self.within = tree
        return its.ended is None or self.end(its.ended, tree)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Events that follow each other: of commits, the last perhaps cut off, or of a part of one.

    ``before`` is the last commit that ended before the first event, ``after`` the seq before it.
    What the commit before says of its tree is believed: who looks at that commit finds out.
    """

    before: Commit | None
    after: int
    last_commit: int
    last_seq: int

    @property
    def is_within(self) -> bool:
        """Whether it begins within a commit."""
        return self.after > (self.before.last_seq if self.before else 0)


@dataclass(slots=True)
class Accepted:
    """What is right of a stretch.

    Of one that begins within a commit no tree is known: ``leaves`` are the hashes of its events,
    all of them or none, and ``ended`` is the commit, if it ends with them.
    """

    intact: Intact
    leaves: list[bytes] = field(default_factory=list)
    ended: Commit | None = None
    is_whole: bool = False


def tree_after(commit: Commit) -> CompactRange:
    """Returns the tree a commit says it left; raises ``ValueError`` when there can be none."""
    return CompactRange(commit.last_seq, peaks_of(commit.peaks))


def stretches(
    journal: Journal, start: Intact, upto: int, most: int, cuts: Collection[int] = ()
) -> list[Stretch]:
    """Divides the events behind a start.

    Args:
        journal: the store.
        start: what is known to be right.
        upto: the last event that is stored; there may be less of them than commits say.
        most: stretches end with the first commit that makes them as long; one that is much longer
            is cut.
        cuts: seqs at which a stretch has to end.
    """
    found: list[Stretch] = []
    after = start.reached
    before = last = next(journal.commits(after=start.commits - 1), None) if start.commits else None
    for commit in journal.commits(after=start.commits or LOWEST):
        if commit.last_seq > upto:
            break
        for end in _ends_within(commit, after, most, cuts):
            found.append(Stretch(before, after, commit.commit_id, end))
            before, after = last, end
        is_end = commit.last_seq - after >= most or commit.last_seq in cuts
        if is_end or after >= commit.first_seq:
            found.append(Stretch(before, after, commit.commit_id, commit.last_seq))
            before, after = commit, commit.last_seq
        last = commit
    if last is not None and last.last_seq > after:
        found.append(Stretch(before, after, last.commit_id, last.last_seq))
    return found


def _ends_within(commit: Commit, after: int, most: int, cuts: Collection[int]) -> list[int]:
    """Returns the seqs, before its last one, at which the events of a commit are to be cut."""
    first = max(after, commit.first_seq - 1)
    ends = {cut for cut in cuts if first < cut < commit.last_seq}
    if commit.last_seq - first > 2 * most:
        ends.update(range(first + most, commit.last_seq - most, most))
    return sorted(ends)


def accepted(
    journal: Journal,
    stretch: Stretch,
    progress: Progress = no_progress,
    gleaner: PageReader | None = None,
    *,
    total: int | None = None,
) -> Accepted:
    """Returns what is right of a stretch: all of it, or what comes before a bad commit.

    Memory is bounded by the number of players and tournaments, by what the gleaner makes, and, for
    a part of a commit, by its hashes.

    Args:
        journal: the store.
        stretch: of it.
        progress: is told "verify", the last event that was looked at, and the total.
        gleaner: is shown the events.
        total: the last event of all; by default that of the stretch.
    """
    found = Accepted(Intact())
    try:
        found.intact = Intact.behind(stretch.before)
        acceptance = _Acceptance(journal, stretch, found, progress, gleaner, total)
        found.is_whole = acceptance.part() if stretch.is_within else acceptance.commits()
    except (LedgerError, msgspec.DecodeError, *MADE_ANEW):
        pass  # it comes again when it is looked at closely
    if not found.is_whole:
        found.leaves, found.ended = [], None
    return found


def _follows(commit: Commit, so_far: Intact) -> bool:
    """Whether a commit is the next one and says of itself what can be."""
    place = (so_far.commits + 1, so_far.seq + 1)
    return (commit.commit_id, commit.first_seq) == place and commit.last_seq >= commit.first_seq


def is_day(text: str) -> bool:
    """Whether the text is a date as it is stored."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class _Acceptance:
    """Goes through commits and events side by side, for as long as all is well."""

    def __init__(
        self,
        journal: Journal,
        stretch: Stretch,
        found: Accepted,
        progress: Progress,
        gleaner: PageReader | None,
        total: int | None,
    ) -> None:
        self.intact = found.intact
        self._found = found
        self._stretch = stretch
        before = stretch.before
        self._commits = journal.commits(after=before.commit_id if before else LOWEST)
        self._pages = iter(journal.pages(after=stretch.after or LOWEST, upto=stretch.last_seq))
        self._page: Sequence[StoredRow] = ()
        self._at = 0
        self._total = stretch.last_seq if total is None else total
        self._progress = progress
        self._gleaner = gleaner
        self._players: set[str | None] = {None}
        self._tournaments: set[str] = set()
        self._said: set[_Said] = set()

    def commits(self) -> bool:
        """Accepts whole commits, and what the stretch has of the last one; whether that is all."""
        last = self._stretch.last_seq
        for commit in self._commits:
            if self.intact.seq >= last or not self._takes(commit, last):
                break
        return self.intact.reached == last

    def part(self) -> bool:
        """Accepts the events of a part of a commit; whether they are all right."""
        stretch = self._stretch
        commit = next(self._commits, None)
        if commit is None or not _follows(commit, self.intact):
            return False
        if commit.last_seq < stretch.last_seq:
            return False
        leaves = self._found.leaves
        if not self._events_are_right(commit, stretch.after, stretch.last_seq, leaves.extend):
            return False
        if commit.last_seq == stretch.last_seq:
            self._found.ended = commit
        return True

    def _takes(self, commit: Commit, last: int) -> bool:
        """Accepts the next commit, whole or up to an event; or nothing of it."""
        so_far = self.intact
        if not _follows(commit, so_far):
            return False
        tree = so_far.tree.copy()
        end = min(commit.last_seq, last)
        if not self._events_are_right(commit, tree.size, end, tree.extend):
            return False
        if end == commit.last_seq:
            return so_far.end(commit, tree)
        so_far.within = tree
        return True

    def _events_are_right(
        self, commit: Commit, after: int, last: int, put: Callable[[list[bytes]], None]
    ) -> bool:
        """Whether the events of a commit behind a seq are right; their leaves are put somewhere."""
        header = header_digest(commit)
        while after < last:
            rows = self._next(last - after)
            if not rows or not self._page_is_right(commit, header, after, rows, put):
                return False
            self._tell(after, after + len(rows))
            after += len(rows)
        return True

    def _next(self, most: int) -> Sequence[StoredRow]:
        if self._at == len(self._page):
            self._page, self._at = next(self._pages, ()), 0
        rows = self._page[self._at : self._at + most]
        self._at += len(rows)
        return rows

    def _tell(self, before: int, seq: int) -> None:
        if seq // PROGRESS_EVENTS > before // PROGRESS_EVENTS or seq == self._total:
            self._progress("verify", seq, self._total)

    def _page_is_right(
        self,
        commit: Commit,
        header: str,
        after: int,
        rows: Sequence[StoredRow],
        put: Callable[[list[bytes]], None],
    ) -> bool:
        """Whether all events are as they were written; then their leaves are put somewhere."""
        seqs, ids, commits, types, versions, days, streams, payloads, stored = zip(
            *rows, strict=True
        )
        count, first = len(rows), after + 1
        if seqs != tuple(range(first, first + count)) or commits.count(commit.commit_id) < count:
            return False
        if ids != tuple(event_ids(commit.idempotency_key, first - commit.first_seq + 1, count)):
            return False
        leaves = leaf_hashes(header, seqs, ids, types, versions, days, streams, payloads)
        if stored != tuple(map(bytes.hex, leaves)):
            return False
        new_days = set(days) - self.intact.days
        if not all(map(is_day, new_days)) or not self._contents_are_right(rows, types, versions):
            return False
        self.intact.days |= new_days
        put(leaves)
        return True

    def _contents_are_right(
        self, rows: Sequence[StoredRow], types: Sequence[str], versions: Sequence[int]
    ) -> bool:
        """Whether every payload is the canonical text of an event of its stream."""
        fast = [key in DECODERS for key in zip(types, versions, strict=True)]
        its = rows if all(fast) else [*compress(rows, fast)]
        if its is not rows:
            others = (row for row, is_fast in zip(rows, fast, strict=True) if not is_fast)
            if not all(map(self._is_right, others)):
                return False
        read = self._read(its)
        if read is None:
            return False
        if self._gleaner is not None:
            self._gleaner.page(rows, read)
        return True

    def _is_right(self, row: StoredRow) -> bool:
        """Looks at an event by its model."""
        seq, _, commit_id, type_, version, _, stream, payload, _ = row
        read = CATALOGUE.decode(type_, version, payload)
        if isinstance(read, IDENTIFYING):
            self.intact.identities.setdefault(read.identity, (seq, commit_id, read.player))
        # An event of an earlier version was upcast: its text is not the stored one.
        same = version != read.VERSION or payload == read.canonical()
        return same and stream == read.stream

    def _read(self, rows: Sequence[StoredRow]) -> Sequence[FastEvent] | None:
        """Returns events as structs, if they are right; what these leave open is looked at once."""
        if not rows:
            return ()
        _, _, _, types, versions, _, streams, payloads, _ = zip(*rows, strict=True)
        keys = zip(types, versions, strict=True)
        read = [DECODERS[key](payload) for key, payload in zip(keys, payloads, strict=True)]
        # As many lines as payloads: none of these has an end of line in it.
        if _encode_lines(read) != "\n".join((*payloads, "")).encode():
            return None
        tournaments = [each.tournament for each in read]
        if streams != tuple([f"tournament:{tournament}" for tournament in tournaments]):
            return None
        players = {each.white for each in read} | {each.black for each in read}
        self._check_ids(players - self._players, set(tournaments) - self._tournaments)
        results, rulings = [each.result for each in read], [each.ruling for each in read]
        said = zip(types, versions, results, rulings, strict=True)
        new = {how: row for how, row in zip(said, rows, strict=True) if how not in self._said}
        self._said.update(new)
        return read if all(map(self._is_right, new.values())) else None

    def _check_ids(self, players: set[str | None], tournaments: set[str]) -> None:
        """Raises an error when an id is none that an event can have."""
        _PLAYERS.validate_python([*players])
        _TOURNAMENTS.validate_python([*tournaments])
        self._players |= players
        self._tournaments |= tournaments
