"""The kinds of jobs. A room that brings one names it in ``KINDS``.

What a kind does may be begun twice: a process may die, or be stopped, at any point. It is given
what it is to do as JSON and returns JSON. One that records something does so under an idempotency
key of its own; then the journal, not the state of the job, says whether it was recorded: a job that
is cancelled at the last moment may have been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.wording import LANGUAGES
from web.jobs.open_data import make_data
from web.jobs.webhooks import deliver
from web.office.jobs import Job
from web.office.store import Office
from web.read_models.builder import make_missing
from web.settings import WebSettings
from web.site import Site
from web.studies import address_of_study, study
from web.submissions.decisions import SubmissionDesk
from web.submissions.previews import PreviewMoved, SubmissionMoved


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a job is done with.

    ``ledger`` is opened for this job alone. What is told to ``ledger.progress`` stands on the
    job's page; ``Stopped`` is raised there when the job is not to go on.
    """

    ledger: Ledger
    office: Office
    settings: WebSettings
    parameters: Mapping[str, Any]
    account: str | None


class Stopped(BaseException):
    """The job is not to go on: it was cancelled, or the site stops. Not to be caught by a kind."""


def verification(given: Assignment) -> dict[str, Any]:
    """Verifies everything, as ``verify`` does; says so in every language."""
    head = given.ledger.journal.head().seq
    found = verify(given.ledger)
    by_language = {language: found.data(language) for language in LANGUAGES}
    return {"seq": head, "verified_at": given.office.now(), **by_language}


def monitor(given: Assignment) -> dict[str, Any]:
    """Makes the monitor of a long list."""
    return study(given.ledger, "monitor", given.parameters)


def comparison(given: Assignment) -> dict[str, Any]:
    """Makes the comparison of a long list under another regulation."""
    return study(given.ledger, "compare", given.parameters)


def _study(job: Job) -> str:
    return address_of_study(job.kind, job.parameters)


def read_models(given: Assignment) -> dict[str, int]:
    """Makes the read models that are missing."""
    return {"made": make_missing(given.ledger, given.settings, given.ledger.progress)}


def open_data(given: Assignment) -> Mapping[str, Any]:
    """Makes the open data of the site."""
    return make_data(given.ledger, given.settings, given.parameters, given.ledger.progress)


def tell_webhooks(given: Assignment) -> Mapping[str, int]:
    """Delivers to webhooks what they were not told yet."""
    return deliver(given.ledger.journal, given.office, given.settings)


def _submission(job: Job) -> str:
    return f"/submissions/{job.parameters['submission']}"


def make_preview(given: Assignment) -> dict[str, Any]:
    """Makes the preview of a submission and keeps it."""
    desk = _desk(given)
    seen = desk.found(given.parameters["submission"])
    if seen.state.is_open:
        desk.preview(seen)
    return {"submission": seen.id}


def record_submission(given: Assignment) -> dict[str, Any]:
    """Accepts a submission, if it still comes to what was seen; its page says what became of it."""
    given_ = given.parameters
    try:
        _desk(given).accept(
            given_["submission"], given_["turn"], given_["account"], given_["digest"]
        )
    except (SubmissionMoved, PreviewMoved):
        return {"submission": given_["submission"], "recorded": False}
    return {"submission": given_["submission"], "recorded": True}


def _desk(given: Assignment) -> SubmissionDesk:
    return SubmissionDesk(given.office, Site(given.ledger, given.settings), is_job=True)


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What the process of a job may use: megabytes of memory, seconds of computing."""

    memory_mb: int
    seconds: int


OF_A_LOOK: Final = JobLimits(memory_mb=1_024, seconds=300)
"""A stranger's file may be made to take long. 400,000 players with ratings (23 MB) take 790 MB and
44 seconds; the systemd unit has 2 GB for the site and all its jobs."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job.

    ``do`` does it and returns what it came to, as JSON. ``shown_at`` is the page that shows it;
    None where the job's own page says enough. What is beyond its ``limits`` fails, in these words.
    """

    do: Callable[[Assignment], Any]
    shown_at: Callable[[Job], str] | None = None
    limits: JobLimits | None = None


KINDS: Final[dict[str, JobKind]] = {
    "compare": JobKind(comparison, _study),
    "look": JobKind(make_preview, _submission, OF_A_LOOK),
    "monitor": JobKind(monitor, _study),
    "open_data": JobKind(open_data, lambda _job: "/data"),
    "read_models": JobKind(read_models),
    "record": JobKind(record_submission, _submission),
    "webhooks": JobKind(tell_webhooks, lambda _job: "/webhooks"),
    "verification": JobKind(verification, lambda _job: "/audit"),
}
"""By name; each has a sentence ``job.NAME``."""


def limits_of(job: Job) -> JobLimits | None:
    """Returns what a job may use; None for what is not limited, or that no kind here does."""
    kind = KINDS.get(job.kind)
    return None if kind is None else kind.limits
