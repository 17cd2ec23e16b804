"""Where points come from and go, by hand; what is never hand-made balances by a law."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.list_figures import monitor_of
from ledger.calendar import Calendar
from ledger.errors import InputRefused, NotFound
from ledger.operations import commands as c
from ledger.regulations.registry import OWN, adopted
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline
from ledger.reports.monitor import Monitor, Source, monitor
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from ledger.views.list_editions import require_period
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, publish_month
from tests.laws.support import PERIODS, correct_all, filled, law, rows_of
from tests.ledgers import do, games, import_text, ledger_of, publish_period


def sources(made: Monitor, period: int = 0) -> dict[Source, Fraction]:
    return dict(made.lines[period].sources)


def watch(ledger: Ledger, **options: object) -> Monitor:
    asked = {"since": None, "until": None, **options}
    return monitor_of(ledger, "ENF", **asked)  # type: ignore[arg-type]


def test_unequal_k_creates_what_it_does_not_take() -> None:
    ledger = ledger_of("A,1800,30,", "B,1800,10,", "N,,,")
    import_text(ledger, games("T", "1,,A,B,1-0", "2,,A,N,1-0"))
    made = watch(ledger)
    line = made.lines[0]
    # +15 and -5; against N nothing is rated.
    assert sources(made) == {Source.BROUGHT_IN: 3600, Source.UNEQUAL_K: 10}
    assert (line.before, line.after) == (0, 3610)
    assert (line.brought_in, line.newcomers, line.pool.count, line.active) == (2, 0, 2, 2)
    assert line.k == {10: 1, 30: 1}
    assert line.control.mean == 1805
    # One month, from 1800 to 1805: 5 points in 31 days.
    assert made.trend == Fraction(5, 31) * Fraction(1461, 4)


def test_expected_scores_by_the_mean_do_not_sum_to_one() -> None:
    ledger = ledger_of("A,1800,15,", "B,1800,15,", "C,2000,15,", parameters={"method": "mean"})
    import_text(ledger, games("T", "1,,A,B,1/2-1/2", "2,,A,C,1/2-1/2", "3,,B,C,1/2-1/2"))
    # A and B expect 0.36 of each game, C 0.76: 15 times 3 - 2.96. Changes 4.2, 4.2 and -7.8.
    assert sources(watch(ledger)) == {
        Source.BROUGHT_IN: 5600,
        Source.EXPECTED_SCORES: Fraction(3, 5),
        Source.ROUNDING: Fraction(-3, 5),
    }


def test_games_against_newcomers_of_a_round_robin_are_rated_for_one_side() -> None:
    ledger = ledger_of("A,1800,15,", "B,1700,15,", "C,1900,15,", "D,1750,15,", "N,,,")
    names = "ABCDN"
    pairs = [
        f"{n * 5 + place},,{a},{b},1/2-1/2"
        for n, a in enumerate(names)
        for place, b in enumerate(names)
        if n < place
    ]
    import_text(ledger, games("T", *pairs, system="round-robin"))
    assert sources(watch(ledger))[Source.ONE_SIDED]


def test_a_first_rating_and_a_step_for_all() -> None:
    ledger = ledger_of("A,1800,15,", "B,1700,15,", "C,1900,15,", "N,,,")
    met = [f"{n},,N,{'ABC'[n % 3]},1/2-1/2" for n in range(1, 10)]
    import_text(ledger, games("T", *met))
    step = c.AdjustList(
        list="ENF", period="2010-07", below=1750, pivot=1750, numerator=1, denominator=5,
        as_correction=True,
    )  # fmt: skip
    do(ledger, step)
    made = watch(ledger)
    # Nine draws against 1800 on average; B gets a fifth of 50 points.
    assert sources(made) == {
        Source.BROUGHT_IN: 5400,
        Source.NEWCOMERS: 1800,
        Source.ADJUSTMENTS: 10,
    }
    assert made.lines[0].newcomers == 1


def test_two_ids_that_become_one_after_their_list_went_out() -> None:
    ledger = ledger_of("A,1900,15,", "B,1700,15,", "C,1800,15,", "M,,,", policy="next-list")
    met = [f"{n},,M,{'BC'[n % 2]},1/2-1/2" for n in range(1, 11)]
    import_text(ledger, games("T", *met))
    publish_period(ledger, "2010-07")
    do(ledger, c.MergePlayers(player="M", into="A", on=dt.date(2010, 8, 1)))
    made = watch(ledger)
    # M had 1750, and his games against B and C are games of A by now: 15 times 5 - 3.8 and 5 - 3.2.
    assert sources(made)[Source.NEWCOMERS] == 1750
    assert sources(made, 1)[Source.MERGES] == -1750
    assert made.lines[1].after == 5400 + sources(made, 1)[Source.CREDITS]
    assert watch(ledger, active_only=True).lines[1].sources == made.lines[1].sources
    assert made.control == ("A", "B", "C")


def fide() -> Ledger:
    """A plays in January 2024 and January 2026; B and C also in between."""
    ledger = ledger_of(
        "A,1800,,50", "B,1800,,50", "C,1800,,50", "D,1400,,50",
        regulation="fide-standard", calendar=Calendar.ANNUAL, first_on=dt.date(2022, 1, 1),
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    for year, pairing in (
        (2022, "1,,A,B,1/2-1/2"), (2023, "1,,B,C,1/2-1/2"), (2024, "1,,A,C,1-0"),
    ):  # fmt: skip
        import_text(ledger, games(f"T{year}", pairing, day=f"{year}-07-10"))
    return ledger


def test_who_stops_playing_leaves_the_active_pool_and_comes_back() -> None:
    made = watch(fide(), active_only=True)
    assert all(
        line.before + sum(points for points in line.sources.values()) == line.after
        for line in made.lines
    )
    away = sources(made, 1)
    assert away[Source.WENT_INACTIVE] == -made.lines[1].went_inactive.points < 0
    assert made.lines[1].went_inactive.players >= 1
    back = made.lines[2]
    assert back.came_back.players == 1
    assert sources(made, 2)[Source.CAME_BACK] == back.came_back.points == 1800
    everybody = watch(fide())
    assert Source.CAME_BACK not in sources(everybody, 2)
    assert everybody.lines[2].came_back == back.came_back


def test_a_rating_below_the_floor_leaves_the_pool() -> None:
    ledger = ledger_of(
        "A,1402,40,", "B,1400,40,", regulation="fide-standard", first_on=dt.date(2024, 7, 1),
        parameters={"floor": 1400},
    )  # fmt: skip
    import_text(ledger, games("T", "1,,A,B,1-0", day="2024-07-10"))
    made = watch(ledger)
    assert made.lines[0].removed == 1
    assert sources(made)[Source.FLOOR] < -1300


def test_a_control_group_must_be_rated_at_both_ends() -> None:
    ledger = ledger_of("A,1800,30,", "B,1800,10,", "N,,,")
    import_text(ledger, games("T", "1,,A,B,1-0"))
    assert watch(ledger, control=["B"]).lines[0].control.mean == 1795
    with pytest.raises(InputRefused) as refused:
        watch(ledger, control=["A", "N"])
    assert "N" in str(refused.value.message)
    with pytest.raises(NotFound):
        watch(ledger, control=["X"])
    with pytest.raises(InputRefused):
        watch(ledger, since="2010-08", until="2010-07")


@pytest.mark.parametrize("policy", ["restate", "next-list"])
@law(12)
@given(federation=federations(most_players=9, most_events=3))
def test_the_sources_sum_to_the_change_of_the_pool(federation: Federation, policy: str) -> None:
    ledger = filled(federation, policy=policy)  # type: ignore[arg-type]
    publish_month(ledger, PERIODS[0])
    correct_all(ledger, federation)
    for active_only in (False, True):
        made = monitor_of(ledger, LIST, since=None, until=PERIODS[-1], active_only=active_only)
        shown = [sum(row.rating for row in rows) for rows in rows_of(ledger).values()]
        assert [line.after for line in made.lines] == shown
        assert [line.before for line in made.lines] == [0, *shown[:-1]]
        for line in made.lines:
            assert line.before + sum(points for points in line.sources.values()) == line.after
            assert line.created + line.destroyed == line.after - line.before


@law(20)
@given(federations(most_players=9, most_events=3), st.sampled_from(sorted(OWN)))
def test_the_sources_sum_under_every_regulation(federation: Federation, regulation: str) -> None:
    ledger = filled(federation)
    facts = ledger.facts()
    last = require_period(facts, LIST, PERIODS[-1])
    under = adopted(regulation, {})
    for active_only in (False, True):
        outcomes = list(replay(Timeline.at_head(facts, LIST, under), last))
        made = monitor(outcomes, 0, ledger.people(facts), None, active_only=active_only)
        for line, outcome in zip(made.lines, outcomes, strict=True):
            pool = outcome.active if active_only else slice(None)
            assert line.after == outcome.closing.rating[pool].sum()
            assert line.before + sum(points for points in line.sources.values()) == line.after
