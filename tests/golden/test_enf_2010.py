"""The worked examples of the ENF document, to the last printed digit, misprints included."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ledger.answers.lists import show
from ledger.answers.player_questions import explain
from ledger.rating.decimal_text import exact
from ledger.rating.player_state import PlayerStates
from ledger.rating.postings import NewcomerResult, Reason, Sides
from ledger.rating.rounding import half_up
from ledger.regulations.enf_2010 import Enf2010, EnfParameters, RoundRobin, performance
from ledger.regulations.printed_tables import D_OF_P, P_OF_D
from ledger.reports.statement import Statement
from ledger.service.ledger import Ledger
from ledger.terms import System
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text
from tests.sheets import DAY, Game, all_play_all, particulars_of, sides_of_games

DATA = Path(__file__).parent / "data"
RUIZ = "3404510"


def golden(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def example(name: str) -> str:
    file = resources.files("ledger.examples").joinpath("enf_2010", name)
    return file.read_text(encoding="utf-8")


def printed(value: Fraction) -> str:
    """As the federation's report prints: two decimals, halves away from zero."""
    hundredths = half_up(abs(value) * 100)
    return f"{'-' if value < 0 and hundredths else ''}{hundredths // 100}.{hundredths % 100:02}"


def ymca(**parameters: int | str) -> Ledger:
    ledger = empty_ledger()
    define(ledger, parameters=parameters)
    import_text(ledger, example("players.csv"), list_="ENF")
    import_text(ledger, example("ymca.csv"))
    return ledger


def ids() -> dict[int, str]:
    rows = example("players.csv").splitlines()[1:]
    return {number: row.split(",")[0] for number, row in enumerate(rows, start=1)}


class TestTables:
    def test_the_difference_of_every_percentage_is_the_printed_one(self) -> None:
        values = golden("tables.json")["d_of_p"]["values"]
        assert {int(p): d for p, d in values.items() if d is not None} == D_OF_P

    def test_the_percentage_of_every_difference_is_the_printed_one(self) -> None:
        bounds = golden("tables.json")["p_of_d"]["upper_bounds"]
        difference = 0
        for upper, higher in bounds:
            while difference <= upper:
                assert P_OF_D.one(difference) == higher
                assert P_OF_D.one(-difference) == (100 - higher if difference else higher)
                difference += 1
        assert P_OF_D.one(736) == P_OF_D.one(5000) == 100
        assert P_OF_D.one(-736) == 0


class TestOneGame:
    def test_the_example_of_chapter_one(self) -> None:
        case = golden("enf_2010_single_game.json")
        ledger = empty_ledger()
        define(ledger)
        a, b = case["a"], case["b"]
        import_text(
            ledger,
            PLAYERS_HEADER + f"A,A,,,,{a['rating']},{a['k']},\nB,B,,,,{b['rating']},{b['k']},\n",
            list_="ENF",
        )
        row = "T,T,2010-07-01,2010-07-01,swiss,classical,,1,,A,B,1-0\n"
        import_text(ledger, GAMES_HEADER + row)
        for player in "a", "b":
            made = explain(ledger, player.upper(), "ENF", "2010-07").data()
            assert made["postings"][0]["expected"] == case[f"expected_{player}"]
            assert Fraction(made["change_exact"]) == Fraction(case[f"change_{player}"])


