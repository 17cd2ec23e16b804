"""The board of a round: a tap records its result; corrected for a reason."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from fastapi import Response

from ledger.application.boards import (
    BoardAsked,
    adjourn_board,
    adjudicate_board,
    board_colours,
    correct_board,
)
from ledger.application.commits import commit_of
from ledger.application.desk import board_results
from ledger.application.event_desk import round_desk
from ledger.application.ledger import Receipt
from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.typed_values import board_of, result_of
from web.access import Routes
from web.desk.arbiter import ARBITERS, ArbitersDesk, DeskAt, FormOutcome, address
from web.desk.fields import Filled, TypedForm
from web.desk.rounds import show_round
from web.destinations import is_for_part
from web.refusals import SignInNeeded

routes = Routes("/desk/{tournament:path}/rounds/{number}/boards")
_RECORDED: Final = frozenset({"pairing.recorded", "pairing.other_result"})


@routes.post("/{place}", ARBITERS)
def record_at_board(
    desk: DeskAt, tournament: str, number: int, place: str, typed: Filled
) -> Response:
    """Records what a form of a board says; answers with its row, or with the page.

    What somebody else recorded meanwhile is told. Where that is the same, all is well.
    """
    if typed.text("by") not in {None, desk.account.name}:
        raise SignInNeeded  # it was tapped by who signs in to send it
    asked = BoardAsked(tournament, number, board_of(place))
    show = partial(_row if is_for_part(desk.request) else _page, desk, asked, place)
    try:
        _check_seats(desk, asked, place, typed)
        receipt = _record(desk, asked, typed)
    except LedgerError as error:
        problem = _told(desk, asked, place, typed, error)
        return show(FormOutcome(typed, problem=problem) if problem else FormOutcome())
    if is_for_part(desk.request):
        return show(FormOutcome(receipt=receipt if receipt.notes else None))
    to = f"{address(tournament, 'rounds', number)}#board-{place}"
    return desk.carried_out(typed, lambda: receipt, show, to)


def _check_seats(desk: ArbitersDesk, asked: BoardAsked, place: str, typed: TypedForm) -> None:
    """Refuses what was tapped when others sat at the board: its round was taken back since."""
    seen = typed.text("seats")
    if seen is None or typed.value("act") == "colours":
        return  # who sits where is what that is about
    if seen != desk.ask(round_desk, asked.tournament, asked.round).board(place).seats:
        raise Conflict("arbiter.other_seats", board=place)


def _record(desk: ArbitersDesk, asked: BoardAsked, typed: TypedForm) -> Receipt:
    body = f"{asked} {sorted((name, *said) for name, said in typed.fields.items())}"
    request = desk.asking(typed, body, typed.text("reason") or "")
    match typed.value("act"):
        case "record":
            said = [(asked.board, result_of(typed.required("result")))]
            (command,) = desk.ask(board_results, asked.tournament, asked.round, said)
            return desk.execute(typed, command)
        case "adjourn":
            return desk.record(request, lambda ledger: adjourn_board(ledger, asked, request))
        case "temporary":
            result = result_of(f"{typed.required('result')}a")
            return desk.record(
                request, lambda ledger: adjudicate_board(ledger, asked, result, request)
            )
        case "correct":
            result = result_of(typed.required("result"))
            seen = typed.number("seen", most=10**15) or 0
            return desk.record(
                request, lambda ledger: correct_board(ledger, asked, result, seen, request)
            )
        case "colours":
            # As they were seen: a form that is sent again turns nothing back.
            white, _, black = typed.required("seats").partition(" ")
            turned = replace(desk.ask(board_colours, asked), white=white, black=black)
            return desk.execute(typed, turned, reason=typed.text("reason") or "")
        case other:
            raise InputRefused("arbiter.no_word", value=other)


def _told(
    desk: ArbitersDesk, asked: BoardAsked, place: str, typed: TypedForm, error: LedgerError
) -> LedgerError | None:
    """Returns what is to be told of a refusal; None where the same is recorded already."""
    if typed.value("act") != "record" or error.message.key not in _RECORDED:
        return error
    board = desk.ask(round_desk, asked.tournament, asked.round).board(place)
    if board.seq is None or board.result is None:
        return error
    if str(result_of(typed.required("result"))) == board.result:
        return None
    actor = desk.ask(commit_of, board.seq).actor
    return Conflict("arbiter.meanwhile", actor=actor, result=board.result)


def _page(desk: ArbitersDesk, asked: BoardAsked, place: str, outcome: FormOutcome) -> Response:
    return show_round(desk, asked.tournament, asked.round, outcome, place)


def _row(desk: ArbitersDesk, asked: BoardAsked, place: str, outcome: FormOutcome) -> Response:
    found = desk.ask(round_desk, asked.tournament, asked.round)
    return desk.event_page(
        "desk_board.html", asked.tournament, outcome, round=found, board=found.board(place),
        place=place,
    )  # fmt: skip
