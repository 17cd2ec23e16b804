"""An event while it goes on: gains so far, and norms that are still possible."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Literal

import pytest

from ledger.answers.player_questions import explain
from ledger.answers.titles import tournament_preview, tournament_titles
from ledger.errors import NotFound
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.reports.event_preview import PreviewRow
from ledger.results import Result
from ledger.service.desk import publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from ledger.titles.fide_1972 import Title
from tests.ledgers import do, games, import_text, ledger_of, request
from tests.titles.events import event
from tests.titles.test_report import ledger_of as titled

DAY = dt.date(2010, 7, 10)
PLAYERS = ("A,1900,30,50", "B,1800,30,50", "C,1700,30,50", "D,1600,30,50", "E,1500,30,50", "N,,,")


def rows(ledger: Ledger, tournament: str = "t") -> dict[str, PreviewRow]:
    return {row.id: row for row in tournament_preview(ledger, tournament).rows}


def desk_event(rounds: int = 3) -> Ledger:
    """Six players in a Swiss by the manual, one of them without a rating; nothing is paired yet."""
    ledger = ledger_of(*PLAYERS)
    players = [player.partition(",")[0] for player in PLAYERS]
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="Open", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=rounds,
        ),
        *(c.EnterPlayer(tournament="t", player=player) for player in players),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("median",)),
    )  # fmt: skip
    return ledger


def pair(ledger: Ledger) -> list[tuple[str, str]]:
    _, sheet = publish_round(ledger, PairRound(tournament="t"), request())
    return [(board.white.id, board.black.id) for board in sheet.boards]


def adjudicated(
    white: str, black: str, ruling: Literal["temporary", "definitive"]
) -> c.AdjudicateGame:
    return c.AdjudicateGame(
        tournament="t",
        round=1,
        white=white,
        black=black,
        result=Result.parse("1-0a"),
        ruling=ruling,
    )


class TestGains:
    def test_nothing_is_gained_before_the_first_result(self) -> None:
        ledger = desk_event()
        assert tournament_preview(ledger, "t").round == 0
        pair(ledger)
        found = tournament_preview(ledger, "t")
        assert (found.round, found.rounds) == (1, 3)
        assert {row.gain.points for row in found.rows} == {0}

    def test_an_open_round_counts_the_games_that_are_over(self) -> None:
        ledger = ledger_of(*PLAYERS)
        import_text(ledger, games("t", "1,,A,B,0-1", "1,,C,D,1-0", "2,,A,C,1-0"))
        gains = {player: row.gain for player, row in rows(ledger).items()}
        # P(100) is 0.64, P(200) 0.76.
        assert gains["A"].rounds == {1: Fraction(-96, 5), 2: Fraction(-12)}
        assert gains["B"].rounds == {1: Fraction(96, 5)}

    def test_temporary_adjudications_are_not_rated(self) -> None:
        ledger = desk_event()
        (white, black), *_ = pair(ledger)
        do(ledger, adjudicated(white, black, "temporary"))
        found = rows(ledger)
        assert (found[white].halves, found[white].gain.games) == (0, 0)
        do(ledger, adjudicated(white, black, "definitive"))
        found = rows(ledger)
        assert (found[white].halves, found[white].gain.games) == (2, 1)

    def test_a_newcomer_has_a_performance_instead(self) -> None:
        ledger = ledger_of(*PLAYERS)
        import_text(ledger, games("t", "1,,A,N,1/2-1/2", "2,,N,B,1/2-1/2", "3,,N,C,1/2-1/2"))
        gain = rows(ledger)["N"].gain
        assert (gain.games, gain.points, gain.performance) == (0, Fraction(0), Fraction(1800))

    def test_the_gain_is_what_the_statement_says_of_the_event(self) -> None:
        ledger = ledger_of(*PLAYERS)
        import_text(ledger, games("t", "1,,A,B,0-1", "1,,C,D,1-0", "2,,A,C,1/2-1/2", "2,,B,D,1-0"))
        import_text(ledger, games("u", "1,,A,E,0-1", day="2010-07-20"))
        for player, row in rows(ledger).items():
            made = explain(ledger, player, "ENF", "2010-07")
            of_event = [line.contribution for line in made.postings if line.tournament == "t"]
            steps = [step.points for step in made.steps if step.tournament == "t"]
            assert row.gain.points == sum(of_event, Fraction(0)) + sum(steps, Fraction(0))
            assert row.gain.games == len(of_event)

    def test_a_merged_player_has_the_games_of_both_ids(self) -> None:
        ledger = ledger_of(*PLAYERS, "X,,,")
        import_text(ledger, games("t", "1,,A,B,0-1"))
        do(ledger, c.MergePlayers(player="B", into="X", on=dt.date(2010, 8, 1)))
        assert rows(ledger)["X"].gain.games == 1


class TestNorms:
    def test_in_an_all_play_all(self) -> None:
        """Category 10: 60 and 47 per cent of ten games; A has won two and two games are due."""
        found = rows(titled(event(leave_out=["AB", "AC"])))
        norms = {norm.title.value: norm for norm in found["A"].norms}
        assert (norms["GM"].left, norms["GM"].to_make) == (2, 2)
        assert (norms["IM"].left, norms["IM"].to_make) == (2, 0)
        assert found["K"].norms == ()
        assert [norm.title.value for norm in found["H"].norms] == ["GM"]

    def test_of_an_event_that_is_over_it_is_what_the_title_report_says(self) -> None:
        wins = [w + p for w in "ABCD" for p in "JK"]  # four share the first place
        for ledger in titled(event(wins=wins)), titled(event(wins=wins, system="match")):
            found = rows(ledger)
            for row in tournament_titles(ledger, "t", "ENF").rows:
                norms = [n for n in found[row.id].norms if n.title is row.result.title]
                assert all(norm.best == row.result and norm.left == 0 for norm in norms)

    def test_what_rules_a_norm_out_for_everybody(self) -> None:
        preview = tournament_preview(titled(event(players="ABCDEHIJK", leave_out=["AB"])), "t")
        assert [fail.condition for fail in preview.ruled_out(Title.GRANDMASTER)] == ["players"]

    def test_rounds_to_come_are_games_left(self) -> None:
        ledger = desk_event(rounds=3)
        assert {norm.left for row in rows(ledger).values() for norm in row.norms} == {3}
        pair(ledger)
        assert {norm.left for row in rows(ledger).values() for norm in row.norms} == {3}
        do(ledger, c.WithdrawPlayer(tournament="t", player="E", from_round=2))
        assert {norm.left for norm in rows(ledger)["E"].norms} == {1}


def test_it_says_that_it_is_a_preview() -> None:
    data = tournament_preview(desk_event(), "t").data("en")
    assert data["preview"] is True


def test_what_is_not_there() -> None:
    ledger = desk_event()
    with pytest.raises(NotFound):
        tournament_preview(ledger, "nothing")
    with pytest.raises(NotFound):
        tournament_preview(ledger, "t", "XXX")
