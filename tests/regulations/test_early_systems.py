"""Harkness by percentage and by games, and Elo's linear formula, beyond the worked examples."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.player_questions import explain, why_of
from ledger.rating.postings import Reason, StepKind
from ledger.regulations.early_systems import linear
from ledger.regulations.registry import adopted
from ledger.service.ledger import Ledger
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text
from tests.sheets import Game, calculated, particulars_of, states_of

ALL = ("harkness-percentage", "harkness-games", "elo-linear")
PLAYERS = PLAYERS_HEADER + "A,A,,,,1500,20,50\nB,B,,,,1600,20,50\nC,C,,,,300,20,50\nN,N,,,,,,\n"


def ledger_of(regulation: str, *events: tuple[str, int, tuple[str, ...]]) -> Ledger:
    ledger = empty_ledger()
    define(ledger, first_on=dt.date(1960, 7, 1), regulation=regulation)
    import_text(ledger, PLAYERS, list_="ENF")
    for name, day, games in events:
        date = f"1960-07-{day:02}"
        about = f"{name},{name},{date},{date},swiss,classical,"
        import_text(ledger, GAMES_HEADER + "".join(f"{about},{game}\n" for game in games))
    return ledger


@pytest.mark.parametrize("halves", range(7))
def test_the_games_and_the_truncation_are_the_whole_change(halves: int) -> None:
    results = [min(2, max(0, halves - 2 * n)) for n in range(3)]
    games = [Game(0, n, made, round=n) for n, made in enumerate(results, start=1)]
    regulation = adopted("harkness-percentage", {})
    made, change = calculated(regulation, games, states_of([1500] * 4))
    assert change[0] == 10 * (100 * halves // 6 - 50)
    assert {step.kind for step in made.steps} <= {StepKind.TRUNCATION}
    mine = made.postings.rows(made.postings.player == 0)
    assert set(mine.k.tolist()) == {333}


def test_the_figures_may_be_set() -> None:
    states, games = states_of([1500, 1600]), [Game(0, 1, 2)]
    for regulation, set_, change in (
        ("harkness-percentage", {"points_per_percent": 4}, [200, -200]),
        ("harkness-games", {"points_per_game": 64}, [32, -32]),
        ("elo-linear", {"constant": 10, "share": 5}, [15, -15]),
    ):
        assert calculated(adopted(regulation, set_), games, states)[1].tolist() == change


@pytest.mark.parametrize("difference", [0, 1, 35, 399, 400, 401, 1000, 3000])
def test_the_linear_formula_has_no_cap(difference: int) -> None:
    expected = linear(16, 4)
    above = Fraction(difference, 800)
    assert Fraction(expected.one(difference), expected.scale) == Fraction(1, 2) + above
    assert Fraction(expected.one(-difference), expected.scale) == Fraction(1, 2) - above


@given(st.lists(st.tuples(st.integers(-900, 900), st.integers(0, 2)), min_size=1, max_size=20))
def test_the_games_of_the_linear_formula_sum_to_it(games: list[tuple[int, int]]) -> None:
    expected = linear(16, 4)
    wins, losses = (sum(halves == result for _, halves in games) for result in (2, 0))
    above = sum(
        Fraction(halves, 2) - Fraction(expected.one(difference), expected.scale)
        for difference, halves in games
    )
    to_the_opponents = -sum(difference for difference, _ in games)
    assert 32 * above == 16 * (wins - losses) + Fraction(4, 100) * to_the_opponents


def test_two_events_are_truncated_each_for_itself() -> None:
    results = [(0, 2), (0, 1), (0, 1), (1, 0), (1, 2), (1, 0), (1, 0)]
    games = [Game(0, 1, halves, event, n) for n, (event, halves) in enumerate(results, start=1)]
    regulation = adopted("harkness-percentage", {})
    made, change = calculated(regulation, games, states_of([1500, 1500]))
    # 66 and 25 %: 160 - 250; the other 33 and 75 %: -170 + 250.
    assert change.tolist() == [-90, 80]
    assert [(step.player, step.tournament) for step in made.steps] == [(0, 0), (1, 0)]


def test_halves_of_a_point_are_rounded_away_from_zero() -> None:
    _, change = calculated(
        adopted("elo-linear", {"share": 5}), [Game(0, 1, 1)], states_of([1500, 1510])
    )
    assert change.tolist() == [1, -1]


@pytest.mark.parametrize("regulation", ALL)
class TestAll:
    def test_event_follows_event(self, regulation: str) -> None:
        ledger = ledger_of(
            regulation,
            ("U", 20, ("1,,A,B,1-0",)),
            ("T", 5, ("1,,A,B,1-0", "2,,A,B,1-0", "3,,B,A,1-0")),
        )
        made = explain(ledger, "A", "ENF", "1960-07")
        # B comes to the second event with what he lost in the first.
        met: dict[str, int] = {line.tournament: line.opponent_rating for line in made.postings}
        assert met["U"] < met["T"] == 1600
        assert {line.difference for line in made.postings if line.tournament == "T"} == {-100}
        why = why_of(ledger, "A", "ENF", ("1960-07", None), ("1960-08", None))
        assert sum(why.totals().values()) == why.after - why.before

    def test_a_newcomer_gets_no_rating(self, regulation: str) -> None:
        ledger = ledger_of(regulation, ("T", 5, ("1,,N,A,1-0", "2,,N,B,1-0", "3,,A,B,1-0")))
        made = explain(ledger, "N", "ENF", "1960-07")
        assert {line.reason for line in made.excluded} == {Reason.NO_FIRST_RATING}
        assert all(line.clause.startswith("CLASIFICACION") for line in made.excluded)
        assert made.closing is None
        opponent = explain(ledger, "A", "ENF", "1960-07")
        assert [line.reason for line in opponent.excluded] == [Reason.OPPONENT_UNRATED]
        assert len(opponent.postings) == 1

    def test_forfeits_do_not_count(self, regulation: str) -> None:
        ledger = ledger_of(regulation, ("T", 5, ("1,,A,B,1-0", "2,,A,C,+/-")))
        plain = ledger_of(regulation, ("T", 5, ("1,,A,B,1-0",)))
        made, same = (explain(each, "A", "ENF", "1960-07") for each in (ledger, plain))
        assert made.closing == same.closing

    def test_an_assigned_k_is_not_heeded(self, regulation: str) -> None:
        known = particulars_of(2, assigned_k=15)
        (k,) = set(adopted(regulation, {}).k(states_of([1500, 1600]), known).tolist())
        assert k in {1000, 100, 32}

    def test_who_has_lost_everything_still_meets_the_next_event_with_a_rating(
        self, regulation: str
    ) -> None:
        lost = ("1,,B,C,1-0", "2,,B,C,1-0", "3,,B,C,1-0", "4,,B,C,1-0")
        ledger = ledger_of(regulation, ("T", 5, lost), ("U", 20, ("1,,C,A,1-0",)))
        made = explain(ledger, "C", "ENF", "1960-07")
        assert len(made.postings) == 5
        assert (made.closing or 0) >= 1
        why = why_of(ledger, "C", "ENF", ("1960-07", None), ("1960-08", None))
        assert sum(why.totals().values()) == why.after - why.before
