"""Pages of jobs: which there are, how far one is, and what it came to."""

from __future__ import annotations

from fastapi import Request, Response

from web.access import SIGNED_IN, Routes, only
from web.destinations import to_page
from web.job_permissions import VERIFY, job_party_of, verification_of
from web.jobs.kinds import KINDS
from web.rendering import render

routes = Routes("/jobs")


@routes.get("", SIGNED_IN)
def all_jobs(request: Request) -> Response:
    """Shows the newest jobs: one's own, or everybody's to who may see them."""
    return render(request, "jobs.html", jobs=job_party_of(request).listed())


@routes.post("/verification", only(*VERIFY))
def verify_now(request: Request) -> Response:
    """Has everything that is recorded by now verified."""
    return to_page("jobs", verification_of(request))


@routes.get("/{job}", SIGNED_IN)
def one_job(request: Request, job: str) -> Response:
    """Shows how far a job is, again and again until it is over."""
    found = job_party_of(request).seen(job)
    shown = KINDS[found.kind].shown_at if found.kind in KINDS else None
    where = shown(found) if shown else None
    return render(request, "job.html", job=found, shown_at=where)


@routes.post("/{job}/cancel", SIGNED_IN)
def cancel_job(request: Request, job: str) -> Response:
    """Has a job not go on."""
    job_party_of(request).cancel(job)
    return to_page("jobs", job)
