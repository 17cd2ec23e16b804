"""What was corrected, why and by whom; and of each correction whom it moved."""

from __future__ import annotations

from fastapi import Request, Response

from ledger.application.corrections import PAGE, correction_report, corrections
from ledger.pictures.cascade import cascade_picture
from ledger.reports.cascade import MOST_PLAYERS
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.fields import Before, Number
from web.language import language_of
from web.rendering import render

routes = Routes()
_IN_TABLE = 200  # players of a list: the picture has fewer


@routes.get("/corrections", PUBLIC)
def all_corrections(request: Request, view: Asked, before: Before = None) -> Response:
    """Lists the corrections, the newest first."""
    found = view.ask(corrections, before=before, limit=PAGE)
    oldest = found[-1].seq if len(found) == PAGE else None
    return render(request, "corrections.html", found=found, next=oldest)


@routes.get("/corrections/{seq}", PUBLIC)
def one_correction(request: Request, view: Asked, seq: Number) -> Response:
    """Shows a correction with what it moved, as a picture and as a table."""
    made = view.ask(correction_report, seq, _IN_TABLE)
    drawn = cascade_picture(made.cascade.of_most(MOST_PLAYERS), language_of(request))
    return render(request, "one_correction.html", made=made, picture=drawn)
