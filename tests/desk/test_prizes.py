"""Prizes in money, shared among those with equal points."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.score_sheet import score_sheet
from ledger.desk.standings import awarded, shares, standings
from ledger.desk.tie_breaks.registry import announced
from ledger.terms import System
from tests.desk.events import NINE, event, sheet_of


def falling(prizes: list[int]) -> list[int]:
    """Returns prizes from the first place on, as they can be announced."""
    return sorted(prizes, reverse=True)


PLACES = standings(sheet_of(*NINE), announced("solkoff"))


def test_prizes_of_equal_points_are_added_and_shared() -> None:
    # 6 and 3 have 3 points; 9, 1 and 4 have 2½: the third, fourth and fifth prize.
    found = shares(PLACES, [1000, 500, 300, 200, 100])
    assert {n: found[n] for n in (6, 3, 9, 1, 4, 8)} == {
        6: 750, 3: 750, 9: 200, 1: 200, 4: 200, 8: 0,
    }  # fmt: skip


def test_fewer_prizes_than_tied_places_are_shared_by_all_of_them() -> None:
    found = shares(PLACES, [1000, 500, 300])
    assert [found[n] for n in (9, 1, 4)] == [100, 100, 100]


def test_what_cannot_be_divided_goes_to_the_better_tie_break() -> None:
    found = shares(PLACES, [1001, 0, 101, 0, 0])
    assert [found[n] for n in (6, 3, 9, 1, 4)] == [501, 500, 34, 34, 33]


def test_who_is_cancelled_or_expelled_takes_no_place() -> None:
    played = event(
        "1-2 1-0, 3-4 1-0", "1-3 ½", "2-3 0-1", system=System.ROUND_ROBIN, withdrawn={4: 2}
    )
    assert shares(standings(score_sheet(played), ()), [30, 20, 10, 5]) == {
        1: 25,
        3: 25,
        2: 10,
        4: 0,
    }
    expelled = [replace(p, card=replace(p.card, expelled=p.card.number == 6)) for p in PLACES]
    found = shares(expelled, [1000, 500, 300, 200])
    assert {n: found[n] for n in (6, 3, 9, 1, 4)} == {6: 0, 3: 1000, 9: 334, 1: 333, 4: 333}


@given(prizes=st.lists(st.integers(0, 10_000), max_size=12))
def test_nothing_is_lost_and_nobody_gets_a_unit_more_than_an_equal(prizes: list[int]) -> None:
    found = shares(PLACES, prizes)
    assert sum(found.values()) == sum(prizes[: len(PLACES)])
    for place in PLACES:
        equal = [found[p.card.number] for p in PLACES if p.card.halves == place.card.halves]
        assert max(equal) - min(equal) <= 1


@given(
    st.lists(
        st.tuples(
            st.sets(st.sampled_from([place.card.player for place in PLACES])),
            st.lists(st.integers(0, 90), min_size=1, max_size=3).map(falling),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_of_categories_nobody_gets_two_prizes_and_none_is_kept_back(
    categories: list[tuple[set[str], list[int]]],
) -> None:
    found = awarded(PLACES, categories)
    winners = [number for amounts in found for number in amounts]
    assert len(winners) == len({*winners})
    for amounts, (members, prizes) in zip(found, categories, strict=True):
        elsewhere = {*winners} - {*amounts}
        rivals = [each for each in PLACES if each.card.player in members]
        free = [each for each in rivals if each.card.number not in elsewhere]
        assert amounts == {at: sum_ for at, sum_ in shares(free, prizes).items() if sum_}


def test_of_two_prizes_the_greater_is_kept_and_the_first_of_equal_ones() -> None:
    first = PLACES[0].card
    everybody = {place.card.player for place in PLACES}
    low, high = awarded(PLACES, [(everybody, [50]), ({first.player}, [80])])
    assert first.number not in low
    assert high == {first.number: 80}
    one, other = awarded(PLACES, [({first.player}, [50]), ({first.player}, [50])])
    assert (one, other) == ({first.number: 50}, {})
