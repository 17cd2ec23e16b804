"""The pages on which a submission begins: a file, or a decision about what is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request, Response

from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.terms import Rate
from web.access import Routes
from web.rendering import render
from web.site import site_of
from web.submissions.boards import recorded_tournament
from web.submissions.common import (
    DECISIONS,
    HAND_IN,
    desk_of,
    list_names,
    signed_in,
    to_submission,
    told_failure,
)
from web.submissions.contents import games_in
from web.submissions.forms import correction_of, document_of, filled, key_of
from web.submissions.uploads import Form, file_of, texts

routes = Routes()
AskedRound = Annotated[int | None, Query(alias="round", ge=1)]


@routes.get("/submissions/new", HAND_IN)
def new_submission(request: Request) -> Response:
    """Shows the form for a file."""
    return _new(request, {})


@routes.post("/submissions/new", HAND_IN)
def add_submission(request: Request, form: Form) -> Response:
    """Keeps a file as a draft."""
    said = texts(form)
    try:
        chosen = file_of(form)
        if chosen is None:
            raise InputRefused("submission.no_file")
        name, file = chosen
        content = document_of(said, name, games_in(file.data))
        made = desk_of(request).draft(key_of(said), signed_in(request).name, content, file)
    except LedgerError as error:
        return _new(request, said, error)
    return to_submission(made.id)


@routes.get("/corrections/new", HAND_IN)
def new_correction(
    request: Request, tournament: str | None = None, round_: AskedRound = None
) -> Response:
    """Shows the form for a decision: first the tournament, then the board."""
    return _new_correction(request, dict(request.query_params), tournament, round_)


@routes.post("/corrections/new", HAND_IN)
def add_correction(request: Request, form: Form) -> Response:
    """Keeps a decision as a draft."""
    said = texts(form)
    try:
        content = correction_of(said)
        made = desk_of(request).draft(key_of(said), signed_in(request).name, content, None)
    except LedgerError as error:
        return _new_correction(request, said, said.get("tournament"), None, error)
    return to_submission(made.id)


def _new(request: Request, said: Mapping[str, str], error: LedgerError | None = None) -> Response:
    status = HTTPStatus.OK if error is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(
        request, "submission_new.html", status, said=filled(said),
        lists=list_names(request), rates=[rate.value for rate in Rate],
        error=told_failure(request, error),
    )  # fmt: skip


def _new_correction(
    request: Request,
    said: Mapping[str, str],
    tournament: str | None,
    round_: int | None,
    error: LedgerError | None = None,
) -> Response:
    found = None
    if tournament:
        try:
            found = site_of(request).newest().ask(recorded_tournament, tournament, round_)
        except NotFound as unknown:
            error = error or unknown
    status = HTTPStatus.OK if error is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(
        request, "correction_new.html", status,
        said=filled(said), found=found, round=round_,
        decisions=DECISIONS, lists=list_names(request), error=told_failure(request, error),
    )  # fmt: skip
