"""Who sees which submissions and may do what with them; the same by a page and by the API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from ledger.errors import NotFound
from ledger.terms import Role
from web.access import Account, required_account, required_rights
from web.asked_view import site_of
from web.office.store import office_of
from web.office.submissions import Submission, SubmissionState
from web.signature_requests import READING, owner_of
from web.submissions.contents import UnreadableContent, read_content
from web.submissions.decisions import SubmissionDesk
from web.submissions.life import LIFE, StepName, Taker
from web.submissions.records import PAGE

HAND_IN: Final = (Role.ARBITER, Role.OFFICER)
"""Who may hand something in."""
SEE: Final = (*HAND_IN, Role.AUDITOR)
"""Who may see submissions: an arbiter the own ones, the others all."""
DECIDE: Final = (Role.OFFICER,)
"""Who may decide on them."""
_SEE_ALL: Final = frozenset({Role.OFFICER, Role.AUDITOR})
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{16})")


@dataclass(frozen=True, slots=True)
class SubmissionsPage:
    """Some submissions, and the place where older ones begin; None where there are none."""

    found: list[Submission]
    older: str | None


@dataclass(frozen=True, slots=True)
class SubmissionParty:
    """An account at the desk of submissions.

    What it may not see is as if it were not there: ``NotFound`` is raised.
    """

    account: Account
    desk: SubmissionDesk

    @property
    def sees_all(self) -> bool:
        """Whether it sees also what others handed in."""
        return bool(self.account.roles & _SEE_ALL)

    @property
    def decides(self) -> bool:
        """Whether it may decide on submissions."""
        return not self.account.roles.isdisjoint(DECIDE)

    def listed(self, states: frozenset[SubmissionState], before: str | None) -> SubmissionsPage:
        """Returns submissions that it sees, those changed last first; of drafts its own only.

        Args:
            states: in which they are.
            before: the place of the page before; the newest ones where it is none.
        """
        place = _PLACE.fullmatch(before or "")
        found = self.desk.listed(
            None if self.sees_all else self.account.name,
            states,
            (int(place[1]), place[2]) if place else None,
            drafts_of=self.account.name,
        )
        last = found[-1] if len(found) == PAGE else None
        return SubmissionsPage(found, f"{last.changed_at}-{last.id}" if last else None)

    def seen(self, id_: str) -> Submission:
        """Returns a submission that it may see."""
        found = self.desk.found(id_)
        if not (self.sees_all or self.owns(found)):
            raise NotFound("submission.unknown")
        return found

    def may(self, submission: Submission, step: str) -> bool:
        """Whether it may take a step of a submission as that stands."""
        name, owns = StepName(step), self.owns(submission)
        if submission.state not in LIFE[name].states:
            return False
        match LIFE[name].taker:
            case Taker.OWNER:
                return owns or self._clears(submission, name)
            case Taker.OTHER:
                return self.decides and not owns
            case Taker.DECIDER:
                return self.decides

    def _clears(self, submission: Submission, step: StepName) -> bool:
        """Whether it is an officer who withdraws what nobody can read any more."""
        may_clear = step is StepName.WITHDRAW and self.decides
        return may_clear and isinstance(read_content(submission.content), UnreadableContent)

    def found(self, id_: str, step: StepName) -> Submission:
        """Returns the submission of a step: its own, where only the owner takes it."""
        submission = self.seen(id_)
        if LIFE[step].taker is not Taker.OWNER or self._clears(submission, step):
            return submission
        return self.own(id_)

    def own(self, id_: str) -> Submission:
        """Returns a submission of its own."""
        found = self.desk.found(id_)
        if not self.owns(found):
            raise NotFound("submission.unknown")
        return found

    def shareable(self, id_: str) -> Submission:
        """Returns a submission whose preview it may show to others: its own, of an officer any."""
        found = self.seen(id_)
        if not (self.decides or self.owns(found)):
            raise NotFound("submission.unknown")
        return found

    def owns(self, submission: Submission) -> bool:
        """Whether it handed the submission in."""
        return submission.account == self.account.name


def desk_of(request: Request) -> SubmissionDesk:
    """Returns the desk of the site; raises ``NotFound`` where nobody can sign in."""
    rights = None if request.method in READING else required_rights(request)
    return SubmissionDesk(
        office_of(request), site_of(request), owner=owner_of(request), rights=rights
    )


def party_of(request: Request) -> SubmissionParty:
    """Returns the account whose request it is, at the desk."""
    return SubmissionParty(required_account(request), desk_of(request))
