"""The one calculation: from sides, sorted by who is rated, to postings and published sums.

``contribution = K * CM * (W - P(D))`` for every side, in integers. Regulations say which D, K and
CM; they never multiply themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import Sums
from ledger.rating.newcomer_results import Achievements, OpponentColumns, Results
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import (
    Calculation,
    Exclusions,
    NewcomerResult,
    Postings,
    Reason,
    Sides,
)
from ledger.rating.ratios import Ratios
from ledger.rating.rounding import column_half_away_from_zero


def post(
    sides: Sides,
    *,
    opponent_rating: Column,
    difference: Column,
    k: Column,
    expectation: Expectation,
) -> Postings:
    """Posts the sides: one expected score each, by the difference given for it.

    Args:
        sides: the sides to rate, with their merit coefficients.
        opponent_rating: the opponent's rating as counted, one for each side, in points.
        difference: D as counted, one for each side, in points.
        k: the player's K, one for each side.
        expectation: the model that turns D into an expected score.
    """
    expected = expectation.of(difference)
    score = sides.halves * expectation.scale // 2
    own = {
        "opponent_rating": opponent_rating,
        "difference": difference,
        "k": k,
        "expected": expected,
        "score": score,
    }

    def column(name: str) -> Column:
        if name == "contribution":
            # Not made of the postings: rows that hold themselves stay in memory.
            return contributions(k, sides.merit, score, expected)
        made: Column = own[name] if name in own else getattr(sides, name)
        return made

    return Postings.made(column)


def contributions(k: Column, merit: Column, score: Column, expected: Column) -> Column:
    """Returns K * CM * (W - P(D)) of each posting, in units."""
    return k.astype(np.int64) * merit * (score - expected)


@dataclass(frozen=True, slots=True)
class Achieved:
    """What a player did in one tournament: games, half points, the sum of the opponents' ratings.

    ``sides`` are his, by round; the ratings are those they carry, in points.
    """

    player: int
    tournament: int
    starts_on: int
    ends_on: int
    games: int
    halves: int
    opponents_total: int
    sides: Sides

    @property
    def opponents_mean(self) -> Fraction:
        """The mean of the opponents' ratings, exactly."""
        return Fraction(self.opponents_total, self.games)

    def result(
        self,
        *,
        opponents_mean: Fraction,
        performance: Fraction | None,
        reason: int,
        ratings: Column | None = None,
    ) -> NewcomerResult:
        """Returns it as a newcomer's result; ``ratings`` counted instead of those of the sides."""
        of = self.sides
        counted = of.opponent_rating if ratings is None else ratings
        return NewcomerResult(
            player=self.player,
            tournament=self.tournament,
            starts_on=self.starts_on,
            ends_on=self.ends_on,
            games=self.games,
            halves=self.halves,
            opponents_mean=opponents_mean,
            performance=performance,
            reason=reason,
            opponents=OpponentColumns(of.game, of.round, of.opponent, counted, of.halves).each(),
        )


class Performances:
    """Sides put together by player and tournament; each group in order of round.

    The columns have a row for each group, as in ``Achieved``.
    """

    def __init__(self, sides: Sides) -> None:
        # Two keys are sorted in half the time that four take.
        of_whom = sides.player << 32 | sides.tournament
        order = np.lexsort((sides.round << 48 | sides.game, of_whom))
        self._sides = of = sides.rows(order)
        new = (np.diff(of.player) != 0) | (np.diff(of.tournament) != 0)
        first = np.flatnonzero(new) + 1
        self._starts = starts = np.concatenate((np.zeros(min(1, len(of)), np.int64), first))
        self.player, self.tournament = of.player[starts], of.tournament[starts]
        self.starts_on, self.ends_on = of.starts_on[starts], of.ends_on[starts]
        self.games: Column = np.diff(np.append(starts, len(of)))
        self.halves, self.opponents_total = (
            np.add.reduceat(column, starts) if len(of) else column
            for column in (of.halves, of.opponent_rating)
        )

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self._starts)

    def __iter__(self) -> Iterator[Achieved]:
        """Yields the groups, by player and tournament."""
        columns = (
            self._starts, self.games, self.player, self.tournament, self.starts_on, self.ends_on,
            self.halves, self.opponents_total,
        )  # fmt: skip
        for start, count, player, tournament, starts_on, ends_on, halves, total in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            yield Achieved(
                player, tournament, starts_on, ends_on, count, halves, total,
                self._sides.rows(slice(start, start + count)),
            )  # fmt: skip

    @property
    def opponents_means(self) -> Ratios:
        """The means of the opponents' ratings, exactly."""
        return Ratios.divided(self.opponents_total, self.games)

    def results(
        self,
        *,
        means: Ratios,
        performances: Ratios,
        reasons: Column,
        group: Column | None = None,
    ) -> Results:
        """Returns the groups as newcomers' results; who has a reason has no performance.

        ``group`` is that of ``NewcomerResult``; None: 0 for all.
        """
        of = self._sides
        return Results.in_order(
            Achievements(
                self.player, self.tournament, self.starts_on, self.ends_on, self.games,
                self.halves, reasons, np.zeros_like(reasons) if group is None else group,
            ),
            means,
            performances.where(reasons == Reason.NONE),
            self.games,
            OpponentColumns(of.game, of.round, of.opponent, of.opponent_rating, of.halves),
        )  # fmt: skip

    def excluded(self, reasons: Column) -> Exclusions:
        """Excludes the groups that have a reason, one reason for each group in order."""
        each = np.repeat(reasons, self.games)
        out = np.flatnonzero(each != Reason.NONE)
        return Exclusions.of(self._sides.rows(out), each[out])


