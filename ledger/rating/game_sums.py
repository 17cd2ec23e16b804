"""The sums of plain games: of two rated players, concerning nobody else.

It is the arithmetic of ``kernel.post``, a row a game instead of two, and nothing is kept but what
is published: for each player the sum of CM * (W - P(D)), exactly, and how many games there were.
K is the same for all games of a player and period, so it is multiplied once. The postings of a
period or a player are cut by ``Regulation.calculate`` when somebody asks for them, and must come
to the same.

Where the program was installed with a C compiler at hand, ``game_sums.c`` does what ``by_numpy``
does, some times faster (see ``c_kernel``); a test holds them against each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.facts.tables import NO_MERIT
from ledger.rating import c_kernel
from ledger.rating.bounds import admit, admit_conditions, admit_others
from ledger.rating.expectation import Expectation
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Games, Reason

# Below so many games a thread's turn costs more than the sums.
_WORTH_A_THREAD = 10_000


@dataclass(frozen=True, slots=True)
class Conditions:
    """On what conditions the games of each tournament are plain, and what they count; by index.

    ``merit`` is CM in hundredths (``NO_MERIT``: none is plain). A difference of more than ``cap``
    points counts as that for whoever has less than ``capped_below``; with more than
    ``apart_beyond`` a game is not plain. ``together``: all of its games are plain, or, with
    somebody unrated among the players, none. ``ratings_of`` says with which of several lists'
    ratings its games are rated. ``most_merit`` is the greatest CM. They are checked when they are
    made (see ``admission``).
    """

    merit: Column
    cap: Column
    capped_below: Column
    apart_beyond: Column
    together: Mask
    ratings_of: Column
    most_merit: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Checks the conditions.

        Raises:
            VerificationFailed: a column holds what it cannot.
        """
        object.__setattr__(self, "most_merit", admit_conditions(self))

    def rated_with(self, ratings_of: Column) -> Conditions:
        """Returns the same conditions, checked already, for games rated with other ratings."""
        made = copy(self)
        object.__setattr__(made, "ratings_of", ratings_of)
        return made


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums by player, in no order that means anything.

    ``per_k`` is that of CM * (W - P(D)), the contributions for a K of 1, in 1/(100 * scale) points;
    ``games`` is how many there were.
    """

    players: Column
    per_k: Column
    games: Column


@dataclass(frozen=True)
class Summed:
    """The sums of a period's plain games, and the rows of the others.

    Games that are excluded already are not among these, but where the games of a tournament are
    looked at together. The sums may still be made, in another thread, until they are asked for.
    """

    others: Column
    made: Callable[[], Sums]

    @cached_property
    def sums(self) -> Sums:
        """What the plain games come to."""
        return self.made()


def summed(
    games: Games,
    on: Conditions,
    rating: Column,
    in_force: Sequence[Column],
    expectation: Expectation,
) -> Summed:
    """Sums the plain games of a period.

    Plain is a game that counts, in which both are rated and no other rule of the regulation looks
    at: a row for the conditions of its tournament.

    Args:
        games: all games of the period.
        on: the conditions, by tournament.
        rating: everybody's rating at the start of the period, in points.
        in_force: the lists' ratings the games are rated with, vectors like ``rating``.
        expectation: the model that turns D into an expected score.

    Raises:
        VerificationFailed: a column holds what it cannot (see ``admission``).
    """
    admit(games, on, rating, in_force, expectation)
    made = by_compiler if c_kernel.kernel() else by_numpy
    return made(games, on, rating, in_force, expectation)


def by_numpy(
    games: Games,
    on: Conditions,
    rating: Column,
    in_force: Sequence[Column],
    expectation: Expectation,
) -> Summed:
    """Sums plain games column by column."""
    looked = _looked_at(games, on, rating, in_force)
    plain, merit = looked.plain, looked.merit
    white, black = games.white.astype(np.intp), games.black.astype(np.intp)
    # Cheaper than leaving them out: the others are summed for somebody who is not there.
    white[~plain] = black[~plain] = len(rating)
    excluded = (games.reason != Reason.NONE) | (games.black == NOBODY)
    others = np.flatnonzero(~plain & (~excluded | on.together[games.tournament]))
    made = sums_of(
        len(rating),
        (white, black),
        (games.white_halves, games.black_halves),
        _differences(looked.own, looked.opponent, on, games),
        merit,
        expectation,
    )
    return Summed(others, lambda: made)


@dataclass(frozen=True, slots=True)
class PlainRows:
    """The plain games of a period, one row each, as they are summed.

    ``rows`` are their positions among the period's games (ascending). ``ratings`` and
    ``differences`` are those of white and of black, in points, D as counted; ``merit`` is CM in
    hundredths.
    """

    rows: Column
    ratings: tuple[Column, Column]
    differences: tuple[Column, Column]
    merit: Column


def plain_rows(
    games: Games, on: Conditions, rating: Column, in_force: Sequence[Column]
) -> PlainRows:
    """Returns the games that ``summed`` sums, for whoever asks about single ones.

    Args:
        games: all games of the period.
        on: the conditions, by tournament.
        rating: everybody's rating at the start of the period, in points.
        in_force: the lists' ratings the games are rated with, vectors like ``rating``.
    """
    looked = _looked_at(games, on, rating, in_force)
    rows = np.flatnonzero(looked.plain)
    own, opponent = looked.own[rows].astype(np.int64), looked.opponent[rows].astype(np.int64)
    differences = _differences(own, opponent, on, games.rows(rows))
    return PlainRows(rows, (own, opponent), differences, looked.merit[rows])


@dataclass(frozen=True, slots=True)
class _Looked:
    """Which games are plain (mask), and of all: white's and black's rating, and CM."""

    plain: Mask
    own: Column
    opponent: Column
    merit: Column


def _looked_at(games: Games, on: Conditions, rating: Column, in_force: Sequence[Column]) -> _Looked:
    """Tells plain games from others, column by column."""
    white, black = games.white.astype(np.intp), games.black.astype(np.intp)
    one, start = in_force[0], np.zeros(1, dtype=np.int64)
    if len(in_force) > 1:
        one, start = (
            np.concatenate(in_force),
            on.ratings_of[games.tournament] * np.int64(len(rating)),
        )
    own, opponent = one[white + start], one[black + start]
    rated = (own > UNRATED) & (opponent > UNRATED)
    if one is not rating:
        rated &= (rating[white] > UNRATED) & (rating[black] > UNRATED)
    merit = on.merit[games.tournament]
    excluded = (games.reason != Reason.NONE) | (games.black == NOBODY)
    plain = rated & ~excluded & (merit != NO_MERIT)
    mixed = np.zeros(len(on.together), dtype=np.bool_)
    mixed[games.tournament[~rated & (games.black != NOBODY)]] = True
    plain &= ~(mixed & on.together)[games.tournament]
    plain &= np.abs(own - opponent) <= _of_games(on.apart_beyond, games)
    return _Looked(plain, own, opponent, merit)


def _differences(
    own: Column, opponent: Column, on: Conditions, games: Games
) -> tuple[Column, Column]:
    """Returns D as counted, of white and of black."""
    cap, below = _of_games(on.cap, games), _of_games(on.capped_below, games)
    return (
        counted_difference(own, opponent, cap, below),
        counted_difference(opponent, own, cap, below),
    )


def by_compiler(
    games: Games,
    on: Conditions,
    rating: Column,
    in_force: Sequence[Column],
    expectation: Expectation,
) -> Summed:
    """Sums plain games one by one, in C."""
    kernel = c_kernel.kernel()
    assert kernel is not None, "it was compiled"
    columns, conditions = c_kernel.Games.of(games, len(games.white)), c_kernel.Conditions.of(on)
    vector, *vectors = (np.require(v, np.int32, ("C", "A")) for v in (rating, *in_force))
    others = kernel.others(columns, conditions, vector, vectors, len(on.together))
    admit_others(others, len(games.white))

    def sums() -> Sums:
        table, half_point = expectation.by_difference, expectation.scale // 2
        everybody = len(vector)
        return Sums(
            *kernel.sums(columns, conditions, vectors, others, table, half_point, everybody)
        )

    if len(games.white) < _WORTH_A_THREAD:
        return Summed(others, sums)
    return Summed(others, _beside().submit(sums).result)


@cache
def _beside() -> ThreadPoolExecutor:
    """The thread that sums while the other games are calculated."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="plain games")


