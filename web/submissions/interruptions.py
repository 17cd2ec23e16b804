"""Why a step of a submission is not taken though nothing is wrong with it: what came between."""

from __future__ import annotations

from web.office.jobs import Job
from web.office.submissions import Submission
from web.submissions.previews import SubmissionPreview


class SubmissionMoved(Exception):
    """Somebody took a step before; ``submission`` is as it stands now."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission.id)
        self.submission = submission


class PreviewMoved(Exception):
    """Accepting would come to something else than what was seen; nothing was recorded."""

    def __init__(self, before: SubmissionPreview | None, now: SubmissionPreview) -> None:
        super().__init__()
        self.before = before
        self.now = now


class PreviewAwaited(Exception):
    """A preview takes long: ``job`` is making it, or was to and was given up."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.id)
        self.job = job
