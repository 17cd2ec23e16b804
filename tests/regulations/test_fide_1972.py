"""FIDE 1972 beyond its worked examples: the annual period, the order, exceptional results."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import numpy as np
import pytest

from ledger.answers.lists import show
from ledger.answers.player_questions import explain, why_of
from ledger.calendar import Calendar
from ledger.errors import InputRefused
from ledger.rating.postings import Calculation, NewcomerResult, OwnStep, Reason, StepKind
from ledger.regulations.fide_1972 import Fide1972, Fide1972Parameters
from ledger.regulations.fide_1972_events import Arithmetic
from ledger.regulations.registry import adopted
from ledger.service.ledger import Ledger
from ledger.terms import System
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
    publish_period,
)
from tests.sheets import DAY, Game, calculated, particulars_of, sides_of_games, states_of

USUAL = Fide1972(Fide1972Parameters())
ALL = System.ROUND_ROBIN


def points_of(made: Calculation, player: int) -> Fraction:
    """A player's exact change."""
    units = int(made.postings.contribution[made.postings.player == player].sum())
    return Fraction(units + sum(s.units for s in made.steps if s.player == player), made.units)


def steps_of(made: Calculation, player: int) -> dict[StepKind | OwnStep, Fraction]:
    return {s.kind: Fraction(s.units, made.units) for s in made.steps if s.player == player}


def everybody(results: dict[tuple[int, int], int]) -> list[Game]:
    """An all-play-all: half points of the first of each pair."""
    return [Game(a, b, h, system=ALL) for (a, b), h in results.items()]


def draws(players: int, **results: int) -> dict[tuple[int, int], int]:
    """Everybody draws with everybody, but for ``p01=2``: 0 beats 1."""
    games = {(a, b): 1 for a in range(players) for b in range(a + 1, players)}
    for name, halves in results.items():
        games[int(name[1]), int(name[2])] = halves
    return games


