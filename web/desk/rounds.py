"""Rounds: numbers are given, a round is proposed, published, shown, taken back; standings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Final

from fastapi import Query, Response

from ledger.answers.directory import participant_named, shortest
from ledger.answers.event_desk import event_desk, round_desk
from ledger.answers.tournaments import tournament_standings
from ledger.errors import InputRefused, LedgerError
from ledger.events.desk import NumbersAssigned
from ledger.forms.page import saying
from ledger.forms.round_sheet import below_boards, round_title
from ledger.forms.standings import code_name, standings_notes, standings_ratings, standings_title
from ledger.operations.commands import NumberParticipants, PairRound, WithdrawRound
from ledger.reports.event_desk import DeskEntry, EventDesk
from ledger.reports.round_sheet import RoundSheet
from ledger.service.boards import newest_board
from ledger.service.desk import proposal_sha256, publish_round
from ledger.service.ledger import Receipt
from ledger.service.starting_numbers import NumberGiven, give_numbers
from ledger.service.tournaments import publish_standings
from web.access import Routes
from web.desk.arbiter import ARBITERS, ArbitersDesk, DeskAt, address
from web.fields import Filled
from web.forms import NOTHING, FormOutcome, TypedForm
from web.language import language_of

routes = Routes("/desk/{tournament:path}")
_PAIR: Final = 2


# Numbers


@routes.get("/numbers", ARBITERS)
def numbers_page(
    desk: DeskAt, tournament: str, way: str = "rating", seed: str = Query("", max_length=200)
) -> Response:
    """Shows the numbers that a way would give; nothing is recorded."""
    typed = TypedForm({"way": [way], "seed": [seed]})
    return _numbers_page(desk, tournament, FormOutcome(typed))


def _numbers_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    """Shows a form that was refused with the numbers as they are."""
    given: Sequence[NumberGiven] = ()
    if outcome.problem is None and outcome.receipt is None:
        try:
            command = _numbers_asked(outcome.typed, tournament)
            given = _numbered(desk, command)
        except LedgerError as error:
            outcome = FormOutcome(outcome.typed, problem=error)
    return desk.event_page("desk_numbers.html", tournament, outcome, given=given)


def _numbered(desk: ArbitersDesk, command: NumberParticipants) -> Sequence[NumberGiven]:
    request = desk.preview("numbers")
    _, given = desk.site.preview(give_numbers, command, request)
    return given


def _numbers_asked(typed: TypedForm, tournament: str) -> NumberParticipants:
    seed = typed.text("seed") or tournament
    match typed.value("way"):
        case "rating" | "":
            return NumberParticipants(tournament=tournament)
        case "lot":
            return NumberParticipants(tournament=tournament, lot=seed)
        case "varma":
            return NumberParticipants(tournament=tournament, varma=seed)
        case "first-round":
            return NumberParticipants(tournament=tournament, after_first_round=True)
        case "hand":
            return NumberParticipants(tournament=tournament, order=typed.lines("order"))
        case other:
            raise InputRefused("arbiter.no_word", value=other)


@routes.post("/numbers", ARBITERS)
def assign_numbers(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Gives everybody a number."""

    def record() -> Receipt:
        command = _numbers_asked(typed, tournament)
        request_ = desk.asking(typed, repr(command))
        receipt, _ = desk.record(request_, lambda ledger: give_numbers(ledger, command, request_))
        return receipt

    show = partial(_numbers_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "entries"))


# Pairing


@routes.get("/pair", ARBITERS)
def pairing_page(desk: DeskAt, tournament: str) -> Response:
    """Shows the next round as it would be published, and why it is so."""
    return _pairing_page(desk, tournament, desk.unsent)


def _pairing_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    sheet: RoundSheet | None = None
    shown = ""
    renumbered: Sequence[tuple[int, DeskEntry]] = ()
    try:
        event = desk.ask(event_desk, tournament)
        # A round that was just published is told, and not the one after it.
        if not (outcome.receipt or event.all_paired or event.open_boards):
            previewed, request = PairRound(tournament=tournament), desk.preview("pair")
            receipt, sheet = desk.site.preview(publish_round, previewed, request)
            shown = proposal_sha256(receipt.events)
            renumbered = _renumbered(desk, tournament, receipt)
    except LedgerError as error:
        if outcome.problem is None:
            outcome = FormOutcome(outcome.typed, problem=error)
    return desk.event_page(
        "desk_pair.html", tournament, outcome, sheet=sheet, shown=shown, renumbered=renumbered,
        paired=_paired(sheet), **_words(desk, sheet),
    )  # fmt: skip


def _renumbered(
    desk: ArbitersDesk, tournament: str, receipt: Receipt
) -> Sequence[tuple[int, DeskEntry]]:
    """Returns who gets another number with the round that is shown: the number, the entry."""
    entries = {entry.id: entry for entry in desk.ask(event_desk, tournament).entries}
    return [
        (number, entries[one])
        for each in receipt.events
        if isinstance(each.event, NumbersAssigned)
        for number, one in enumerate(each.event.participants, start=1)
        if one in entries and entries[one].number != number
    ]


