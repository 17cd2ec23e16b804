"""Submissions by programs: handed in, looked at, decided, by the steps of the desk."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from ledger.application.ledger import Ledger, Receipt
from ledger.application.ledger import Request as LedgerRequest
from ledger.errors import Conflict, InputRefused, NotFound, Outdated
from ledger.terms import Rate
from web.access import Account, only, required_account
from web.api.command_routes import IdempotencyKey
from web.api.routing import ApiRoutes
from web.language import language_of
from web.office.submissions import OPEN, Submission, SubmissionState, SubmittedFile
from web.site import site_of
from web.submissions.contents import (
    AnyContent,
    CorrectionContent,
    Deciding,
    DocumentContent,
    games_in,
)
from web.submissions.decisions import PreviewAwaited, PreviewMoved, SubmissionMoved
from web.submissions.permissions import CLOSED, DECIDE, HAND_IN, SEE, desk_of, party_of
from web.submissions.previews import SubmissionPreview, preview_data
from web.submissions.uploads import MOST_BYTES, check_file

routes = ApiRoutes("submissions")
_SCOPE: Final = "submissions"
_HAND_IN: Final = only(*HAND_IN, scope=_SCOPE)
_SEE: Final = only(*SEE, scope=_SCOPE)
_DECIDE: Final = only(*DECIDE, scope=_SCOPE)
_BYTES: Final = "application/octet-stream"
_ID_SIGNS: Final = 16
_RATINGS: Final = "The ratings in it are seeds of this list."

SubmissionId = Annotated[str, Path(alias="submission", description="The submission's id.")]
Word = Annotated[str, Field(min_length=1, max_length=300, strict=True)]
Turn = Annotated[int, Field(ge=1, le=10**9, strict=True)]
Text = Annotated[str | None, Field(max_length=300)]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class CorrectionHandedIn(BaseModel):
    """A decision about what is recorded; ``result`` ``none`` takes a game out of the rating."""

    model_config = ConfigDict(extra="forbid")

    what: Deciding
    tournament: Word
    round: Annotated[int, Field(ge=1, le=10_000, strict=True)] | None = None
    white: Word | None = None
    black: Word | None = None
    result: Word | None = None
    rating_only: Annotated[bool, Field(strict=True)] = False
    rated_in: Word | None = None
    reason: Annotated[str, Field(min_length=1, max_length=500, strict=True)]


class FileHandedIn(BaseModel):
    """What is said of a file; ``list`` is whose seeds the ratings in it are."""

    model_config = ConfigDict(alias_generator=_kebab, populate_by_name=True)

    file: Annotated[str, Field(min_length=1, max_length=120, description="What it is called.")]
    list: Annotated[str | None, Field(max_length=300, description=_RATINGS)] = None
    tournament: Text = None
    rate_of_play: Rate | None = None
    rated_in: Text = None
    reason: Annotated[str, Field(max_length=500)] = ""
    as_correction: bool = False
    partial: bool = False


class SubmissionTurn(BaseModel):
    """What was seen of a submission: a step is taken by who saw the last one."""

    model_config = ConfigDict(extra="forbid")

    turn: Turn


class SubmissionComment(SubmissionTurn):
    """A step that says why."""

    comment: Annotated[str, Field(min_length=1, max_length=2_000, strict=True)]


class SubmissionAccepted(SubmissionTurn):
    """The preview that was seen: nothing else is recorded."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$", strict=True)]


# What is there


@routes.reads("/submissions", _SEE, "Submissions")
def submissions(
    request: Request,
    before: Annotated[str | None, Query(description="The `place` of the last one known.")] = None,
    *,
    done: Annotated[bool, Query(description="Those that are decided, or were withdrawn.")] = False,
) -> Any:
    """The submissions that are open, those changed last first; an arbiter's own only."""
    page = party_of(request).listed(CLOSED if done else OPEN, before)
    return {"submissions": [_data(each) for each in page.found], "older": page.older}


