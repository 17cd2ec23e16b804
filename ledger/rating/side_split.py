"""Sorts simultaneous games by who of the two is rated, and makes newcomers' results of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ledger.facts.as_of import NO_MERIT
from ledger.rating.kernel import Achieved, Performances
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Exclusions, NewcomerResult, Reason, Sides

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
