"""Chapter II: titles that come of the stages of the world championships."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.answers.titles import player_titles, tournament_titles
from ledger.operations.commands import FlagTournament, WithdrawPlayer
from ledger.service.ledger import Ledger
from ledger.titles.fide_1972 import Performance, SharedPlace, Title
from ledger.titles.fide_1972_stages import RULES, Stage, StageEvent, stage_results
from tests.ledgers import do
from tests.titles.events import event
from tests.titles.test_report import ledger_of

GM, IM = Title.GRANDMASTER, Title.INTERNATIONAL_MASTER


def test_the_articles_as_printed() -> None:
    assert [(rule.article, rule.title, rule.percent) for rule in RULES] == [
        ("II 1 A", GM, None),
        ("II 1 B a", GM, None),
        ("II 1 B b", GM, Fraction(40)),
        ("II 2 A", IM, None),
        ("II 2 B", IM, None),
        ("II 2 C a", IM, None),
        ("II 2 C b", IM, Fraction(200, 3)),
        ("II 2 C c", IM, Fraction(100, 3)),
    ]


def made(
    *flags: str,
    games: int = 15,
    halves: int = 20,
    above: int = 0,
    sharing: int = 1,
    participants: int = 16,
    unfinished: int = 0,
) -> dict[str, list[str]]:
    """Returns, by article, the conditions that fail."""
    stage = StageEvent.of(flags, participants, unfinished)
    place = SharedPlace(above, sharing)
    done = Performance(games, halves, unfinished, games, place, frozenset())
    found = stage_results(stage, done)
    return {r.rule.article: [fail.condition for fail in r.fails] for r in found}


@pytest.mark.parametrize(
    ("flag", "article", "games", "enough"),
    [
        (Stage.ZONAL, "II 2 C b", 15, 20),
        (Stage.ZONAL, "II 2 C b", 13, 18),  # 8 2/3 points: 9
        (Stage.INTERZONAL, "II 2 C c", 23, 16),  # 7 2/3: 8
        (Stage.INTERZONAL, "II 2 C c", 21, 14),
        (Stage.CANDIDATES, "II 1 B b", 10, 8),
        (Stage.CANDIDATES, "II 1 B b", 9, 8),  # 3.6: 4
    ],
)
def test_the_share_of_the_points(flag: str, article: str, games: int, enough: int) -> None:
    assert made(flag, games=games, halves=enough)[article] == []
    assert made(flag, games=games, halves=enough - 1)[article] == ["score"]


def test_a_champion_stands_alone() -> None:
    assert made("world-championship") == {"II 1 A": []}
    assert made("world-championship", sharing=2) == {"II 1 A": ["shared"]}
    assert made("womens-world-championship", above=1) == {"II 2 A": ["champion"]}
    assert made("world-championship", unfinished=1) == {"II 1 A": ["unfinished"]}


def test_ten_juniors_at_least() -> None:
    assert made("world-junior-championship", participants=10) == {"II 2 B": []}
    assert made("world-junior-championship", participants=9) == {"II 2 B": ["players"]}


@pytest.mark.parametrize(
    ("above", "sharing", "fails"),
    [(0, 1, []), (5, 1, []), (4, 2, []), (5, 2, ["shared"]), (6, 1, ["qualified"])],
)
def test_the_places_that_qualify(above: int, sharing: int, fails: list[str]) -> None:
    found = made("interzonal", "qualifying-6", above=above, sharing=sharing)
    assert found["II 1 B a"] == fails


def test_how_many_qualify_must_be_recorded() -> None:
    assert made("zonal")["II 2 C a"] == ["qualifying-unknown"]


def test_no_stage_no_title() -> None:
    assert made("qualifying-6", "semi-rapid") == {}


class TestEvents:
    """A has 6 of 10, everybody else 5 or 4.5."""

    @staticmethod
    def stage(*flags: str, **said: object) -> Ledger:
        ledger = ledger_of(event(**said))  # type: ignore[arg-type]
        do(ledger, FlagTournament(tournament="t", flags=flags))
        return ledger

    def test_who_wins_an_interzonal_that_sends_on_one(self) -> None:
        ledger = self.stage("interzonal", "qualifying-1")
        rows = tournament_titles(ledger, "t", "ENF").stages
        by_place = [row.id for row in rows if row.result.made and row.result.rule.title is GM]
        assert by_place == ["A"]
        assert {row.id for row in rows if row.result.made} == set("ABCDEFGHIJK")  # 40 %
        data = next(row for row in rows if row.id == "A").data("en")
        assert (data["article"], data["for"], data["stage"]) == ("II 1 B a", "GM", "interzonal")

    def test_the_player_has_the_title_by_one_event(self) -> None:
        ledger = self.stage("interzonal", "qualifying-1")
        of_a, of_b = (player_titles(ledger, player, "ENF").progress for player in "AB")
        assert [each.data()["stage"] and each.data()["stage"]["article"] for each in of_a] == [
            "II 1 B a",
            "II 2 C c",
        ]
        assert of_b[0].data()["stage"] is None

    def test_while_games_are_due_nobody_qualifies(self) -> None:
        ledger = self.stage("interzonal", "qualifying-1", leave_out=["BC"])
        rows = tournament_titles(ledger, "t", "ENF").stages
        fails = {(row.id, row.result.rule.title): row.result.fails for row in rows}
        assert [fail.message.within("en") for fail in fails["A", GM]] == [
            "1 game has no final result yet"
        ]
        assert fails["A", IM] == ()

    def test_who_is_cancelled_has_no_row(self) -> None:
        left = [other + "G" for other in "BCDEF"] + ["G" + other for other in "HIJK"]
        ledger = self.stage("zonal", leave_out=left)
        do(ledger, WithdrawPlayer(tournament="t", player="G", from_round=12))
        assert "G" not in {row.id for row in tournament_titles(ledger, "t", "ENF").stages}

    def test_an_event_that_was_no_stage(self) -> None:
        assert tournament_titles(ledger_of(event()), "t", "ENF").stages == []

    def test_a_stage_of_another_year_counts_on_its_last_day(self) -> None:
        ledger = self.stage("zonal", "qualifying-2", start="2010-08-02")
        progress = player_titles(ledger, "A", "ENF").progress[1]
        assert progress.stage is not None
        assert progress.stage.on == dt.date(2010, 8, 2)
