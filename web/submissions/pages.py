"""The pages of submissions: new ones, all, one with its preview, a preview for who has its link."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ledger.application.lists import described_lists
from ledger.errors import Conflict, InputRefused, LedgerError, NotFound, Problem
from ledger.terms import Rate, Role
from web.access import PUBLIC, Account, Routes, account_of, only
from web.language import language_of
from web.office.submissions import OPEN, Submission, SubmissionState, SubmittedFile
from web.rendering import render
from web.site import site_of
from web.submissions.boards import recorded_tournament
from web.submissions.contents import AnyContent, Deciding, DocumentContent, read_content
from web.submissions.decisions import (
    LINK_DAYS,
    PAGE,
    PreviewMoved,
    SubmissionDesk,
    SubmissionMoved,
)
from web.submissions.forms import correction_of, document_of, filled, key_of, turn_of
from web.submissions.previews import changes, preview_data, summary
from web.submissions.uploads import Form, file_of, texts

routes = Routes()
_HAND_IN: Final = only(Role.ARBITER, Role.OFFICER)
_SEE: Final = only(Role.ARBITER, Role.OFFICER, Role.AUDITOR)
_DECIDE: Final = only(Role.OFFICER)
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{16})")
AskedRound = Annotated[int | None, Query(alias="round", ge=1)]
_CLOSED: Final = frozenset(SubmissionState) - OPEN
STATES: Final[Mapping[str, str]] = {
    "draft": "submission.draft",
    "handed-in": "submission.handed_in",
    "handed-back": "submission.handed_back",
    "accepted": "submission.accepted",
    "refused": "submission.refused",
    "withdrawn": "submission.withdrawn",
    "mended": "submission.mended",
}
"""What is said of a state, or of a step."""
DECISIONS: Final[Mapping[Deciding, str]] = {
    Deciding.RESULT: "submission.decide_result",
    Deciding.ANNUL_RESULT: "submission.decide_annul_result",
    Deciding.ANNUL_TOURNAMENT: "submission.decide_annul_tournament",
    Deciding.ACCEPT_TOURNAMENT: "submission.decide_accept",
    Deciding.REJECT_TOURNAMENT: "submission.decide_reject",
}


# New ones


@routes.get("/submissions/new", _HAND_IN)
def new_submission(request: Request) -> Response:
    """Shows the form for a file."""
    return _new(request, {})


@routes.post("/submissions/new", _HAND_IN)
def add_submission(request: Request, form: Form) -> Response:
    """Keeps a file as a draft."""
    said = texts(form)
    try:
        chosen = file_of(form)
        if chosen is None:
            raise InputRefused("submission.no_file")
        name, file = chosen
        content = document_of(said, name)
        made = _desk(request).draft(key_of(said), _account(request).name, content, file)
    except LedgerError as error:
        return _new(request, said, error)
    return _to(made.id)


@routes.get("/corrections/new", _HAND_IN)
def new_correction(
    request: Request, tournament: str | None = None, round_: AskedRound = None
) -> Response:
    """Shows the form for a decision: first the tournament, then the board."""
    return _new_correction(request, dict(request.query_params), tournament, round_)


@routes.post("/corrections/new", _HAND_IN)
def add_correction(request: Request, form: Form) -> Response:
    """Keeps a decision as a draft."""
    said = texts(form)
    try:
        content = correction_of(said)
        made = _desk(request).draft(key_of(said), _account(request).name, content, None)
    except LedgerError as error:
        return _new_correction(request, said, said.get("tournament"), None, error)
    return _to(made.id)


# What is there


@routes.get("/submissions", _SEE)
def all_submissions(
    request: Request,
    before: str | None = None,
    done: bool = False,  # noqa: FBT001, FBT002
) -> Response:
    """Lists the submissions that are open, or those that are done; an arbiter's own only."""
    account = _account(request)
    place = _PLACE.fullmatch(before or "")
    cursor = (int(place[1]), place[2]) if place else None
    states = _CLOSED if done else OPEN
    desk = _desk(request)
    found = desk.listed(None if _sees_all(account) else account.name, states, cursor)
    last = found[-1] if len(found) == PAGE else None
    return render(
        request, "submissions.html", found=found, states=STATES, when=_when, done=done,
        older=f"{last.changed_at}-{last.id}" if last else None,
        may_hand_in=_HAND_IN.allows(account),
    )  # fmt: skip


@routes.get("/submissions/{id_}", _SEE)
def one_submission(request: Request, id_: str) -> Response:
    """Shows a submission with its preview."""
    return _page(request, _visible(request, id_))