@routes.reads("/submissions/{submission}", _SEE, "SubmissionSeen")
def submission_seen(request: Request, id_: SubmissionId) -> Any:
    """A submission, with the digest of its preview: who accepts it says which one was seen."""
    return _seen(request, party_of(request).seen(id_))


@routes.reads("/submissions/{submission}/preview", _SEE, "Receipt", refused=(409,))
def submission_previewed(request: Request, id_: SubmissionId) -> Any:
    """What accepting a submission would record, and whom it would move.

    Of one that takes long (409, `submission.not_at_once`) the submission itself says as much as its
    page does, as soon as a job has found it out.
    """
    party = party_of(request)
    found = party.seen(id_)
    data = party.desk.data_of(found)
    return site_of(request).record(preview_data, found, data, language_of(request))


# Handing in


@routes.writes("/submissions/corrections", _HAND_IN, "SubmissionSeen")
def hand_in_correction(request: Request, said: CorrectionHandedIn, key: IdempotencyKey) -> Any:
    """Hands in a decision about a result or a tournament, for somebody else to accept."""
    content = CorrectionContent.model_validate(said.model_dump())
    return _handed_in(request, key, content, None)


async def _file(request: Request) -> bytes:
    """Reads a file as it comes; how long it may be says the route."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _BYTES:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, headers={"Accept": _BYTES})
    return await request.body()


@routes.writes(
    "/submissions/files",
    _HAND_IN,
    "SubmissionSeen",
    max_body_size=MOST_BYTES,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {_BYTES: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
def hand_in_file(
    request: Request,
    key: IdempotencyKey,
    data: Annotated[bytes, Depends(_file)],
    said: Annotated[FileHandedIn, Query()],
) -> Any:
    """Hands in a report, games or players, for somebody else to accept.

    What is wrong with the file is told by line and column; then nothing is handed in.
    """
    check_file(data)
    if said.as_correction and not said.reason:
        raise InputRefused("registrar.needs_reason")
    content = DocumentContent(**said.model_dump(), games=games_in(data))
    return _handed_in(request, key, content, SubmittedFile.of(data))


# Steps


@routes.writes("/submissions/{submission}/withdraw", _HAND_IN, "SubmissionSeen")
def withdraw_submission(request: Request, id_: SubmissionId, said: SubmissionTurn) -> Any:
    """Takes an own submission back that is not decided yet."""
    party = party_of(request)
    seen = party.own(id_)

    def step() -> None:
        party.desk.withdraw(seen, said.turn, party.account.name)

    return _stepped(request, seen, said, SubmissionState.WITHDRAWN, step)


@routes.writes("/submissions/{submission}/hand-back", _DECIDE, "SubmissionSeen")
def hand_back_submission(request: Request, id_: SubmissionId, said: SubmissionComment) -> Any:
    """Hands a submission back to be mended, with a comment."""
    party = party_of(request)
    seen = party.seen(id_)

    def step() -> None:
        party.desk.hand_back(seen, said.turn, party.account.name, said.comment)

    return _stepped(request, seen, said, SubmissionState.HANDED_BACK, step)


@routes.writes("/submissions/{submission}/refuse", _DECIDE, "SubmissionSeen")
def refuse_submission(request: Request, id_: SubmissionId, said: SubmissionComment) -> Any:
    """Refuses a submission for good, with a reason."""
    party = party_of(request)
    seen = party.seen(id_)

    def step() -> None:
        party.desk.refuse(seen, said.turn, party.account.name, said.comment)

    return _stepped(request, seen, said, SubmissionState.REFUSED, step)


@routes.writes("/submissions/{submission}/accept", _DECIDE, "SubmissionSeen")
def accept_submission(request: Request, id_: SubmissionId, said: SubmissionAccepted) -> Any:
    """Records what was handed in, if it still comes to the preview that was seen: one commit."""
    party = party_of(request)

    def step() -> None:
        party.desk.accept(id_, said.turn, party.account.name, said.digest)

    return _stepped(request, party.seen(id_), said, SubmissionState.ACCEPTED, step)


# What they come to


def _handed_in(
    request: Request, key: str, content: AnyContent, file: SubmittedFile | None
) -> dict[str, Any]:
    """Drafts a submission and hands it in; under the same key again it is the same one.

    Raises:
        InputRefused, NotFound: it could not be recorded; nothing is kept.
        Conflict: something else was handed in under the key.
    """
    account, desk = required_account(request), desk_of(request)
    id_ = _id_of(account.name, key)
    try:
        made = desk.found(id_)
    except NotFound:
        if isinstance(content, DocumentContent) and content.is_large:
            raise InputRefused("api.large_file") from None
        site_of(request).record(_try, content, file, account)
        made = desk.draft(id_, account.name, content, file)
    if (made.content, made.sha256) != (content.model_dump_json(), file and file.sha256):
        raise Conflict("api.key_used")
    if made.state is SubmissionState.DRAFT:
        with suppress(SubmissionMoved):  # by the same request, a moment before
            desk.hand_in(made, made.turn, account.name)
    return _seen(request, desk.found(id_))


def _try(ledger: Ledger, content: AnyContent, file: SubmittedFile | None, account: Account) -> None:
    """Refuses what could not be recorded, or is recorded already."""
    asked = LedgerRequest(
        actor=account.name, reason=content.reason, idempotency_key="", body="", dry_run=True
    )
    receipt: Receipt = content.carried_out(ledger, file.data if file else b"", asked)
    if not receipt.events:
        raise InputRefused("submission.nothing_new")


def _id_of(account: str, key: str) -> str:
    """Returns the id under which an account hands something in by a key."""
    digest = hashlib.sha256(f"{account}:{key}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:_ID_SIGNS]


def _stepped(
    request: Request,
    seen: Submission,
    said: SubmissionTurn,
    state: SubmissionState,
    step: Callable[[], None],
) -> dict[str, Any]:
    """Takes a step, once: whoever took the very same one before is answered likewise.

    Raises:
        Conflict: somebody took another step since.
        Outdated: it would come to something else than the preview that was seen.
    """
    try:
        step()
    except SubmissionMoved as moved:
        now, account = moved.submission, required_account(request)
        was_this = now.state is state and now.turn == said.turn + 1
        if not (was_this and now.decided_by in {None, account.name}):
            raise Conflict("submission.moved_on") from None
    except PreviewMoved:
        raise Outdated("submission.preview_moved") from None
    except PreviewAwaited:
        raise Conflict("submission.awaited") from None
    return _seen(request, desk_of(request).found(seen.id))


def _seen(request: Request, submission: Submission) -> dict[str, Any]:
    return _data(submission) | {"preview": _preview(request, submission)}


def _preview(request: Request, submission: Submission) -> dict[str, Any] | None:
    """Returns which preview of a submission there is; None while it is being made."""
    desk = desk_of(request)
    try:
        is_open = submission.state.is_open
        found = desk.preview(submission) if is_open else desk.last_preview(submission)
    except PreviewAwaited:
        return None
    if found is None:
        return None
    return {
        "seq": found.seq,
        "digest": found.digest,
        "can_be_recorded": found.can_be_recorded,
        "reaches_published": found.reaches_published,
        "counts": found.data["counts"],
        "moved": found.data["moved"],
        "impact": found.data["impact"],
        "refusal": _refusal(request, found),
    }


def _refusal(request: Request, found: SubmissionPreview) -> dict[str, Any] | None:
    """Returns why a submission cannot be recorded; None where it can."""
    refusal: dict[str, Any] | None = found.data["refusal"]
    return None if refusal is None else refusal[language_of(request)]


def _data(submission: Submission) -> dict[str, Any]:
    return {
        "submission": submission.id,
        "kind": submission.kind,
        "state": submission.state.value,
        "account": submission.account,
        "turn": submission.turn,
        "title": submission.title,
        "sha256": submission.sha256,
        "changed_at": dt.datetime.fromtimestamp(submission.changed_at, dt.UTC).isoformat(),
        "decided_by": submission.decided_by,
        "commit": submission.commit_id,
    }
