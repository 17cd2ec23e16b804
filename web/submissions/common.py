"""What the pages of submissions have in common: whose request it is, and what they call things."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from ledger.application.lists import described_lists
from ledger.errors import LedgerError, NotFound, Problem
from ledger.terms import Role
from web.access import Account, account_of, only
from web.language import language_of
from web.site import site_of
from web.submissions.contents import Deciding
from web.submissions.decisions import SubmissionDesk

HAND_IN: Final = only(Role.ARBITER, Role.OFFICER)
"""Who may hand something in."""
STATES: Final[Mapping[str, str]] = {
    "draft": "submission.draft",
    "handed-in": "submission.handed_in",
    "handed-back": "submission.handed_back",
    "accepted": "submission.accepted",
    "refused": "submission.refused",
    "withdrawn": "submission.withdrawn",
    "mended": "submission.mended",
}
"""What is said of a state, or of a step."""
DECISIONS: Final[Mapping[Deciding, str]] = {
    Deciding.RESULT: "submission.decide_result",
    Deciding.ANNUL_RESULT: "submission.decide_annul_result",
    Deciding.ANNUL_TOURNAMENT: "submission.decide_annul_tournament",
    Deciding.ACCEPT_TOURNAMENT: "submission.decide_accept",
    Deciding.REJECT_TOURNAMENT: "submission.decide_reject",
}


def desk_of(request: Request) -> SubmissionDesk:
    """Returns the desk of the site; raises ``NotFound`` where nobody can hand anything in."""
    office = request.app.state.office
    if office is None:
        raise NotFound("submission.no_office")
    return SubmissionDesk(office, site_of(request))


def signed_in(request: Request) -> Account:
    """Returns the account whose request it is."""
    account = account_of(request)
    assert account is not None, "the route is for who signed in"
    return account


def told_failure(request: Request, error: LedgerError | None) -> dict[str, Any] | None:
    """Returns a failure as a page shows it."""
    if error is None:
        return None
    language = language_of(request)
    details: tuple[Problem, ...] = error.details
    return {
        "message": error.message.within(language),
        "details": [
            {"line": each.line, "column": each.column, "message": each.message.within(language)}
            for each in details
        ],
    }


def list_names(request: Request) -> list[str]:
    """Returns the names of the lists."""
    described = site_of(request).newest().ask(described_lists)
    return [str(each["list"]) for each in described]


def to_submission(id_: str) -> Response:
    """Sends a browser to the page of a submission."""
    return RedirectResponse(f"/submissions/{id_}", HTTPStatus.SEE_OTHER)


def when(at: int) -> str:
    """Writes an instant."""
    return dt.datetime.fromtimestamp(at, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