class TestSwiss:
    @pytest.mark.parametrize(
        "row", [r for r in golden("enf_2010_swiss.json")["expected"] if "change" in r],
        ids=lambda row: f"player {row['no']}",
    )  # fmt: skip
    def test_every_printed_line_of_the_report(self, row: dict[str, Any]) -> None:
        made = explain(ymca(), ids()[row["no"]], "ENF", "2010-07")
        score = sum((line.score for line in made.postings), Fraction(0))
        expected = sum((line.expected for line in made.postings), Fraction(0))
        mean = Fraction(sum(line.opponent_rating for line in made.postings), made.games)
        assert made.games == row["games"]
        assert score == Fraction(row["points"])
        assert printed(expected) == row["expected_score"]
        assert printed(score - expected) == row["difference"]
        assert made.k == row["k"]
        assert printed(made.change_exact) == row["change"]
        assert half_up(mean) == row["opponents_mean"]

    def test_the_summary_of_player_four(self) -> None:
        case = golden("enf_2010_swiss.json")["postings_of_no_4"]["rows"]
        made = explain(ymca(), RUIZ, "ENF", "2010-07").data()
        lines = {line["opponent"]["name"]: line for line in made["postings"]}
        for name, rating, score, rated, expected, difference, k, merit, contribution in case:
            if not rated:
                excluded = made["excluded"]
                assert [line["opponent"]["name"] for line in excluded] == [name]
                assert excluded[0]["reason"] == "opponent-unrated"
                continue
            line = lines[name]
            assert line["opponent_rating"] == rating
            assert (line["score"], line["expected"]) == (score, expected)
            assert Fraction(score) - Fraction(line["expected"]) == Fraction(difference)
            assert (line["k"], line["merit"], line["contribution"]) == (k, merit, contribution)
        assert made["change_exact"] == "2.25"
        assert (made["opening"], made["closing"], made["change"]) == (1887, 1889, 2)
        assert made["rounding"] == "-0.25"

    def test_without_the_merit_coefficient(self) -> None:
        case = golden("enf_2010_swiss.json")["expected"][3]
        made = explain(ymca(merit_rapid=100), RUIZ, "ENF", "2010-07")
        assert printed(made.change_exact) == case["change_without_merit_coefficient"]

    def test_the_older_method_by_the_mean_of_the_opponents(self) -> None:
        case = golden("enf_2010_swiss.json")["mean_method_of_no_4"]
        made = explain(ymca(method="mean", merit_rapid=100), RUIZ, "ENF", "2010-07")
        assert {line.difference for line in made.postings} == {case["d"]}
        assert {line.expected for line in made.postings} == {
            Fraction(case["expected_percent"], 100)
        }
        assert (
            printed(sum((line.expected for line in made.postings), Fraction(0)))
            == (case["expected_score"])
        )
        assert printed(made.change_exact) == case["change"]

    def test_the_350_point_rule_counts_1537_and_2237(self) -> None:
        made = explain(ymca(difference_rule=350), RUIZ, "ENF", "2010-07")
        counted = [1887 - line.difference for line in made.postings]
        assert counted == [1537, 2116, 2237, 1955]

    def test_the_newcomer_waits_with_1546_over_five(self) -> None:
        case = golden("enf_2010_swiss.json")["expected"][6]
        made = explain(ymca(), "E-0009", "ENF", "2010-07")
        assert made.bucket is not None
        (line,) = made.bucket
        assert line.games == case["computable_result"]["games"]
        assert line.performance is not None
        assert half_up(line.performance) == case["computable_result"]["performance"]
        assert made.closing is None
        row = next(row for row in show(ymca(), "ENF", "2010-07").rows if row.id == "E-0009")
        assert (row.rating, row.provisional, row.change) == (0, True, None)


class TestNewcomers:
    @pytest.mark.parametrize("case", golden("enf_2010_newcomer.json")["performance"])
    def test_performances(self, case: dict[str, Any]) -> None:
        mean, games = Fraction(case["opponents_mean"]), case["games"]
        made = performance(mean, int(Fraction(case["points"]) * 2), games)
        assert half_up(made) == case["performance"]

    def test_the_signed_difference_is_added(self) -> None:
        assert exact(performance(Fraction(1546), 3, 5)) == "8531/6"

    def test_the_weighted_first_rating(self) -> None:
        case = golden("enf_2010_newcomer.json")["weighted_average"]
        results = [
            NewcomerResult(
                player=0,
                tournament=number,
                starts_on=0,
                ends_on=0,
                games=result["games"],
                halves=result["games"],
                opponents_mean=Fraction(result["performance"]),
                performance=Fraction(result["performance"]),
                reason=Reason.NONE,
                opponents=(),
            )
            for number, result in enumerate(case["results"])
        ]
        assert Enf2010(EnfParameters()).first_rating(results, DAY) == case["rating"]

    def test_the_figures_of_a_computable_result(self) -> None:
        case = golden("enf_2010_newcomer.json")["computable_result"]
        parameters = EnfParameters()
        assert parameters.computable_games == case["minimum_games_against_rated"]
        assert Fraction(parameters.computable_halves, 2) == Fraction(case["minimum_points"])
        assert parameters.first_rating_games == case["games_needed_for_a_rating"]


