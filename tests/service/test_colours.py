"""Colours sat reversed: one command, each keeps the points, and every sheet shows the board so."""

from __future__ import annotations

from typing import Literal

import pytest

from ledger.answers.event_desk import round_desk
from ledger.answers.rounds import BoardNumber, round_as_known, round_sheet, tournament_cards
from ledger.answers.tournaments import (
    require_tournament,
    show_tournament,
    tournament_crosstable,
    tournament_standings,
)
from ledger.desk.pairing import dutch
from ledger.desk.score_sheet import score_sheet
from ledger.errors import InputRefused, NotFound
from ledger.forms.page import saying
from ledger.forms.round_sheet import below_boards
from ledger.intake.event_check import check_tournament
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.reports.round_sheet import RoundResults
from ledger.results import Result
from ledger.service.boards import BoardAsked, board_colours
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger, Receipt
from ledger.terms import Colour
from tests.ledgers import do, games, import_text, ledger_of, publish_period, request
from tests.service.test_desk import event
from tests.service.test_teams import event as team_event


@pytest.fixture
def ledger() -> Ledger:
    """A Swiss of nine with its first round out; White has won on board 1."""
    made = event()
    publish_round(made, PairRound(tournament="T"), request())
    do(made, *board_results(made, "T", 1, [(1, Result.parse("1-0"))]))
    return made


def turn(ledger: Ledger, board: BoardNumber = 1, *, dry_run: bool = False) -> Receipt:
    return do(ledger, board_colours(ledger, BoardAsked("T", 1, board)), dry_run=dry_run)


def refusal(ledger: Ledger, board: BoardNumber = 1) -> str:
    with pytest.raises((InputRefused, NotFound)) as refused:
        turn(ledger, board)
    return refused.value.message.key


def test_the_points_stay_with_the_persons(ledger: Ledger) -> None:
    before = round_sheet(ledger, "T").boards[0]
    receipt = turn(ledger)
    assert [each.event.TYPE for each in receipt.events] == ["result.annulled", "result.recorded"]
    sheet = round_sheet(ledger, "T")
    board = sheet.boards[0]
    assert (board.white.id, board.black.id) == (before.black.id, before.white.id)
    assert board.result == "0-1"
    assert board.colours_reversed
    assert board.corrected_by_seq == receipt.first_seq
    assert sheet.reversed_boards == ("1",)
    card = score_sheet(require_tournament(ledger, "T", receipt.last_seq)).cards[1]
    assert (card.halves, dutch.colours(card)) == (2, [Colour.BLACK])
    (line,) = next(each for each in tournament_cards(ledger, "T") if each.number == 1).lines
    assert line.colour is Colour.BLACK


@pytest.mark.parametrize(("lang", "says"), [("en", "other colours"), ("es", "otros colores")])
def test_the_sheet_says_which_board_it_was(ledger: Ledger, lang: str, says: str) -> None:
    turn(ledger)
    said = list(below_boards(round_sheet(ledger, "T"), saying(lang)))
    assert any(says in line and line.endswith("1.") for line in said)


def test_the_desk_goes_on_with_the_board_as_it_was_sat(ledger: Ledger) -> None:
    turn(ledger)
    board = round_desk(ledger, "T", 1).board("1")
    assert (board.white, board.result, board.status) == ("P5", "0-1", "recorded")
    with pytest.raises(InputRefused) as refused:
        do(ledger, *board_results(ledger, "T", 1, [(1, Result.parse("0-1"))]))
    assert refused.value.message.key == "pairing.recorded"
    correction = c.CorrectResult(
        tournament="T", round=1, white="P5", black="P1", result=Result.parse("1/2-1/2")
    )
    do(ledger, correction)
    assert round_sheet(ledger, "T").boards[0].result == "1/2-1/2"
    turn(ledger)
    board = round_desk(ledger, "T", 1).board("1")
    assert (board.white, board.result) == ("P1", "1/2-1/2")
    assert not round_sheet(ledger, "T").boards[0].colours_reversed


@pytest.mark.parametrize(
    ("result", "turned", "ruling"),
    [
        ("1-0a", "0-1a", "temporary"),
        ("1-0a", "0-1a", "definitive"),
        ("0-1s", "1-0s", None),
        ("0-0", "0-0", None),
    ],
)
def test_every_kind_of_result_is_kept(
    result: str, turned: str, ruling: Literal["temporary", "definitive"] | None
) -> None:
    ledger = event()
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    white, black = sheet.boards[0].white.id, sheet.boards[0].black.id
    if ruling is None:
        do(ledger, *board_results(ledger, "T", 1, [(1, Result.parse(result))]))
    else:
        do(
            ledger,
            c.AdjudicateGame(
                tournament="T", round=1, white=white, black=black, result=Result.parse(result),
                ruling=ruling,
            ),
        )  # fmt: skip
    turn(ledger)
    board = round_desk(ledger, "T", 1).board("1")
    assert (board.white, board.result) == (black, turned)
    assert board.status == ("temporary" if ruling == "temporary" else "recorded")


