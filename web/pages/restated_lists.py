"""Lists that went out and are others by now: published anew in one go, as they were seen."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from itertools import zip_longest
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import Form, Request, Response
from starlette.responses import RedirectResponse

from ledger.answers.list_figures import effort_of
from ledger.answers.publication_checks import PublicationCheck, check_publication
from ledger.errors import LedgerError
from ledger.identifiers import Seq
from ledger.service.ledger import Request as Asking
from ledger.service.publications import PublishedList, publish_restated, restated_periods
from ledger.terms import Role
from web.access import Routes, only
from web.asked_view import site_of
from web.calculations import MOST_AT_ONCE
from web.fields import Filled, Reason
from web.forms import NOTHING, TypedForm, digest_shown
from web.language import error_for_site
from web.paths import path_of
from web.problems import status_of
from web.read_models.builder import list_key
from web.read_models.model_store import store_of
from web.rendering import render
from web.signature_requests import asking_of

routes = Routes("/lists/{name}/restated/publish")
_OFFICERS: Final = only(Role.OFFICER)
_CHECKLISTS: Final = 12  # each replays its period twice, and takes 2 KB of the page


@routes.get("", _OFFICERS)
def to_be_published_anew(request: Request, name: str) -> Response:
    """Shows the editions that would go out; nothing is recorded.

    The first have their checklists here, those of others stand on the pages of their periods.
    """
    return _page(request, name, None)


@routes.post("", _OFFICERS)
def publish_anew(
    request: Request,
    typed: Filled,
    name: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
    seq: Annotated[Seq, Form(ge=0)],
    reason: Reason = "",
    anyway: Annotated[str, Form(max_length=1)] = "",
) -> Response:
    """Publishes them as they were seen, all or none: none, where something was recorded since."""
    asking = _asking(request, name, reason=reason, key=key, seq=seq)
    try:
        publishing = partial(publish_restated, anyway=bool(anyway))
        editions = site_of(request).record(publishing, name, asking)
    except LedgerError as error:
        return _page(request, name, error, typed)
    newest = site_of(request).newest()
    for each in editions[-1:]:  # asked for next; the others are made when they are
        which = name, each.list.period, each.list.edition
        store_of(request).make_ready(newest, newest.recall(list_key, *which))
    query = urlencode([("out", each.list.period) for each in editions])
    return RedirectResponse(f"{path_of('lists', name)}?{query}", HTTPStatus.SEE_OTHER)


def _page(
    request: Request, name: str, error: LedgerError | None, typed: TypedForm = NOTHING
) -> Response:
    newest = site_of(request).newest()
    editions: Sequence[PublishedList] = ()
    checks: Sequence[PublicationCheck] = ()
    one_by_one: Sequence[str] = ()
    try:
        if newest.recall(effort_of, name) > MOST_AT_ONCE:
            one_by_one = newest.recall(restated_periods, name)
        else:
            editions = site_of(request).preview(publish_restated, name, _asking(request, name))
            checks = [
                newest.recall(check_publication, name, each.list.period, with_earlier=False)
                for each in editions[:_CHECKLISTS]
            ]
    except LedgerError as refused:
        error = error or refused
    error = None if error is None else error_for_site(error)
    unfinished = {each.message for edition in editions for each in edition.unfinished}
    return render(
        request, "publish_restated.html", status_of(error), typed, name=name, error=error,
        editions=[*zip_longest(editions, checks)], one_by_one=one_by_one,
        unfinished=unfinished, key=secrets.token_urlsafe(12),
        shown=digest_shown(*sorted(unfinished, key=repr)),
    )  # fmt: skip


def _asking(
    request: Request, name: str, *, reason: str = "", key: str = "", seq: Seq | None = None
) -> Asking:
    """Returns what accompanies the publication; without a key nothing is recorded."""
    asking = asking_of(request, "publish", f"publish {name} restated", reason, key)
    return replace(asking, at_seq=seq, dry_run=not key, with_impact=False)
