"""The facts as values: pairings in blocks of narrow columns, what is few in tables and records.

Players and tournaments are known by their index (order of first appearance). Nothing is ever
overwritten: a game's later result is a later row, a correction a later record. Each carries the
``seq`` from which it was known, so one fold serves every basis. ``Snapshots`` are what may be kept
beside the events, because it takes long to make.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, Self, TypeVar, assert_never, cast

import numpy as np

from ledger.calendar import CalendarSegment
from ledger.events.catalogue import undone_of
from ledger.events.lists import (
    AnyListEvent,
    CalendarSet,
    ListAdjusted,
    ListDefined,
    ListFactUndone,
    ListPublished,
    RegulationAdopted,
    TwoPersonsSet,
)
from ledger.events.model import Event
from ledger.events.tournaments import PlayerEntered, TournamentReopened
from ledger.facts.accounts import AccountFacts
from ledger.facts.arrays import NEVER, NOBODY, AnyColumn, Column, Mask
from ledger.facts.blocks import Block
from ledger.facts.ids import Ids, Index, Texts, alphabetical
from ledger.facts.ladder import LadderFacts
from ledger.facts.runs import Effects
from ledger.facts.tables import Announcements, RecordedEvent, Tables
from ledger.identifiers import PlayerId, PlayerIndex, Seq, TournamentId, TournamentIndex
from ledger.journal.records import SnapshotHeading, SnapshotName

__all__ = [
    "NEVER",
    "NOBODY",
    "Acceptance",
    "AnyColumn",
    "Column",
    "Directory",
    "Ending",
    "Facts",
    "ListFacts",
    "Mask",
    "Merge",
    "Ruling",
    "Snapshots",
    "Undone",
]


E = TypeVar("E", bound=Event)


class Ending(IntEnum):
    """How a round ended for a pairing, as the rating sees it."""

    PLAYED = 0
    ADJUDICATED = 1
    SHORT = 2
    FORFEIT = 3
    BYE = 4
    ADJOURNED = 5
    TEMPORARY = 6
    NOT_FOR_RATING = 7
    ANNULLED = 8


class Acceptance(IntEnum):
    """Whether a tournament counts."""

    ACCEPTED = 0
    REJECTED = 1
    ANNULLED = 2


@dataclass(frozen=True, slots=True)
class Merge:
    """From ``seq`` on, everything of ``player`` counts for ``into``."""

    seq: Seq
    player: PlayerIndex
    into: int


@dataclass(frozen=True, slots=True)
class Undone:
    """From ``seq`` on, the event ``undoes``, of a type ``what``, is taken back.

    ``index`` is that of its player or tournament, ``NOBODY`` of a list.
    """

    seq: Seq
    undoes: Seq
    what: str
    index: int


@dataclass(slots=True)
class ListFacts:
    """What is recorded of one rating list; each record with the seq from which it is known."""

    seq: Seq
    defined: ListDefined
    segments: list[tuple[Seq, CalendarSegment]]
    adoptions: list[RecordedEvent[RegulationAdopted]] = field(default_factory=list)
    adjustments: list[tuple[Seq, ListAdjusted]] = field(default_factory=list)
    publications: list[tuple[Seq, ListPublished]] = field(default_factory=list)
    two_persons: bool = True

    @classmethod
    def of(cls, seq: Seq, event: ListDefined) -> Self:
        """Returns a list as it was defined."""
        first = CalendarSegment(event.first_on, event.calendar, event.closes_days_before)
        return cls(seq, event, [(seq, first)])

    def take(self, seq: Seq, event: AnyListEvent, from_on: dt.date) -> None:
        """Takes the next event of the list, which is defined already."""
        match event:
            case ListDefined():
                raise AssertionError("a list is defined once")
            case CalendarSet():
                segment = CalendarSegment(from_on, event.calendar, event.closes_days_before)
                self.segments.append((seq, segment))
            case RegulationAdopted():
                self.adoptions.append(RecordedEvent(seq, from_on, event))
            case ListAdjusted():
                self.adjustments.append((seq, event))
            case ListPublished():
                self.publications.append((seq, event))
            case TwoPersonsSet():
                self.two_persons = event.required
            case ListFactUndone():
                pass
            case _:
                assert_never(event)

    def copy(self) -> ListFacts:
        """Returns what was taken so far; later entries do not change it."""
        return replace(
            self, segments=self.segments[:], adoptions=self.adoptions[:],
            adjustments=self.adjustments[:], publications=self.publications[:],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ruling:
    """From ``seq`` on, a tournament counts or does not.

    With a ``list``, it is rated there in the ``period`` instead of the one in which it ended.
    """

    seq: Seq
    tournament: TournamentIndex
    acceptance: Acceptance
    list: str | None = None
    period: str | None = None


@dataclass(frozen=True, slots=True)
class Directory:
    """The directories of all blocks, one after the other: an entry for a tournament in a block.

    ``block`` is a position among the blocks, ``start`` and ``end`` bound the rows in it, ``seq``
    is that of the first event among them.
    """

    block: Column
    tournament: Column
    start: Column
    end: Column
    seq: Column

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Directory:
        """Returns the directory of blocks."""
        parts = [block.directory for block in blocks]
        ends = [
            np.append(part.start, block.count)[1:]
            for part, block in zip(parts, blocks, strict=True)
        ]
        counts = [len(part.seq) for part in parts]
        nothing = np.zeros(0, dtype=np.int32)
        return cls(
            block=np.repeat(np.arange(len(blocks), dtype=np.int32), counts),
            tournament=np.concatenate([nothing, *(part.tournament for part in parts)]),
            start=np.concatenate([nothing, *(part.start for part in parts)]),
            end=np.concatenate([nothing, *ends]).astype(np.int32),
            seq=np.concatenate([nothing.astype(np.int64), *(part.seq for part in parts)]),
        )


class Snapshots:
    """A store of snapshots, for one ledger and history; this one is always empty."""

    @property
    def head(self) -> int:
        """The seq of the basis whose snapshots are kept."""
        return -1

    def find(self, list_: str) -> Sequence[SnapshotHeading]:
        """Returns what is kept for a list, whatever made it."""
        return ()

    def load(self, snapshot: SnapshotHeading) -> bytes | None:
        """Returns a snapshot as it was kept; None where it is damaged or gone."""
        return None

    def keep(self, snapshots: Iterable[tuple[SnapshotName, bytes]]) -> None:
        """Keeps snapshots, if that can be done at once."""


@dataclass(frozen=True, kw_only=True)
class Records:
    """What is few and of no table: what was said later of players and tournaments, and lists.

    All are in order of seq. ``names`` are the lists that seeds and Ks refer to by position,
    ``events`` are kept as they are, by their type.
    """

    names: list[str] = field(default_factory=list)
    events: dict[type[Event], list[RecordedEvent[Any]]] = field(default_factory=dict)
    rulings: list[Ruling] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)
    undone: list[Undone] = field(default_factory=list)
    lists: dict[str, ListFacts] = field(default_factory=dict)
    ladders: dict[str, LadderFacts] = field(default_factory=dict)
    accounts: dict[str, AccountFacts] = field(default_factory=dict)

    def recorded(self, type_: type[E]) -> Sequence[RecordedEvent[E]]:
        """Returns the events of a type that are kept as they are."""
        return self.events.get(type_, ())

    def copied(self) -> dict[str, Any]:
        """Returns what there is by name; what comes later does not change it."""
        return {
            "names": self.names[:],
            "events": {type_: recorded[:] for type_, recorded in self.events.items()},
            "rulings": self.rulings[:],
            "merges": self.merges[:],
            "undone": self.undone[:],
            "lists": {name: facts.copy() for name, facts in self.lists.items()},
            "ladders": {name: facts.copy() for name, facts in self.ladders.items()},
            "accounts": {name: facts.copy() for name, facts in self.accounts.items()},
        }


@dataclass(frozen=True, kw_only=True)
class Facts(Tables, Records):
    """Everything that is recorded up to ``seq``.

    Tables hold what was said first, records what was said later. ``snapshots`` are what replays of
    these facts have kept.
    """

    seq: Seq
    blocks: list[Block]
    effects: Effects
    of_players: Ids[PlayerIndex]
    of_tournaments: Ids[TournamentIndex]
    of_bodies: Ids[int]
    tournament_names: Texts
    tournament_places: Texts
    announcements: Announcements
    snapshots: Snapshots = field(default_factory=Snapshots, compare=False)

    @cached_property
    def player_ids(self) -> list[PlayerId]:
        """The players' ids, by index."""
        return cast(list[PlayerId], self.of_players.read()[: len(self.players)])

    @cached_property
    def player_index(self) -> Index[PlayerIndex]:
        """The index of each player, by id."""
        return Index(self.of_players, len(self.players))

    @cached_property
    def tournament_ids(self) -> list[TournamentId]:
        """The tournaments' ids, by index."""
        return cast(list[TournamentId], self.of_tournaments.read()[: len(self.tournaments)])

    @cached_property
    def tournament_index(self) -> Index[TournamentIndex]:
        """The index of each tournament, by id."""
        return Index(self.of_tournaments, len(self.tournaments))

    @cached_property
    def body_names(self) -> list[str]:
        """The names of clubs and regions, by index; empty: of none."""
        return self.of_bodies.read()[: len(self.bodies)]

    @cached_property
    def tournament_order(self) -> Column:
        """The place of each tournament by its id: what no order of recording can change."""
        return alphabetical(self.tournament_ids)

    def without(self, events: Iterable[tuple[Seq, str]]) -> Facts:
        """Returns the facts as they will be once some events are taken back: seqs and types."""
        undone = [Undone(Seq(self.seq + n), *event, NOBODY) for n, event in enumerate(events, 1)]
        return replace(self, seq=Seq(self.seq + len(undone)), undone=[*self.undone, *undone])

    def undone_at(self, seq: Seq) -> Mapping[Seq, Seq]:
        """Returns which events are taken back by a seq, each with the seq of what does it."""
        if not self.undone or seq >= self.undone[-1].seq:
            return self._undone_now
        return undone_of((each.seq, each.undoes) for each in self.undone if each.seq <= seq)

    @cached_property
    def _undone_now(self) -> Mapping[Seq, Seq]:
        return undone_of((each.seq, each.undoes) for each in self.undone)

    @cached_property
    def entries_recorded(self) -> Column:
        """How many players were entered in each tournament, by index."""
        counts = np.zeros(len(self.tournaments), dtype=np.int64)
        np.add.at(counts, self.entered.tournament, self.entered.count.astype(np.int64))
        return counts

    @cached_property
    def entry_counts(self) -> Column:
        """The same, less those whose entry is taken back."""
        counts = self.entries_recorded.copy()
        left = self.undone_at(self.seq)
        for each in {each.undoes: each for each in self.undone}.values():
            if each.what == PlayerEntered.TYPE and each.undoes in left:
                counts[each.index] -= 1
        return counts

    @cached_property
    def is_closed(self) -> Mask:
        """Of which tournaments the report was said to be complete, and was not reopened since."""
        closed_at = np.zeros(len(self.tournaments), dtype=np.int64)
        undone = self.undone_at(self.seq)
        held = ~np.isin(self.closed.seq, [*undone]) if undone else slice(None)
        np.maximum.at(closed_at, self.closed.tournament[held], self.closed.seq[held])
        for reopened in self.recorded(TournamentReopened):
            if reopened.seq > closed_at[reopened.index] and reopened.seq not in undone:
                closed_at[reopened.index] = 0
        return closed_at > 0

    @cached_property
    def directory(self) -> Directory:
        """Where the rows of each tournament are."""
        return Directory.of(self.blocks)

    @cached_property
    def pairing_counts(self) -> list[int]:
        """How many events say something of each tournament's pairings, by index."""
        directory = self.directory
        counts = np.zeros(len(self.tournaments), dtype=np.int64)
        np.add.at(counts, directory.tournament, (directory.end - directory.start).astype(np.int64))
        made: list[int] = counts.tolist()
        return made

    def last_effect_upto(self, day: int, before: Seq | None = None) -> Seq:
        """Returns the last seq of an event that can affect a chess date up to a day (ordinal).

        ``before`` is the seq before which the event is to be; None: any.
        """
        effects = self.effects if before is None else self.effects.between(1, before - 1)
        return Seq(effects.latest(day))

    def first_effect_between(self, after: Seq, upto: Seq) -> int:
        """Returns the earliest chess date (ordinal) that events after one seq up to another can."""
        return self.effects.earliest(after, upto)