def test_an_adjourned_game_is_decided_at_the_board_as_it_was_sat(ledger: Ledger) -> None:
    white, black = (
        require_tournament(ledger, "T", ledger.journal.head().seq).desk.rounds[1].boards
    )[1]
    do(ledger, c.AdjournGame(tournament="T", round=1, white=white, black=black))
    turn(ledger, 2)
    do(ledger, *board_results(ledger, "T", 1, [(2, Result.parse("1-0"))]))
    board = round_sheet(ledger, "T").boards[1]
    assert (board.white.id, board.result, board.colours_reversed) == (black, "1-0", True)


def test_what_has_no_colours_is_refused(ledger: Ledger) -> None:
    assert refusal(ledger, 2) == "pairing.no_game_to_turn"
    do(ledger, *board_results(ledger, "T", 1, [(2, Result.parse("+/-"))]))
    assert refusal(ledger, 2) == "pairing.nobody_sat"
    assert refusal(ledger, 9) == "desk.no_board"
    do(
        ledger,
        c.CorrectResult(
            tournament="T", round=1, white="P1", black="P5", result=Result.parse("0-1"),
            rating_only=True,
        ),
    )  # fmt: skip
    assert refusal(ledger) == "pairing.turned_for_rating"


def test_no_rating_moves() -> None:
    ledger = ledger_of("A,1500,16,20", "B,1600,16,20", "C,1700,16,20")
    import_text(ledger, games("T", "1,,A,B,1-0", "2,,A,C,1/2-1/2"))
    publish_period(ledger, "2010-07")
    said = c.CorrectColours(tournament="T", round=1, white="A", black="B")
    receipt = do(ledger, said, dry_run=True)
    assert receipt.shifts is not None
    assert len(receipt.shifts) == 0
    do(ledger, said)
    there = require_tournament(ledger, "T", ledger.journal.head().seq).pairings[1, "A"]
    assert (there.white, there.black, str(there.result)) == ("B", "A", "0-1")


def test_a_board_of_a_match_keeps_its_points() -> None:
    ledger = team_event()
    publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, *board_results(ledger, "T", 1, [((1, 1), Result.parse("1-0"))]))
    before = round_sheet(ledger, "T").boards[0].games[0]
    turn(ledger, (1, 1))
    sheet = round_sheet(ledger, "T")
    game = sheet.boards[0].games[0]
    assert (game.points, game.colour) == (before.points, before.colour.other)
    assert sheet.reversed_boards == ("1.1",)
    board = round_desk(ledger, "T", 1).board("1.1")
    assert (board.white, board.result) == (before.black_team, "0-1")


def test_a_check_names_the_board(ledger: Ledger) -> None:
    assert check_tournament(ledger, "T").differences == ()
    turn(ledger)
    (difference,) = check_tournament(ledger, "T").differences
    assert (difference.kind.code, difference.round) == ("played-colours", 1)
    assert difference.message.within("en") == (
        "round 1, board 1: Player, P5 played with White against Player, P1; "
        "the round was published with the colours reversed"
    )
    assert "ronda 1, tablero 1: Player, P5 jugó con blancas" in difference.message.within("es")
    turn(ledger)
    assert check_tournament(ledger, "T").differences == ()


def test_cards_and_crosstable_mark_the_board(ledger: Ledger) -> None:
    seq = turn(ledger).first_seq
    cards = {card.id: card.lines[0].corrected_by_seq for card in tournament_cards(ledger, "T")}
    assert {player for player, by in cards.items() if by == seq} == {"P1", "P5"}
    made = tournament_crosstable(ledger, "T", after=1)
    assert made.corrected_by_seqs == {seq}
    assert [row.place.id for row in made.rows if row.corrected] == ["P1", "P5"]
    shown = show_tournament(ledger, "T")
    assert {each.id: each.corrected for each in shown.players if each.corrected} == {
        "P1": {"1": seq},
        "P5": {"1": seq},
    }


def test_a_round_of_results_marks_the_board() -> None:
    ledger = ledger_of("A,1500,16,20", "B,1600,16,20")
    import_text(ledger, games("T", "1,,A,B,1-0"))
    receipt = do(ledger, c.CorrectColours(tournament="T", round=1, white="A", black="B"))
    shown = round_as_known(ledger, "T", 1)
    assert isinstance(shown, RoundResults)
    assert [row.corrected_by_seq for row in shown.pairings] == [receipt.first_seq]


def test_check_and_standings_name_the_board_of_a_match() -> None:
    ledger = team_event()
    publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, *board_results(ledger, "T", 1, [((1, 1), Result.parse("1-0"))]))
    turn(ledger, (1, 1))
    (difference,) = check_tournament(ledger, "T").differences
    assert "round 1, board 1.1: " in difference.message.within("en")
    changes = tournament_standings(ledger, "T").changes
    assert [change.kind for change in changes] == ["colours-reversed"]
