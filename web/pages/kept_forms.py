"""Where a browser goes after a sign-in with a form that had to wait: to the page of the form."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from ledger.errors import NotFound
from web.access import SIGNED_IN, Routes, required_account
from web.destinations import own_address
from web.kept_forms import AGAIN, form_again
from web.rendering import render

routes = Routes(AGAIN)


@routes.get("", SIGNED_IN)
def not_kept(request: Request, page: str = "/") -> Response:
    """Says that a form was not done that could not be kept."""
    return render(request, "kept_form_lost.html", page=own_address(page))


@routes.get("/{secret}", SIGNED_IN)
def to_form(request: Request, secret: str, *, plain: bool = False) -> Response:
    """Sends a browser to the page on which a form stands, where it is filled in as it was.

    Where nobody knows the page, or ``plain`` is asked for, it shows what was typed, to be sent.
    """
    form = form_again(request, secret)
    if form is None:
        raise NotFound("access.nothing_to_send")
    if form.account != required_account(request).name:
        here = f"{AGAIN}/{secret}"
        return render(request, "kept_form_other.html", HTTPStatus.FORBIDDEN, here=here)
    page = form.page_of(secret)
    if plain or page is None:
        return render(request, "kept_form.html", form=form)
    return RedirectResponse(page, HTTPStatus.SEE_OTHER)
