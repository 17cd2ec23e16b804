"""FENAMAC 1973 and UANL beyond the worked examples: events in their order, matches, newcomers."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import numpy as np
import pytest

from ledger import challenge
from ledger.answers.lists import show
from ledger.answers.player_questions import explain, why_of
from ledger.errors import InputRefused
from ledger.operations.commands import AdjustRating
from ledger.rating.kernel import units_of
from ledger.rating.postings import Calculation, NewcomerResult, Reason, StepKind
from ledger.regulations.fenamac_1973 import SHARE_BY_TABLE_1, Fenamac1973, FenamacParameters
from ledger.regulations.printed_tables import D_OF_P
from ledger.regulations.registry import adopted
from ledger.replay.opening_ratings import filled
from ledger.service.ledger import Ledger
from ledger.terms import System
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, do, empty_ledger, import_text
from tests.sheets import (
    DAY,
    Game,
    calculated,
    particulars_of,
    sides_of_games,
    states_of,
)

PLAYERS = PLAYERS_HEADER + "A,A,,,,1700,,0\nB,B,,,,1690,,150\nC,C,,,,2000,,400\nN,N,,,,,,\n"


def event(name: str, day: int, *games: str, system: str = "swiss", month: int = 7) -> str:
    date = f"1975-{month:02}-{day:02}"
    about = f"{name},{name},{date},{date},{system},classical,"
    return GAMES_HEADER + "".join(f"{about},{game}\n" for game in games)


def ledger_of(*events: str, regulation: str = "fenamac-1973", **parameters: int | str) -> Ledger:
    ledger = empty_ledger()
    define(ledger, first_on=dt.date(1975, 7, 1), regulation=regulation, parameters=parameters)
    import_text(ledger, PLAYERS, list_="ENF")
    for text in events:
        import_text(ledger, text)
    return ledger


def rating(ledger: Ledger, player: str, period: str = "1975-07") -> int:
    return next(row.rating for row in show(ledger, "ENF", period).rows if row.id == player)


class TestEvents:
    first = event("T", 5, "1,,A,B,1-0", "2,,A,C,1-0")
    second = event("U", 20, "1,,A,B,1-0")

    def test_one_is_rated_with_what_the_one_before_gave(self) -> None:
        ledger = ledger_of(self.second, self.first)
        made = explain(ledger, "A", "ENF", "1975-07")
        # 1700 against 1690 (0.51) and 2000 (0.15): 45 * 1.34 = 60.30; B 1690 - 30 * 0.49 = 1675.
        assert {
            (line.tournament, line.opponent_rating, line.difference) for line in made.postings
        } == {("T", 1690, 10), ("T", 2000, -300), ("U", 1675, 85)}
        # 45 * 0.38 = 17.10
        assert made.change_exact == Fraction("60.30") + Fraction("17.10")
        assert made.rounding == -Fraction("0.40")
        assert made.closing == rating(ledger, "A") == 1777

    def test_each_change_is_rounded(self) -> None:
        # 45 * 0.49 and 45 * 0.51 would be 22.05 + 22.95 = 45 together; they are 22 and 23.
        made = explain(ledger_of(event("T", 5, "1,,A,B,1-0")), "A", "ENF", "1975-07")
        assert (made.change_exact, made.rounding) == (Fraction("22.05"), -Fraction("0.05"))

    def test_the_causes_of_a_difference_sum(self) -> None:
        ledger = ledger_of(self.first, self.second, event("V", 4, "1,,C,A,1-0", month=8))
        why = why_of(ledger, "A", "ENF", ("1975-07", None), ("1975-08", None))
        assert sum(why.totals().values()) == why.after - why.before < 0

    def test_k_goes_by_the_games_before_the_event(self) -> None:
        games = [f"{n},,A,B,1/2-1/2" for n in range(1, 100)]
        ledger = ledger_of(
            event("T", 5, *games), event("U", 6, "1,,A,B,0-1"), event("V", 7, "1,,A,B,0-1")
        )
        ks = [line.k for line in explain(ledger, "A", "ENF", "1975-07").postings]
        assert ks == [45] * 100 + [30]


class TestK:
    def test_an_assigned_k_holds(self) -> None:
        states = states_of([2500, 1500], games=0)
        known = particulars_of(2, assigned_k=[15, -1])
        assert Fenamac1973(FenamacParameters()).k(states, known).tolist() == [15, 45]

    def test_2400_counts_while_it_is_held(self) -> None:
        states = states_of([2400], games=0, peaks=[2500])
        assert Fenamac1973(FenamacParameters()).k(states, particulars_of(1)).tolist() == [30]

    def test_the_university_goes_by_the_rating(self) -> None:
        ledger = ledger_of(event("T", 5, "1,,A,C,1-0", "2,,B,C,1-0"), regulation="uanl-1975")
        ks = {p: explain(ledger, p, "ENF", "1975-07").postings[0].k for p in "ABC"}
        assert ks == {"A": 25, "B": 30, "C": 20}


class TestExpectedScore:
    def test_table_1_is_read_the_other_way(self) -> None:
        for percent, difference in D_OF_P.items():
            assert SHARE_BY_TABLE_1.one(difference) == percent

    def test_of_two_equally_near_it_is_the_one_nearer_to_a_half(self) -> None:
        assert (D_OF_P[60], D_OF_P[61], D_OF_P[55], D_OF_P[54]) == (72, 80, 36, 29)
        assert (SHARE_BY_TABLE_1.one(76), SHARE_BY_TABLE_1.one(-76)) == (60, 40)
        assert (SHARE_BY_TABLE_1.one(32), SHARE_BY_TABLE_1.one(33)) == (54, 55)

    def test_beyond_table_1_nothing_is_certain(self) -> None:
        assert (SHARE_BY_TABLE_1.one(2000), SHARE_BY_TABLE_1.one(-2000)) == (99, 1)

    def test_a_model_instead_of_the_table(self) -> None:
        regulation = adopted("fenamac-1973", {"expectation": "logistic"})
        made, _ = calculated(regulation, [Game(0, 1, 2)], states_of([1850, 1500], games=0))
        assert made.postings.expected.tolist() == [882338, 117662]
        assert made.scale == 10**6

    @pytest.mark.parametrize(
        "parameters",
        [
            {"draw_margin": 50},
            {"draw_margin": 50, "expectation": "normal"},
            {"method": "mean-by-table-1", "expectation": "normal"},
        ],
    )
    @pytest.mark.parametrize("regulation", ["fenamac-1973", "uanl-1975"])
    def test_contradictions_are_refused(
        self, regulation: str, parameters: dict[str, int | str]
    ) -> None:
        with pytest.raises(InputRefused, match="formula 2"):
            adopted(regulation, parameters)


class TestForfeits:
    @pytest.mark.parametrize("method", ["per-game", "mean", "mean-by-table-1"])
    def test_they_leave_the_opponent_out(self, method: str) -> None:
        rounds = ("1,,A,B,1-0", "2,,A,C,0-1")
        plain = ledger_of(event("T", 5, *rounds[:1]), method=method)
        with_forfeit = ledger_of(event("T", 5, rounds[0], "2,,A,C,+/-"), method=method)
        made = explain(with_forfeit, "A", "ENF", "1975-07")
        assert made.change_exact == explain(plain, "A", "ENF", "1975-07").change_exact
        (line,) = made.excluded
        assert (line.reason, line.clause) == (Reason.FORFEIT, "FENAMAC 1973, pairing cards")


class TestNewcomers:
    def test_sixteen_games_are_taken_as_one(self) -> None:
        lost = [f"{n},,N,C,0-1" for n in range(1, 9)]
        won = [f"{n},,N,B,1-0" for n in range(1, 9)]
        ledger = ledger_of(event("T", 5, *lost), event("U", 20, *won))
        made = explain(ledger, "N", "ENF", "1975-07")
        assert made.bucket is not None
        # Neither event has a D(P) of its own; together they have that of 50 %.
        assert [line.performance for line in made.bucket] == [None, None]
        assert [line.opponents_mean for line in made.bucket] == [2000, 1690]
        assert made.first_rating == made.closing == 1845

    def test_until_sixteen_games_the_rating_is_calculated_anew(self) -> None:
        # 2 of 4 against 2000; then 2 of 8 against a mean of 1845: 25 %, D(P) = -193.
        drawn = [f"{n},,N,C,1/2-1/2" for n in range(1, 5)]
        lost = [f"{n},,N,B,0-1" for n in range(1, 5)]
        ledger = ledger_of(event("T", 5, *drawn), event("U", 6, *lost, month=8))
        july, august = (explain(ledger, "N", "ENF", f"1975-0{month}") for month in (7, 8))
        assert (july.first_rating, july.closing) == (2000, 2000)
        assert (august.opening, august.closing) == (2000, 1652)
        (step,) = august.steps
        assert (step.kind, step.tournament) == (StepKind.FIRST_GAMES, "U")
        assert step.points == -348
        assert step.clause == "FENAMAC 1973, formula 3"
        assert not august.postings
        assert august.bucket is not None
        assert [line.games for line in august.bucket] == [4, 4]
        # B meets him with the rating with which he entered.
        (line, *_) = explain(ledger, "B", "ENF", "1975-08").postings
        assert line.opponent_rating == 2000

    def test_the_event_with_the_sixteenth_game_is_the_last_of_them(self) -> None:
        ten = [f"{n},,N,C,1/2-1/2" for n in range(1, 11)]
        ledger = ledger_of(event("T", 5, *ten), event("U", 6, *ten), event("V", 7, "1,,N,C,1-0"))
        made = explain(ledger, "N", "ENF", "1975-07")
        assert [(line.tournament, line.opponent_rating) for line in made.postings] == [("V", 2000)]
        assert made.closing == 2000 + 23  # 45 (1 - 0.50)
        (row,) = (row for row in show(ledger, "ENF", "1975-07").rows if row.id == "N")
        assert row.games == 21

    def test_a_rating_brought_in_is_not_of_the_first_games(self) -> None:
        made = explain(ledger_of(event("T", 5, "1,,A,C,1-0")), "A", "ENF", "1975-07")
        assert [line.k for line in made.postings] == [45]
        assert made.bucket is None

    def test_what_moves_a_rating_beside_its_games_stays(self) -> None:
        drawn = [f"{n},,N,C,1/2-1/2" for n in range(1, 5)]
        ledger = ledger_of(event("T", 5, *drawn), event("U", 6, *drawn, month=9))
        do(ledger, AdjustRating(player="N", list="ENF", points=30, on=dt.date(1975, 8, 1)))
        assert rating(ledger, "N", "1975-09") == 2030

    def test_two_who_began_without_a_rating_do_not_count_for_each_other(self) -> None:
        games = ("1,,N,A,1/2-1/2", "2,,M,A,1/2-1/2", "3,,N,M,1-0")
        ledger = empty_ledger()
        define(ledger, first_on=dt.date(1975, 7, 1), regulation="fenamac-1973")
        import_text(ledger, f"{PLAYERS}M,M,,,,,,\n", list_="ENF")
        import_text(ledger, event("T", 5, *games))
        assert rating(ledger, "N") == rating(ledger, "M") == rating(ledger, "A") == 1700
        (line,) = explain(ledger, "M", "ENF", "1975-07").excluded
        assert line.reason is Reason.OPPONENT_UNRATED

    def test_in_his_first_games_he_meets_newcomers_at_what_they_have_got(self) -> None:
        first = event("T", 5, "1,,N,C,1/2-1/2")
        second = event("U", 6, "1,,M,B,1/2-1/2", "2,,N,M,1/2-1/2")
        ledger = empty_ledger()
        define(ledger, first_on=dt.date(1975, 7, 1), regulation="fenamac-1973")
        import_text(ledger, f"{PLAYERS}M,M,,,,,,\n", list_="ENF")
        import_text(ledger, second)
        import_text(ledger, first)
        # M: 50 % against 1690 and 2000. N: 50 % against 2000 and, in his second event, 1845.
        assert (rating(ledger, "M"), rating(ledger, "N")) == (1845, 1923)

    @pytest.mark.parametrize("result", ["1-0", "0-1"])
    def test_without_a_difference_there_is_no_rating_yet(self, result: str) -> None:
        games = [f"{n},,N,C,{result}" for n in range(1, 17)]
        ledger = ledger_of(event("T", 5, *games))
        assert explain(ledger, "N", "ENF", "1975-07").closing is None
        import_text(ledger, event("U", 20, "1,,N,C,1/2-1/2"))
        closing = explain(ledger, "N", "ENF", "1975-07").closing
        assert closing == 2000 + D_OF_P[97 if result == "1-0" else 2]

    def test_from_the_next_event_on_the_first_rating_counts(self) -> None:
        games = [f"{n},,N,C,1/2-1/2" for n in range(1, 17)]
        ledger = ledger_of(event("T", 5, *games), event("U", 20, "1,,N,A,1-0"))
        made = explain(ledger, "N", "ENF", "1975-07")
        assert (made.opening, made.first_rating) == (None, 2000)
        assert [(line.k, line.difference) for line in made.postings] == [(45, 300)]
        assert made.closing == 2007
        (line,) = explain(ledger, "A", "ENF", "1975-07").postings
        assert line.opponent_rating == 2000

    def test_a_rating_is_one_at_least(self) -> None:
        result = NewcomerResult(0, 0, 0, 0, 100, 2, Fraction(500), None, Reason.NONE, ())
        assert Fenamac1973(FenamacParameters()).first_rating([result], DAY) == 1

    def test_games_with_unrated_players_are_excluded(self) -> None:
        made = explain(ledger_of(event("T", 5, "1,,A,N,1-0")), "A", "ENF", "1975-07")
        assert [line.reason for line in made.excluded] == [Reason.OPPONENT_UNRATED]
        assert made.closing == 1700


def match(
    *results: int, ratings: tuple[int, int] = (1700, 1600), games: int = 0, table: int = 1
) -> tuple[Calculation, list[int]]:
    """A match of the players 0 and 1; ``results`` are the half points of player 0."""
    played = [
        Game(0, 1, halves, round=n, system=System.MATCH) for n, halves in enumerate(results, 1)
    ]
    regulation = Fenamac1973(FenamacParameters(match_table=table))
    made, change = calculated(regulation, played, states_of(ratings, games=games))
    return made, change.tolist()


def recorded_match(games: list[tuple[int, int, Reason]], ratings: tuple[int, int]) -> Calculation:
    """Games by round, the half points of player 0, and why it is no rated game."""
    sides = sides_of_games(
        Game(0, 1, halves, round=round_, system=System.MATCH) for round_, halves, _ in games
    )
    reasons = np.array([reason for _, _, reason in games], np.int64)
    states = states_of(ratings, games=0)
    ready = filled(sides.with_(reason=reasons[sides.game]), states.rating)
    known, regulation = particulars_of(2), Fenamac1973(FenamacParameters())
    return regulation.calculate(ready, states, known, regulation.k(states, known))


class TestMatch:
    @pytest.mark.parametrize(
        ("results", "change"),
        [
            ((2,), [16, -16]),
            ((2, 0), [16, -16]),  # a second game that should not have been played
            ((0, 0), [-29, 29]),
            ((0, 1), [-29, 29]),
            ((0, 2), [-6, 6]),
            ((1, 1), [-6, 6]),
            ((1, 2), [16, -16]),
            ((0,), [0, 0]),  # not over
            ((1,), [0, 0]),
        ],
    )
    def test_points_go_by_who_was_higher(self, results: tuple[int, ...], change: list[int]) -> None:
        made, moved = match(*results)
        assert moved == change
        assert not len(made.postings)
        assert set(made.exclusions.reason.tolist()) == {Reason.BY_MATCH_TABLE}
        assert len(made.exclusions) == 2 * len(results)
        assert {step.kind for step in made.steps} <= {StepKind.MATCH_TABLE}

    def test_the_order_of_the_players_does_not_matter(self) -> None:
        assert match(0, ratings=(1600, 1700))[1] == [-16, 16]

    def test_everybody_has_the_column_of_his_own_k(self) -> None:
        played = [Game(0, 1, 2, system=System.MATCH)]
        states = states_of([1700, 1600], games=[0, 150])
        _, change = calculated(Fenamac1973(FenamacParameters()), played, states)
        assert change.tolist() == [16, -7]

    @pytest.mark.parametrize(
        ("results", "change"),
        [((2,), 22), ((0,), -22), ((2, 0), 0), ((0, 2), 0), ((1, 2), 22), ((0, 1), -22), ((1,), 0)],
    )
    def test_of_equals_neither_is_the_higher(self, results: tuple[int, ...], change: int) -> None:
        assert match(*results, ratings=(1650, 1650))[1] == [change, -change]

    @pytest.mark.parametrize(
        ("first", "second", "change", "of_equals"),
        [
            ((0, Reason.FORFEIT), (2, Reason.NONE), 0, 0),  # drawn on the ladder
            ((2, Reason.FORFEIT), (2, Reason.NONE), 0, 0),
            ((0, Reason.NONE), (2, Reason.FORFEIT), 0, 0),
            ((1, Reason.NONE), (2, Reason.SHORT), 0, 0),
            ((2, Reason.NONE), (0, Reason.FORFEIT), 16, 0),  # of unequals the first decides
            ((0, Reason.ANNULLED), (2, Reason.NONE), 0, 0),  # the first is still to be played
            ((0, Reason.NONE), (2, Reason.ANNULLED), 0, -22),
            ((0, Reason.NONE), (2, Reason.ADJOURNED), 0, 0),
            (None, (2, Reason.NONE), 0, 0),
        ],
    )
    def test_a_match_that_needs_a_game_not_played_out_moves_nothing(
        self,
        first: tuple[int, Reason] | None,
        second: tuple[int, Reason],
        change: int,
        of_equals: int,
    ) -> None:
        games = [(n, *game) for n, game in ((1, first), (2, second)) if game is not None]
        for rating, expected in ((1600, change), (1700, of_equals)):
            made = recorded_match(games, (1700, rating))
            assert (units_of(made, 2) // made.units).tolist() == [expected, -expected]
            assert not len(made.postings)
            assert sorted(made.exclusions.reason.tolist()) == sorted(
                2 * [reason or Reason.BY_MATCH_TABLE for _, _, reason in games]
            )

    def test_an_annulled_game_that_was_played_again_counts_as_played(self) -> None:
        games = [(1, 0, Reason.ANNULLED), (1, 2, Reason.NONE)]
        made = recorded_match(games, (1700, 1600))
        assert (units_of(made, 2) // made.units).tolist() == [16, -16]

    def test_the_ladder_may_say_more_than_the_ratings(self) -> None:
        # Game 1 lost by forfeit by the higher rated, game 2 won: drawn on the ladder.
        games = [(1, 0, Reason.FORFEIT), (2, 2, Reason.NONE)]
        assert challenge.outcome(*((halves, 2 - halves) for _, halves, _ in games)) == "drawn"
        assert not recorded_match(games, (1700, 1600)).steps

    def test_the_band_that_is_printed_too_short(self) -> None:
        assert match(2, ratings=(1949, 1600))[1] == [6, -6]

    def test_what_is_no_match_of_two_games_is_rated_game_by_game(self) -> None:
        for made, _ in (match(2, 0, 2), match(2, table=0)):
            assert len(made.postings) > 0
            assert not made.steps
        made, _ = match(2, ratings=(1700, 0))
        assert len(made.newcomers) == 1

    def test_it_does_not_count_towards_the_hundred_games(self) -> None:
        text = event("M", 5, "1,,A,B,0-1", "2,,B,A,1-0", system="match")
        ledger = ledger_of(text, event("T", 20, "1,,A,C,1-0"))
        made = explain(ledger, "A", "ENF", "1975-07")
        (step,) = made.steps
        assert step.tournament == "M"
        assert step.points == -24
        assert step.clause == "FENAMAC 1973, challenge match"
        assert [line.reason for line in made.excluded] == [Reason.BY_MATCH_TABLE] * 2
        assert [line.difference for line in made.postings] == [1676 - 2000]
        assert made.games == 1
        # B has had 150 games: the column of K = 20.
        assert rating(ledger, "B") == 1690 + 11
        why = why_of(ledger, "A", "ENF", ("1975-07", None), ("1975-08", None))
        assert sum(why.totals().values()) == why.after - why.before


def test_a_tournaments_own_merit_is_honoured() -> None:
    half = event("T", 5, "1,,A,B,1-0").replace("classical,", "classical,0.5")
    made = explain(ledger_of(half), "A", "ENF", "1975-07")
    assert made.change_exact == Fraction("22.05") / 2


def test_sides_are_posted_or_excluded_or_newcomers() -> None:
    games = [Game(0, 1, 2), Game(1, 2, 1), Game(3, 2, 0), Game(3, 0, 1, round=2)]
    made, _ = calculated(Fenamac1973(FenamacParameters()), games, states_of([1700, 1600, 0, 0]))
    newcomers = sum(result.games for result in made.newcomers)
    assert len(made.postings) + len(made.exclusions) + newcomers == 2 * len(games)
    assert np.isin(made.exclusions.reason, (Reason.OPPONENT_UNRATED,)).all()
