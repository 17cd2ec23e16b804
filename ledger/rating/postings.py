"""The calculation sheet of simultaneous games: sides in, postings and exclusions out.

A *side* is one player's view of one game; a game has two. A *posting* is a side that was rated: one
line of a player's statement. An *exclusion* is a side that was not, with the reason. Every side of
a period is one of these or part of a newcomer's result, so nothing gets lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.wording import Message, Wording


class Reason(IntEnum):
    """Why a side was not rated."""

    NONE = 0
    SHORT = 1
    FORFEIT = 2
    BYE = 3
    ADJOURNED = 4
    TEMPORARY = 5
    NOT_FOR_RATING = 6
    ANNULLED = 7
    TOURNAMENT_REJECTED = 8
    TOURNAMENT_ANNULLED = 9
    SAME_PERSON = 10
    NO_MERIT = 11
    OPPONENT_UNRATED = 12
    TOO_FEW_GAMES = 13
    NO_POINTS = 14
    LATE_REPORT = 15
    DIFFERENCE_TOO_LARGE = 16
    NO_DIFFERENCE = 17
    BY_MATCH_TABLE = 18
    NO_FIRST_RATING = 19
    OTHER_RATE_OF_PLAY = 20
    FIXED_RATING = 21

    @property
    def code(self) -> str:
        """Its name in data; ``opponent-unrated``."""
        return self.name.lower().replace("_", "-")

    @property
    def message(self) -> Message:
        """Its name for people."""
        return Message.of(f"reason.{self.code}")


FULL_MERIT = 100  # hundredths: a game counts as it is
FIRST_OWN, LAST_OWN = 100, 127
"""Numbers of a regulation's own reasons; columns of reasons are int8."""


def known_reason(number: int) -> int:
    """Returns a reason by its number; a regulation's own stays a number."""
    return Reason(number) if number < FIRST_OWN else number


@dataclass(frozen=True, slots=True)
class OwnReason:
    """Why one regulation alone does not rate a side.

    ``number`` (``FIRST_OWN`` to ``LAST_OWN``) stands in columns, ``code`` in data, ``clause`` is
    its article.
    """

    number: int
    code: str
    clause: str
    message: Wording


class StepKind(IntEnum):
    """What moves a rating as a whole, beside its games."""

    OWN_GAME = 0
    WORKSHEET_ROUNDING = 1
    BONUS = 2
    PERFORMANCE = 3
    MATCH_TABLE = 4
    TRUNCATION = 5
    FIRST_GAMES = 6

    @property
    def code(self) -> str:
        """Its name in data; ``own-game``."""
        return self.name.lower().replace("_", "-")

    @property
    def message(self) -> Message:
        """Its name for people."""
        return Message.of(f"step.{self.code}")


@dataclass(frozen=True, slots=True)
class OwnStep:
    """What one regulation alone gives or takes; ``code`` stands in data, ``clause`` its article."""

    code: str
    clause: str
    message: Wording


