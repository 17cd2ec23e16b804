"""What programs are told of submissions, and steps that are taken once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from fastapi import Path, Request
from pydantic import BaseModel, ConfigDict, Field

from ledger.errors import Conflict, Outdated
from ledger.identifiers import Seq
from ledger.json_form import INSTANT, PARTS, SHA256, JsonForm, data_of
from ledger.reports.impact import RatingShift
from web.access import required_account
from web.language import iso_moment, language_of, note_in_words
from web.office.submissions import Submission, SubmissionState
from web.problems import Detail
from web.submissions.life import LIFE, StepName
from web.submissions.permissions import desk_of
from web.submissions.previews import (
    PreviewAwaited,
    PreviewMoved,
    SubmissionMoved,
    SubmissionPreview,
)

SCOPE: Final = "submissions"
"""What a token needs."""
SubmissionId = Annotated[str, Path(alias="submission", description="The submission's id.")]
Turn = Annotated[int, Field(ge=1, le=10**9, strict=True)]


@dataclass(frozen=True, slots=True)
class SubmissionReport(JsonForm):
    """A submission as it stands; ``turn`` counts its steps."""

    submission: str
    kind: str
    state: SubmissionState
    account: str
    turn: int
    title: str
    sha256: Annotated[str | None, SHA256]
    changed_at: Annotated[str, INSTANT]
    decided_by: str | None
    commit: int | None

    @classmethod
    def of(cls, submission: Submission) -> SubmissionReport:
        """Returns what programs are told of a submission."""
        return cls(
            submission=submission.id,
            kind=submission.kind,
            state=submission.state,
            account=submission.account,
            turn=submission.turn,
            title=submission.title,
            sha256=submission.sha256,
            changed_at=iso_moment(submission.changed_at),
            decided_by=submission.decided_by,
            commit=submission.commit_id,
        )


@dataclass(frozen=True, slots=True)
class Submissions(JsonForm):
    """Some submissions, those changed last first; ``older`` is where the next ones begin."""

    submissions: Sequence[SubmissionReport]
    older: str | None


@dataclass(frozen=True, slots=True)
class Refusal(JsonForm):
    """Why something cannot be recorded."""

    message: str
    details: Sequence[Detail]


@dataclass(frozen=True, slots=True)
class PreviewReport(JsonForm):
    """What accepting a submission would record, and the first of those whom it would move."""

    seq: Seq
    digest: Annotated[str, SHA256]
    can_be_recorded: bool
    reaches_published: bool
    counts: Mapping[str, int]
    moved: int
    notes: Sequence[str]
    impact: Annotated[Sequence[dict[str, Any]], data_of(Sequence[RatingShift])]
    refusal: Annotated[dict[str, Any] | None, data_of(Refusal)]


@dataclass(frozen=True, slots=True)
class SubmissionSeen(JsonForm):
    """A submission with its preview.

    ``job`` is the one that records it or makes the preview, where that takes long: until it is
    done there is no preview. One that was given up is begun again by the next step.
    """

    submission: Annotated[SubmissionReport, PARTS]
    preview: PreviewReport | None
    job: str | None


class SubmissionTurn(BaseModel):
    """What was seen of a submission: a step is taken by who saw the last one."""

    model_config = ConfigDict(extra="forbid")

    turn: Turn


def stepped(
    request: Request,
    seen: Submission,
    turn: int,
    step: StepName,
    take: Callable[[], str | None],
    is_same: Callable[[Submission], bool] = lambda _now: True,
) -> SubmissionSeen:
    """Takes a step, once: whoever took the very same one before is answered likewise.

    Args:
        request: who asks.
        seen: the submission, as it stands.
        turn: as it was when somebody decided on the step.
        step: which one.
        take: takes it; returns the job that does, where that takes long.
        is_same: whether it is this step that led to where the submission is now.

    Raises:
        Conflict: somebody took another step since.
        Outdated: it would come to something else than the preview that was seen.
    """
    job = None
    try:
        job = take()
    except SubmissionMoved as moved:
        now, account = moved.submission, required_account(request)
        was_this = now.state is LIFE[step].to and now.turn == turn + 1 and is_same(now)
        if not (was_this and now.decided_by in {None, account.name}):
            raise Conflict("submission.moved_on") from None
    except PreviewMoved:
        raise Outdated("submission.preview_moved") from None
    except PreviewAwaited:
        raise Conflict("submission.awaited") from None
    return seen_report(request, desk_of(request).found(seen.id), job)


def step_taken(
    request: Request, seen: Submission, turn: int, step: StepName, comment: str = ""
) -> SubmissionSeen:
    """Takes a step by which nothing is recorded in the ledger, once; raises as ``stepped``."""
    take = partial(desk_of(request).take, step, seen, turn, required_account(request).name, comment)
    return stepped(request, seen, turn, step, take)


def seen_report(
    request: Request, submission: Submission, recorded_by: str | None = None
) -> SubmissionSeen:
    """Returns a submission with its preview; ``recorded_by`` is the job that records it."""
    desk = desk_of(request)
    preview, job = None, None
    try:
        preview = desk.shown_preview(submission)
    except PreviewAwaited as awaited:
        job = awaited.job.id
    shown = None if preview is None else _preview(request, preview)
    return SubmissionSeen(SubmissionReport.of(submission), shown, recorded_by or job)


def _preview(request: Request, found: SubmissionPreview) -> PreviewReport:
    refusal: dict[str, Any] | None = found.data["refusal"]
    language = language_of(request)
    notes = [] if refusal else found.data["notes"][language]
    return PreviewReport(
        seq=found.seq,
        digest=found.digest,
        can_be_recorded=found.can_be_recorded,
        reaches_published=found.reaches_published,
        counts=found.data["counts"],
        moved=found.data["moved"],
        notes=[note_in_words(note, language) for note in notes],
        impact=found.data["impact"],
        refusal=None if refusal is None else refusal[language],
    )
