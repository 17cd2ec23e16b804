"""What takes long: jobs, how far they are, and what the last verification of everything found.

Accounts with their roles, for administrators and auditors; no ways to sign in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from ledger.errors import NotFound
from ledger.identifiers import Seq
from ledger.json_form import INSTANT, PARTS, JsonForm
from ledger.service.accounts import AccountReport, Accounts, accounts, require_account
from ledger.terms import Role
from ledger.trust.verification import Verification
from web.access import PUBLIC, Access, only
from web.api.routing import ApiRoutes
from web.asked_view import Asked
from web.job_permissions import VERIFY, job_party_of, verification_of
from web.language import iso_moment, language_of
from web.office.jobs import JobReport, Jobs, last_done
from web.office.store import office_of

routes = ApiRoutes("jobs")
_SCOPE: Final = "jobs"
_OWN: Final = Access(scope=_SCOPE)
JobId = Annotated[str, Path(alias="job", description="The job's id.")]


@dataclass(frozen=True, slots=True)
class LastVerification(JsonForm):
    """What the last verification of everything found, up to a seq."""

    seq: Seq
    verified_at: Annotated[str, INSTANT]
    found: Annotated[Verification, PARTS]


class NothingSaid(BaseModel):
    """A request that needs no words: an empty object."""

    model_config = ConfigDict(extra="forbid")


@routes.reads("/jobs", _OWN)
def jobs_listed(request: Request) -> Jobs:
    """The newest jobs; those of others for officers, auditors and administrators only."""
    language = language_of(request)
    return Jobs([job.report(language) for job in job_party_of(request).listed()])


@routes.reads("/jobs/{job}", _OWN)
def job_seen(request: Request, id_: JobId) -> JobReport:
    """How far a job is."""
    return job_party_of(request).seen(id_).report(language_of(request))


@routes.writes("/jobs/verification", only(*VERIFY, scope=_SCOPE))
def verification_begun(request: Request, _said: NothingSaid) -> JobReport:
    """Has everything that is recorded by now verified; what it finds says `/verification`."""
    id_ = verification_of(request)
    return job_party_of(request).seen(id_).report(language_of(request))


@routes.writes("/jobs/{job}/cancel", _OWN)
def job_cancelled(request: Request, id_: JobId, _said: NothingSaid) -> JobReport:
    """Has a job not go on; one that has ended stays as it is."""
    party = job_party_of(request)
    party.cancel(id_)
    return party.seen(id_).report(language_of(request))


@routes.reads("/verification", PUBLIC, answer=LastVerification)
def last_verification(request: Request) -> Response:
    """What the last verification of everything found, and up to which seq."""
    job = last_done(office_of(request), "verification")
    if job is None:
        raise NotFound("api.not_verified")
    result = job.result[language_of(request)]
    verified_at = iso_moment(job.result["verified_at"])
    return JSONResponse({"seq": job.result["seq"], "verified_at": verified_at, **result})


account_routes = ApiRoutes("accounts")
_READERS: Final = only(Role.ADMINISTRATOR, Role.AUDITOR, scope="accounts")


@account_routes.reads("/accounts", _READERS)
def accounts_listed(view: Asked) -> Accounts:
    """The accounts that ever had a role, by name."""
    return Accounts(view.ask(accounts))


@account_routes.reads("/accounts/{account}", _READERS)
def account_described(
    view: Asked, name: Annotated[str, Path(alias="account", description="The account's name.")]
) -> AccountReport:
    """An account with the roles that it has."""
    return view.ask(require_account, name)