class TestTheAnnualPeriod:
    def season(self, games: int) -> list[Game]:
        """Player 0 wins three of four against four others, ten games an event."""
        return [
            Game(0, 1 + n % 4, 0 if n % 4 == 3 else 2, tournament=n // 10, round=n % 10 + 1)
            for n in range(games)
        ]

    states = states_of([2400, 2300, 2340, 2360, 2400])

    def test_fewer_than_80_games_are_changes_from_the_list_in_force(self) -> None:
        made, change = calculated(USUAL, self.season(79), self.states)
        # D 100, 60, 40, 0; P .64, .58, .56, .50; 20 rounds of the four less the last lost game.
        expected = 20 * (Fraction(64 + 58 + 56 + 50, 100)) - Fraction(50, 100)
        assert points_of(made, 0) == 10 * (60 - expected)
        assert change[0] == 149
        assert not steps_of(made, 0)

    def test_80_games_are_a_performance_and_the_old_rating_falls_away(self) -> None:
        made, change = calculated(USUAL, self.season(80), self.states)
        # Rc 2350, 75 %: D(P) 193.
        assert change[0] == 2350 + 193 - 2400
        assert steps_of(made, 0) == {StepKind.PERFORMANCE: Fraction(143)}
        mine = made.postings.rows(made.postings.player == 0)
        assert len(mine) == 80
        assert set(mine.k.tolist()) == {0}
        assert mine.opponent_rating.mean() == 2350
        # His opponents played 20 games each.
        assert points_of(made, 1) == 10 * (0 - 20 * Fraction(36, 100))

    def test_the_limit_is_a_parameter_and_0_switches_it_off(self) -> None:
        for limit, performs in ((20, True), (21, False), (0, False)):
            regulation = Fide1972(Fide1972Parameters(period_performance_games=limit))
            made, _ = calculated(regulation, self.season(20), self.states)
            assert (StepKind.PERFORMANCE in steps_of(made, 0)) == performs

    def test_nothing_but_wins_takes_the_last_row_of_the_table(self) -> None:
        games = [Game(0, 1, 2, tournament=n) for n in range(80)]
        _, change = calculated(USUAL, games, self.states)
        assert change.tolist()[:2] == [2300 + 677 - 2400, 2400 - 677 - 2300]

    def test_two_events_do_not_know_of_each_other(self) -> None:
        games = [Game(0, 1, 2, tournament=0), Game(0, 1, 2, tournament=1)]
        made, _ = calculated(USUAL, games, self.states)
        assert set(made.postings.difference[made.postings.player == 0].tolist()) == {100}

    def test_unrated_opponents_of_an_all_play_all_count_with_what_they_achieved(self) -> None:
        games = everybody(draws(4, p03=2))
        regulation = Fide1972(Fide1972Parameters(period_performance_games=3))
        made, _ = calculated(regulation, games, states_of([2400, 2300, 2350, 0]))
        newcomer = made.newcomers[0]
        assert newcomer.performance is not None
        mine = made.postings.rows(made.postings.player == 0)
        assert mine.opponent_rating.tolist() == [2300, 2350, newcomer.performance]


class TestK:
    def test_assigned_new_junior_established(self) -> None:
        regulation = Fide1972(Fide1972Parameters(k_established=15, k_new_or_junior=25))
        states = states_of([2000] * 6, games=[100, 29, 30, 100, 100, 100])
        known = particulars_of(
            6,
            on=dt.date(1972, 1, 1),
            birth_years=[0, 0, 1940, 1952, 1951, 1952],
            assigned_k=[-1, -1, -1, -1, -1, 0],
        )
        assert regulation.k(states, known).tolist() == [15, 25, 15, 25, 15, 0]


class TestTheOrder:
    """Unrated players first, then juniors, then the others (deflation 1)."""

    states = states_of([2200, 2300, 2300, 2300, 2300])
    known = particulars_of(5, birth_years=[DAY.year - 15, 0, 0, 0, 0])
    k = Fide1972Parameters(k_established=20, k_new_or_junior=20)

    def test_a_junior_who_gained_enters_the_mean_with_the_higher_rating(self) -> None:
        games = everybody(draws(5, p01=2, p02=2))
        made, change = calculated(Fide1972(self.k), games, self.states, self.known)
        # Ra 2280; Ro - Ra -80, .39, 5 * .39 = 1.95 -> 1.9 (a half is dropped), We 1.4; W 3.
        assert change[0] == 20 * Fraction("1.6") == 32
        # The others: Ra (2232 + 4 * 2300) / 5 = 2286.4 -> 2286, D 14.
        others = made.postings.rows(made.postings.player != 0)
        assert set(others.difference.tolist()) == {14}
        assert set(others.opponent_rating.tolist()) == {2286}

    def test_a_junior_who_lost_enters_with_the_old_one(self) -> None:
        games = everybody(draws(5, p01=0, p02=0, p03=0, p04=0))
        made, change = calculated(Fide1972(self.k), games, self.states, self.known)
        assert change[0] < 0
        others = made.postings.rows(made.postings.player != 0)
        assert set(others.difference.tolist()) == {20}

    def test_whoever_is_no_junior_does_not_change_the_mean(self) -> None:
        games = everybody(draws(5, p01=2, p02=2))
        made, _ = calculated(Fide1972(self.k), games, self.states)
        others = made.postings.rows(made.postings.player != 0)
        assert set(others.difference.tolist()) == {20}

    def test_it_holds_in_other_events_too(self) -> None:
        games = [Game(0, 1, 2), Game(0, 2, 2, round=2), Game(1, 2, 1, round=3)]
        made, change = calculated(Fide1972(self.k), games, self.states, self.known)
        assert change[0] == 20 * 2 * Fraction(64, 100) + Fraction(2, 5)  # 25.6 -> 26
        of_one = made.postings.rows(made.postings.player == 1)
        assert of_one.opponent_rating.tolist() == [2226, 2300]

    def test_the_unrated_are_rated_before_the_junior_gains(self) -> None:
        games = everybody(draws(5, p01=2, p02=2))
        states = states_of([2200, 2300, 2300, 2300, 0])
        made, _ = calculated(Fide1972(self.k), games, states, self.known)
        (newcomer,) = made.newcomers
        # R+ 2275; D(P) 193 (75 %), -87 (37.5 %), -87, 0; times 4/5: 154, -72, -72, 0 is 10 / 4.
        assert Arithmetic().d_of_p(3, 4) == -91  # 37.5 % lies between -95 and -87
        assert newcomer.opponents_mean == 2275 - 2
        assert newcomer.performance == 2273


class TestTheAllPlayAll:
    def test_what_is_posted_sums_to_the_short_form(self) -> None:
        games = everybody(draws(4, p01=2))
        made, _ = calculated(USUAL, games, states_of([2400, 2300, 2300, 2300]))
        # Ra 2325, D 75: .60; 4 * .60 = 2.40, We 1.9; W 2.
        assert points_of(made, 0) == 10 * (2 - Fraction("1.9"))
        assert steps_of(made, 0) == {StepKind.OWN_GAME: Fraction(-1)}

    def test_columns_are_rounded_and_the_step_says_by_how_much(self) -> None:
        games = everybody(draws(3))
        states = states_of([2400, 2300, 2300])
        made, _ = calculated(USUAL, games, states)
        # Ra 2333, D 67: .59; 3 * .59 = 1.77 -> 1.8.
        assert steps_of(made, 0)[StepKind.WORKSHEET_ROUNDING] == Fraction(-3, 10)
        exact, _ = calculated(Fide1972(Fide1972Parameters(worksheet_rounding=0)), games, states)
        assert StepKind.WORKSHEET_ROUNDING not in steps_of(exact, 0)
        assert points_of(exact, 0) == 10 * (1 - Fraction("1.27"))

    def test_twice_round_counts_each_round_trip(self) -> None:
        once = draws(3)
        games = everybody(once) + everybody({(b, a): h for (a, b), h in once.items()})
        regulation = Fide1972(Fide1972Parameters(worksheet_rounding=0))
        made, _ = calculated(regulation, games, states_of([2400, 2300, 2300]))
        assert points_of(made, 0) == 10 * (2 - 2 * Fraction("1.27"))

    def test_one_game_missing_makes_it_an_event_like_any_other(self) -> None:
        games = everybody(draws(4))[:-1]
        made, _ = calculated(USUAL, games, states_of([2400, 2300, 2200, 2100]))
        assert not made.steps
        mine = made.postings.rows(made.postings.player == 0)
        assert sorted(mine.difference.tolist()) == [100, 200, 300]

    def test_fewer_than_three_rated_cannot_tell_the_mean(self) -> None:
        games = everybody(draws(4))
        states = states_of([2400, 2300, 0, 0])
        made, _ = calculated(USUAL, games, states)
        assert not made.steps
        assert {r.games for r in made.newcomers} == {2}
        made, _ = calculated(Fide1972(Fide1972Parameters(rated_in_group=2)), games, states)
        assert {r.games for r in made.newcomers} == {3}

    def test_a_rated_player_with_full_points_beside_unrated_ones(self) -> None:
        games = everybody(draws(4, p01=2, p02=2, p03=2))
        made, _ = calculated(USUAL, games, states_of([2400, 2300, 2300, 0]))
        assert {r.games for r in made.newcomers} == {3}  # 1 of 3 against the rated
        assert not made.steps

    def test_where_most_are_rated_equation_one_may_tell_the_mean(self) -> None:
        games = everybody(draws(4, p01=2))
        states = states_of([2400, 2300, 2300, 0])
        by_one = Fide1972(Fide1972Parameters(majority_rated="equation-1"))
        made, _ = calculated(by_one, games, states)
        # 50 % against 2333 1/3: (7000 + 2333 1/3) / 4 = 2333 1/3, written 2333.
        assert made.newcomers[0].performance == 2333
        made, _ = calculated(USUAL, games, states)
        # R+ 2333; D(P) of 66.7 %, 33.3 %, 50 % is 125, -125, 0: nothing is taken off.
        assert made.newcomers[0].performance == 2333

    def test_merit_only_where_the_tournament_has_one(self) -> None:
        regulation = USUAL
        states, known = states_of([2400, 2300]), particulars_of(2)
        for merit, counted in ((-1, 100), (50, 50)):
            sides = sides_of_games([Game(0, 1, 2)], merit=merit)
            made = regulation.calculate(sides, states, known, regulation.k(states, known))
            assert set(made.postings.merit.tolist()) == {counted}


class TestExceptionalResults:
    """W - We of three points in twelve rounds, less in shorter events (deflation 3)."""

    def event(self, rounds: int, points: int, tournament: int = 0) -> list[Game]:
        """Player 0 scores against an equal opponent, of whom 50 % are expected."""
        return [
            Game(0, 1, 2 if n < points else 0, tournament=tournament, round=n + 1)
            for n in range(rounds)
        ]

    states = states_of([2300, 2300])

    @pytest.mark.parametrize(
        ("rounds", "points", "exceptional"),
        [
            (12, 9, True),  # 3
            (12, 8, False),
            (16, 11, True),  # 3 of 16 rounds are enough
            (6, 4, False),  # 1, and half of 3 is 1.5
            (6, 5, True),
            (5, 5, False),  # 2.5, but five rounds say too little
            (10, 7, False),  # 2, and 2.5 are asked
            (10, 8, True),
        ],
    )
    def test_the_threshold(self, rounds: int, points: int, *, exceptional: bool) -> None:
        regulation = Fide1972(Fide1972Parameters(exceptional="bonus"))
        made, _ = calculated(regulation, self.event(rounds, points), self.states)
        assert steps_of(made, 0) == ({StepKind.BONUS: 25} if exceptional else {})
        assert not steps_of(made, 1)  # below expectation there is nothing

    def test_off_is_the_default(self) -> None:
        made, change = calculated(USUAL, self.event(12, 11), self.states)
        assert not made.steps
        assert change[0] == 50

    def test_the_bonus_comes_on_top(self) -> None:
        regulation = Fide1972(Fide1972Parameters(exceptional="bonus", bonus_points=40))
        _, change = calculated(regulation, self.event(12, 9), self.states)
        assert change.tolist() == [30 + 40, -30]

    def test_the_performance_replaces_the_old_rating(self) -> None:
        regulation = Fide1972(Fide1972Parameters(exceptional="replace"))
        made, change = calculated(regulation, self.event(12, 9), self.states)
        assert change.tolist() == [193, -30]
        assert steps_of(made, 0) == {StepKind.PERFORMANCE: 193}

    def test_other_events_are_rated_from_the_new_rating(self) -> None:
        games = [*self.event(12, 9), Game(0, 1, 0, tournament=1), Game(0, 1, 2, tournament=1)]
        regulation = Fide1972(Fide1972Parameters(exceptional="replace"))
        made, change = calculated(regulation, games, self.states)
        other = made.postings.rows((made.postings.player == 0) & (made.postings.tournament == 1))
        assert set(other.difference.tolist()) == {193}
        assert change[0] == 188  # 193 + 10 * (1 - 2 * .75)

    def test_two_exceptional_events_weigh_by_their_games(self) -> None:
        games = self.event(12, 9) + self.event(8, 6, tournament=1)
        regulation = Fide1972(Fide1972Parameters(exceptional="replace"))
        _, change = calculated(regulation, games, self.states)
        assert change[0] == 193

    def test_full_points_are_never_worth_less(self) -> None:
        regulation = Fide1972(Fide1972Parameters(exceptional="replace"))
        _, change = calculated(regulation, self.event(12, 12), self.states)
        assert change[0] == 677

    def test_the_threshold_of_an_all_play_all_is_held_to_the_short_form(self) -> None:
        games = everybody(draws(5, p01=2, p02=2, p03=2))
        regulation = Fide1972(Fide1972Parameters(exceptional="replace", exceptional_least_rounds=4))
        states = states_of([2300] * 5)
        # W 3.5, We 5 * .50 - .5 = 2; 1.5 where 4 rounds ask for 1. 87.5 % is 329, times 4/5: 263.
        _, change = calculated(regulation, games, states)
        assert change[0] == 263

    def test_an_exceptional_junior_counts_for_the_others_with_all_he_got(self) -> None:
        games = [Game(0, 1, 2, round=n) for n in range(1, 7)]
        known = particulars_of(2, birth_years=[DAY.year - 12, 0])
        regulation = Fide1972(Fide1972Parameters(exceptional="bonus"))
        made, _ = calculated(regulation, games, self.states, known)
        of_one = made.postings.rows(made.postings.player == 1)
        assert set(of_one.opponent_rating.tolist()) == {2300 + 30 + 25}


class TestNewcomers:
    def test_in_other_events_they_are_rated_first_and_count_as_opponents(self) -> None:
        games = [Game(0, 2, 1), Game(1, 2, 1, round=2), Game(3, 2, 2, round=3)]
        made, _ = calculated(USUAL, games, states_of([2400, 2300, 0, 0]))
        (newcomer,) = made.newcomers
        assert (newcomer.player, newcomer.games) == (2, 2)
        assert newcomer.performance == 2350
        of_one = made.postings.rows(made.postings.player == 1)
        assert of_one.opponent_rating.tolist() == [2350]
        excluded = made.exclusions.reason[np.isin(made.exclusions.player, (2, 3))]
        assert excluded.tolist() == [Reason.OPPONENT_UNRATED] * 2

    @pytest.mark.parametrize("halves", [0, 2])
    def test_no_difference_is_defined_at_the_ends(self, halves: int) -> None:
        games = [Game(0, 2, halves), Game(1, 2, halves, round=2)]
        made, change = calculated(USUAL, games, states_of([2400, 2300, 0]))
        (newcomer,) = made.newcomers
        assert (newcomer.computable, newcomer.reason) == (False, Reason.NO_DIFFERENCE)
        of = dict(
            zip(made.exclusions.player.tolist(), made.exclusions.reason.tolist(), strict=True)
        )
        assert of == {
            0: Reason.OPPONENT_UNRATED,
            1: Reason.OPPONENT_UNRATED,
            2: Reason.NO_DIFFERENCE,
        }
        assert not change.any()

    def test_in_an_all_play_all_games_against_such_a_newcomer_still_count(self) -> None:
        games = everybody(draws(4, p03=2, p13=2, p23=2))
        made, _ = calculated(USUAL, games, states_of([2400, 2300, 2300, 0]))
        (newcomer,) = made.newcomers
        assert newcomer.reason == Reason.NO_DIFFERENCE
        assert len(made.postings) == 9
        assert set(made.exclusions.player.tolist()) == {3}

    def results(self, *made: tuple[int, int]) -> list[NewcomerResult]:
        return [
            NewcomerResult(
                player=0,
                tournament=number,
                starts_on=0,
                ends_on=0,
                games=games,
                halves=games,
                opponents_mean=Fraction(rating),
                performance=Fraction(rating),
                reason=Reason.NONE,
                opponents=(),
            )
            for number, (games, rating) in enumerate(made)
        ]

    def test_the_first_rating_weighs_by_games(self) -> None:
        regulation = USUAL
        assert regulation.first_rating(self.results((10, 2000), (5, 2101)), DAY) == 2034
        more = Fide1972(Fide1972Parameters(first_rating_games=16))
        assert more.first_rating(self.results((10, 2000), (5, 2101)), DAY) is None
        assert more.games_for_first_rating(DAY) == 16


class TestReadingTables:
    def test_the_ends_of_table_one(self) -> None:
        read = Arithmetic()
        assert read.d_of_p(0, 100) is read.d_of_p(200, 100) is None
        assert read.d_of_p(1, 100) == -677  # 0.5 %
        assert read.d_of_p(199, 100) == 677

    @pytest.mark.parametrize("games", range(1, 60))
    def test_who_scored_the_rest_has_the_opposite_difference(self, games: int) -> None:
        read = Arithmetic()
        for halves in range(1, 2 * games):
            other = read.d_of_p(2 * games - halves, games)
            mine = read.d_of_p(halves, games)
            assert mine is not None
            assert other is not None
            assert mine == -other


class TestParameters:
    def test_a_margin_goes_with_its_model(self) -> None:
        with pytest.raises(InputRefused):
            adopted("fide-1972", {"draw_margin": 50})
        adopted("fide-1972", {"draw_margin": 50, "expectation": "normal-draw"})

    @pytest.mark.parametrize("model", ["logistic", "normal", "normal-draw"])
    def test_other_models_keep_the_short_form(self, model: str) -> None:
        regulation = adopted("fide-1972", {"expectation": model})
        made, _ = calculated(regulation, everybody(draws(4)), states_of([2400, 2300, 2300, 2300]))
        written = Fraction(points_of(made, 0), 10)
        assert (written * 10).denominator == 1  # We with one decimal
        assert written == Fraction("-0.4")  # 4 * .60 = 2.4


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    ledger = empty_ledger()
    define(
        ledger,
        "NAT",
        regulation="fide-1972",
        calendar=Calendar.ANNUAL,
        first_on=dt.date(1972, 1, 1),
        parameters={"exceptional": "replace", "k_established": 15, "k_new_or_junior": 25},
    )
    import_text(
        ledger,
        PLAYERS_HEADER
        + "A,A,,,,2300,,100\nB,B,,,1955-05-01,2250,,100\nC,C,,,,2200,,100\nD,D,,,,2350,,100\n"
        + "N,N,,,,,,\n",
        list_="NAT",
    )
    rows = "".join(
        f"T{n // 9},T,1972-0{n // 18 + 1}-01,1972-0{n // 18 + 1}-20,match,classical,,"
        f"{n % 9 + 1},,A,{'BCD'[n % 3]},{('1-0', '0-1', '1/2-1/2', '1-0')[n % 4]}\n"
        for n in range(90)
    )
    group = [
        ("A", "B", "0-1"), ("A", "C", "1-0"), ("A", "D", "1/2-1/2"), ("B", "C", "1-0"),
        ("B", "D", "1-0"), ("C", "D", "1/2-1/2"), ("N", "A", "1/2-1/2"), ("N", "B", "0-1"),
        ("N", "C", "1-0"), ("N", "D", "1/2-1/2"),
    ]  # fmt: skip
    for year in (1972, 1973):
        rows += "".join(
            f"G{year},G,{year}-11-01,{year}-11-20,round-robin,classical,,{n},,{a},{b},{r}\n"
            for n, (a, b, r) in enumerate(group, start=1)
        )
    import_text(ledger, GAMES_HEADER + rows)
    for period in "1972", "1973":
        publish_period(ledger, period, "NAT")
    return ledger


class TestInALedger:
    """A small annual list: A plays 90 games, B few; N comes new."""

    @pytest.mark.parametrize("player", list("ABCDN"))
    @pytest.mark.parametrize("period", ["1972", "1973"])
    def test_every_statement_balances_and_is_the_list(
        self, ledger: Ledger, player: str, period: str
    ) -> None:
        made = explain(ledger, player, "NAT", period)  # asserts the balance itself
        row = next(r for r in show(ledger, "NAT", period).rows if r.id == player)
        assert made.closing == row.rating
        for line in made.steps:
            assert line.clause.startswith("FIDE 1972")

    def test_the_performance_of_the_year_is_the_rating(self, ledger: Ledger) -> None:
        made = explain(ledger, "A", "NAT", "1972")
        assert [line.kind for line in made.steps] == [StepKind.PERFORMANCE]
        assert made.games == 94
        mean = Fraction(sum(line.opponent_rating for line in made.postings), 94)
        score = sum((line.score for line in made.postings), Fraction(0))
        d = Arithmetic().d_of_p(int(score * 2), 94)
        assert d is not None
        assert made.closing == round(mean + d)

    def test_a_newcomer_has_his_performance(self, ledger: Ledger) -> None:
        made = explain(ledger, "N", "NAT", "1972")
        assert made.bucket is not None
        assert made.closing == made.bucket[0].performance

    @pytest.mark.parametrize("player", list("ABCD"))
    def test_the_causes_of_a_difference_sum(self, ledger: Ledger, player: str) -> None:
        made = why_of(ledger, player, "NAT", ("1972", None), ("1973", None))
        assert sum(part.points for part in made.parts) == made.after - made.before
