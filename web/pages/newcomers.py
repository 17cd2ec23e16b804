"""Newcomers whom arbiters registered: an officer says of each that he is who he is said to be."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Form, Request, Response

from ledger.errors import LedgerError
from ledger.operations.commands import ConfirmPlayer
from ledger.service.newcomers import unconfirmed_players
from ledger.service.operations import carry_out
from ledger.terms import Role
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.problems import failure_data, status_of
from web.rendering import render
from web.signature_requests import asking_of
from web.submissions.forms import new_id

routes = Routes()
_OFFICERS: Final = only(Role.OFFICER)


@routes.get("/newcomers", _OFFICERS)
def newcomers(request: Request) -> Response:
    """Lists the newcomers who wait for an officer."""
    return _page(request)


@routes.post("/newcomers/{player:path}", _OFFICERS)
def confirm(
    request: Request,
    player: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
) -> Response:
    """Says that a newcomer is who he is said to be."""
    asking = asking_of(request, "newcomer", f"confirm {player}", "", key)
    command = ConfirmPlayer(player=player)
    try:
        site_of(request).record(lambda ledger: carry_out(ledger, command, asking))
    except LedgerError as error:
        return _page(request, error)
    return to_page("newcomers")


def _page(request: Request, refusal: LedgerError | None = None) -> Response:
    waiting = site_of(request).newest().recall(unconfirmed_players)
    status = 200 if refusal is None else status_of(refusal)
    return render(
        request, "newcomers.html", status, waiting=waiting.players, key=new_id(),
        error=failure_data(request, refusal),
    )  # fmt: skip
