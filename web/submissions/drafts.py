"""The pages on which a submission begins: a file, or a decision about what is recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from fastapi import Query, Request, Response

from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.service.boards import recorded_tournament
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.forms import HANDED_IN, NOTHING, TypedForm
from web.kept_forms import waiting_form
from web.problems import failure_data, form_status
from web.rendering import render
from web.submissions.contents import DocumentContent, games_in
from web.submissions.forms import (
    choices,
    document_of,
    key_of,
    known_ids,
    new_id,
    operation_form,
    operation_of,
    undo_asked,
)
from web.submissions.permissions import HAND_IN, party_of
from web.submissions.uploads import Form

routes = Routes()
_HAND_IN: Final = only(*HAND_IN)
_UNSAID: Final = dict.fromkeys(DocumentContent.model_fields)
AskedRound = Annotated[int | None, Query(alias="round", ge=1)]


@routes.get("/submissions/new", _HAND_IN)
def new_submission(request: Request) -> Response:
    """Shows the form for a file."""
    return _new(request, NOTHING)


@routes.post("/submissions/new", _HAND_IN)
def add_submission(request: Request, form: Form) -> Response:
    """Keeps a file as a draft."""
    words, party = form.typed.texts, party_of(request)
    try:
        chosen = form.file()
        if chosen is None:
            raise InputRefused("submission.no_file")
        name, file = chosen
        content = document_of(words, name, games_in(file.data, form.encoding))
        content = content.knowing(party.desk.column_choices(party.account.name))
        submission = party.desk.draft(key_of(words), party.account.name, content, file)
    except LedgerError as error:
        return _new(request, form.typed, error)
    return to_page("submissions", submission.id)


@routes.get("/corrections/new", _HAND_IN)
def new_correction(
    request: Request, tournament: str | None = None, round_: AskedRound = None
) -> Response:
    """Shows the form for a decision: first the tournament, then the board."""
    typed = waiting_form(request)
    if typed.is_sent:
        return _new_correction(request, typed, typed.text("tournament"), None)
    words = TypedForm.of_pairs(request.query_params.multi_items(), path="")
    return _new_correction(request, words, tournament, round_)


@routes.post("/corrections/new", _HAND_IN)
def add_correction(request: Request, form: Form) -> Response:
    """Keeps a decision as a draft."""
    words, party = form.typed.texts, party_of(request)
    try:
        content = site_of(request).newest().ask(operation_of, words)
        submission = party.desk.draft(key_of(words), party.account.name, content, None)
    except LedgerError as error:
        return _new_correction(request, form.typed, words.get("tournament"), None, error)
    return to_page("submissions", submission.id)


def _new(request: Request, typed: TypedForm, error: LedgerError | None = None) -> Response:
    return render(
        request, "submission_new.html", form_status(error), typed, key=_key(typed, error),
        said=_UNSAID, error=failure_data(request, error), **choices(request),
    )  # fmt: skip


def _key(typed: TypedForm, error: LedgerError | None) -> str:
    """Returns the key of a form: its own again, unless that is used."""
    is_used = error is not None and error.message.key == "submission.key_used"
    return new_id() if is_used else typed.text("key") or new_id()


def _new_correction(
    request: Request,
    typed: TypedForm,
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
    undo = undo_asked(request, typed.value("what"), typed.value("commit"))
    form = operation_form(typed.value("what"), typed, error)
    if undo["outlook"]:
        form = replace(form, given=frozenset({"commit"}))
    return render(
        request, "correction_new.html", form_status(error), typed, key=_key(typed, error),
        found=found, round=round_, asked_form=form,
        operations=HANDED_IN, error=failure_data(request, error), known_ids=known_ids(request),
        **undo,
    )  # fmt: skip
