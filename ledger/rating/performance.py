"""Sorts simultaneous games by who of the two is rated, and makes newcomers' results of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ledger.facts.known import NO_MERIT
from ledger.rating.kernel import performances
from ledger.rating.sheet import Exclusions, NewcomerResult, OpponentMet, Reason, Sides
from ledger.rating.standing import UNRATED

FULL_MERIT = 100  # hundredths: a game counts as it is


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


def with_merit(sides: Sides) -> Sides:
    """Gives the tournaments without a merit coefficient of their own the full one."""
    return sides.with_(merit=np.where(sides.merit == NO_MERIT, FULL_MERIT, sides.merit))


def newcomer_results(
    sides: Sides, performance: Callable[[Fraction, int, int], Fraction | None]
) -> tuple[NewcomerResult, ...]:
    """Returns what each newcomer achieved in each tournament; every result counts.

    Args:
        sides: the newcomers' sides of games against rated opponents.
        performance: gives the performance from the opponents' mean, the half points and the games;
            None where there is none for such a score.
    """
    return tuple(_result(games, performance) for games in performances(sides))


def _result(
    games: Sides, performance: Callable[[Fraction, int, int], Fraction | None]
) -> NewcomerResult:
    count, halves = len(games), int(games.halves.sum())
    mean = Fraction(int(games.opponent_rating.sum()), count)
    met = zip(
        games.game, games.round, games.opponent, games.opponent_rating, games.halves, strict=True
    )
    return NewcomerResult(
        player=int(games.player[0]),
        tournament=int(games.tournament[0]),
        starts_on=int(games.starts_on[0]),
        ends_on=int(games.ends_on[0]),
        games=count,
        halves=halves,
        opponents_mean=mean,
        performance=performance(mean, halves, count),
        reason=Reason.NONE,
        opponents=tuple(OpponentMet(*(int(value) for value in line)) for line in met),
    )
