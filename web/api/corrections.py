"""What was corrected, by whom and why, and whom it moved."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request

from ledger.application.corrections import correction_report, corrections
from ledger.reports.cascade import MOST_PLAYERS
from ledger.reports.corrections import CorrectionReport, Corrections
from web.access import PUBLIC
from web.api.paging import name_next
from web.api.routing import ApiRoutes
from web.api.words import USUAL, Limit
from web.asked_view import Asked
from web.fields import LARGEST

routes = ApiRoutes("corrections")


@routes.reads("/corrections", PUBLIC)
def all_corrections(
    request: Request,
    view: Asked,
    before: Annotated[
        int | None, Query(ge=1, le=LARGEST, description="The seq of the last one that is known.")
    ] = None,
    limit: Limit = USUAL,
) -> Corrections:
    """The corrections, the newest first: a commit is one, however much it corrects."""
    rows = view.ask(corrections, before=before, limit=limit + 1)
    if len(rows) > limit:
        name_next(request, rows[limit - 1].seq, word="before")
    return Corrections(rows[:limit])


@routes.reads("/corrections/{seq}", PUBLIC)
def correction_moved(
    view: Asked,
    seq: Annotated[int, Path(ge=1, le=LARGEST, description="That of any of its events.")],
    most: Annotated[
        int, Query(ge=1, le=1_000, description="Players of each list, the most moved.")
    ] = MOST_PLAYERS,
) -> CorrectionReport:
    """A correction, and before and after of every list, period and player that it moved."""
    return view.ask(correction_report, seq, most)
