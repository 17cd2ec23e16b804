"""The pages on which a submission begins: a file, or a decision about what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fastapi import Request, Response

from ledger.answers.directory import PlayerSheet, player_recorded
from ledger.answers.tournaments import TournamentsWanted, all_tournaments, chosen
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.operations.kinds import MOST_ROUNDS
from ledger.operations.operation import Operation, WordsRefused
from ledger.reports.tournaments import TournamentLine
from ledger.service.boards import RecordedBoard, RecordedTournament, recorded_tournament
from ledger.typed_values import integer_in
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.forms import HANDED_IN, NOTHING, TypedForm
from web.kept_forms import waiting_form
from web.problems import failure_data, form_status
from web.rendering import render
from web.site import View
from web.submissions.contents import DocumentContent, games_in
from web.submissions.forms import (
    choices,
    document_of,
    key_of,
    known_ids,
    new_id,
    operation_form,
    operation_of,
    people_merged,
    undo_asked,
)
from web.submissions.permissions import HAND_IN, party_of
from web.submissions.uploads import Form

routes = Routes()
_HAND_IN: Final = only(*HAND_IN)
_UNSAID: Final = dict.fromkeys(DocumentContent.model_fields)
_SHOWN_TOURNAMENTS: Final = 8


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
def new_correction(request: Request) -> Response:
    """Shows the form for a decision: first the tournament, then the board."""
    typed = waiting_form(request)
    if not typed.is_sent:
        typed = TypedForm.of_pairs(request.query_params.multi_items(), path="")
    return _new_correction(request, typed)


@routes.post("/corrections/new", _HAND_IN)
def add_correction(request: Request, form: Form) -> Response:
    """Keeps a decision as a draft."""
    words, party = form.typed.texts, party_of(request)
    try:
        content = site_of(request).newest().ask(operation_of, words)
        submission = party.desk.draft(key_of(words), party.account.name, content, None)
    except LedgerError as error:
        return _new_correction(request, form.typed, error)
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
    request: Request, typed: TypedForm, error: LedgerError | None = None
) -> Response:
    newest, name = site_of(request).newest(), typed.value("tournament").strip()
    round_ = integer_in(typed.value("round"), least=1, most=MOST_ROUNDS)
    found: RecordedTournament | None = None
    fitting: Sequence[TournamentLine] = ()
    try:
        if name:
            found = newest.ask(recorded_tournament, name, round_)
        else:
            fitting = _fitting(newest, None)
    except NotFound as unknown:
        fitting = _fitting(newest, name)
        error = error or (None if fitting else unknown)
    undo = undo_asked(request, typed.value("what"), typed.value("commit"))
    board = None if found is None else _board(found, typed)
    given = _given(found, board) | ({"commit": typed.value("commit")} if undo["outlook"] else {})
    form = operation_form(typed.value("what"), typed, error)
    wrong = error.fields.keys() if isinstance(error, WordsRefused) else ()
    known = given.keys() & form.operation.kinds.keys()
    form = replace(form, given=frozenset(known.difference(wrong)))
    return render(
        request, "correction_new.html", form_status(error), typed, key=_key(typed, error),
        found=found, round=round_, board=board, asked_form=form, given=given,
        fitting=fitting, operations=HANDED_IN,
        error=failure_data(request, error), known_ids=known_ids(request), **undo,
        pair=people_merged(request, typed.value("what"), typed.texts),
        who=_player_meant(newest, form.operation, typed),
    )  # fmt: skip


def _player_meant(view: View, operation: Operation, typed: TypedForm) -> PlayerSheet | None:
    """Returns whom a form without a tournament is about, where that is known already."""
    kind = operation.kinds.get("player")
    if kind is None or kind.names != "player" or "tournament" in operation.kinds:
        return None
    try:
        return view.ask(player_recorded, typed.value("player").strip())
    except NotFound:
        return None


def _fitting(view: View, text: str | None) -> Sequence[TournamentLine]:
    """Returns the newest tournaments, or those of which a text may be the name."""
    wanted = TournamentsWanted(search=text, limit=_SHOWN_TOURNAMENTS)
    return chosen(view.recall(all_tournaments), wanted).lines


def _board(found: RecordedTournament, typed: TypedForm) -> RecordedBoard | None:
    """Returns the board that is meant, by those who sit at it, or one of them."""
    meant = {typed.value(name) for name in ("white", "black", "player")} - {""}
    sitting = (each for each in found.boards if meant and meant <= {*each.pairing.players})
    return next(sitting, None)


def _given(found: RecordedTournament | None, board: RecordedBoard | None) -> dict[str, str]:
    """Returns the fields that are known by what was chosen, and are not asked for again."""
    given = {} if found is None else {"tournament": found.id}
    if board is not None:
        pairing = board.pairing
        given |= {"round": str(pairing.round), "white": pairing.white, "player": pairing.white}
        given |= {"black": pairing.black} if pairing.black else {}
    return given
