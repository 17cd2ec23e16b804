"""The pages of submissions: new ones, all, one with its preview, a preview for who has its link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse

from ledger.answers.commits import numbered_commit
from ledger.errors import Conflict, InputRefused, LedgerError, NotFound
from ledger.identifiers import Seq
from ledger.intake.imports import DocumentKind
from ledger.intake.table_columns import column_names
from ledger.operations.kinds import MOST_ROUNDS
from ledger.service.boards import RecordedBoard, recorded_tournament
from ledger.service.commit_outlooks import outlook_of
from ledger.service.merges import PeopleCompared
from ledger.typed_values import integer_in
from ledger.views.view import LedgerView
from ledger.wording import Message, Wording
from web.access import PUBLIC, Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.forms import NOTHING, OperationForm, TypedForm
from web.kept_forms import waiting_form
from web.language import language_of
from web.office.claims import find_claim
from web.office.jobs import Job
from web.office.store import office_of
from web.office.submissions import CLOSED, OPEN, Submission, SubmissionState, SubmittedFile
from web.problems import failure_data
from web.rendering import render
from web.submissions.claim_answers import claims_people
from web.submissions.contents import (
    AnyContent,
    DocumentContent,
    ErasureContent,
    OperationContent,
    UnreadableContent,
    games_in,
    read_content,
)
from web.submissions.decisions import SubmissionDesk
from web.submissions.forms import (
    choices,
    columns_of,
    decisions_of,
    document_of,
    erasure_of,
    filled,
    known_ids,
    lines_of,
    operation_form,
    operation_of,
    order_of_days,
    people_merged,
    turn_of,
    undo_asked,
)
from web.submissions.life import LIFE, StepName, Taker
from web.submissions.mentions import named_in, submissions_naming
from web.submissions.names import LABELS, STATES, names_in, statements_of, words_of
from web.submissions.permissions import DECIDE, HAND_IN, SEE, desk_of, party_of
from web.submissions.previews import (
    PreviewAwaited,
    PreviewMoved,
    SubmissionMoved,
    SubmissionPreview,
    changes,
    preview_data,
    summary,
    title_of,
)
from web.submissions.records import LINK_DAYS
from web.submissions.uploads import Form

routes = Routes()
_SEE: Final = only(*SEE)
_HAND_IN: Final = only(*HAND_IN)
_DECIDE: Final = only(*DECIDE)
_AWAITING: Final = frozenset({SubmissionState.HANDED_IN})
_BEGUN: Final = OPEN - _AWAITING
MOST_OF_PREVIEW: Final = 50  # of a kind in a preview, until all are asked for
Everything = Annotated[bool, Query(alias="all")]

# What is there


@routes.get("/submissions", _SEE)
def all_submissions(
    request: Request,
    before: str | None = None,
    done: bool = False,  # noqa: FBT001, FBT002
    begun: bool = False,  # noqa: FBT001, FBT002
) -> Response:
    """Lists the submissions that are open, or those that are done; an arbiter's own only.

    Who sees all has first what awaits a decision, apart from what is only begun: one's own drafts,
    and what was handed back.
    """
    party = party_of(request)
    usual = _AWAITING if party.sees_all else OPEN
    page = party.listed(CLOSED if done else _BEGUN if begun else usual, before)
    contents = {each.id: read_content(each.content) for each in page.found}
    names = site_of(request).newest().ask(names_in, [*contents.values()])
    return render(
        request, "submissions.html", found=page.found, older=page.older, states=STATES, done=done,
        titles={id_: content.in_words(names) for id_, content in contents.items()},
        may_hand_in=_HAND_IN.allows(party.account), begun=begun, sees_all=party.sees_all,
    )  # fmt: skip


@routes.get("/submissions/{id_}", _SEE)
def one_submission(request: Request, id_: str, *, everything: Everything = False) -> Response:
    """Shows a submission with its preview."""
    return _page(request, party_of(request).seen(id_), most=None if everything else MOST_OF_PREVIEW)


@routes.get("/submissions/{id_}/preview.json", _SEE)
def preview_json(request: Request, id_: str) -> Response:
    """Answers with the preview as the command line's ``--dry-run --format json`` says it."""
    submission = party_of(request).seen(id_)
    data, language = desk_of(request).data_of(submission), language_of(request)
    return JSONResponse(site_of(request).preview(preview_data, submission, data, language))


