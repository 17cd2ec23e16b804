"""Claims by programs: anybody says that a statement is wrong, an officer decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from fastapi import Path, Request
from pydantic import BaseModel, ConfigDict, Field

from ledger.json_form import INSTANT, JsonForm
from ledger.terms import Role
from web.access import PUBLIC, only, required_account
from web.api.routing import ApiRoutes
from web.api.submission_answers import SCOPE
from web.asked_view import site_of
from web.language import iso_moment
from web.office.claim_answers import ClaimsPeople, SaidOfClaim
from web.office.claims import ClaimState, KeptClaim
from web.office.store import new_secret
from web.refusals import MOST_REASON
from web.submissions.claim_answers import claims_people
from web.submissions.claim_intake import claim_desk, receive_claim
from web.submissions.claims import MOST_WORDS
from web.submissions.permissions import party_of

routes = ApiRoutes("submissions")
_DECIDERS: Final = only(Role.ARBITER, Role.OFFICER, scope=SCOPE)
_OFFICERS: Final = only(Role.OFFICER, scope=SCOPE)
ClaimId = Annotated[str, Path(alias="claim", max_length=100, description="The claim's id.")]
_Word = Annotated[str, Field(min_length=1, max_length=300, strict=True)]


class ClaimMade(BaseModel):
    """What is wrong in a statement; ``game`` is the seq of one of its games."""

    model_config = ConfigDict(extra="forbid")

    player: _Word
    list: _Word
    period: _Word
    game: Annotated[int | None, Field(ge=1, le=2**53, strict=True)] = None
    wrong: Literal["result", "colours", "not-played", "other"]
    result: Annotated[str, Field(max_length=10, strict=True)] = ""
    words: Annotated[str, Field(max_length=MOST_WORDS, strict=True)] = ""
    email: Annotated[str, Field(max_length=300, strict=True)] = ""


class ClaimReason(BaseModel):
    """Why a claim is accepted, or refused: the first is recorded, the other its maker reads."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(min_length=1, max_length=MOST_REASON, strict=True)]


@dataclass(frozen=True, slots=True)
class ClaimLink(JsonForm):
    """The only way to a claim that was made; it is not kept."""

    link: str


@dataclass(frozen=True, slots=True)
class ClaimReport(JsonForm):
    """A claim as it stands."""

    claim: str
    title: str
    player: str
    list: str
    period: str
    tournament: str | None
    words: str
    account: str | None
    state: ClaimState
    made_at: Annotated[str, INSTANT]
    answers: Sequence[SaidOfClaim]

    @classmethod
    def of(cls, claim: KeptClaim, people: ClaimsPeople) -> ClaimReport:
        """Returns what programs are told of a claim: no e-mail address."""
        return cls(
            claim.id, claim.title, claim.player, claim.list, claim.period, claim.tournament,
            claim.words, claim.account, claim.state, iso_moment(claim.made_at),
            people.answers(claim),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaimReports(JsonForm):
    """Claims that wait, the oldest first."""

    claims: Sequence[ClaimReport]


@routes.reads("/claims", _DECIDERS)
def claims(request: Request) -> ClaimReports:
    """Claims that nobody took up yet: an arbiter's tournaments, for an officer all.

    ``answers`` are what those said who played the game.
    """
    found = claim_desk(request).waiting(required_account(request))
    people = claims_people(request)
    return ClaimReports([ClaimReport.of(each, people) for each in found])


@routes.writes("/claims", PUBLIC)
def make_claim(request: Request, body: ClaimMade) -> ClaimLink:
    """Says that something in a statement is wrong; who made it follows it by the link."""
    words = {name: str(value) for name, value in body.model_dump(exclude_none=True).items()}
    secret = new_secret()
    receive_claim(request, words, secret)
    return ClaimLink(f"{site_of(request).settings.origin}/claim/{secret}")


@routes.writes("/claims/{claim}/accept", _DECIDERS)
def accept_claim(request: Request, id_: ClaimId, body: ClaimReason) -> ClaimReport:
    """Makes a submission of a claim, under its id; it is recorded where one may decide alone."""
    desk, party = claim_desk(request), party_of(request)
    claim = desk.seen(id_, party.account)
    preview = desk.preview(claim, party.account)
    desk.take_up(claim, party, body.reason, preview.digest if preview else "")
    return ClaimReport.of(desk.seen(id_, party.account), claims_people(request))


@routes.writes("/claims/{claim}/refuse", _OFFICERS)
def refuse_claim(request: Request, id_: ClaimId, body: ClaimReason) -> ClaimReport:
    """Refuses a claim, with the reason that its maker is told."""
    desk, account = claim_desk(request), required_account(request)
    refused = desk.refuse(desk.seen(id_, account), account, body.reason)
    return ClaimReport.of(refused, claims_people(request))