@routes.get("/submissions/{id_}/preview.json", _SEE)
def preview_json(request: Request, id_: str) -> Response:
    """Answers with the preview as the command line's ``--dry-run --format json`` says it."""
    submission = _visible(request, id_)
    data, language = _desk(request).data_of(submission), language_of(request)
    return JSONResponse(site_of(request).record(preview_data, submission, data, language))


@routes.get("/submissions/{id_}/file", _SEE)
def submitted_file(request: Request, id_: str) -> Response:
    """Answers with the file that was handed in, to be saved."""
    submission = _visible(request, id_)
    data = _desk(request).data_of(submission)
    if submission.sha256 is None or not data:
        raise NotFound("submission.no_file_kept")
    headers = {"Content-Disposition": f'attachment; filename="{submission.sha256[:16]}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


# Steps


@routes.post("/submissions/{id_}/mend", _HAND_IN)
def mend(request: Request, id_: str, form: Form) -> Response:
    """Puts another content, or another file, in place of the one that is there."""
    seen, said, desk = _own(request, id_), texts(form), _desk(request)

    def do() -> None:
        before = read_content(seen.content)
        content: AnyContent
        file: SubmittedFile | None = None
        if isinstance(before, DocumentContent):
            name, file = file_of(form) or (before.file, None)
            content = document_of(said, name)
        else:
            content = correction_of(said)
        desk.mend(seen, turn_of(said), content, file)

    return _stepped(request, seen, do)


@routes.post("/submissions/{id_}/hand-in", _HAND_IN)
def hand_in(request: Request, id_: str, form: Form) -> Response:
    """Hands a draft in."""
    seen, said, account = _own(request, id_), texts(form), _account(request)
    return _stepped(
        request, seen, lambda: _desk(request).hand_in(seen, turn_of(said), account.name)
    )


@routes.post("/submissions/{id_}/withdraw", _HAND_IN)
def withdraw(request: Request, id_: str, form: Form) -> Response:
    """Takes a submission back."""
    seen, said, account = _own(request, id_), texts(form), _account(request)
    return _stepped(
        request, seen, lambda: _desk(request).withdraw(seen, turn_of(said), account.name)
    )


@routes.post("/submissions/{id_}/hand-back", _DECIDE)
def hand_back(request: Request, id_: str, form: Form) -> Response:
    """Hands a submission back with a comment."""
    seen, said, account = _visible(request, id_), texts(form), _account(request)
    comment = said.get("comment", "")
    return _stepped(
        request, seen, lambda: _desk(request).hand_back(seen, turn_of(said), account.name, comment)
    )


@routes.post("/submissions/{id_}/refuse", _DECIDE)
def refuse(request: Request, id_: str, form: Form) -> Response:
    """Refuses a submission with a reason."""
    seen, said, account = _visible(request, id_), texts(form), _account(request)
    comment = said.get("comment", "")
    return _stepped(
        request, seen, lambda: _desk(request).refuse(seen, turn_of(said), account.name, comment)
    )


@routes.post("/submissions/{id_}/accept", _DECIDE)
def accept(request: Request, id_: str, form: Form) -> Response:
    """Records a submission, if it still comes to what was seen."""
    seen, said, account = _visible(request, id_), texts(form), _account(request)

    def do() -> None:
        _desk(request).accept(id_, turn_of(said), account.name, said.get("digest", ""))

    return _stepped(request, seen, do)


@routes.post("/submissions/{id_}/share", _HAND_IN)
def share(request: Request, id_: str) -> Response:
    """Makes a link to the preview, for those who must agree; it is shown once."""
    submission = _may_share(request, id_)
    secret = _desk(request).share(submission)
    link = f"{site_of(request).settings.origin}/previews/{secret}"
    return _page(request, submission, link=link)


@routes.post("/submissions/{id_}/unshare", _HAND_IN)
def unshare(request: Request, id_: str) -> Response:
    """Ends the links to the preview."""
    _desk(request).unshare(_may_share(request, id_))
    return _to(id_)


@routes.get("/previews/{secret}", PUBLIC)
def shared_preview(request: Request, secret: str) -> Response:
    """Shows a preview to who has its link; nobody keeps it, and no search engine lists it."""
    desk = _desk(request)
    submission = desk.shared(secret)
    preview = (
        desk.preview(submission) if submission.state.is_open else desk.last_preview(submission)
    )
    answer = render(
        request, "shared_preview.html", submission=submission, preview=preview, states=STATES,
        content=read_content(submission.content), decisions=DECISIONS, when=_when, summary=summary,
    )  # fmt: skip
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


# What they have in common


def _desk(request: Request) -> SubmissionDesk:
    """Returns the desk of the site; raises ``NotFound`` where nobody can hand anything in."""
    office = request.app.state.office
    if office is None:
        raise NotFound("submission.no_office")
    return SubmissionDesk(office, site_of(request))


def _account(request: Request) -> Account:
    account = account_of(request)
    assert account is not None, "the route is for who signed in"
    return account


def _sees_all(account: Account) -> bool:
    return bool(account.roles & {Role.OFFICER, Role.AUDITOR})


def _visible(request: Request, id_: str) -> Submission:
    """Returns a submission that the account may see; others are as if they were not there."""
    account = _account(request)
    submission = _desk(request).found(id_)
    if submission.account != account.name and not _sees_all(account):
        raise NotFound("submission.unknown")
    return submission


def _own(request: Request, id_: str) -> Submission:
    """Returns a submission of the account's own."""
    submission = _visible(request, id_)
    if submission.account != _account(request).name:
        raise NotFound("submission.unknown")
    return submission


def _may_share(request: Request, id_: str) -> Submission:
    """Returns a submission whose preview the account may show to others: its own, or any."""
    account = _account(request)
    submission = _visible(request, id_)
    if submission.account != account.name and Role.OFFICER not in account.roles:
        raise NotFound("submission.unknown")
    return submission


def _stepped(request: Request, seen: Submission, step: Any) -> Response:
    """Takes a step and shows the submission; where it was not taken, the page says why."""
    try:
        step()
    except SubmissionMoved as moved:
        return _page(
            request, moved.submission, Conflict("submission.moved_on"), HTTPStatus.CONFLICT
        )
    except PreviewMoved as moved:
        return _page(
            request, _desk(request).found(seen.id), Conflict("submission.preview_moved"),
            HTTPStatus.CONFLICT, moved=moved,
        )  # fmt: skip
    except (InputRefused, Conflict, NotFound) as error:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, _desk(request).found(seen.id), error, status)
    return _to(seen.id)


