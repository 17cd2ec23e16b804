"""The pages of submissions: new ones, all, one with its preview, a preview for who has its link."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ledger.errors import Conflict, InputRefused, LedgerError, NotFound
from ledger.terms import Rate, Role
from web.access import PUBLIC, Account, Routes, only
from web.language import language_of
from web.office.submissions import OPEN, Submission, SubmissionState, SubmittedFile
from web.rendering import render
from web.site import site_of
from web.submissions.boards import asked_board
from web.submissions.common import (
    DECISIONS,
    HAND_IN,
    STATES,
    desk_of,
    list_names,
    signed_in,
    to_submission,
    told_failure,
    when,
)
from web.submissions.contents import AnyContent, DocumentContent, games_in, read_content
from web.submissions.decisions import (
    LINK_DAYS,
    PAGE,
    PreviewAwaited,
    PreviewMoved,
    SubmissionDesk,
    SubmissionMoved,
)
from web.submissions.forms import correction_of, document_of, turn_of
from web.submissions.previews import SubmissionPreview, changes, preview_data, summary
from web.submissions.uploads import Form, file_of, texts

routes = Routes()
_SEE: Final = only(Role.ARBITER, Role.OFFICER, Role.AUDITOR)
_DECIDE: Final = only(Role.OFFICER)
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{16})")
_CLOSED: Final = frozenset(SubmissionState) - OPEN
_AWAITING: Final = frozenset({SubmissionState.HANDED_IN})
_BEGUN: Final = OPEN - _AWAITING
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
    account = signed_in(request)
    place = _PLACE.fullmatch(before or "")
    cursor = (int(place[1]), place[2]) if place else None
    sees_all = _sees_all(account)
    states = _CLOSED if done else _BEGUN if begun else _AWAITING if sees_all else OPEN
    whose = None if sees_all else account.name
    found = desk_of(request).listed(whose, states, cursor, drafts_of=account.name)
    last = found[-1] if len(found) == PAGE else None
    return render(
        request, "submissions.html", found=found, states=STATES, when=when, done=done,
        older=f"{last.changed_at}-{last.id}" if last else None,
        may_hand_in=HAND_IN.allows(account), begun=begun, sees_all=sees_all,
    )  # fmt: skip


@routes.get("/submissions/{id_}", _SEE)
def one_submission(request: Request, id_: str) -> Response:
    """Shows a submission with its preview."""
    return _page(request, _visible(request, id_))


@routes.get("/submissions/{id_}/preview.json", _SEE)
def preview_json(request: Request, id_: str) -> Response:
    """Answers with the preview as the command line's ``--dry-run --format json`` says it."""
    submission = _visible(request, id_)
    data, language = desk_of(request).data_of(submission), language_of(request)
    return JSONResponse(site_of(request).record(preview_data, submission, data, language))


