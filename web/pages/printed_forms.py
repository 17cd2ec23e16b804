"""The forms of a tournament, to be printed: ``/tournaments/ID/forms/NAME``."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from markupsafe import Markup
from starlette.exceptions import HTTPException

from ledger.application.forms import FormAsked, FormName, tournament_form
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.language import language_of
from web.rendering import render

routes = Routes("/tournaments/{tournament:path}/forms")
_NAMES = {form.value: form for form in FormName}


@routes.get("/{form}", PUBLIC)
def form_to_print(
    request: Request,
    view: Asked,
    tournament: str,
    form: str,
    round_: Annotated[int | None, Query(alias="round", ge=1)] = None,
    after: Annotated[int | None, Query(ge=0)] = None,
    tie_breaks: Annotated[str | None, Query(alias="tie-breaks")] = None,
    list_: Annotated[str | None, Query(alias="list")] = None,
) -> Response:
    """Shows a form of a tournament, by default after its last round."""
    name = _NAMES.get(form)
    if name is None:
        raise HTTPException(404)
    asked = FormAsked(
        tournament=tournament, form=name, round=round_, after=after, tie_breaks=tie_breaks,
        list=list_,
    )  # fmt: skip
    page = view.ask(tournament_form, asked, language_of(request))
    # The forms escape what they quote.
    body = Markup(page.body)  # noqa: S704
    return render(request, "form.html", title=page.title, body=body, tournament=tournament)