class TestRoundRobin:
    """Chapter IV. The example gives totals only; any table with these totals serves."""

    case = golden("enf_2010_irt_round_robin.json")

    def sides(self, names: list[str]) -> Sides:
        games = []
        for player, person in enumerate(self.case["players"]):
            left = int(Fraction(person["points"]) * 2)
            for opponent in range(len(names)):
                if opponent != player:
                    halves = min(2, left)
                    left -= halves
                    games.append(Game(player, opponent, halves, system=System.ROUND_ROBIN))
        both = sides_of_games(games)
        return both.rows(np.arange(len(both)) % 2 == 0)  # only the side that was counted down

    def table(self) -> tuple[RoundRobin, list[str], PlayerStates, Sides]:
        names = [person["name"] for person in self.case["players"]]
        states = PlayerStates.empty(len(names))
        states.rating[:] = [person["rating"] or 0 for person in self.case["players"]]
        sides = self.sides(names)
        table = RoundRobin.of(sides, states.rating)
        assert table is not None
        return table, names, states, sides

    def test_the_mean_of_the_tournament(self) -> None:
        table, _, _, _ = self.table()
        assert table.mean == Fraction(self.case["tournament_mean_exact"])

    def test_the_newcomers(self) -> None:
        table, names, _, _ = self.table()
        for name, expected in self.case["newcomers"].items():
            player = names.index(name)
            assert half_up(table.first_ru[player]) == expected["first"]
            correction = float(table.corrected_means[player] - table.mean)
            assert f"{correction:.6f}".startswith(expected["correction_exact"].rstrip(".")[:-1])
            assert half_up(table.ru[player]) == expected["rating"]

    def test_in_two_cycles_n_is_the_number_of_opponents(self) -> None:
        ratings = [1600, 1600, 1600, 1600, 0, 0]
        games = [
            Game(*game, round=cycle, system=System.ROUND_ROBIN)
            for cycle in range(2)
            for game in all_play_all([3, 3, 3, 2, 1, 3])
        ]
        table = RoundRobin.of(sides_of_games(games), np.array(ratings))
        assert table is not None
        # 60, 60, 60 and 40 %: D(p) 72 * 2 / 4. One point of five, 20 %: D(p) -240. n/(n+1) = 5/6.
        assert table.mean == 1600 - Fraction(36 * 5, 6)
        assert table.ru == {4: 1570 - Fraction(240 * 5, 6), 5: 1570 + Fraction(25, 2) * 2}

    def test_the_rated_players(self) -> None:
        table, names, states, sides = self.table()
        k = np.full(len(names), 15, dtype=np.int64)
        made = Enf2010(EnfParameters()).calculate(sides, states, particulars_of(len(names)), k)
        for name, expected in self.case["rated"].items():
            player = names.index(name)
            mean = f"{float(table.opponents_mean(player)):.6f}"
            assert mean.startswith(expected["opponents_mean_exact"].rstrip("."))
            mine = made.postings.player == player
            assert set(made.postings.expected[mine].tolist()) == {expected["expected_percent"]}
            we = int(made.postings.expected[mine].sum())
            w = int(made.postings.score[mine].sum())
            assert printed(Fraction(we, 100)) == expected["expected_score"]
            assert printed(Fraction(w - we, 100)) == expected["difference"]

    def test_newcomers_enter_their_bucket_with_all_games(self) -> None:
        _, names, states, sides = self.table()
        k = np.full(len(names), 15, dtype=np.int64)
        made = Enf2010(EnfParameters()).calculate(sides, states, particulars_of(len(names)), k)
        assert {result.player for result in made.newcomers} == {
            names.index(name) for name in self.case["newcomers"]
        }
        assert {result.games for result in made.newcomers} == {self.case["games_each"]}


def test_statements_of_the_whole_tournament_name_every_game_once() -> None:
    ledger = ymca()
    seen = 0
    for player in ids().values():
        made: Statement = explain(ledger, player, "ENF", "2010-07")
        newcomer = sum(len(line.opponents) for line in made.bucket or ())
        seen += len(made.postings) + len(made.excluded) + newcomer
    assert seen == 16 * 5
