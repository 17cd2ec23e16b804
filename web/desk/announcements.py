"""Tournaments are announced in the calendar, announced otherwise, and cancelled."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final

from fastapi import Query, Response

from ledger.answers.tournament_calendar import announced_tournament
from ledger.errors import InputRefused
from ledger.intake.trf.document import made_id
from ledger.operations.commands import OPERATIONS
from ledger.operations.operation import Command, Operation
from ledger.service.ledger import Receipt, body_of
from ledger.service.operations import carry_out
from ledger.typed_values import day
from web.access import Routes
from web.desk.arbiter import OPEN, ArbitersDesk, Desk
from web.fields import Filled
from web.forms import FormOutcome, TypedForm

routes = Routes("/calendar")
_ANNOUNCE: Final = OPERATIONS["announce-tournament"]
_CANCEL: Final = OPERATIONS["cancel-tournament"]


@routes.get("/announce", OPEN)
def announcement(desk: Desk, tournament: Annotated[str, Query(max_length=120)] = "") -> Response:
    """Shows the form by which a tournament is announced, or announced otherwise."""
    return _page(desk, tournament, desk.unsent)


@routes.post("/announce", OPEN)
def announce(desk: Desk, typed: Filled) -> Response:
    """Announces a tournament."""
    words = typed.texts
    words["ends_on"] = words.get("ends_on") or words.get("starts_on", "")
    words["tournament"] = words.get("tournament", "").strip() or _made_id(words)
    record = partial(_record, desk, typed, _ANNOUNCE, words)
    show = partial(_page, desk, typed.text("was") or "")
    month = words.get("starts_on", "")[:7]
    return desk.carried_out(typed, record, show, f"/calendar?month={month}")


@routes.post("/cancel", OPEN)
def cancel(desk: Desk, typed: Filled) -> Response:
    """Says that an announced tournament is not played."""
    record = partial(_record, desk, typed, _CANCEL, typed.texts)
    show = partial(_page, desk, typed.text("tournament") or "")
    return desk.carried_out(typed, record, show, "/calendar")


def _record(
    desk: ArbitersDesk, typed: TypedForm, operation: Operation, words: dict[str, str]
) -> Receipt:
    command = operation.read(words)
    assert isinstance(command, Command)
    asking = desk.asking(typed, body_of([command]), words.get("reason", ""))
    return desk.record(asking, lambda ledger: carry_out(ledger, command, asking))


def _made_id(words: dict[str, str]) -> str:
    """Returns an id made of what is said of a tournament."""
    with suppress(InputRefused):  # it is refused where the day is needed
        return made_id(words.get("name", ""), day(words.get("starts_on", "")))
    return ""


def _page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    announced = desk.ask(announced_tournament, tournament) if tournament else None
    usual: dict[str, Any] = {} if announced is None else announced.model_dump(mode="json")
    return desk.page(
        "calendar_announce.html", outcome, announced=announced, usual=defaultdict(str, usual)
    )
