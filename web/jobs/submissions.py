"""What takes long, as jobs: previews of large files, and recording them."""

from __future__ import annotations

from typing import Any

from web.jobs.assignment import Assignment
from web.site import Site
from web.submissions.decisions import SubmissionDesk
from web.submissions.interruptions import PreviewMoved, SubmissionMoved


def make_preview(given: Assignment) -> dict[str, Any]:
    """Makes the preview of a submission and keeps it."""
    desk = _desk(given)
    seen = desk.found(given.parameters["submission"])
    if seen.state.is_open:
        desk.preview(seen)
    return {"submission": seen.id}


def record_submission(given: Assignment) -> dict[str, Any]:
    """Accepts a submission, if it still comes to what was seen; its page says what became of it."""
    said = given.parameters
    try:
        _desk(given).accept(said["submission"], said["turn"], said["account"], said["digest"])
    except (SubmissionMoved, PreviewMoved):
        return {"submission": said["submission"], "recorded": False}
    return {"submission": said["submission"], "recorded": True}


def _desk(given: Assignment) -> SubmissionDesk:
    return SubmissionDesk(given.office, Site(given.ledger, given.settings), is_job=True)
