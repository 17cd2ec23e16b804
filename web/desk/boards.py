"""The board of a round: a tap records its result; corrected for a reason."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Final

from fastapi import Response

from ledger.answers.commits import commit_of
from ledger.answers.event_desk import round_desk
from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.results import result_in_words
from ledger.service.boards import (
    BoardAsked,
    adjourn_board,
    adjudicate_board,
    board_colours,
    correct_board,
    take_back,
)
from ledger.service.desk import board_results
from ledger.service.ledger import Receipt
from ledger.typed_values import board_of, result_of
from web.access import Routes
from web.desk.arbiter import ARBITERS, ArbitersDesk, DeskAt, address
from web.desk.rounds import show_round
from web.destinations import is_for_part, send_to
from web.fields import Filled
from web.forms import FormOutcome, TypedForm
from web.refusals import SignInNeeded

routes = Routes("/desk/{tournament:path}/rounds/{number}/boards")
_RECORDED: Final = frozenset({"pairing.recorded", "pairing.other_result"})
_TAPPED: Final = frozenset({"record", "adjourn", "temporary"})
"""What can be taken back with a tap."""
_SESSION: Final = "desk-session"
"""A header: the session of the page from which the script sends a tap."""


@routes.post("/{place}", ARBITERS)
def record_at_board(
    desk: DeskAt, tournament: str, number: int, place: str, typed: Filled
) -> Response:
    """Records what a form of a board says; answers with its row, or with the page.

    What somebody else recorded meanwhile is told. Where that is the same, all is well. What a page
    of an earlier session sends is not recorded: the page is loaded anew, and asks about it.
    """
    if typed.text("by") not in {None, desk.account.name}:
        raise SignInNeeded  # it was tapped by who signs in to send it
    if desk.request.headers.get(_SESSION, desk.account.session) != desk.account.session:
        answer = send_to(desk.request, address(tournament, "rounds", number))
        answer.status_code = HTTPStatus.UNAUTHORIZED
        return answer
    board_ = BoardAsked(tournament, number, board_of(place))
    show = partial(_row if is_for_part(desk.request) else _page, desk, board_, place)
    try:
        _check_seats(desk, board_, place, typed)
        receipt = _record(desk, board_, typed)
    except LedgerError as error:
        problem = _told(desk, board_, place, typed, error)
        return show(FormOutcome(typed, problem=problem) if problem else FormOutcome())
    if is_for_part(desk.request):
        outcome = FormOutcome(receipt=receipt if receipt.notes else None)
        newest = place if typed.value("act") in _TAPPED else None
        return _row(desk, board_, place, outcome, newest)
    to = f"{address(tournament, 'rounds', number)}#board-{place}"
    return desk.carried_out(typed, lambda: receipt, show, to)


def _check_seats(desk: ArbitersDesk, board: BoardAsked, place: str, typed: TypedForm) -> None:
    """Refuses what was tapped when others sat at the board: its round was taken back since."""
    seen = typed.text("seats")
    if seen is None or typed.value("act") == "colours":
        return  # who sits where is what that is about
    if seen != desk.ask(round_desk, board.tournament, board.round).board(place).seats:
        raise Conflict("arbiter.other_seats", board=place)


def _record(desk: ArbitersDesk, board: BoardAsked, typed: TypedForm) -> Receipt:
    body = f"{board} {sorted((name, *results) for name, results in typed.fields.items())}"
    request = desk.asking(typed, body, typed.text("reason") or "")
    match typed.value("act"):
        case "record":
            results = [(board.board, result_of(typed.required("result")))]
            (command,) = desk.ask(board_results, board.tournament, board.round, results)
            return desk.execute(typed, command)
        case "adjourn":
            return desk.record(request, lambda ledger: adjourn_board(ledger, board, request))
        case "temporary":
            result = result_of(f"{typed.required('result')}a")
            return desk.record(
                request, lambda ledger: adjudicate_board(ledger, board, result, request)
            )
        case "correct":
            result = result_of(typed.required("result"))
            seen = typed.number("seen", most=10**15) or 0
            return desk.record(
                request, lambda ledger: correct_board(ledger, board, result, seen, request)
            )
        case "undo":
            seen = typed.number("seen", most=10**15) or 0
            return desk.record(request, lambda ledger: take_back(ledger, board, seen, request))
        case "colours":
            # As they were seen: a form that is sent again turns nothing back.
            white, _, black = typed.required("seats").partition(" ")
            turned = replace(desk.ask(board_colours, board), white=white, black=black)
            return desk.execute(typed, turned, reason=typed.text("reason") or "")
        case other:
            raise InputRefused("arbiter.no_word", value=other)


def _told(
    desk: ArbitersDesk, board_: BoardAsked, place: str, typed: TypedForm, error: LedgerError
) -> LedgerError | None:
    """Returns what is to be told of a refusal; None where the same is recorded already."""
    if typed.value("act") != "record" or error.message.key not in _RECORDED:
        return error
    board = desk.ask(round_desk, board_.tournament, board_.round).board(place)
    if board.seq is None or board.result is None:
        return error
    if str(result_of(typed.required("result"))) == board.result:
        return None
    actor = desk.ask(commit_of, board.seq).actor
    return Conflict("arbiter.meanwhile", actor=actor, result=result_in_words(board.result))


def _page(desk: ArbitersDesk, board: BoardAsked, place: str, outcome: FormOutcome) -> Response:
    return show_round(desk, board.tournament, board.round, outcome, place)


def _row(
    desk: ArbitersDesk,
    board: BoardAsked,
    place: str,
    outcome: FormOutcome,
    newest: str | None = None,
) -> Response:
    """Returns the row of a board; ``newest`` is its place where that was tapped just now."""
    found = desk.ask(round_desk, board.tournament, board.round)
    return desk.event_page(
        "desk_board.html", board.tournament, outcome, round=found, board=found.board(place),
        place=place, newest=newest, counted=True,
    )  # fmt: skip
