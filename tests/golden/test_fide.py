"""FIDE by date: the checks of the rules, and calculations FIDE published, to the last digit."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ledger.rating.decimal_text import exact
from ledger.rating.first_ratings import Buckets
from ledger.rating.kernel import units_of
from ledger.rating.player_state import PlayerStates
from ledger.rating.postings import Calculation, NewcomerResult, Postings, Reason
from ledger.rating.rounding import half_away_from_zero
from ledger.regulations import fide_figures as figures
from ledger.regulations.description import DatedFigure
from ledger.regulations.fide import Fide, FideParameters, FideStandard
from ledger.regulations.fide_first_ratings import DP, performance
from ledger.regulations.fide_rapid import FideBlitz, FideRapid, RapidParameters
from ledger.replay.opening_ratings import filled
from ledger.terms import Rate, System
from tests.sheets import (
    Game,
    all_play_all,
    calculation,
    particulars_of,
    sides_of_games,
    states_of,
)

PUBLISHED = json.loads((Path(__file__).parent / "data" / "fide_published.json").read_text("utf-8"))
STANDARD = FideStandard(FideParameters())
RAPID = FideRapid(RapidParameters())


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def one_player(
    regulation: Fide,
    events: list[tuple[str, int, list[Any]]],
    *,
    on: str,
    opening: int | None = None,
    **states: Any,
) -> Calculation:
    """Calculates a player (index 0) who meets everybody else once.

    ``events`` are start, his rating then, and his games: (opponent's rating, half points, …).
    """
    games: list[Game] = []
    opponents: list[int] = []
    own: list[int] = []
    for number, (start, rating, met) in enumerate(events):
        for opponent, halves, *_ in met:
            opponents.append(opponent)
            own.append(rating)
            games.append(
                Game(
                    0, len(opponents), halves, tournament=number, rate=regulation.RATE,
                    round=len(games) + 1, starts_on=day(start), ends_on=day(start),
                )
            )  # fmt: skip
    ratings = [events[-1][1] if opening is None else opening, *opponents]
    where = states_of(ratings, **{k: [v] + [100] * len(opponents) for k, v in states.items()})
    sides = filled(sides_of_games(games), where.rating)
    his = np.repeat(own, 2)
    sides = sides.with_(
        rating=np.where(sides.player == 0, his, sides.rating),
        opponent_rating=np.where(sides.opponent == 0, his, sides.opponent_rating),
    )
    known = particulars_of(len(ratings), on=day(on))
    return calculation(regulation, sides, where, known)


def contributions(made: Calculation) -> list[int]:
    """The hundredths of W - PD of the player's games, in order of round."""
    mine = made.postings.rows(made.postings.player == 0)
    mine = mine.rows(np.argsort(mine.round))
    return [int(v) for v in (mine.score - mine.expected) * 100 // made.scale]


def total(made: Calculation) -> Fraction:
    return Fraction(int(units_of(made, int(made.postings.player.max()) + 1)[0]), made.units)


class TestPublishedCalculations:
    @pytest.mark.parametrize(
        "case", PUBLISHED["periods"], ids=lambda c: f"{c['list']}-{c['opening']}"
    )
    def test_a_period_of_a_player(self, case: Any) -> None:
        events = [(event["start"], event["own"], event["games"]) for event in case["events"]]
        made = one_player(
            STANDARD, events, on=f"{case['list']}-01", opening=case["opening"],
            games=case["games_before"], peaks=case["peak"],
        )  # fmt: skip
        shown = [change for event in case["events"] for _, _, change in event["games"]]
        assert contributions(made) == shown
        assert set(made.postings.k[made.postings.player == 0].tolist()) == {case["k"]}
        assert total(made) == Fraction(case["change"])
        assert half_away_from_zero(total(made)) == case["rounded"]
        if "erratum" not in case:
            assert case["opening"] + case["rounded"] == case["closing"]

    def test_a_rapid_event_of_2022_with_one_upgrade(self) -> None:
        case = PUBLISHED["rapid_2022"]
        made = one_player(RAPID, [(case["start"], case["own"], case["games"])], on="2022-10-01")
        assert contributions(made) == [change for _, _, change in case["games"]]
        assert set(made.postings.k[made.postings.player == 0].tolist()) == {case["k"]}
        assert total(made) == Fraction(case["change"])
        mine = made.postings.rows(made.postings.player == 0)
        capped = case["own"] - np.max(mine.difference[mine.opponent_rating == 1063])
        mean = Fraction(int(mine.opponent_rating.sum()) - 1063 + int(capped), len(mine))
        assert half_away_from_zero(mean) == case["opponents_mean_counted"]

    @pytest.mark.parametrize("case", PUBLISHED["earlier"], ids=lambda c: c["source"])
    def test_earlier_calculations(self, case: Any) -> None:
        made = one_player(
            STANDARD, [(case["start"], case["own"], case["games"])], on=case["start"],
            games=case.get("games_before", 500),
        )  # fmt: skip
        mine = made.postings.rows(made.postings.player == 0)
        assert set(mine.k.tolist()) == {case["k"]}
        if "expected" in case:
            assert exact(Fraction(int(mine.expected.sum()), made.scale)) == case["expected"]
        assert total(made) == Fraction(case["change"])

    def test_a_first_rating(self) -> None:
        case = PUBLISHED["first_rating"]
        games = [[rating, halves] for rating, halves in case["games"]]
        made = one_player(STANDARD, [(case["start"], 0, games)], on="2025-11-01", opening=0)
        assert STANDARD.first_rating(made.newcomers, day("2025-12-01")) == case["closing"]
        before = performance(Fraction(9507, 5), 6, 5, day("2024-02-29"))
        assert half_away_from_zero(before) == case["shown_by_the_rule_of_2022"]


def first(total_: int, games: int, halves: int, start: str) -> int:
    """The first rating of a single event that started on the day."""
    result = NewcomerResult(
        player=0, tournament=0, starts_on=day(start).toordinal(), ends_on=day(start).toordinal(),
        games=games, halves=halves, opponents_mean=Fraction(total_, games),
        performance=None, reason=Reason.NONE, opponents=(),
    )  # fmt: skip
    made = STANDARD.first_rating([result], day(start))
    assert made is not None
    return made


class TestFirstRatings:
    @pytest.mark.parametrize(
        ("mean", "halves", "rating"),
        [(2000, 6, 1993), (2000, 5, 1943), (2000, 4, 1893), (2100, 10, 2200), (1600, 2, 1499)],
    )
    def test_the_checks_of_2024(self, mean: int, halves: int, rating: int) -> None:
        assert first(5 * mean, 5, halves, "2024-03-01") == rating

    @pytest.mark.parametrize(
        ("mean", "halves", "rating"),
        [(2000, 6, 2020), (2000, 5, 2000), (2000, 4, 1928), (2400, 6, 2420), (1600, 2, 1360)],
    )
    def test_the_checks_of_2022(self, mean: int, halves: int, rating: int) -> None:
        assert first(5 * mean, 5, halves, "2022-01-01") == rating

    @pytest.mark.parametrize(
        ("start", "games", "halves", "rating"),
        [
            ("2009-07-01", 9, 11, 2025),
            ("2011-07-01", 9, 11, 2030),
            ("2014-07-01", 5, 7, 2040),
            ("2008-07-01", 9, 11, 2025),
        ],
    )
    def test_the_points_for_a_half_point_above_one_half(
        self, start: str, games: int, halves: int, rating: int
    ) -> None:
        assert first(2000 * games, games, halves, start) == rating

    def test_five_games_are_needed_and_nine_before_2014(self) -> None:
        result = one_player(
            STANDARD, [("2024-05-01", 0, [[2000, 1]] * 4)], on="2024-05-01"
        ).newcomers
        assert STANDARD.first_rating(result, day("2024-06-01")) is None
        early = one_player(
            STANDARD, [("2013-05-01", 0, [[2000, 1]] * 8)], on="2013-05-01"
        ).newcomers
        assert STANDARD.first_rating(early, day("2013-06-01")) is None

    def test_below_the_floor_there_is_none(self) -> None:
        result = one_player(
            STANDARD, [("2024-05-01", 0, [[1450, 0]] * 4 + [[1450, 1]])], on="2024-05-01"
        )
        assert STANDARD.first_rating(result.newcomers, day("2024-06-01")) is None

    def test_a_zero_in_the_first_event_is_disregarded_and_counts_later(self) -> None:
        zero = ("2024-05-01", 0, [[1800, 0]] * 3)
        some = ("2024-05-10", 0, [[1800, 1]] * 3)
        last = ("2024-05-20", 0, [[1800, 0]] * 2)
        made = one_player(STANDARD, [zero, some, last], on="2024-05-01")
        reasons = [result.reason for result in made.newcomers]
        assert reasons == [Reason.NO_POINTS, Reason.NONE, Reason.NONE]
        assert len(made.exclusions) == 3 + 8  # his zero, and his opponents, for whom he is unrated

    def test_results_are_kept_for_26_months(self) -> None:
        assert STANDARD.results_since(day("2026-03-01")) == day("2024-01-01")
        assert STANDARD.results_since(day("2026-04-01")) == day("2024-02-01")


GROUP = json.loads(
    (Path(__file__).parent / "data" / "enf_2010_irt_round_robin.json").read_text("utf-8")
)


class TestAllPlayAll:
    """The handbook's example of an all-play-all with unrated players, until 2021."""

    names = tuple(person["name"] for person in GROUP["players"])
    ratings = tuple(person["rating"] or 0 for person in GROUP["players"])
    points = tuple(person["points"] for person in GROUP["players"])

    def played(
        self, start: str, ratings: Sequence[int], points: Sequence[int], *, cycles: int = 1
    ) -> Calculation:
        """The points are those of one cycle."""
        games = [
            Game(*game, system=System.ROUND_ROBIN, round=cycle, starts_on=day(start))
            for cycle in range(cycles)
            for game in all_play_all(points)
        ]
        states = states_of(ratings)
        sides = filled(sides_of_games(games), states.rating)
        known = particulars_of(len(ratings), on=day(start), assigned_k=15)
        return calculation(STANDARD, sides, states, known)

    def example(self, start: str) -> tuple[dict[str, int], dict[str, Postings]]:
        """The newcomers' first ratings, and what is posted for the rated, by name."""
        made = self.played(start, self.ratings, self.points)
        first = {
            self.names[r.player]: STANDARD.bulk_first_ratings(
                Buckets.of({r.player: ((0, r),)}), day(start)
            )[1]
            for r in made.newcomers
        }
        postings = {
            name: made.postings.rows(made.postings.player == player)
            for player, name in enumerate(self.names)
        }
        return {name: int(rating[0]) for name, rating in first.items()}, postings

    @pytest.mark.parametrize("start", ["2003-07-01", "2009-06-30"])
    def test_the_newcomers_of_the_handbook(self, start: str) -> None:
        first, _ = self.example(start)
        assert first == {name: each["rating"] for name, each in GROUP["newcomers"].items()}
        assert first == {"C": 2414, "E": 2386, "H": 2139, "I": 1990}

    @pytest.mark.parametrize("name", GROUP["rated"])
    def test_the_rated_of_the_handbook(self, name: str) -> None:
        _, postings = self.example("2009-06-30")
        mine, expected = postings[name], GROUP["rated"][name]
        assert len(mine) == GROUP["games_each"]
        assert set(mine.expected.tolist()) == {expected["expected_percent"]}
        assert Fraction(int(mine.expected.sum()), 100) == Fraction(expected["expected_score"])
        difference = Fraction(int((mine.score - mine.expected).sum()), 100)
        assert difference == Fraction(expected["difference"])

    def test_without_the_rule_of_350_points_the_means_are_not_corrected(self) -> None:
        first, postings = self.example("2009-07-01")
        assert first == {name: each["first"] for name, each in GROUP["newcomers"].items()}
        # Game by game, against the newcomers at these ratings; more than 400 points count as 400.
        mine = postings["A"]
        met = dict(zip(mine.opponent.tolist(), mine.opponent_rating.tolist(), strict=True))
        assert {self.names[o]: rating for o, rating in met.items() if not self.ratings[o]} == first
        assert mine.difference.max() == 400

    @pytest.mark.parametrize("start", ["2017-07-01", "2021-12-31"])
    def test_below_half_n_of_n_plus_1_until_2021(self, start: str) -> None:
        first, postings = self.example(start)
        below = {name: GROUP["newcomers"][name]["first"] for name in "HI"}
        assert {name: first[name] for name in "HI"} == below == {"H": 2150, "I": 2033}
        # 2348.45, and 20 points for each half point above 4.5.
        assert (first["C"], first["E"]) == (2448, 2408)
        assert {len(postings[name]) for name in GROUP["rated"]} == {5}

    def test_since_2022_it_is_like_any_other(self) -> None:
        made = self.played("2022-01-01", self.ratings, self.points)
        assert {result.games for result in made.newcomers} == {6}

    @pytest.mark.parametrize(
        ("players", "rated", "cycles", "is_one"),
        [
            (6, 2, 1, False), (6, 3, 1, False), (6, 4, 1, True), (9, 3, 1, False), (9, 4, 1, True),
            (10, 3, 1, False), (10, 4, 1, True), (12, 4, 1, True), (13, 4, 1, False),
            (5, 4, 1, True), (5, 4, 2, False), (6, 4, 2, True), (10, 4, 2, True),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("start", ["2003-07-01", "2012-01-01", "2019-01-01"])
    def test_how_many_must_be_rated(
        self,
        players: int,
        rated: int,
        cycles: int,
        is_one: bool,  # noqa: FBT001
        start: str,
    ) -> None:
        ratings = [2000 + 10 * player for player in range(rated)] + [0] * (players - rated)
        # Everybody wins against half of the others, or nearly so.
        points = [(players - 1) // 2 + (player < players // 2) * (1 - players % 2)
                  for player in range(players)]  # fmt: skip
        made = self.played(start, ratings, points, cycles=cycles)
        games = cycles * (players - 1 if is_one else rated)
        assert {result.games for result in made.newcomers} == {games}

    def test_n_is_the_number_of_opponents_however_often_they_met(self) -> None:
        # The rated make 50 %: Ra is their mean. 2 of 10 are 20 %: 240 * 5/6 less.
        made = self.played(
            "2019-01-01", [2000, 2000, 2000, 2000, 0, 0], [3, 3, 3, 2, 1, 3], cycles=2
        )
        result = next(r for r in made.newcomers if r.player == 4)
        # dp of 60, 60, 60 and 40 %: 72 * 2 / 4 = 36; Ra = 2000 - 36 * 5/6 = 1970.
        assert result.opponents_mean == 1970
        assert result.performance == 1970 - 200

    def test_a_newcomer_who_brings_too_little_sets_it_aside(self) -> None:
        """Before 2017 the rated need his Ru, and a zero has none that counts."""
        ratings, points = [2000, 2050, 2100, 2150, 0, 0], [4, 4, 3, 3, 1, 0]
        whole = self.played("2019-01-01", ratings, points)
        assert {r.games for r in whole.newcomers} == {5}
        swiss = self.played("2012-01-01", ratings, points)
        assert {r.games for r in swiss.newcomers} == {4}

    def test_with_other_events_its_share_counts_by_its_games(self) -> None:
        made = self.played("2019-01-01", self.ratings, self.points)
        group = next(r for r in made.newcomers if self.names[r.player] == "H")
        swiss = one_player(
            STANDARD, [("2019-02-01", 0, [[2300, 0], [2300, 0], [2300, 1]])], on="2019-02-01"
        ).newcomers[0]
        rating = STANDARD.first_rating([group, swiss], day("2019-03-01"))
        # 2.5 of 12 are 21 %, dp -230; the mean (9 * 2348.45 + 3 * 2300) / 12 = 2336.3375;
        # n/(n+1) is (9 * 9/10 + 3) / 12 = 37/40.
        assert rating == 2124  # 2336.3375 - 212.75 = 2123.5875


class TestChange:
    def differences(self, regulation: Fide, start: str, own: int, games: list[Any]) -> list[int]:
        made = one_player(regulation, [(start, own, games)], on=start)
        mine = made.postings.rows(made.postings.player == 0)
        return [int(d) for d in mine.difference[np.argsort(mine.round)]]

    @pytest.mark.parametrize(
        ("start", "counted"),
        [
            ("2009-06-30", [350, 350]),
            ("2009-07-01", [400, 400]),
            ("2021-12-31", [400, 400]),
            ("2022-01-01", [500, 400]),
            ("2024-02-29", [500, 400]),
            ("2024-03-01", [400, 400]),
        ],
    )
    def test_the_cap_by_date(self, start: str, counted: list[int]) -> None:
        assert self.differences(STANDARD, start, 2300, [[1800, 2], [1700, 2]]) == counted

    def test_one_upgrade_can_be_read_as_the_higher_rated_players_only(self) -> None:
        games = [[2300, 0], [2400, 0]]
        assert self.differences(STANDARD, "2022-06-01", 1800, games) == [-500, -400]
        other = FideStandard(FideParameters(one_upgrade="higher-rated"))
        assert self.differences(other, "2022-06-01", 1800, games) == [-400, -400]

    @pytest.mark.parametrize(
        ("start", "own", "counted"),
        [
            ("2025-09-30", 2700, 400),
            ("2025-10-01", 2650, 650),
            ("2025-10-01", 2649, 400),
        ],
    )
    def test_who_has_2650_counts_the_real_difference(
        self, start: str, own: int, counted: int
    ) -> None:
        assert self.differences(STANDARD, start, own, [[2000, 2]]) == [counted]

    def test_the_opponent_of_a_player_above_2650_is_capped(self) -> None:
        assert self.differences(STANDARD, "2025-10-01", 2100, [[2700, 0]]) == [-400]

    def test_the_change_of_a_period_is_rounded_away_from_zero(self) -> None:
        units = np.array([-250, 250, -249, 150], dtype=np.int64)
        assert STANDARD.change(units, 100).tolist() == [-3, 3, -2, 2]

    def test_a_game_against_an_unrated_player_is_not_rated(self) -> None:
        made = one_player(STANDARD, [("2024-05-01", 2000, [[0, 2], [1900, 2]])], on="2024-05-01")
        assert (made.postings.player == 0).sum() == 1
        mine = made.exclusions.rows(made.exclusions.player == 0)
        assert mine.reason.tolist() == [Reason.OPPONENT_UNRATED]

    def test_rated_meanwhile_counts_for_himself_only(self) -> None:
        made = one_player(STANDARD, [("2024-05-01", 0, [[1900, 2]])], on="2024-06-01", opening=1850)
        assert made.postings.player.tolist() == [0]
        assert made.postings.difference.tolist() == [-50]
        assert made.exclusions.player.tolist() == [1]


class TestK:
    def k(
        self, rating: int, on: str, *, games: int = 100, peak: int = 0, born: int = 0,
        regulation: Fide = STANDARD,
    ) -> int:  # fmt: skip
        states = states_of([rating], games=games, peaks=[max(peak, rating)])
        return int(regulation.k(states, particulars_of(1, on=day(on), birth_years=born))[0])

    @pytest.mark.parametrize(
        ("on", "ks"),
        [
            ("2011-06-30", (25, 15, 10, 25)),
            ("2011-07-01", (30, 15, 10, 30)),
            ("2014-06-30", (30, 15, 10, 30)),
            ("2014-07-01", (40, 20, 10, 10)),
            ("2024-03-01", (40, 20, 10, 10)),
        ],
    )
    def test_the_eras(self, on: str, ks: tuple[int, int, int, int]) -> None:
        assert ks == (
            self.k(2000, on, games=29),
            self.k(2000, on, games=30),
            self.k(2350, on, peak=2400),
            self.k(2450, on, games=10),
        )

    def test_the_young(self) -> None:
        assert self.k(2000, "2024-12-01", born=2006) == 40
        assert self.k(2000, "2025-01-01", born=2006) == 20
        assert self.k(2299, "2024-12-01", born=2006) == 40
        assert self.k(2250, "2024-12-01", born=2006, peak=2300) == 20
        assert self.k(2000, "2014-06-01", born=2006) == 15

    def test_the_order_of_the_rules(self) -> None:
        assert self.k(2250, "2024-12-01", born=2010, games=10, peak=2400) == 10
        assert self.k(2290, "2024-12-01", born=2010, games=10, peak=2300) == 40

    @pytest.mark.parametrize(
        ("peak", "games_before", "n", "k"),
        [
            (2000, 100, 35, 20), (2000, 100, 36, 19), (2000, 100, 39, 17),
            (2000, 10, 17, 40), (2000, 10, 18, 38), (2400, 100, 70, 10), (2400, 100, 71, 9),
        ],
    )  # fmt: skip
    def test_k_times_n(self, peak: int, games_before: int, n: int, k: int) -> None:
        made = one_player(
            STANDARD, [("2024-05-01", 2000, [[2000, 1]] * n)], on="2024-05-01",
            games=games_before, peaks=peak,
        )  # fmt: skip
        assert set(made.postings.k[made.postings.player == 0].tolist()) == {k}

    def test_no_limit_before_2017(self) -> None:
        made = one_player(STANDARD, [("2016-05-01", 2000, [[2000, 1]] * 300)], on="2016-05-01")
        assert set(made.postings.k[made.postings.player == 0].tolist()) == {20}

    def test_rapid_and_blitz_had_one_k(self) -> None:
        blitz = FideBlitz(RapidParameters())
        for regulation in (RAPID, blitz):
            assert self.k(2500, "2022-09-01", regulation=regulation) == 20
            assert self.k(2500, "2023-01-01", regulation=regulation) == 10
            assert self.k(2000, "2023-01-01", games=5, regulation=regulation) == 40


class TestRapid:
    @pytest.mark.parametrize(
        ("start", "own", "opponent", "rated"),
        [
            ("2024-12-01", 2601, 2001, False),
            ("2024-12-01", 2601, 2002, True),
            ("2024-12-01", 2600, 2000, True),
            ("2024-11-30", 2700, 2000, True),
        ],
    )
    def test_six_hundred_points(self, start: str, own: int, opponent: int, *, rated: bool) -> None:
        made = one_player(RAPID, [(start, own, [[opponent, 2]])], on=start)
        assert bool(len(made.postings)) is rated
        if not rated:
            assert made.exclusions.reason.tolist() == [Reason.DIFFERENCE_TOO_LARGE] * 2

    def test_the_cap_came_in_2022(self) -> None:
        def counted(start: str) -> int:
            made = one_player(RAPID, [(start, 2300, [[1700, 2]])], on=start)
            return int(made.postings.difference[made.postings.player == 0][0])

        assert [counted("2021-12-31"), counted("2022-01-01")] == [600, 400]

    def test_games_of_another_rate_of_play_are_not_rated(self) -> None:
        where = states_of([2000, 1900])
        sides = filled(sides_of_games([Game(0, 1, 2, rate=Rate.BLITZ)]), where.rating)
        known = particulars_of(2)
        made = RAPID.calculate(sides, where, known, RAPID.k(where, known))
        assert made.exclusions.reason.tolist() == [Reason.OTHER_RATE_OF_PLAY] * 2


class TestList:
    @pytest.mark.parametrize(
        ("on", "floor"),
        [
            ("1972-01-01", 2200), ("2009-06-30", 1800), ("2009-07-01", 1200), ("2012-07-01", 1000),
            ("2024-02-29", 1000), ("2024-03-01", 1400),
        ],
    )  # fmt: skip
    def test_the_floor(self, on: str, floor: int) -> None:
        assert STANDARD.floor(day(on)) == floor

    def test_a_loss_below_the_floor(self) -> None:
        """A 1401 player with K 40 loses to 1800: D 399, PD .08, -3.20."""
        made = one_player(STANDARD, [("2024-05-01", 1401, [[1800, 0]])], on="2024-05-01", games=5)
        assert total(made) == Fraction("-3.2")
        assert 1401 + half_away_from_zero(total(made)) == 1398 < STANDARD.floor(day("2024-06-01"))

    def test_activity(self) -> None:
        states = PlayerStates.empty(2)
        states = states.with_recent(day("2023-06-01"), np.array([0]), np.array([3]))
        states = states.with_recent(day("2024-05-01"), np.array([1]), np.array([1]))
        assert STANDARD.active(states, day("2024-05-01")).tolist() == [True, True]
        assert STANDARD.active(states, day("2024-06-01")).tolist() == [False, True]
        assert STANDARD.active(states, day("2016-06-01")).tolist() == [False, False]


def test_dp_has_ends() -> None:
    assert (DP[0], DP[100], DP[50], DP[99]) == (-800, 800, 0, 677)


def test_every_dated_value_is_in_order() -> None:
    for dated in (*figures.STANDARD, *figures.RAPID):
        dates = [from_on for from_on, _ in dated.values]
        assert dates == sorted(dates), dated.name


def test_before_the_first_date_the_first_value_holds() -> None:
    assert DatedFigure("", "", (("2000-01-01", 1),)).on(day("1900-01-01")) == 1
