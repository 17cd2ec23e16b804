"""Submissions by programs: which there are, what they come to, and what is decided."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from ledger.service.receipts import ReceiptReport
from web.access import only
from web.api.routing import ApiRoutes
from web.api.submission_answers import (
    SCOPE,
    SubmissionId,
    SubmissionReport,
    Submissions,
    SubmissionSeen,
    SubmissionTurn,
    seen_report,
    step_taken,
    stepped,
)
from web.asked_view import site_of
from web.language import language_of
from web.office.submissions import CLOSED, OPEN
from web.refusals import MOST_REASON
from web.submissions.life import StepName
from web.submissions.permissions import DECIDE, SEE, party_of
from web.submissions.previews import preview_data

routes = ApiRoutes("submissions")
_SEE: Final = only(*SEE, scope=SCOPE)
_DECIDE: Final = only(*DECIDE, scope=SCOPE)


class SubmissionComment(SubmissionTurn):
    """A step that says why."""

    comment: Annotated[str, Field(min_length=1, max_length=MOST_REASON, strict=True)]


class SubmissionAccepted(SubmissionTurn):
    """The preview that was seen: nothing else is recorded."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$", strict=True)]


# What is there


@routes.reads("/submissions", _SEE)
def submissions(
    request: Request,
    before: Annotated[str | None, Query(description="The `place` of the last one known.")] = None,
    *,
    done: Annotated[bool, Query(description="Those that are decided, or were withdrawn.")] = False,
) -> Submissions:
    """The submissions that are open, those changed last first; an arbiter's own only."""
    page = party_of(request).listed(CLOSED if done else OPEN, before)
    return Submissions([SubmissionReport.of(each) for each in page.found], page.older)


@routes.reads("/submissions/{submission}", _SEE)
def submission_seen(request: Request, id_: SubmissionId) -> SubmissionSeen:
    """A submission, with the digest of its preview: who accepts it says which one was seen."""
    return seen_report(request, party_of(request).seen(id_))


@routes.reads("/submissions/{submission}/preview", _SEE, answer=ReceiptReport, refused=(409,))
def submission_previewed(request: Request, id_: SubmissionId) -> Response:
    """What accepting a submission would record, and whom it would move.

    Of one that takes long (409, `submission.not_at_once`) the submission itself says as much as its
    page does, as soon as a job has found it out.
    """
    party = party_of(request)
    found = party.seen(id_)
    data = party.desk.data_of(found)
    receipt = site_of(request).preview(preview_data, found, data, language_of(request))
    return JSONResponse(receipt)


# Deciding


@routes.writes("/submissions/{submission}/hand-back", _DECIDE)
def hand_back_submission(
    request: Request, id_: SubmissionId, body: SubmissionComment
) -> SubmissionSeen:
    """Hands a submission back to be mended, with a comment."""
    seen = party_of(request).seen(id_)
    return step_taken(request, seen, body.turn, StepName.HAND_BACK, body.comment)


@routes.writes("/submissions/{submission}/refuse", _DECIDE)
def refuse_submission(
    request: Request, id_: SubmissionId, body: SubmissionComment
) -> SubmissionSeen:
    """Refuses a submission for good, with a reason."""
    seen = party_of(request).seen(id_)
    return step_taken(request, seen, body.turn, StepName.REFUSE, body.comment)


@routes.writes("/submissions/{submission}/accept", _DECIDE)
def accept_submission(
    request: Request, id_: SubmissionId, body: SubmissionAccepted
) -> SubmissionSeen:
    """Records what was handed in, if it still comes to the preview that was seen: one commit."""
    party = party_of(request)
    step = partial(party.desk.accept, id_, body.turn, party.account.name, body.digest)
    return stepped(request, party.seen(id_), body.turn, StepName.ACCEPT, step)