def mean_differences(sides: Sides, own: Column, opponents: Column) -> Column:
    """Returns for each side D = R - mean of the opponents in the same tournament, rounded.

    Halves away from zero. ``own`` and ``opponents`` are ratings in points, one for each side.
    """
    _, group = np.unique(np.stack((sides.player, sides.tournament)), axis=1, return_inverse=True)
    group = group.reshape(-1)
    count = np.bincount(group)
    total = np.zeros(len(count), dtype=np.int64)
    np.add.at(total, group, opponents)
    return column_half_away_from_zero(own * count[group] - total[group], count[group])


def units_of(
    calculation: Calculation, players: int, k: Column | None = None, plain: Sums | None = None
) -> Column:
    """Returns each player's contributions and steps, summed exactly, in units.

    Args:
        calculation: games side by side.
        players: how many players there are.
        k: everybody's K, by which plain games count that were only summed.
        plain: the sums of these, if there are any.
    """
    total = np.zeros(players, dtype=np.int64)
    np.add.at(total, calculation.postings.player, calculation.postings.contribution)
    for step in calculation.steps:
        total[step.player] += step.units
    if plain is not None and k is not None:
        total[plain.players] += k[plain.players].astype(np.int64) * plain.per_k
    return total


@dataclass(frozen=True, slots=True)
class ByRating:
    """Sides of games, sorted: both players rated, only the opponent rated, and all others."""

    rated: Sides
    newcomers: Sides
    excluded: Exclusions


def by_rating(sides: Sides) -> ByRating:
    """Sorts sides that carry their ratings: nobody is rated for a game with an unrated player."""
    counts = sides.reason == Reason.NONE
    own, opponent = sides.rating > UNRATED, sides.opponent_rating > UNRATED
    out = sides.rows(~counts | ~opponent)
    reasons = np.where(out.reason == Reason.NONE, Reason.OPPONENT_UNRATED, out.reason)
    return ByRating(
        rated=sides.rows(counts & own & opponent),
        newcomers=sides.rows(counts & ~own & opponent),
        excluded=Exclusions.of(out, reasons),
    )


def newcomer_results(
    sides: Sides,
    performance: Callable[[Fraction, int, int], Fraction | None],
    *,
    otherwise: Reason = Reason.NONE,
) -> tuple[NewcomerResult, ...]:
    """Returns what each newcomer achieved in each tournament.

    Args:
        sides: the newcomers' sides of games against rated opponents.
        performance: gives the performance from the opponents' mean, the half points and the games;
            None where there is none for such a score.
        otherwise: why a result without a performance does not count (``NONE``: it does).
    """

    def result(made: Achieved) -> NewcomerResult:
        worth = performance(made.opponents_mean, made.halves, made.games)
        reason = otherwise if worth is None else Reason.NONE
        return made.result(opponents_mean=made.opponents_mean, performance=worth, reason=reason)

    return tuple(map(result, Performances(sides)))


def mean_performance(results: Sequence[NewcomerResult]) -> Fraction:
    """Returns the mean of the performances of computable results, weighted by their games."""
    games = sum(result.games for result in results)
    weighted = sum(
        (r.performance * r.games for r in results if r.performance is not None), Fraction(0)
    )
    return weighted / games
