"""The facts as values: pairings in blocks of narrow columns, what is few in tables and records.

Players and tournaments are known by their index (order of first appearance). Nothing is ever
overwritten: a game's later word is a later row, a correction a later record, and every one carries
the ``seq`` from which it was known, so one fold serves every basis.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ledger.calendar import CalendarSegment
from ledger.events.lists import ListAdjusted, ListDefined, ListPublished, RegulationAdopted
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.events.tournaments import TournamentCorrected, TournamentOpened
from ledger.facts.arrays import NEVER, NOBODY, AnyColumn, Column, Mask, Narrow
from ledger.facts.blocks import Block
from ledger.facts.effects import Effects
from ledger.facts.entry_runs import ClosedReports, EntryRuns
from ledger.facts.ids import Ids, Index, Texts, alphabetical
from ledger.facts.ladder import LadderFacts
from ledger.facts.segment import Supersession
from ledger.facts.snapshot_store import NothingKept, Snapshots
from ledger.facts.tables import AssignedKs, PlayerTable, Seeds, Tournaments

__all__ = [
    "NEVER",
    "NOBODY",
    "Acceptance",
    "Adoption",
    "AnyColumn",
    "AwardedTitle",
    "Column",
    "Ending",
    "Entries",
    "Facts",
    "ListFacts",
    "Mask",
    "Merge",
    "Narrow",
    "OrderedStep",
    "PlayerVersion",
    "Ruling",
    "TournamentVersion",
]


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
class OrderedStep:
    """Points by which the federation moved a player's rating, from the day on."""

    seq: int
    from_on: dt.date
    list: str
    player: int
    points: int


@dataclass(frozen=True, slots=True)
class AwardedTitle:
    """A title that the player holds from the day on."""

    seq: int
    from_on: dt.date
    player: int
    title: str


@dataclass(frozen=True, slots=True)
class Merge:
    """From ``seq`` on, everything of ``player`` counts for ``into``."""

    seq: int
    player: int
    into: int


@dataclass(frozen=True, slots=True)
class Adoption:
    """A regulation as a list adopted it, from the day on."""

    seq: int
    from_on: dt.date
    event: RegulationAdopted


@dataclass(slots=True)
class ListFacts:
    """What is recorded of one rating list; each record with the seq from which it is known."""

    seq: int
    defined: ListDefined
    segments: list[tuple[int, CalendarSegment]]
    adoptions: list[Adoption] = field(default_factory=list)
    adjustments: list[tuple[int, ListAdjusted]] = field(default_factory=list)
    publications: list[tuple[int, ListPublished]] = field(default_factory=list)

    def copy(self) -> ListFacts:
        """Returns what was taken so far; later entries do not change it."""
        return ListFacts(
            self.seq,
            self.defined,
            list(self.segments),
            list(self.adoptions),
            list(self.adjustments),
            list(self.publications),
        )


TournamentVersion: TypeAlias = TournamentOpened | TournamentCorrected
PlayerVersion: TypeAlias = PlayerRegistered | PlayerIdentityCorrected


@dataclass(frozen=True, slots=True)
class Ruling:
    """From ``seq`` on, a tournament counts or does not.

    With a ``list``, it is rated there in the ``period`` instead of the one in which it ended.
    """

    seq: int
    tournament: int
    acceptance: Acceptance
    list: str | None = None
    period: str | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """The directories of all blocks, one after the other: an entry for a tournament in a block.

    ``block`` is a position among the blocks, ``start`` and ``end`` bound the rows in it, ``seq``
    is that of the first event among them.
    """

    block: Narrow
    tournament: Narrow
    start: Narrow
    end: Narrow
    seq: Column

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Entries:
        """Returns the entries of blocks."""
        empty = np.zeros(0, dtype=np.int32)
        directories = [block.directory for block in blocks]
        return cls(
            block=np.repeat(
                np.arange(len(blocks), dtype=np.int32), [len(d.seq) for d in directories]
            ),
            tournament=np.concatenate([empty, *(d.tournament for d in directories)]),
            start=np.concatenate([empty, *(d.start for d in directories)]),
            end=np.concatenate(
                [
                    empty,
                    *(
                        np.append(d.start[1:], np.int32(block.count))[: len(d.start)]
                        for d, block in zip(directories, blocks, strict=True)
                    ),
                ]
            ),
            seq=np.concatenate([empty.astype(np.int64), *(d.seq for d in directories)]),
        )


@dataclass(frozen=True)
class Facts:
    """Everything that is recorded up to ``seq``.

    Tables hold what was said first, corrections and rulings what was said later, by seq; ``names``
    are the lists that seeds and Ks refer to by position. ``snapshots`` are what replays of these
    facts have kept.
    """

    seq: int
    players: PlayerTable
    tournaments: Tournaments
    seeds: Seeds
    ks: AssignedKs
    entered: EntryRuns
    closed: ClosedReports
    names: list[str]
    player_corrections: list[tuple[int, int, PlayerIdentityCorrected]]
    tournament_corrections: list[tuple[int, int, TournamentCorrected]]
    rulings: list[Ruling]
    blocks: list[Block]
    supersession: Supersession
    effects: Effects
    ordered_steps: list[OrderedStep]
    titles: list[AwardedTitle]
    merges: list[Merge]
    lists: dict[str, ListFacts]
    ladders: dict[str, LadderFacts]
    of_players: Ids
    of_tournaments: Ids
    tournament_names: Texts
    tournament_places: Texts
    snapshots: Snapshots = field(default_factory=NothingKept, compare=False)

    @cached_property
    def player_ids(self) -> list[str]:
        """The players' ids, by index."""
        return self.of_players.read()[: len(self.players)]

    @cached_property
    def player_index(self) -> Index:
        """The index of each player, by id."""
        return Index(self.of_players, len(self.players))

    @cached_property
    def tournament_ids(self) -> list[str]:
        """The tournaments' ids, by index."""
        return self.of_tournaments.read()[: len(self.tournaments)]

    @cached_property
    def tournament_index(self) -> Index:
        """The index of each tournament, by id."""
        return Index(self.of_tournaments, len(self.tournaments))

    @cached_property
    def tournament_order(self) -> Column:
        """The place of each tournament by its id: what no order of recording can change."""
        return alphabetical(self.tournament_ids)

    @cached_property
    def entries(self) -> Entries:
        """Where the rows of each tournament are."""
        return Entries.of(self.blocks)

    @cached_property
    def pairing_counts(self) -> list[int]:
        """How many events say something of each tournament's pairings, by index."""
        entries = self.entries
        counts = np.zeros(len(self.tournaments), dtype=np.int64)
        np.add.at(counts, entries.tournament, (entries.end - entries.start).astype(np.int64))
        made: list[int] = counts.tolist()
        return made

    def first_effect_after(self, seq: int) -> int:
        """Returns the earliest chess date (ordinal) that events after a seq can affect."""
        return self.effects.earliest(seq, self.seq)

    def first_effect_between(self, after: int, upto: int) -> int:
        """Returns the earliest chess date (ordinal) that events after one seq up to another can."""
        return self.effects.earliest(after, upto)