class PostingColumns:
    """Columns of equal length; the base of everything with a row for each side, game or player.

    The fields of a subclass, its slots, are its columns. What is made by one of the methods makes
    each column when it is looked at: most rules look at few.
    """

    __slots__: ClassVar[tuple[str, ...]] = ("_column",)
    _column: Callable[[str], Any]

    def __len__(self) -> int:
        return len(getattr(self, self.__slots__[0]))

    @classmethod
    def made(cls, column: Callable[[str], Any]) -> Self:
        """Returns rows of which each column, by its name, is made when it is looked at."""
        rows = object.__new__(cls)
        object.__setattr__(rows, "_column", column)
        return rows

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Makes a column that was not looked at before."""
            if name not in type(self).__slots__:
                raise AttributeError(f"{type(self).__name__} has no column {name!r}")
            column = self._column(name)
            object.__setattr__(self, name, column)
            return column

    def rows(self, chosen: Column | Mask | slice) -> Self:
        """Returns the chosen rows: a mask, row numbers in the wanted order, or a range."""
        if not isinstance(chosen, slice) and chosen.dtype == np.bool_:
            chosen = np.flatnonzero(chosen)
        return self.made(lambda name: getattr(self, name)[chosen])

    def with_(self, **columns: Column) -> Self:
        """Returns the same rows with some columns replaced."""
        assert columns.keys() <= {*self.__slots__}, "all of them are columns"
        return self.made(lambda name: columns[name] if name in columns else getattr(self, name))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Returns the parts one after the other."""
        if len(parts) == 1:
            return parts[0]
        return cls.made(lambda name: np.concatenate([getattr(part, name) for part in parts]))

    def cut(self) -> Self:
        """Returns the same with every column made, for what is kept and chosen from again."""
        return type(self)(*[getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Games(PostingColumns):
    """The games of a period, one row each, byes included; in no order that means anything.

    ``game`` is the seq of the event that has the last word on the game, ``tournament``, ``white``
    and ``black`` are indexes (``black`` is ``NOBODY`` for a bye), scores are in half points,
    ``reason`` is what already excludes the game, whatever the regulation (else ``Reason.NONE``).
    """

    game: Column
    tournament: Column
    round: Column
    white: Column
    black: Column
    white_halves: Column
    black_halves: Column
    reason: Column


@dataclass(frozen=True, slots=True)
class Sides(PostingColumns):
    """The sides of a period's games.

    ``game`` is the seq of the event that has the last word on the game; ``opponent`` is -1 for a
    bye; ``halves`` is the player's score in half points; ``merit`` is in hundredths (-1: none is
    given); ``system`` and ``rate`` are positions in ``tables.SYSTEMS`` and ``RATES``;
    ``starts_on`` and ``ends_on`` are the tournament's days (ordinals); ``rating`` and
    ``opponent_rating`` are those the game is rated with, in points (0: unrated), by the day that
    the regulation names; ``reason`` is what already excludes the side, whatever the regulation
    (else ``Reason.NONE``).
    """

    game: Column
    tournament: Column
    round: Column
    player: Column
    opponent: Column
    halves: Column
    merit: Column
    system: Column
    rate: Column
    starts_on: Column
    ends_on: Column
    rating: Column
    opponent_rating: Column
    reason: Column


def each_tournament(sides: Sides) -> Iterator[Sides]:
    """Yields the sides of each tournament, in the order in which they are given."""
    ordered = sides.rows(np.argsort(sides.tournament, kind="stable"))
    ends = np.flatnonzero(np.diff(ordered.tournament)) + 1
    for start, end in pairwise([0, *ends.tolist(), len(ordered)]):
        if start < end:
            yield ordered.rows(slice(start, end))


@dataclass(frozen=True, slots=True)
class Postings(PostingColumns):
    """Rated sides. ``contribution = k * merit * (score - expected)``.

    It is in 1/``Calculation.units`` of a point. ``rating`` is the player's own. It,
    ``opponent_rating`` and ``difference`` are in points, as counted (after any cap or mean);
    ``expected`` and ``score`` in 1/``expectation.scale``, ``merit`` in hundredths.
    """

    game: Column
    tournament: Column
    round: Column
    player: Column
    rating: Column
    opponent: Column
    opponent_rating: Column
    difference: Column
    expected: Column
    score: Column
    k: Column
    merit: Column
    contribution: Column


@dataclass(frozen=True, slots=True)
class Exclusions(PostingColumns):
    """Sides that were not rated, and why."""

    game: Column
    tournament: Column
    round: Column
    player: Column
    opponent: Column
    halves: Column
    reason: Column

    @classmethod
    def of(cls, sides: Sides, reason: Column | int) -> Self:
        """Excludes the sides for reasons, one each, or all for the same."""
        reasons = np.full(len(sides), reason, np.int64) if isinstance(reason, int) else reason
        return cls(
            sides.game, sides.tournament, sides.round, sides.player, sides.opponent, sides.halves,
            reasons,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpponentMet:
    """An opponent whose rating entered a newcomer's result."""

    game: int
    round: int
    opponent: int
    rating: int
    halves: int


@dataclass(frozen=True, slots=True)
class NewcomerResult:
    """What an unrated player achieved in one tournament, exactly.

    ``reason`` is ``Reason.NONE`` for a computable result; any other, a regulation's own (its
    number) included, never enters the bucket and has no performance. ``starts_on`` and ``ends_on``
    are the tournament's days (ordinals).
    ``group`` is the number of opponents where the mean is that of a whole all-play-all, the player
    included; else 0.
    """

    player: int
    tournament: int
    starts_on: int
    ends_on: int
    games: int
    halves: int
    opponents_mean: Fraction
    performance: Fraction | None
    reason: int
    opponents: Sequence[OpponentMet]
    group: int = 0

    @property
    def computable(self) -> bool:
        """Whether it counts towards a first rating."""
        return self.reason == Reason.NONE


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule gives or takes as a whole, in one tournament or (``NOBODY``) in the period.

    ``units`` are those of the calculation, as in the postings.
    """

    player: int
    tournament: int
    kind: StepKind | OwnStep
    units: int


@dataclass(frozen=True, slots=True)
class Calculation:
    """Simultaneous games as a regulation calculated them; ``scale`` is that of its expectation.

    A player's unrounded change is the sum of his postings and steps.
    """

    postings: Postings
    exclusions: Exclusions
    newcomers: Sequence[NewcomerResult]
    scale: int
    steps: tuple[Step, ...] = ()

    @property
    def units(self) -> int:
        """So many make a point: K and score of a game of full merit."""
        return FULL_MERIT * self.scale

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Returns calculations under one regulation, one after the other."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            postings=Postings.joined([part.postings for part in parts]),
            exclusions=Exclusions.joined([part.exclusions for part in parts]),
            newcomers=tuple(result for part in parts for result in part.newcomers),
            scale=parts[0].scale,
            steps=tuple(step for part in parts for step in part.steps),
        )
