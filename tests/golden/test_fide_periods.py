"""FIDE's published periods of players with several tournaments, game by game, and its calculator.

Where the new rating is not the old one and the change, the data say why: ``exception``. Everything
else of such a period is compared like the others.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ledger.rating.rounding import half_away_from_zero
from tests.golden.test_fide import STANDARD, contributions, one_player, total

DATA = Path(__file__).parent / "data" / "fide_published_periods.json"
PUBLISHED = json.loads(DATA.read_text("utf-8"))
PERIODS = PUBLISHED["periods"]
CALCULATOR = PUBLISHED["calculator"]


def name_of(case: Any) -> str:
    return f"{case['list']}-{case['closing']}"


def met(event: Any) -> list[tuple[int, int]]:
    """The opponents; one whose difference FIDE capped is put a further 100 points away."""
    own = event["own"]
    games = []
    for opponent, halves, _, *capped in event["games"]:
        farther = 0 if not capped else -100 if opponent < own else 100
        games.append((opponent + farther, halves))
    return games


def listed(case: Any) -> int:
    """The rating in the list before the new one."""
    rating: int = case["lists"][max(case["lists"])]
    return rating


@pytest.mark.parametrize("case", PERIODS, ids=name_of)
def test_a_period_of_several_tournaments(case: Any) -> None:
    base = case.get("base", listed(case))
    events = [(event["start"], event["own"], met(event)) for event in case["events"]]
    made = one_player(
        STANDARD, events, on=f"{case['list']}-01", opening=base, games=200, peaks=case["peak"]
    )
    shown = [change for event in case["events"] for _, _, change, *_ in event["games"]]
    assert contributions(made) == shown
    assert set(made.postings.k[made.postings.player == 0].tolist()) == {case["k"]}
    assert total(made) == Fraction(case["change"])
    rounded = half_away_from_zero(total(made))
    assert base + rounded + case.get("unexplained", 0) == case["closing"]


@pytest.mark.parametrize("case", PERIODS, ids=name_of)
def test_the_ratings_are_those_of_the_list_in_force_at_the_start(case: Any) -> None:
    of_the_start = [case["lists"][event["start"][:7]] for event in case["events"]]
    rated_from = [event["own"] for event in case["events"]]
    regular = rated_from == of_the_start and not {"base", "unexplained"} & case.keys()
    assert regular is ("exception" not in case)


def test_the_period_is_rounded_once_and_not_each_tournament() -> None:
    """In twelve periods the two differ; FIDE's list follows the period in all of them."""
    telling = 0
    for case in PERIODS:
        by_event = sum(
            half_away_from_zero(Fraction(case["k"] * sum(g[2] for g in event["games"]), 100))
            for event in case["events"]
        )
        once = half_away_from_zero(Fraction(case["change"]))
        if by_event != once:
            telling += 1
            assert case.get("base", listed(case)) + once == case["closing"]
    assert telling == 12


def test_what_is_compared() -> None:
    games = [game for case in PERIODS for event in case["events"] for game in event["games"]]
    assert (len(PERIODS), sum(len(case["events"]) for case in PERIODS)) == (58, 140)
    assert (len(games), sum(len(game) == 4 for game in games)) == (923, 41)
    assert sum("exception" in case for case in PERIODS) == 9
    assert [case["unexplained"] for case in PERIODS if "unexplained" in case] == [1, -1]


def change_of(own: int, opponent: int, halves: int, k: int) -> Fraction:
    """The change of one game of today, by any K."""
    made = one_player(STANDARD, [("2026-10-01", own, [(opponent, halves)])], on="2026-10-01")
    return Fraction(k * contributions(made)[0], 100)


@pytest.mark.parametrize(("own", "opponent", "halves", "k", "shown"), CALCULATOR["games"])
def test_the_calculator_of_one_game(
    own: int, opponent: int, halves: int, k: int, shown: str
) -> None:
    assert change_of(own, opponent, halves, k) == Fraction(shown)


@pytest.mark.parametrize(
    ("own", "opponent", "halves", "k", "shown", "regulation"), CALCULATOR["still_capped"]
)
def test_the_calculator_caps_whom_the_regulation_no_longer_caps(
    own: int, opponent: int, halves: int, k: int, shown: str, regulation: str
) -> None:
    assert change_of(own, opponent, halves, k) == Fraction(regulation)
    capped = own - 400
    made = one_player(STANDARD, [("2026-10-01", own, [(capped, halves)])], on="2026-10-01")
    assert Fraction(k * contributions(made)[0], 100) == Fraction(shown)
