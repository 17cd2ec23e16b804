"""Random events: the same seed, the same event, and every round keeps the absolute criteria."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.checker import DeclaredEvent, check
from ledger.desk.pairing import berger, dutch, fenamac_1975, practical_1975
from ledger.desk.pairing.proposal import PairingSystem
from ledger.desk.score_sheet import How, ScoreSheet
from ledger.desk.simulator import Plan, SimulatedEvent, simulate
from ledger.terms import System
from tests.profile import count, examples

SWISS = {"fenamac-1975": fenamac_1975.pair, "practical-1975": practical_1975.pair}


def meetings(sheet: ScoreSheet) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((number, line.opponent or 0))
        for number, card in sheet.cards.items()
        for line in card.games
    )


def differences(event: SimulatedEvent, pair: PairingSystem) -> list[str]:
    declared = DeclaredEvent(sheet=event.sheet, rules=event.rules, pair=pair)
    return [str(each.message) for each in check(declared)]


@given(
    pair=st.sampled_from(list(SWISS.values())),
    players=st.integers(2, 24),
    seed=st.integers(0, 10**6).map(str),
    shares=st.tuples(*[st.integers(0, 150)] * 3),
)
@examples(60)
def test_an_event_paired_again_has_no_difference(
    pair: PairingSystem, players: int, seed: str, shares: tuple[int, int, int]
) -> None:
    forfeits, byes, unusual = shares
    plan = Plan(
        players=players, rounds=players // 2, seed=seed, forfeits=forfeits, byes=byes,
        unusual=unusual,
    )  # fmt: skip
    event = simulate(plan, pair)
    assert simulate(plan, pair) == event
    assert differences(event, pair) == []
    assert all(times == 2 for times in meetings(event.sheet).values())
    byes_had = [
        sum(line.how is How.ALLOCATED_BYE for line in card.lines)
        for card in event.sheet.cards.values()
    ]
    assert max(byes_had) <= 1


@pytest.mark.parametrize(("players", "seed"), [(17, "b"), (14, "a")][: count(2, 1)])
def test_a_dutch_event_paired_again_has_no_difference(players: int, seed: str) -> None:
    plan = Plan(
        players=players, rounds=5, seed=seed, forfeits=50, byes=50, unusual=20, baku=players > 15
    )
    event = simulate(plan, dutch.pair)
    assert event.sheet.played == 5
    assert bool(event.rules.acceleration) is plan.baku
    assert differences(event, dutch.pair) == []


def test_an_all_play_all_is_that_of_the_tables() -> None:
    plan = Plan(players=7, rounds=7, seed="1", system=System.ROUND_ROBIN, byes=500)
    event = simulate(plan, berger.pair)
    assert len(meetings(event.sheet)) == 7 * 6 // 2
    assert differences(event, berger.pair) == []


def test_an_event_ends_where_no_round_is_left() -> None:
    event = simulate(Plan(players=3, rounds=9, seed="x"), fenamac_1975.pair)
    assert event.sheet.played == 3
    assert len(event.remarks) == 1


def test_the_higher_rated_score_more_and_shares_are_kept() -> None:
    plan = Plan(players=100, rounds=9, seed="a", forfeits=100, byes=100, unusual=100)
    sheet = simulate(plan, fenamac_1975.pair).sheet
    halves = list(sheet.halves.values())
    assert sum(halves[:50]) > sum(halves[50:])
    hows = Counter(line.how for card in sheet.cards.values() for line in card.lines)
    assert 60 <= hows[How.FORFEIT] <= 100
    assert 70 <= hows[How.HALF_BYE] + hows[How.ZERO_BYE] <= 110


def test_the_event_of_a_seed_stays() -> None:
    event = simulate(Plan(players=4, rounds=2, seed="pinned", forfeits=100), fenamac_1975.pair)
    said = [
        (card.rating, *(f"{line.opponent}{line.colour}{line.halves}" for line in card.lines))
        for card in event.sheet.cards.values()
    ]
    assert said == [
        (1995, "3w2", "2b2"), (1869, "4b2", "1w0"), (1661, "1b0", "4w2"), (1445, "2w0", "3b0"),
    ]  # fmt: skip
