"""Accepts what is intact, a page at a time; says nothing of what is not.

Nearly every journal that is checked is as it was written. Here that is found out in half
the time that ``integrity`` takes to look at events one by one: hashes, ids and the tree are
calculated for a page at once, and the payloads a large ledger is full of are read by structs
(``events.light``), which accept no more than the models do. From the first commit on in which
anything is not as expected nothing is accepted: ``integrity`` begins there, and names it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from pydantic import ConfigDict, TypeAdapter

from ledger.errors import LedgerError
from ledger.events.catalogue import CATALOGUE
from ledger.events.light import DECODERS, Light
from ledger.events.model import PlayerId, TournamentId
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.journal.entries import Commit, Head, Journal, Progress, StoredRow, no_progress
from ledger.journal.envelope import (
    event_ids,
    header_digest,
    leaf_hashes,
    peaks_of,
    peaks_text,
)
from ledger.journal.merkle import CompactRange

LOWEST: Final = -(2**62)
"""No row hides below the first: this is lower than anybody would count."""

IDENTIFYING: Final = (PlayerRegistered, PlayerIdentityCorrected)
"""Events that refer to a personal document."""

MADE_ANEW: Final = (AttributeError, TypeError, ValueError)
"""What a column of any type leads to, in a table that was made anew."""

PROGRESS_EVENTS: Final = 5_000

_CONFIG: Final = ConfigDict(strict=True, regex_engine="rust-regex")
_PLAYERS: Final = TypeAdapter(list[PlayerId], config=_CONFIG)
_TOURNAMENTS: Final = TypeAdapter(list[TournamentId], config=_CONFIG)
_encode_lines = msgspec.json.Encoder().encode_lines
# Type, version, result, ruling.
_Said: TypeAlias = tuple[str, int, str | None, str | None]


class Gleaner(Protocol):
    """Is shown every event that is read, for what else may be made of it."""

    def page(self, rows: Sequence[StoredRow], light: Sequence[Light]) -> None:
        """Takes the next events, and those of them that were read by structs, in order."""
        ...

    def made(self) -> Any:
        """Returns what was made of them."""
        ...


@dataclass(frozen=True, slots=True)
class Gleaning:
    """What is to be made of the events while they are read.

    Attributes:
        gleaner: makes one for every stretch, in whatever process it is read.
        take: gets what was made of each stretch that is wholly intact, in order.
    """

    gleaner: Callable[[], Gleaner]
    take: Callable[[Any], None]


@dataclass(slots=True)
class Intact:
    """How far a journal is as it was written, and what was seen up to there.

    ``identities`` are the digests of personal documents, each with the seq and the commit of the
    first event that refers to it; ``days`` are effective dates that are in order; ``gleaned`` is
    what else was made of the events, of one stretch only.
    """

    commits: int = 0
    seq: int = 0
    tree: CompactRange = field(default_factory=CompactRange)
    identities: dict[str, tuple[int, int]] = field(default_factory=dict)
    days: set[str] = field(default_factory=set)
    gleaned: Any = None

    def begin_behind(self, commit: Commit) -> None:
        """Takes over the end of a commit; raises ``ValueError`` when there can be no such tree."""
        self.tree = CompactRange(commit.last_seq, peaks_of(commit.peaks))
        self.commits, self.seq = commit.commit_id, commit.last_seq

    def go_on(self, behind: Intact) -> None:
        """Adds what is intact of the next stretch."""
        self.commits, self.seq, self.tree = behind.commits, behind.seq, behind.tree
        for digest, first in behind.identities.items():
            self.identities.setdefault(digest, first)
        self.days |= behind.days


@dataclass(frozen=True, slots=True)
class Stretch:
    """Commits that follow each other, by the one before them and the ends of the last.

    What the commit before says of its tree is believed: who looks at that commit finds out.
    """

    before: Commit | None
    last_commit: int
    last_seq: int


def stretches(journal: Journal, head: Head, least: int) -> list[Stretch]:
    """Divides a journal up to a head: each part, but for the last, has at least so many events."""
    before: Commit | None = None
    found: list[Stretch] = []
    for commit in journal.commits(after=LOWEST):
        if commit.last_seq - (before.last_seq if before else 0) >= least:
            found.append(Stretch(before, commit.commit_id, commit.last_seq))
            before = commit
        if commit.commit_id >= head.commit_id:
            break
    return [*found[:-1], Stretch(found[-1].before if found else None, head.commit_id, head.seq)]


def intact(
    journal: Journal,
    stretch: Stretch,
    progress: Progress = no_progress,
    gleaner: Gleaner | None = None,
) -> Intact:
    """Returns what is intact of a stretch: all of it, or what comes before a bad commit.

    Memory is bounded by the number of players and tournaments, and by what the gleaner makes.
    """
    so_far = Intact()
    try:
        if stretch.before is not None:
            so_far.begin_behind(stretch.before)
        acceptance = _Acceptance(journal, stretch, so_far, progress, gleaner)
        for commit in journal.commits(after=so_far.commits or LOWEST):
            if commit.commit_id > stretch.last_commit or not acceptance.takes(commit):
                break
    except (LedgerError, msgspec.DecodeError, *MADE_ANEW):
        pass  # it comes again when it is looked at closely
    if gleaner is not None and so_far.commits == stretch.last_commit:
        so_far.gleaned = gleaner.made()
    return so_far


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
        so_far: Intact,
        progress: Progress,
        gleaner: Gleaner | None,
    ) -> None:
        self.intact = so_far
        self._pages = iter(journal.pages(after=so_far.seq or LOWEST, upto=stretch.last_seq))
        self._page: Sequence[StoredRow] = ()
        self._at = 0
        self._total = stretch.last_seq
        self._progress = progress
        self._gleaner = gleaner
        self._players: set[str | None] = {None}
        self._tournaments: set[str] = set()
        self._said: set[_Said] = set()

    def takes(self, commit: Commit) -> bool:
        """Accepts the next commit, whole; or nothing of it."""
        so_far = self.intact
        place = (so_far.commits + 1, so_far.seq + 1)
        if (commit.commit_id, commit.first_seq) != place or commit.last_seq < commit.first_seq:
            return False
        tree, header = so_far.tree.copy(), header_digest(commit)
        while tree.size < commit.last_seq:
            rows = self._next(commit.last_seq - tree.size)
            if not rows or not self._page_is_right(commit, header, tree, rows):
                return False
            self._tell(tree.size - len(rows), tree.size)
        if (commit.peaks, commit.root) != (peaks_text(tree), tree.root().hex()):
            return False
        so_far.commits, so_far.seq, so_far.tree = commit.commit_id, tree.size, tree
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
        self, commit: Commit, header: str, tree: CompactRange, rows: Sequence[StoredRow]
    ) -> bool:
        """Whether all events are as they were written; then they are put into the tree."""
        seqs, ids, commits, types, versions, days, streams, payloads, stored = zip(
            *rows, strict=True
        )
        count, first = len(rows), tree.size + 1
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
        tree.extend(leaves)
        return True

    def _contents_are_right(
        self, rows: Sequence[StoredRow], types: Sequence[str], versions: Sequence[int]
    ) -> bool:
        """Whether every payload is the canonical text of an event of its stream."""
        light = [key in DECODERS for key in zip(types, versions, strict=True)]
        its = rows if all(light) else [*compress(rows, light)]
        if its is not rows:
            others = (row for row, is_light in zip(rows, light, strict=True) if not is_light)
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
            self.intact.identities.setdefault(read.identity, (seq, commit_id))
        # An event of an earlier version was upcast: its text is not the stored one.
        same = version != read.VERSION or payload == read.canonical()
        return same and stream == read.stream

    def _read(self, rows: Sequence[StoredRow]) -> Sequence[Light] | None:
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
