"""Pages of jobs: which there are, how far one is, and what it came to."""

from __future__ import annotations

from typing import Final

from fastapi import Request, Response

from web.access import SIGNED_IN, Account, Routes, only
from web.destinations import to_page
from web.job_permissions import VERIFY, job_party_of, verification_of
from web.jobs.kinds import KINDS
from web.office.jobs import Job
from web.rendering import render
from web.submissions.permissions import SEE

routes = Routes("/jobs")
_SUBMISSIONS: Final = only(*SEE)


@routes.get("", SIGNED_IN)
def all_jobs(request: Request) -> Response:
    """Shows the newest jobs: one's own, or everybody's to who may see them."""
    party = job_party_of(request)
    about = [(job, _page_about(job, party.account)) for job in party.listed()]
    return render(request, "jobs.html", jobs=about)


@routes.post("/verification", only(*VERIFY))
def verify_now(request: Request) -> Response:
    """Has everything that is recorded by now verified."""
    return to_page("jobs", verification_of(request))


@routes.get("/{job}", SIGNED_IN)
def one_job(request: Request, job: str) -> Response:
    """Shows how far a job is, again and again until it is over."""
    party = job_party_of(request)
    found = party.seen(job)
    return render(request, "job.html", job=found, about=_page_about(found, party.account))


@routes.post("/{job}/cancel", SIGNED_IN)
def cancel_job(request: Request, job: str) -> Response:
    """Has a job not go on."""
    job_party_of(request).cancel(job)
    return to_page("jobs", job)


def _page_about(job: Job, account: Account) -> str | None:
    """Returns the page that a job is about; None where there is none, or none for the account."""
    kind = KINDS.get(job.kind)
    if kind is None or kind.shown_at is None:
        return None
    is_hidden = "submission" in job.parameters and not _SUBMISSIONS.allows(account)
    return None if is_hidden else kind.shown_at(job)
