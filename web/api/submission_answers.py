"""What programs are told of submissions, and steps that are taken once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import Path, Request
from pydantic import BaseModel, ConfigDict, Field

from ledger.errors import Conflict, Outdated
from web.access import required_account
from web.instants import iso_moment
from web.language import language_of
from web.office.submissions import Submission, SubmissionState
from web.sentences import note_in_words
from web.submissions.interruptions import PreviewAwaited, PreviewMoved, SubmissionMoved
from web.submissions.permissions import desk_of
from web.submissions.previews import SubmissionPreview

SCOPE: Final = "submissions"
"""What a token needs."""
SubmissionId = Annotated[str, Path(alias="submission", description="The submission's id.")]
Turn = Annotated[int, Field(ge=1, le=10**9, strict=True)]


class SubmissionTurn(BaseModel):
    """What was seen of a submission: a step is taken by who saw the last one."""

    model_config = ConfigDict(extra="forbid")

    turn: Turn


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
    long: until it is done there is no preview. One that was given up is begun again by the next
    step.
    """
    desk = desk_of(request)
    preview, job = None, None
    try:
        preview = desk.shown_preview(submission)
    except PreviewAwaited as awaited:
        job = awaited.job.id
    shown = None if preview is None else _preview_data(request, preview)
    return submission_data(submission) | {"preview": shown, "job": recorded_by or job}


def _preview_data(request: Request, found: SubmissionPreview) -> dict[str, Any]:
    refusal: dict[str, Any] | None = found.data["refusal"]
    language = language_of(request)
    notes = [] if refusal else found.data["notes"][language]
    return {
        "seq": found.seq,
        "digest": found.digest,
        "can_be_recorded": found.can_be_recorded,
        "reaches_published": found.reaches_published,
        "counts": found.data["counts"],
        "moved": found.data["moved"],
        "notes": [note_in_words(note, language) for note in notes],
        "impact": found.data["impact"],
        "refusal": None if refusal is None else refusal[language],
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
