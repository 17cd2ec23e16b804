"""The sums of plain games (see ``plain_games``), and which games are plain.

Both kernels are handed the same columns. ``by_numpy`` is the specification, and ``fast_sums`` in C
(see ``c_kernel``) does the same where the program was installed with a compiler; a test holds them
against each other.

It is the arithmetic of ``kernel.post``, a row a game instead of two, and nothing is kept but what
is published: for each player the sum of CM * (W - P(D)), exactly, and how many games there were.
K is the same for all games of a player and period, so it is multiplied once. The postings of a
period or a player are made by ``Regulation.calculate`` when somebody asks for them, and must come
to the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.facts.tables import NO_MERIT
from ledger.rating import c_kernel
from ledger.rating.bounds import admit_others
from ledger.rating.expectation import Expectation
from ledger.rating.plain_games import GameRatings, PlainGames, admit
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Games, Reason, Sides

# Below so many games a thread's turn costs more than the sums.
_WORTH_A_THREAD = 10_000


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


def summed(games: Games, plain: PlainGames, ratings: GameRatings) -> Summed:
    """Sums the plain games among all games of a period.

    Raises:
        VerificationFailed: a column holds what it cannot (see ``bounds``).
    """
    admit(games, plain, ratings)
    sums_of = fast_sums if c_kernel.kernel() else by_numpy
    return sums_of(games, plain, ratings)


def by_numpy(games: Games, plain: PlainGames, ratings: GameRatings) -> Summed:
    """Sums plain games column by column."""
    sorted_ = _sorted(games, plain, ratings)
    white, black = games.white.astype(np.intp), games.black.astype(np.intp)
    # Cheaper than leaving them out: the others are summed for somebody who is not there.
    nobody = len(ratings.opening)
    white[~sorted_.plain] = black[~sorted_.plain] = nobody
    others = np.flatnonzero(~sorted_.plain & sorted_.can_matter)
    halves = games.white_halves, games.black_halves
    differences = _differences(sorted_.own, sorted_.opponent, plain, games)
    merit, expectation = sorted_.merit, plain.expectation
    made = _sums((white, black), nobody, halves, differences, merit, expectation)
    return Summed(others, lambda: made)


@dataclass(frozen=True, slots=True)
class PlainSides:
    """Both sides of the plain games of a period, as they are summed: white's, then black's.

    ``differences`` are D as counted, in points.
    """

    sides: Sides
    differences: Column


def plain_sides(games: Games, plain: PlainGames, ratings: GameRatings) -> PlainSides:
    """Returns the sides of the games that ``summed`` sums; arguments as there.

    The sides have the columns of games, ratings and CM.
    """
    sorted_ = _sorted(games, plain, ratings)
    rows = np.flatnonzero(sorted_.plain)
    own, opponent, merit = (c[rows] for c in (sorted_.own, sorted_.opponent, sorted_.merit))
    games = games.rows(rows)

    def column(name: str) -> Column:
        match name:
            case "player":
                both = games.white, games.black
            case "opponent":
                both = games.black, games.white
            case "halves":
                both = games.white_halves, games.black_halves
            case "rating":
                both = own, opponent
            case "opponent_rating":
                both = opponent, own
            case "merit":
                both = merit, merit
            case _:
                both = getattr(games, name), getattr(games, name)
        return np.concatenate(both).astype(np.int64, copy=False)

    sides = Sides.made(column)
    differences = _differences(own.astype(np.int64), opponent.astype(np.int64), plain, games)
    return PlainSides(sides, np.concatenate(differences))


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Which games are plain, and which can matter at all (masks).

    ``own`` and ``opponent`` are white's and black's rating, ``merit`` is CM, of all games.
    """

    plain: Mask
    can_matter: Mask
    own: Column
    opponent: Column
    merit: Column


def _sorted(games: Games, plain: PlainGames, ratings: GameRatings) -> _Sorted:
    """Tells plain games from others: what is plain is stated here, and in C in ``find_others``."""
    white, black = games.white.astype(np.intp), games.black.astype(np.intp)
    opening = ratings.opening
    one, start = ratings.lists[0], np.zeros(1, dtype=np.int64)
    if len(ratings.lists) > 1:
        one = np.concatenate(ratings.lists)
        start = ratings.list_of[games.tournament] * np.int64(len(opening))
    own, opponent = one[white + start], one[black + start]
    rated = (own > UNRATED) & (opponent > UNRATED)
    if one is not opening:
        rated &= (opening[white] > UNRATED) & (opening[black] > UNRATED)
    merit = plain.merit[games.tournament]
    counts = (games.reason == Reason.NONE) & (games.black != NOBODY)
    is_plain = rated & counts & (merit != NO_MERIT)
    mixed = np.zeros(len(plain.together), dtype=np.bool_)
    mixed[games.tournament[~rated & (games.black != NOBODY)]] = True
    is_plain &= ~(mixed & plain.together)[games.tournament]
    is_plain &= np.abs(own - opponent) <= _of_games(plain.apart_beyond, games)
    can_matter = counts | plain.together[games.tournament]
    return _Sorted(is_plain, can_matter, own, opponent, merit)


def _differences(
    own: Column, opponent: Column, plain: PlainGames, games: Games
) -> tuple[Column, Column]:
    """Returns D as counted, of white and of black."""
    cap, below = _of_games(plain.cap, games), _of_games(plain.capped_below, games)
    return (
        counted_difference(own, opponent, cap, below),
        counted_difference(opponent, own, cap, below),
    )


def fast_sums(games: Games, plain: PlainGames, ratings: GameRatings) -> Summed:
    """Sums plain games as ``by_numpy`` does, in C, those of a long period in another thread."""
    kernel = c_kernel.kernel()
    assert kernel is not None, "it was compiled"
    work = c_kernel.Work(kernel, games, plain, ratings)
    others = work.others()
    admit_others(others, len(games.white))

    def sums() -> Sums:
        return Sums(*work.sums(others))

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


def _sums(
    players: tuple[Column, Column],
    nobody: int,
    halves: tuple[Column, Column],
    differences: tuple[Column, Column],
    merit: Column,
    expectation: Expectation,
) -> Sums:
    """Sums the games of each player.

    Args:
        players: the indexes of white and black, one of each for every game.
        nobody: the index after the last player's, whose games are left out.
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
    per_k, games = (np.zeros(nobody + 1, dtype=np.int64) for _ in range(2))
    for start in range(0, max(rows, 1), mask // 2):
        chunk = slice(start, start + mask // 2)
        both = np.zeros(nobody + 1, dtype=np.int64)
        for player, half, difference in zip(players, halves, differences, strict=True):
            won = half[chunk] * np.int64(expectation.scale // 2) - expectation.of(difference[chunk])
            np.add.at(both, player[chunk], (won * merit[chunk] << bits) + 1)
        per_k += both >> bits
        games += both & mask
    touched = np.flatnonzero(games[:-1])
    return Sums(touched, per_k[touched], games[touched])