if hasattr(os, "register_at_fork"):  # a process that is forked has none of its parent's threads
    os.register_at_fork(after_in_child=_beside.cache_clear)


def counted_difference(
    own: Column, opponents: Column, cap: Column | int, capped_below: Column | int
) -> Column:
    """Returns D as it counts: for ratings below ``capped_below`` no more than the cap."""
    difference = own - opponents
    return np.where(own < capped_below, np.clip(difference, -cap, cap), difference)


def _of_games(column: Column, games: Games) -> Column:
    """Returns the value of each game's tournament: one, where all are alike, as they often are."""
    return column[:1] if (column == column[:1]).all() else column[games.tournament]


def sums_of(
    players: int,
    sides: tuple[Column, ...],
    halves: tuple[Column, ...],
    differences: tuple[Column, ...],
    merit: Column,
    expectation: Expectation,
) -> Sums:
    """Sums the games of each player.

    Args:
        players: how many there are.
        sides: the indexes of white and black, one of each for every game; or of one of them. The
            index after the last player's is nobody's.
        halves: their scores in half points.
        differences: D as counted for each, in points.
        merit: CM in hundredths; 0 does not take a game out.
        expectation: the model that turns D into an expected score.
    """
    rows = len(merit)
    # Sum and count share one integer, so that a game is added once to each player. A chunk is as
    # long as both are sure to fit, even those of somebody who plays both sides of every game.
    largest = expectation.most * int(merit.max(initial=1))
    bits = (62 - largest.bit_length()) // 2
    mask = 2**bits - 1
    parts = []
    for start in range(0, max(rows, 1), mask // 2):
        chunk = slice(start, start + mask // 2)
        both = np.zeros(players + 1, dtype=np.int64)
        for player, half, difference in zip(sides, halves, differences, strict=True):
            won = half[chunk] * np.int64(expectation.scale // 2) - expectation.of(difference[chunk])
            np.add.at(both, player[chunk], (won * merit[chunk] << bits) + 1)
        touched = np.flatnonzero(both[:-1] != 0)
        parts.append(Sums(touched, both[touched] >> bits, both[touched] & mask))
    return parts[0] if len(parts) == 1 else _together(parts)


def _together(parts: Sequence[Sums]) -> Sums:
    """Returns the sums of several parts of the games."""
    players, places = np.unique(np.concatenate([p.players for p in parts]), return_inverse=True)
    per_k, games = (np.zeros(len(players), dtype=np.int64) for _ in range(2))
    np.add.at(per_k, places, np.concatenate([part.per_k for part in parts]))
    np.add.at(games, places, np.concatenate([part.games for part in parts]))
    return Sums(players, per_k, games)
