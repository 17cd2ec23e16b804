"""The pages on which a submission begins: a file, or a decision about what is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import Query, Request, Response

from ledger.application.boards import recorded_tournament
from ledger.errors import InputRefused, LedgerError, NotFound
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.operation_forms import HANDED_IN
from web.problems import failure_data, form_status
from web.rendering import render
from web.submissions.contents import games_in
from web.submissions.forms import choices, document_of, filled, key_of, operation_form, operation_of
from web.submissions.permissions import HAND_IN, party_of
from web.submissions.uploads import Form, file_of, texts

routes = Routes()
_HAND_IN: Final = only(*HAND_IN)
AskedRound = Annotated[int | None, Query(alias="round", ge=1)]


@routes.get("/submissions/new", _HAND_IN)
def new_submission(request: Request) -> Response:
    """Shows the form for a file."""
    return _new(request, {})


@routes.post("/submissions/new", _HAND_IN)
def add_submission(request: Request, form: Form) -> Response:
    """Keeps a file as a draft."""
    form_, party = texts(form), party_of(request)
    try:
        chosen = file_of(form)
        if chosen is None:
            raise InputRefused("submission.no_file")
        name, file = chosen
        content = document_of(form_, name, games_in(file.data))
        submission = party.desk.draft(key_of(form_), party.account.name, content, file)
    except LedgerError as error:
        return _new(request, form_, error)
    return to_page("submissions", submission.id)


@routes.get("/corrections/new", _HAND_IN)
def new_correction(
    request: Request, tournament: str | None = None, round_: AskedRound = None
) -> Response:
    """Shows the form for a decision: first the tournament, then the board."""
    return _new_correction(request, dict(request.query_params), tournament, round_)


@routes.post("/corrections/new", _HAND_IN)
def add_correction(request: Request, form: Form) -> Response:
    """Keeps a decision as a draft."""
    form_, party = texts(form), party_of(request)
    try:
        content = site_of(request).newest().ask(operation_of, form_)
        submission = party.desk.draft(key_of(form_), party.account.name, content, None)
    except LedgerError as error:
        return _new_correction(request, form_, form_.get("tournament"), None, error)
    return to_page("submissions", submission.id)


def _new(request: Request, words: Mapping[str, str], error: LedgerError | None = None) -> Response:
    return render(
        request, "submission_new.html", form_status(error), said=_to_fill(words, error),
        error=failure_data(request, error), **choices(request),
    )  # fmt: skip


def _to_fill(words: Mapping[str, str], error: LedgerError | None) -> dict[str, str]:
    """Returns what a form shows again, under another key where its own is used."""
    is_used = error is not None and error.message.key == "submission.key_used"
    return filled({**words, "key": ""} if is_used else words)


def _new_correction(
    request: Request,
    words: Mapping[str, str],
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
    return render(
        request, "correction_new.html", form_status(error),
        said=_to_fill(words, error), found=found, round=round_, form=operation_form(words, error),
        operations=HANDED_IN, error=failure_data(request, error),
    )  # fmt: skip