def _page(
    request: Request,
    submission: Submission,
    error: LedgerError | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    *,
    link: str | None = None,
    moved: PreviewMoved | None = None,
) -> Response:
    account, desk = _account(request), _desk(request)
    is_own = submission.account == account.name
    preview = (
        desk.preview(submission) if submission.state.is_open else desk.last_preview(submission)
    )
    if moved is not None:
        preview = moved.now
    is_decider = _DECIDE.allows(account)
    return render(
        request, "one_submission.html", status,
        submission=submission, content=read_content(submission.content), preview=preview,
        steps=desk.steps(submission), links=desk.links(submission), link=link,
        link_days=LINK_DAYS, states=STATES, decisions=DECISIONS, when=_when, summary=summary,
        error=_told(request, error), is_own=is_own,
        may_share=is_own or is_decider, is_decider=is_decider,
        is_alone=is_decider and is_own and desk.needs_two(),
        changed=_changes(moved), lists=_lists(request), rates=[rate.value for rate in Rate],
    )  # fmt: skip


def _changes(moved: PreviewMoved | None) -> Any:
    if moved is None or moved.before is None:
        return None
    return changes(moved.before, moved.now)


def _told(request: Request, error: LedgerError | None) -> dict[str, Any] | None:
    """Returns a failure as a page shows it."""
    if error is None:
        return None
    language = language_of(request)
    details: tuple[Problem, ...] = error.details
    return {
        "message": error.message.within(language),
        "details": [
            {"line": each.line, "column": each.column, "message": each.message.within(language)}
            for each in details
        ],
    }


def _new(request: Request, said: Mapping[str, str], error: LedgerError | None = None) -> Response:
    status = HTTPStatus.OK if error is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(
        request, "submission_new.html", status, said=filled(said),
        lists=_lists(request), rates=[rate.value for rate in Rate], error=_told(request, error),
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
        decisions=DECISIONS, lists=_lists(request), error=_told(request, error),
    )  # fmt: skip


def _lists(request: Request) -> list[str]:
    """Returns the names of the lists."""
    described = site_of(request).newest().ask(described_lists)
    return [str(each["list"]) for each in described]


def _to(id_: str) -> Response:
    return RedirectResponse(f"/submissions/{id_}", HTTPStatus.SEE_OTHER)


def _when(at: int) -> str:
    """Writes an instant."""
    return dt.datetime.fromtimestamp(at, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
