"""The score sheet as a form: totals by round, what was not played, who is out."""

from __future__ import annotations

from ledger.answers.tournaments import tournament_score_form
from ledger.forms.grid import total_text
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.reports.crosstable import ScoreForm
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.terms import PairingMethod, System
from tests.ledgers import do, request
from tests.reports.test_standings import held

# What plate 1 of the manual says of its players 1 and 4: the first won round 5 by default, the
# fourth lost round 4 by default and was out from round 5 on.
PLATE_1 = (
    "A-E 1-0, D-B 1-0", "A-F 1-0, D-C 1-0", "A-G 1-0, D-H 0-1", "A-H 1-0, D-E -/+", "A-B +/-",
    "A-C ½",
)  # fmt: skip


def written(made: ScoreForm) -> dict[str, str]:
    return {row.place.id: " ".join(map(total_text, row.totals)) for row in made.rows}


def test_plate_1_of_the_manual() -> None:
    ledger = held(*PLATE_1, players="ABCDEFGH", announced=6)
    do(ledger, c.ExpelPlayer(tournament="t", player="D", from_round=5))
    made = tournament_score_form(ledger, "t")
    rows = written(made)
    assert rows["A"] == "1 2 3 4 5① 5½"
    assert rows["D"] == "1 2 2 2① X X"
    assert rows["E"] == "0 0 0 1① 1 1"
    fourth = made.rows[3]
    assert (fourth.place.number, str(fourth.place.points)) == (4, "2")
    assert fourth.data()["totals"][3:5] == [
        {"round": 4, "how": "forfeit", "total": "2", "circled": "1", "temporary": False,
         "out": False},
        {"round": 5, "how": "unpaired", "total": "2", "circled": None, "temporary": False,
         "out": True},
    ]  # fmt: skip
    assert written(tournament_score_form(ledger, "t", after=4))["D"] == "1 2 2 2①"


def test_who_is_out_by_the_rules_has_an_x_from_then_on() -> None:
    ledger = held(players="ABCDE", announced=4)
    do(ledger, c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975))
    do(ledger, *(c.AnnounceAbsence(tournament="t", player="E", round=at) for at in (1, 2)))
    for round_ in (1, 2, 3):
        _, sheet = publish_round(ledger, PairRound(tournament="t"), request())
        won = [(board, Result.parse("1-0")) for board in range(1, len(sheet.boards) + 1)]
        do(ledger, *board_results(ledger, "t", round_, won))
    assert written(tournament_score_form(ledger, "t"))["E"] == "0⓪ 0⓪ X"


def test_byes_are_circled_and_what_is_not_over_is_marked() -> None:
    ledger = held("A-B 1-0, C F", "C-A ½", players="ABC")
    do(ledger, c.AdjournGame(tournament="t", round=3, white="B", black="A"))
    rows = written(tournament_score_form(ledger, "t"))
    assert rows == {"A": "1 1½ 1½*", "B": "0 0 0*", "C": "1① 1½ 1½"}


def test_who_is_cancelled_stands_at_the_end() -> None:
    ledger = held("A-B 1-0", "B-C 1-0", "C-D ½", players="ABCD", system=System.ROUND_ROBIN)
    do(ledger, c.WithdrawPlayer(tournament="t", player="A", from_round=3))
    made = tournament_score_form(ledger, "t")
    assert [row.place.id for row in made.rows] == ["B", "C", "D", "A"]
    assert written(made)["B"] == "(0) 1 1"
    assert written(made)["A"] == "(0) 0 0"


def test_games_that_are_awarded_are_of_no_round_but_in_the_points() -> None:
    ledger = held("A-B 1-0", "B-C 1-0", "C-A ½", players="ABCD", system=System.ROUND_ROBIN)
    do(ledger, c.WithdrawPlayer(tournament="t", player="A", from_round=4))
    made = tournament_score_form(ledger, "t")
    fourth = made.rows[3]
    assert [str(total.total) for total in fourth.totals] == ["0", "0", "0"]
    assert str(fourth.place.points) == "1"
