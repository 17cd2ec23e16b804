"""Pages of jobs: which there are, how far one is, and what it came to."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from ledger.errors import NotFound
from ledger.terms import Role
from web.access import SIGNED_IN, Routes, only, required_account
from web.jobs.kinds import KINDS
from web.office.jobs import Job, cancel, job_of, jobs, start
from web.office.store import office_of
from web.rendering import render
from web.site import site_of

_SEE_ALL = frozenset({Role.OFFICER, Role.AUDITOR, Role.ADMINISTRATOR})
routes = Routes("/jobs")


@routes.get("", SIGNED_IN)
def all_jobs(request: Request) -> Response:
    """Shows the newest jobs: one's own, or everybody's to who may see them."""
    office, account = office_of(request), required_account(request)
    whose = None if account.roles & _SEE_ALL else account.name
    return render(request, "jobs.html", jobs=jobs(office, whose))


@routes.post("/verification", only(*_SEE_ALL))
def verify_now(request: Request) -> Response:
    """Has everything that is recorded by now verified."""
    told = {"seq": site_of(request).head()}
    job = start(office_of(request), "verification", told, required_account(request).name)
    return _to(job)


@routes.get("/{job}", SIGNED_IN)
def one_job(request: Request, job: str) -> Response:
    """Shows how far a job is, again and again until it is over."""
    found = _theirs(request, job)
    shown = KINDS[found.kind].shown_at if found.kind in KINDS else None
    where = shown(found) if shown else None
    return render(request, "job.html", job=found, shown_at=where)


@routes.post("/{job}/cancel", SIGNED_IN)
def cancel_job(request: Request, job: str) -> Response:
    """Has a job not go on."""
    found = _theirs(request, job)
    account = required_account(request)
    if found.account != account.name and not account.roles & {Role.OFFICER, Role.ADMINISTRATOR}:
        raise NotFound("jobs.not_found", job=job)
    cancel(office_of(request), found.id)
    return _to(found.id)


def _to(job: str) -> Response:
    return RedirectResponse(f"/jobs/{job}", HTTPStatus.SEE_OTHER)


def _theirs(request: Request, job: str) -> Job:
    """Returns a job that somebody may see; raises ``NotFound`` as if there were no other."""
    found, account = job_of(office_of(request), job), required_account(request)
    if found.account != account.name and not account.roles & _SEE_ALL:
        raise NotFound("jobs.not_found", job=job)
    return found
