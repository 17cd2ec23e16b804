"""The facts as values: games in columns of integers, everything that is few as small records.

Players and tournaments are known by their index (order of first appearance). Nothing is ever
overwritten: a game's later word is a later row, and every record carries the ``seq`` from which it
was known, so one fold serves every basis.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ledger.calendar import Segment
from ledger.events.administration import ListAdjusted, ListDefined, ListPublished, RegulationAdopted
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.events.tournaments import TournamentCorrected, TournamentOpened
from ledger.facts.ladders import LadderFacts

Column: TypeAlias = NDArray[np.int64]
Narrow: TypeAlias = NDArray[np.signedinteger[Any]]
Mask: TypeAlias = NDArray[np.bool_]
NOBODY = -1
NEVER = dt.date.max.toordinal()


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
class GameColumns:
    """One row for each event about a pairing; all columns have the same length, sorted by ``seq``.

    ``superseded_by`` is the seq of the later word (0: none). ``white`` and ``black`` are player
    indexes (``black`` is ``NOBODY`` for a bye), scores are in half points.
    """

    seq: Column
    superseded_by: Column
    tournament: Column
    round: Column
    white: Column
    black: Column
    white_halves: Column
    black_halves: Column
    ending: Column


@dataclass(frozen=True, slots=True)
class Seed:
    """A rating brought in from outside, in force on the day."""

    seq: int
    from_on: dt.date
    list: str
    player: int
    rating: int
    games: int


@dataclass(frozen=True, slots=True)
class OrderedStep:
    """Points by which the federation moved a player's rating, from the day on."""

    seq: int
    from_on: dt.date
    list: str
    player: int
    points: int


@dataclass(frozen=True, slots=True)
class AssignedK:
    """A player's K from the day on; in every list where ``list`` is None."""

    seq: int
    from_on: dt.date
    list: str | None
    player: int
    k: int


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
    segments: list[tuple[int, Segment]]
    adoptions: list[Adoption] = field(default_factory=list)
    adjustments: list[tuple[int, ListAdjusted]] = field(default_factory=list)
    publications: list[tuple[int, ListPublished]] = field(default_factory=list)


TournamentVersion: TypeAlias = TournamentOpened | TournamentCorrected
PlayerVersion: TypeAlias = PlayerRegistered | PlayerIdentityCorrected


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is recorded up to ``seq``.

    ``player_versions[i]`` and ``tournament_versions[i]`` are what was said of the player or
    tournament, oldest first, each with its seq; ``acceptances`` likewise. ``first_effect`` has an
    entry for each seq from 0: the earliest chess date (ordinal) that events after it can affect.
    """

    seq: int
    player_ids: list[str]
    player_index: dict[str, int]
    player_versions: list[list[tuple[int, PlayerVersion]]]
    tournament_ids: list[str]
    tournament_index: dict[str, int]
    tournament_versions: list[list[tuple[int, TournamentVersion]]]
    acceptances: list[list[tuple[int, Acceptance]]]
    games: GameColumns
    seeds: list[Seed]
    ordered_steps: list[OrderedStep]
    assigned_ks: list[AssignedK]
    titles: list[AwardedTitle]
    merges: list[Merge]
    lists: dict[str, ListFacts]
    ladders: dict[str, LadderFacts]
    first_effect: Column