@routes.get("/submissions/{id_}/file", _SEE)
def submitted_file(request: Request, id_: str) -> Response:
    """Answers with the file that was handed in, to be saved."""
    submission = _visible(request, id_)
    data = desk_of(request).data_of(submission)
    if submission.sha256 is None or not data:
        raise NotFound("submission.no_file_kept")
    headers = {"Content-Disposition": f'attachment; filename="{submission.sha256[:16]}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


# Steps


@routes.post("/submissions/{id_}/mend", HAND_IN)
def mend(request: Request, id_: str, form: Form) -> Response:
    """Puts another content, or another file, in place of the one that is there."""
    seen, said, desk = _own(request, id_), texts(form), desk_of(request)

    def do() -> None:
        before = read_content(seen.content)
        content: AnyContent
        file: SubmittedFile | None = None
        if isinstance(before, DocumentContent):
            name, file = file_of(form) or (before.file, None)
            games = before.games if file is None else games_in(file.data)
            content = document_of(said, name, games)
        else:
            content = correction_of(said)
        desk.mend(seen, turn_of(said), content, file)

    return _stepped(request, seen, do)


@routes.post("/submissions/{id_}/hand-in", HAND_IN)
def hand_in(request: Request, id_: str, form: Form) -> Response:
    """JobInHand a draft in."""
    seen, said, account = _own(request, id_), texts(form), signed_in(request)
    return _stepped(
        request, seen, lambda: desk_of(request).hand_in(seen, turn_of(said), account.name)
    )


@routes.post("/submissions/{id_}/withdraw", HAND_IN)
def withdraw(request: Request, id_: str, form: Form) -> Response:
    """Takes a submission back."""
    seen, said, account = _own(request, id_), texts(form), signed_in(request)
    return _stepped(
        request, seen, lambda: desk_of(request).withdraw(seen, turn_of(said), account.name)
    )


@routes.post("/submissions/{id_}/hand-back", _DECIDE)
def hand_back(request: Request, id_: str, form: Form) -> Response:
    """JobInHand a submission back with a comment."""
    seen, said, account = _visible(request, id_), texts(form), signed_in(request)
    comment = said.get("comment", "")
    return _stepped(
        request,
        seen,
        lambda: desk_of(request).hand_back(seen, turn_of(said), account.name, comment),
    )


@routes.post("/submissions/{id_}/refuse", _DECIDE)
def refuse(request: Request, id_: str, form: Form) -> Response:
    """Refuses a submission with a reason."""
    seen, said, account = _visible(request, id_), texts(form), signed_in(request)
    comment = said.get("comment", "")
    return _stepped(
        request, seen, lambda: desk_of(request).refuse(seen, turn_of(said), account.name, comment)
    )


@routes.post("/submissions/{id_}/accept", _DECIDE)
def accept(request: Request, id_: str, form: Form) -> Response:
    """Records a submission, if it still comes to what was seen."""
    seen, said, account = _visible(request, id_), texts(form), signed_in(request)

    def do() -> str | None:
        return desk_of(request).accept(id_, turn_of(said), account.name, said.get("digest", ""))

    return _stepped(request, seen, do)


@routes.post("/submissions/{id_}/share", HAND_IN)
def share(request: Request, id_: str) -> Response:
    """Makes a link to the preview, for those who must agree; it is shown once."""
    submission = _may_share(request, id_)
    secret = desk_of(request).share(submission)
    link = f"{site_of(request).settings.origin}/previews/{secret}"
    return _page(request, submission, link=link)


@routes.post("/submissions/{id_}/unshare", HAND_IN)
def unshare(request: Request, id_: str) -> Response:
    """Ends the links to the preview."""
    desk_of(request).unshare(_may_share(request, id_))
    return to_submission(id_)


@routes.get("/previews/{secret}", PUBLIC)
def shared_preview(request: Request, secret: str) -> Response:
    """Shows a preview to who has its link; nobody keeps it, and no search engine lists it."""
    desk = desk_of(request)
    submission = desk.shared(secret)
    content = read_content(submission.content)
    preview, job = _looked_at(desk, submission)
    answer = render(
        request, "shared_preview.html", submission=submission, preview=preview,
        job=None if job is None else "", states=STATES, content=content,
        asked=site_of(request).newest().ask(asked_board, content),
        decisions=DECISIONS, when=when, summary=summary,
    )  # fmt: skip
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


# What they have in common


def _sees_all(account: Account) -> bool:
    return bool(account.roles & {Role.OFFICER, Role.AUDITOR})


def _visible(request: Request, id_: str) -> Submission:
    """Returns a submission that the account may see; others are as if they were not there."""
    account = signed_in(request)
    submission = desk_of(request).found(id_)
    if submission.account != account.name and not _sees_all(account):
        raise NotFound("submission.unknown")
    return submission


def _own(request: Request, id_: str) -> Submission:
    """Returns a submission of the account's own."""
    submission = _visible(request, id_)
    if submission.account != signed_in(request).name:
        raise NotFound("submission.unknown")
    return submission


def _may_share(request: Request, id_: str) -> Submission:
    """Returns a submission whose preview the account may show to others: its own, or any."""
    account = signed_in(request)
    submission = _visible(request, id_)
    if submission.account != account.name and Role.OFFICER not in account.roles:
        raise NotFound("submission.unknown")
    return submission


def _stepped(request: Request, seen: Submission, step: Callable[[], str | None]) -> Response:
    """Takes a step and shows the submission; where it was not taken, the page says why.

    A step that takes long returns its job.
    """
    try:
        job = step()
    except SubmissionMoved as moved:
        return _page(
            request, moved.submission, Conflict("submission.moved_on"), HTTPStatus.CONFLICT
        )
    except PreviewMoved as moved:
        return _page(
            request, desk_of(request).found(seen.id), Conflict("submission.preview_moved"),
            HTTPStatus.CONFLICT, moved=moved,
        )  # fmt: skip
    except PreviewAwaited:
        return _page(
            request, desk_of(request).found(seen.id), Conflict("submission.awaited"),
            HTTPStatus.CONFLICT,
        )  # fmt: skip
    except (InputRefused, Conflict, NotFound) as error:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, desk_of(request).found(seen.id), error, status)
    return (
        to_submission(seen.id)
        if job is None
        else RedirectResponse(f"/jobs/{job}", HTTPStatus.SEE_OTHER)
    )


def _page(
    request: Request,
    submission: Submission,
    error: LedgerError | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    *,
    link: str | None = None,
    moved: PreviewMoved | None = None,
) -> Response:
    account, desk = signed_in(request), desk_of(request)
    content = read_content(submission.content)
    is_own = submission.account == account.name
    preview, job = _looked_at(desk, submission)
    if moved is not None:
        preview, job = moved.now, None
    is_decider = _DECIDE.allows(account)
    return render(
        request, "one_submission.html", status,
        submission=submission, content=content, preview=preview, job=job,
        asked=site_of(request).newest().ask(asked_board, content),
        steps=desk.steps(submission), links=desk.links(submission), link=link,
        link_days=LINK_DAYS, states=STATES, decisions=DECISIONS, when=when, summary=summary,
        error=told_failure(request, error), is_own=is_own,
        may_share=is_own or is_decider, is_decider=is_decider,
        is_alone=is_decider and is_own and desk.needs_two(),
        changed=_changes(moved), lists=list_names(request), rates=[rate.value for rate in Rate],
    )  # fmt: skip


def _looked_at(
    desk: SubmissionDesk, submission: Submission
) -> tuple[SubmissionPreview | None, str | None]:
    """Returns the preview of a submission, or the job that is making it."""
    if not submission.state.is_open:
        return desk.last_preview(submission), None
    try:
        return desk.preview(submission), None
    except PreviewAwaited as awaited:
        return None, awaited.job


def _changes(moved: PreviewMoved | None) -> Any:
    if moved is None or moved.before is None:
        return None
    return changes(moved.before, moved.now)
