"""A round on a second screen: boards and results as they come, turning by itself."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query, Request, Response

from ledger.answers.rounds import round_sheet
from ledger.answers.tournaments import require_tournament, tournament_standings
from ledger.reports.round_sheet import RoundSheet
from ledger.views.view import LedgerView
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.rendering import render

routes = Routes("/t")
_BOARDS: Final = 20
"""Of a page: they fit a screen of 1280 by 720."""
_LEADERS: Final = 5
_SECONDS: Final = 15


@routes.get("/{tournament:path}/live", PUBLIC)
def live_round(
    request: Request, view: Asked, tournament: str, page: Annotated[int, Query(ge=1, le=999)] = 1
) -> Response:
    """Shows a page of the boards of the last round, and leads to the next one by itself."""
    sheet = view.ask(_last_round, tournament)
    boards = () if sheet is None else sheet.boards
    pages = max(1, -(-len(boards) // _BOARDS))
    page = min(page, pages)
    standings = view.ask(tournament_standings, tournament)
    return render(
        request, "live.html", sheet=sheet, tournament=tournament, name=standings.name,
        boards=boards[(page - 1) * _BOARDS : page * _BOARDS], count=len(boards),
        done=sum(board.result is not None for board in boards), page=page, pages=pages,
        following=page % pages + 1, seconds=_SECONDS, after=standings.after,
        leaders=standings.rows[:_LEADERS],
    )  # fmt: skip


def _last_round(view: LedgerView, tournament: str) -> RoundSheet | None:
    """Returns the sheet of the last published round; None before the first."""
    record = require_tournament(view, tournament, view.facts().seq)
    return round_sheet(view, tournament) if record.desk.last_round else None
