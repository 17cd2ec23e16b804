"""A period of a list goes out: what it would be, and the button of an officer."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from typing import Annotated, Final

from fastapi import Form, Request, Response

from ledger.application.ledger import Request as Asking
from ledger.application.publications import PublishedList, publish
from ledger.errors import LedgerError
from ledger.terms import Role
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Reason
from web.problems import status_of
from web.rendering import render
from web.sentences import error_for_site
from web.signature_requests import asking_of

routes = Routes()
_OFFICERS: Final = only(Role.OFFICER)


@routes.get("/lists/{name}/{period}/publish", _OFFICERS)
def to_be_published(request: Request, name: str, period: str) -> Response:
    """Shows what would go out, with the form that publishes it; nothing is recorded."""
    return _page(request, name, period, None)


@routes.post("/lists/{name}/{period}/publish", _OFFICERS)
def publish_period(
    request: Request,
    name: str,
    period: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
    seq: Annotated[int, Form(ge=0)],
    reason: Reason = "",
    anyway: Annotated[str, Form(max_length=1)] = "",
) -> Response:
    """Publishes a period as it was seen: nothing, where something was recorded since."""
    asking = _asking(request, name, period, reason=reason, key=key, seq=seq)
    try:
        publishing = partial(publish, anyway=bool(anyway))
        made = site_of(request).record(publishing, name, period, asking)
    except LedgerError as error:
        return _page(request, name, period, error, reason)
    return to_page("lists", name, f"{period}@{made.list.edition}")


def _page(
    request: Request, name: str, period: str, error: LedgerError | None, reason: str = ""
) -> Response:
    made: PublishedList | None = None
    asking = _asking(request, name, period)
    try:
        made = site_of(request).preview(publish, name, period, asking)
    except LedgerError as refused:
        error = error or refused
    error = None if error is None else error_for_site(error)
    return render(
        request, "publish.html", 200 if error is None else status_of(error), name=name,
        period=period, made=made, error=error, reason=reason, key=secrets.token_urlsafe(12),
    )  # fmt: skip


def _asking(
    request: Request,
    name: str,
    period: str,
    *,
    reason: str = "",
    key: str = "",
    seq: int | None = None,
) -> Asking:
    """Returns what accompanies the publication; without a key nothing is recorded."""
    asking = asking_of(request, "publish", f"publish {name} {period}", reason, key)
    return replace(asking, at_seq=seq, dry_run=not key, with_impact=False)