def _paired(sheet: RoundSheet | None) -> str:
    """Returns the boards of a round as they are typed: White and Black a line, by short words."""
    if sheet is None:
        return ""
    alone = [sheet.bye] if sheet.bye else []
    seats = [seat for board in sheet.boards for seat in (board.white, board.black)]
    words = shortest([*seats, *alone])
    lines = [f"{words[board.white.id]} {words[board.black.id]}" for board in sheet.boards]
    return "\n".join([*lines, *(words[seat.id] for seat in alone)])


def _words(desk: ArbitersDesk, sheet: RoundSheet | None) -> dict[str, Any]:
    """Returns the heading of a round and what stands below its boards."""
    say = saying(language_of(desk.request))
    if sheet is None:
        return {"heading": "", "below": []}
    return {"heading": round_title(sheet, say), "below": list(below_boards(sheet, say))}


@routes.post("/pair", ARBITERS)
def pair_round(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Publishes the round that was shown, or the boards of the arbiter.

    If it would be another one by now, nothing is recorded and that one is shown.
    """

    def record() -> Receipt:
        number = typed.round("round")
        if typed.flag("by_hand"):
            event = desk.ask(event_desk, tournament)
            boards, bye = _boards(typed.lines("boards"), event)
            command = PairRound(tournament=tournament, round=number, boards=boards, bye=bye)
        else:
            shown = typed.required("shown")
            command = PairRound(tournament=tournament, round=number, shown=shown)
        request_ = desk.asking(typed, repr(command), typed.text("reason") or "")
        receipt, _ = desk.record(request_, lambda ledger: publish_round(ledger, command, request_))
        return receipt

    show = partial(_pairing_page, desk, tournament)
    to = address(tournament, "rounds", typed.value("round"))
    return desk.carried_out(typed, record, show, to)


def _boards(lines: Sequence[str], event: EventDesk) -> tuple[list[tuple[str, str]], str | None]:
    """Reads boards, White and Black a line by id or number; who stands alone has the bye."""
    boards: list[tuple[str, str]] = []
    byes: list[str] = []
    for line in lines:
        words = line.replace(",", " ").split()
        seats = [participant_named(event.entries, word) or word for word in words]
        if len(seats) > _PAIR:
            raise InputRefused("arbiter.no_pair", value=line)
        if len(seats) == _PAIR:
            boards.append((seats[0], seats[1]))
        else:
            byes += seats
    if len(byes) > 1:
        raise InputRefused("desk.one_bye", first=byes[0], second=byes[1])
    return boards, byes[0] if byes else None


# One round


@routes.get("/rounds/{number}", ARBITERS)
def round_of_desk(desk: DeskAt, tournament: str, number: int) -> Response:
    """Shows the boards of a round, with buttons for their results."""
    return show_round(desk, tournament, number, desk.unsent)


def show_round(
    desk: ArbitersDesk, tournament: str, number: int, outcome: FormOutcome, place: str | None = None
) -> Response:
    """Shows a round; what came of a form is told at the board ``place``, else above all."""
    found = desk.ask(round_desk, tournament, number)
    return desk.event_page(
        "desk_round.html",
        tournament,
        outcome,
        round=found,
        place=place,
        newest=desk.ask(newest_board, found, desk.account.name),
        **_words(desk, found.sheet),
    )


@routes.post("/rounds/{number}/withdraw", ARBITERS)
def withdraw_round(desk: DeskAt, tournament: str, number: int, typed: Filled) -> Response:
    """Takes a round back of which nothing is recorded, for a reason."""
    command = WithdrawRound(tournament=tournament, round=number)
    return desk.carried_out(
        typed,
        lambda: desk.execute(typed, command, reason=typed.text("reason") or ""),
        lambda outcome: show_round(desk, tournament, number, outcome),
        address(tournament),
    )


# Standings


@routes.get("/standings", ARBITERS)
def standings_of_desk(
    desk: DeskAt, tournament: str, after: Annotated[int | None, Query(ge=0, le=999)] = None
) -> Response:
    """Shows the standings, by default as far as all games have a result."""
    words = {} if after is None else {"after": [str(after)]}
    return _standings_page(desk, tournament, FormOutcome(TypedForm(words) if words else NOTHING))


def _standings_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    after = outcome.typed.number("after")
    standings = desk.ask(tournament_standings, tournament, after=after)
    language = language_of(desk.request)
    say = saying(language)
    return desk.event_page(
        "desk_standings.html",
        tournament,
        outcome,
        made=standings,
        heading=standings_title(standings, say),
        ratings=standings_ratings(standings, say),
        codes=[(code, code_name(code, say)) for code in standings.codes],
        notes=list(standings_notes(standings, language)),
    )


@routes.post("/standings", ARBITERS)
def publish_standings_of(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Records that the standings went out."""

    def record() -> Receipt:
        after = typed.number("after")
        request_ = desk.asking(typed, f"standings {tournament} {after}")
        receipt, _ = desk.record(
            request_, lambda ledger: publish_standings(ledger, tournament, request_, after=after)
        )
        return receipt

    show = partial(_standings_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "standings"))
