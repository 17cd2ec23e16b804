"""Buckets and first ratings in columns: what goes in comes out, for each player in his order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.rating.first_ratings import Bucket, Buckets, FirstRating, FirstRatings
from ledger.rating.newcomer_results import Results
from ledger.rating.postings import NewcomerResult, OpponentMet, Reason

OPPONENTS = st.builds(
    OpponentMet, *(st.integers(0, 50) for _ in range(3)), st.integers(1000, 2000), st.integers(0, 2)
)
RESULTS = st.builds(
    NewcomerResult,
    player=st.integers(0, 6),
    tournament=st.integers(0, 9),
    starts_on=st.integers(1, 900),
    ends_on=st.integers(1, 900),
    games=st.integers(1, 9),
    halves=st.integers(0, 18),
    opponents_mean=st.fractions(1000, 2000, max_denominator=9),
    performance=st.none() | st.fractions(1000, 2000, max_denominator=9),
    reason=st.sampled_from((Reason.NONE, Reason.TOO_FEW_GAMES)),
    opponents=st.lists(OPPONENTS, max_size=4).map(tuple),
)
PERIODS = st.lists(st.lists(RESULTS, max_size=6), max_size=5)


@given(st.lists(RESULTS, max_size=8))
def test_results_come_out_as_they_went_in(results: list[NewcomerResult]) -> None:
    """Also chosen, in another order, or joined."""
    made = Results.of(results)
    assert list(made) == results
    backwards = np.arange(len(results))[::-1]
    assert list(made.rows(backwards)) == results[::-1]
    assert list(Results.joined([made, made[:1]])) == results + results[:1]
    assert [made[place] for place in range(len(made))] == results


@given(PERIODS, st.sets(st.integers(0, 6)))
def test_buckets_keep_the_order_in_which_results_came(
    periods: list[list[NewcomerResult]], gone: set[int]
) -> None:
    """By player, then by period, computable ones only."""
    buckets, wanted = Buckets.empty(), dict[int, Bucket]()
    for period, results in enumerate(periods):
        buckets = buckets.filled(Results.of(results), period)
        for result in results:
            if result.computable:
                wanted[result.player] = (*wanted.get(result.player, ()), (period, result))
    assert dict(buckets.items()) == wanted
    assert buckets.players.tolist() == sorted(wanted)
    assert all(buckets.get(player) == wanted.get(player, ()) for player in range(8))
    assert dict(Buckets.of(wanted).items()) == wanted
    left = buckets.without(sorted(gone))
    assert dict(left.items()) == {p: b for p, b in wanted.items() if p not in gone}


def test_first_ratings_are_found_by_player() -> None:
    """Those of two groups of games together."""
    met = (OpponentMet(1, 1, 0, 1500, 1),)
    mean = Fraction(1500)
    result = NewcomerResult(3, 0, 1, 1, 4, 4, mean, mean, Reason.NONE, met)
    early, late = ((5, result), (6, result)), ((6, replace(result, player=1)),)
    parts = [
        FirstRatings(Buckets.of({3: early}), np.array([1500])),
        FirstRatings(Buckets.of({1: late}), np.array([1600])),
    ]
    made = FirstRatings.joined(parts)
    assert dict(made) == {1: FirstRating(1600, late), 3: FirstRating(1500, early)}
    assert (made.players.tolist(), made.games.tolist()) == ([1, 3], [4, 8])
    assert 2 not in made
    assert dict(FirstRatings.none()) == {}