@routes.get("/submissions/{id_}/file", _SEE)
def submitted_file(request: Request, id_: str) -> Response:
    """Answers with the file that was handed in, to be saved."""
    submission = party_of(request).seen(id_)
    data = desk_of(request).data_of(submission)
    if submission.sha256 is None or not data:
        raise NotFound("submission.no_file_kept")
    headers = {"Content-Disposition": f'attachment; filename="{submission.sha256[:16]}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


# Steps


@routes.post("/submissions/{id_}/mend", _HAND_IN)
def mend(request: Request, id_: str, form: Form) -> Response:
    """Puts another content, or another file, in place of the one that is there."""
    party, words = party_of(request), form.typed.texts
    seen = party.own(id_)

    def step() -> None:
        before = read_content(seen.content)
        content: AnyContent
        file: SubmittedFile | None = None
        if isinstance(before, DocumentContent):
            name, file = form.file() or (before.file, None)
            games = before.games if file is None else games_in(file.data, form.encoding)
            content = document_of(words, name, games)
            choices = party.desk.column_choices(party.account.name)
            content = content.keeping(before) if file is None else content.knowing(choices)
        elif isinstance(before, ErasureContent):
            content = erasure_of(words, before.player)
        elif isinstance(before, UnreadableContent):
            raise InputRefused("submission.cannot_be_read")
        else:
            content = site_of(request).newest().ask(operation_of, {**words, "what": before.what})
        party.desk.mend(seen, turn_of(words), content, file)

    return _stepped(request, seen, step, form.typed)


@routes.post("/submissions/{id_}/people", _HAND_IN)
def decide_people(request: Request, id_: str, form: Form) -> Response:
    """Says of people in a file, as far as it was chosen, which members they are, or that new.

    With ``all`` the form is shown again, filled in; with ``again`` nobody is decided any more.
    """
    pairs, typed = form.typed.pairs, form.typed
    if typed.flag("all"):
        submission = party_of(request).own(id_)
        preview, _ = _looked_at(desk_of(request), submission)
        return _page(request, submission, sent=filled(typed, preview) if preview else typed)
    if typed.flag("again"):
        return _said_of_file(request, id_, form, DocumentContent.undecided)
    return _said_of_file(
        request, id_, form, lambda content: content.deciding(decisions_of(pairs), lines_of(pairs))
    )


@routes.post("/submissions/{id_}/columns", _HAND_IN)
def choose_columns(request: Request, id_: str, form: Form) -> Response:
    """Says what stands under the headings of a table, or that another sheet is meant."""
    typed = form.typed
    sheet = typed.texts.get("sheet", "")

    def change(content: DocumentContent) -> DocumentContent:
        if sheet and sheet != typed.texts.get("sheet_before"):
            return content.of_sheet(sheet)
        return content.of_columns(*columns_of(typed), order_of_days(typed))

    return _said_of_file(request, id_, form, change)


def _said_of_file(
    request: Request, id_: str, form: Form, change: Callable[[DocumentContent], DocumentContent]
) -> Response:
    """Changes what is said of a file that was handed in; the file stays."""
    party, typed = party_of(request), form.typed
    seen = party.own(id_)

    def step() -> None:
        content = read_content(seen.content)
        if not isinstance(content, DocumentContent):
            raise InputRefused("submission.bad_form")
        party.desk.mend(seen, turn_of(typed.texts), change(content), None)

    return _stepped(request, seen, step, typed)


@routes.post("/submissions/{id_}/look", _HAND_IN)
def look_again(request: Request, id_: str) -> Response:
    """Has a preview made that takes long, where making it was given up."""
    submission = party_of(request).shareable(id_)
    with suppress(PreviewAwaited):
        desk_of(request).preview(submission)
    return to_page("submissions", id_)


def _add(step: StepName) -> None:
    """Adds the route of a step that a form takes with no more than a comment."""

    def take(request: Request, id_: str, form: Form) -> Response:
        party, words = party_of(request), form.typed.texts
        seen, comment = party.found(id_, step), words.get("comment", "")
        taken = partial(party.desk.take, step, seen, turn_of(words), party.account.name, comment)
        return _stepped(request, seen, taken, form.typed)

    by_owner = LIFE[step].taker is Taker.OWNER
    routes.post(f"/submissions/{{id_}}/{step}", _HAND_IN if by_owner else _DECIDE)(take)


for each in (
    StepName.HAND_IN,
    StepName.WITHDRAW,
    StepName.HAND_BACK,
    StepName.REFUSE,
    StepName.BLANK,
):
    _add(each)


@routes.post("/submissions/{id_}/accept", _DECIDE)
def accept(request: Request, id_: str, form: Form) -> Response:
    """Records a submission, if it still comes to what was seen."""
    party, words = party_of(request), form.typed.texts
    decision = turn_of(words), party.account.name, words.get("digest", "")
    return _stepped(request, party.seen(id_), lambda: party.desk.accept(id_, *decision))


@routes.post("/submissions/{id_}/share", _HAND_IN)
def share(request: Request, id_: str) -> Response:
    """Makes a link to the preview, for those who must agree; it is shown once."""
    submission = party_of(request).shareable(id_)
    secret = desk_of(request).share(submission)
    link = f"{site_of(request).settings.origin}/previews/{secret}"
    return _page(request, submission, link=link)


@routes.post("/submissions/{id_}/unshare", _HAND_IN)
def unshare(request: Request, id_: str) -> Response:
    """Ends the links to the preview."""
    desk_of(request).unshare(party_of(request).shareable(id_))
    return to_page("submissions", id_)


@routes.get("/previews/{secret}", PUBLIC)
def shared_preview(request: Request, secret: str, *, everything: Everything = False) -> Response:
    """Shows a preview to who has its link; nobody keeps it, and no search engine lists it."""
    desk = desk_of(request)
    submission = desk.shared(secret)
    content = read_content(submission.content)
    preview, job = _looked_at(desk, submission)
    # Whoever has the link reads it: who is to be erased is not named to them.
    names = site_of(request).newest().ask(names_in, [] if content.erases else [content])
    answer = render(
        request, "shared_preview.html", submission=submission, preview=preview, job=job,
        states=STATES, content=content, statements=statements_of(content),
        most=None if everything else MOST_OF_PREVIEW,
        asked=site_of(request).newest().ask(asked_board, content, submission.commit_id),
        title=title_of(content, preview, names), names=names,
        summary=summary, words=words_of(submission.state), **_undo(request, content, submission),
    )  # fmt: skip
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


# What they have in common


def _stepped(
    request: Request,
    seen: Submission,
    step: Callable[[], str | None],
    sent: TypedForm = NOTHING,
) -> Response:
    """Takes a step and shows the submission; where it was not taken, the page says why.

    What was ``sent`` is shown again then. A step that takes long returns its job.
    """
    moved, status = None, HTTPStatus.CONFLICT
    error: LedgerError
    try:
        job = step()
    except SubmissionMoved:
        error = Conflict("submission.moved_on")
    except PreviewMoved as found:
        error, moved = Conflict("submission.preview_moved"), found
    except PreviewAwaited:
        error = Conflict("submission.awaited")
    except (InputRefused, Conflict, NotFound) as refused:
        error, status = refused, HTTPStatus.UNPROCESSABLE_ENTITY
    else:
        return to_page("submissions", seen.id) if job is None else to_page("jobs", job)
    now = desk_of(request).found(seen.id)
    return _page(request, now, error, status, moved=moved, sent=sent)


def _page(
    request: Request,
    submission: Submission,
    error: LedgerError | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    *,
    link: str | None = None,
    moved: PreviewMoved | None = None,
    sent: TypedForm = NOTHING,
    most: int | None = MOST_OF_PREVIEW,
) -> Response:
    party, desk = party_of(request), desk_of(request)
    content = read_content(submission.content)
    is_own = party.owns(submission)
    preview, job = _looked_at(desk, submission)
    if moved is not None:
        preview, job = moved.now, None
    is_decider = party.decides
    names = site_of(request).newest().ask(names_in, [content])
    return render(
        request, "one_submission.html", status, sent,
        submission=submission, content=content, statements=statements_of(content),
        preview=preview, job=job, title=title_of(content, preview, names), names=names, most=most,
        asked=site_of(request).newest().ask(asked_board, content, submission.commit_id),
        steps=desk.steps(submission), links=desk.links(submission), link=link,
        link_days=LINK_DAYS, states=STATES, summary=summary,
        words=words_of(submission.state),
        error=failure_data(request, error), is_own=is_own,
        may_share=is_own or is_decider, may=partial(party.may, submission),
        is_alone=is_decider and is_own and desk.needs_two(),
        has_file=desk.has_file(submission), undecided=_undecided(request, submission, preview),
        named_in=named_in, refused=sent, labels=_labels(content),
        **_undo(request, content, submission), **_claim(request, submission),
        asked_form=_form(content, sent if sent.is_sent else waiting_form(request), error),
        changed=_changes(moved), pair=_pair(request, submission, content),
        is_left=_is_left(request, submission), column_names=_column_names(preview),
        known_ids=known_ids(request), **choices(request),
    )  # fmt: skip


def _claim(request: Request, submission: Submission) -> dict[str, Any]:
    """Returns the claim of which a submission was made, for who decides, and what is said of it."""
    with office_of(request).reading() as connection:
        claim = find_claim(connection, submission.id)
    answers = () if claim is None else claims_people(request).answers(claim)
    return {"claim": claim, "claim_answers": answers}


def _undo(request: Request, content: AnyContent, submission: Submission) -> dict[str, Any]:
    """Returns what is said of a commit: that which is taken back, or which recorded this."""
    words = content.words if isinstance(content, OperationContent) else {}
    about = undo_asked(request, getattr(content, "what", ""), words.get("commit", ""))
    number = submission.commit_id
    recorded = None if number is None else site_of(request).newest().recall(outlook_of, number)
    return {**about, "recorded": recorded}


def _column_names(preview: SubmissionPreview | None) -> list[tuple[str, Wording]]:
    """Returns what a column of the table that was looked at can be; nothing, where it is none."""
    table = None if preview is None else preview.table
    kind = None if table is None else table["kind"]
    return [] if kind is None else column_names(DocumentKind(kind))


def _labels(content: AnyContent) -> Mapping[str, Message | Wording]:
    """Returns what a form calls its fields."""
    if isinstance(content, OperationContent):
        return {name: kind.called for name, kind in content.operation.kinds.items()} | {
            "reason": LABELS["reason"]
        }
    return LABELS


def _form(content: AnyContent, sent: TypedForm, error: LedgerError | None) -> OperationForm | None:
    """Returns the form in which an operation is mended: as it was typed now, or before."""
    if not isinstance(content, OperationContent):
        return None
    is_mended = bool(_labels(content).keys() & sent.texts.keys())
    words = {**content.words, "reason": content.reason}
    typed = sent if is_mended else TypedForm.of_pairs(words.items(), path="")
    return operation_form(content.what, typed, error)


def _pair(request: Request, submission: Submission, content: AnyContent) -> PeopleCompared | None:
    """Returns the two whom a decision would merge, as long as it is open."""
    if not (isinstance(content, OperationContent) and submission.state.is_open):
        return None
    return people_merged(request, content.what, content.words)


def _looked_at(
    desk: SubmissionDesk, submission: Submission
) -> tuple[SubmissionPreview | None, Job | None]:
    """Returns the preview of a submission, or the job that is making it, or was to."""
    try:
        return desk.shown_preview(submission), None
    except PreviewAwaited as awaited:
        return None, awaited.job


def _undecided(
    request: Request, submission: Submission, preview: SubmissionPreview | None
) -> list[Message]:
    """Returns what holds the name of whom it erases and came after its preview was made."""
    erased = read_content(submission.content).erases
    if erased is None or not submission.state.is_open:
        return []
    known = [] if preview is None else preview.data.get("undecided", ())
    with suppress(InputRefused, NotFound):  # then the preview says why
        naming_ = submissions_naming(office_of(request), site_of(request), erased)
        return [each for each in naming_ if named_in([each])[0] not in known]
    return []


def _is_left(request: Request, submission: Submission) -> bool:
    """Whether a person was erased, and bytes of the name may be in the ledger's files still."""
    if submission.kind != "erasure" or submission.state is not SubmissionState.ACCEPTED:
        return False
    return site_of(request).newest().ask(lambda ledger: not ledger.whole.journal.is_scrubbed())


def _changes(moved: PreviewMoved | None) -> Any:
    if moved is None or moved.before is None:
        return None
    return changes(moved.before, moved.now)


@dataclass(frozen=True, slots=True)
class AskedBoard:
    """What a decision is about, in names: the tournament, and its board with what is recorded."""

    tournament: str
    board: RecordedBoard | None


def asked_board(view: LedgerView, content: AnyContent, commit: int | None) -> AskedBoard | None:
    """Returns what a decision is about; None for a file, or where it is not recorded.

    Args:
        view: the ledger as it is known now.
        content: what is asked for.
        commit: the one that recorded it: then the board is as it was before.
    """
    if not isinstance(content, OperationContent) or "tournament" not in content.words:
        return None
    words = content.words
    try:
        seq = None if commit is None else Seq(numbered_commit(view, commit).first_seq - 1)
        round_ = integer_in(words.get("round", ""), least=1, most=MOST_ROUNDS)
        found = recorded_tournament(view, words["tournament"], round_, seq)
    except NotFound:
        return None
    seats = (words.get("white", ""), words.get("black"))
    boards = {(each.pairing.white, each.pairing.black): each for each in found.boards}
    board = boards.get(seats)
    return AskedBoard(found.name, board)
