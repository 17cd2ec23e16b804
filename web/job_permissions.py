"""Who sees which jobs and may do what with them; the same by a page and by the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from ledger.errors import NotFound
from ledger.identifiers import Seq
from ledger.terms import Role
from web.access import Account, required_account
from web.asked_view import site_of
from web.office.jobs import Job, cancel, job_of, jobs, start
from web.office.store import Office, office_of

VERIFY: Final = (Role.ADMINISTRATOR, Role.AUDITOR, Role.OFFICER)
"""Who may have everything verified, and sees all jobs; others see their own."""
_CANCEL: Final = frozenset({Role.ADMINISTRATOR, Role.OFFICER})


@dataclass(frozen=True, slots=True)
class JobParty:
    """An account among the jobs. What it may not see is as if it were not there."""

    account: Account
    office: Office

    @property
    def sees_all(self) -> bool:
        """Whether it sees also what others have done."""
        return not self.account.roles.isdisjoint(VERIFY)

    def listed(self) -> Sequence[Job]:
        """Returns the newest jobs that it sees."""
        return jobs(self.office, None if self.sees_all else self.account.name)

    def seen(self, id_: str) -> Job:
        """Returns a job that it may see; raises ``NotFound``."""
        found = job_of(self.office, id_)
        if not (self.sees_all or found.account == self.account.name):
            raise NotFound("jobs.not_found", job=id_)
        return found

    def cancel(self, id_: str) -> None:
        """Has a job not go on: its own, or anybody's where it may; raises ``NotFound``."""
        found = self.seen(id_)
        if found.account != self.account.name and self.account.roles.isdisjoint(_CANCEL):
            raise NotFound("jobs.not_found", job=id_)
        cancel(self.office, found.id)

    def verify(self, seq: Seq) -> str:
        """Has everything verified that is recorded up to a seq; returns the id of the job."""
        return start(self.office, "verification", {"seq": seq}, self.account.name)


def job_party_of(request: Request) -> JobParty:
    """Returns the account whose request it is, among the jobs."""
    return JobParty(required_account(request), office_of(request))


def verification_of(request: Request) -> str:
    """Has what is recorded by now verified, as a request asks for; returns the id of the job."""
    return job_party_of(request).verify(site_of(request).head())
