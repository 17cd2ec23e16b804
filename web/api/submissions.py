"""Submissions by programs: which there are, what they come to, and what is decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final

from fastapi import Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from ledger.errors import Conflict, Outdated
from web.access import only, required_account
from web.api.routing import ApiRoutes
from web.fields import MOST_REASON
from web.instants import iso_moment
from web.language import language_of
from web.office.submissions import OPEN, Submission, SubmissionState
from web.site import site_of
from web.submissions.interruptions import PreviewAwaited, PreviewMoved, SubmissionMoved
from web.submissions.permissions import CLOSED, DECIDE, SEE, desk_of, party_of
from web.submissions.previews import SubmissionPreview, preview_data

routes = ApiRoutes("submissions")
SCOPE: Final = "submissions"
"""What a token needs."""
SubmissionId = Annotated[str, Path(alias="submission", description="The submission's id.")]
Turn = Annotated[int, Field(ge=1, le=10**9, strict=True)]
_SEE: Final = only(*SEE, scope=SCOPE)
_DECIDE: Final = only(*DECIDE, scope=SCOPE)


class SubmissionTurn(BaseModel):
    """What was seen of a submission: a step is taken by who saw the last one."""

    model_config = ConfigDict(extra="forbid")

    turn: Turn


class SubmissionComment(SubmissionTurn):
    """A step that says why."""

    comment: Annotated[str, Field(min_length=1, max_length=MOST_REASON, strict=True)]


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
    return {"submissions": [submission_data(each) for each in page.found], "older": page.older}


@routes.reads("/submissions/{submission}", _SEE, "SubmissionSeen")
def submission_seen(request: Request, id_: SubmissionId) -> Any:
    """A submission, with the digest of its preview: who accepts it says which one was seen."""
    return seen_data(request, party_of(request).seen(id_))


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


# Deciding


@routes.writes("/submissions/{submission}/hand-back", _DECIDE, "SubmissionSeen")
def hand_back_submission(request: Request, id_: SubmissionId, said: SubmissionComment) -> Any:
    """Hands a submission back to be mended, with a comment."""
    party = party_of(request)
    seen = party.seen(id_)
    step = partial(party.desk.hand_back, seen, said.turn, party.account.name, said.comment)
    return stepped(request, seen, said.turn, SubmissionState.HANDED_BACK, step)


@routes.writes("/submissions/{submission}/refuse", _DECIDE, "SubmissionSeen")
def refuse_submission(request: Request, id_: SubmissionId, said: SubmissionComment) -> Any:
    """Refuses a submission for good, with a reason."""
    party = party_of(request)
    seen = party.seen(id_)
    step = partial(party.desk.refuse, seen, said.turn, party.account.name, said.comment)
    return stepped(request, seen, said.turn, SubmissionState.REFUSED, step)


@routes.writes("/submissions/{submission}/accept", _DECIDE, "SubmissionSeen")
def accept_submission(request: Request, id_: SubmissionId, said: SubmissionAccepted) -> Any:
    """Records what was handed in, if it still comes to the preview that was seen: one commit."""
    party = party_of(request)
    step = partial(party.desk.accept, id_, said.turn, party.account.name, said.digest)
    return stepped(request, party.seen(id_), said.turn, SubmissionState.ACCEPTED, step)


# What programs are told


def stepped(
    request: Request,
    seen: Submission,
    turn: int,
    state: SubmissionState,
    step: Callable[[], str | None],
    is_same: Callable[[Submission], bool] = lambda _now: True,
) -> dict[str, Any]:
    """Takes a step, once: whoever took the very same one before is answered likewise.

    Args:
        request: who asks.
        seen: the submission, as it stands.
        turn: as it was when somebody decided on the step.
        state: to which it leads.
        step: takes it; returns the job that does, where that takes long.
        is_same: whether it is this step that led to where the submission is now.

    Raises:
        Conflict: somebody took another step since.
        Outdated: it would come to something else than the preview that was seen.
    """
    job = None
    try:
        job = step()
    except SubmissionMoved as moved:
        now, account = moved.submission, required_account(request)
        was_this = now.state is state and now.turn == turn + 1 and is_same(now)
        if not (was_this and now.decided_by in {None, account.name}):
            raise Conflict("submission.moved_on") from None
    except PreviewMoved:
        raise Outdated("submission.preview_moved") from None
    except PreviewAwaited:
        raise Conflict("submission.awaited") from None
    return seen_data(request, desk_of(request).found(seen.id), job)


def seen_data(
    request: Request, submission: Submission, recorded_by: str | None = None
) -> dict[str, Any]:
    """Returns a submission with its preview as JSON data.

    Its ``job`` is the one that records it (``recorded_by``) or makes the preview, where that takes
    long: until it is done there is no preview.
    """
    desk = desk_of(request)
    preview, job = None, None
    try:
        is_open = submission.state.is_open
        preview = desk.preview(submission) if is_open else desk.last_preview(submission)
    except PreviewAwaited as awaited:
        job = awaited.job
    shown = None if preview is None else _preview_data(request, preview)
    return submission_data(submission) | {"preview": shown, "job": recorded_by or job}


def _preview_data(request: Request, found: SubmissionPreview) -> dict[str, Any]:
    refusal: dict[str, Any] | None = found.data["refusal"]
    return {
        "seq": found.seq,
        "digest": found.digest,
        "can_be_recorded": found.can_be_recorded,
        "reaches_published": found.reaches_published,
        "counts": found.data["counts"],
        "moved": found.data["moved"],
        "notes": [] if refusal else found.data["notes"][language_of(request)],
        "impact": found.data["impact"],
        "refusal": None if refusal is None else refusal[language_of(request)],
    }


def submission_data(submission: Submission) -> dict[str, Any]:
    """Returns a submission as JSON data."""
    return {
        "submission": submission.id,
        "kind": submission.kind,
        "state": submission.state.value,
        "account": submission.account,
        "turn": submission.turn,
        "title": submission.title,
        "sha256": submission.sha256,
        "changed_at": iso_moment(submission.changed_at),
        "decided_by": submission.decided_by,
        "commit": submission.commit_id,
    }
