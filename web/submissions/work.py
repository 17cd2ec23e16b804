"""What takes long, as jobs: previews of large files, and recording them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.site import Site
from web.submissions.decisions import PreviewMoved, SubmissionDesk, SubmissionMoved

if TYPE_CHECKING:
    from web.jobs.kinds import Work


def look(work: Work) -> dict[str, Any]:
    """Makes the preview of a submission and keeps it."""
    desk = _desk(work)
    seen = desk.found(work.parameters["submission"])
    if seen.state.is_open:
        desk.preview(seen)
    return {"submission": seen.id}


def record(work: Work) -> dict[str, Any]:
    """Accepts a submission, if it still comes to what was seen; its page says what became of it."""
    said = work.parameters
    try:
        _desk(work).accept(said["submission"], said["turn"], said["account"], said["digest"])
    except (SubmissionMoved, PreviewMoved):
        return {"submission": said["submission"], "recorded": False}
    return {"submission": said["submission"], "recorded": True}


def _desk(work: Work) -> SubmissionDesk:
    return SubmissionDesk(work.office, Site(work.ledger, work.settings), is_job=True)
