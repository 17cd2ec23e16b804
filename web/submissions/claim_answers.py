"""Who played a game says whether what somebody claims about it is so. It decides nothing.

That is asked of whoever has an account as a player (``web.accounts.player_accounts``), of claims
that others made and nobody took up yet. Deciders, and who made the claim, read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from fastapi import Request

from ledger.answers.people_pages import ids_of_person
from ledger.errors import InputRefused, NotFound
from ledger.wording import Message, visible
from web.access import required_account
from web.accounts.own_player import own_player, person_meant
from web.asked_view import site_of
from web.office.claim_answers import ClaimsPeople
from web.office.claims import (
    MOST_OPEN_CLAIMS,
    ClaimAnswer,
    KeptClaim,
    answers_to,
    keep_answer,
    open_claims,
)
from web.office.player_ties import TiedPlayer
from web.office.store import office_of
from web.submissions.contents import OperationContent, read_content

MOST_ANSWER: Final = 300
"""Characters of why somebody sees it otherwise."""
_QUESTIONS: Final = {
    "correct-result": "claim.says_result",
    "correct-colours": "claim.says_colours",
    "annul-result": "claim.says_not_played",
}
_SOMEBODY: Final = Message.of("claim.somebody")


@dataclass(frozen=True, slots=True)
class AskedClaim:
    """A claim about a game of the player who is asked, and what they answered, if they did."""

    claim: KeptClaim
    question: Message
    answer: ClaimAnswer | None


def claims_asked(request: Request) -> list[AskedClaim]:
    """Returns the claims of others about games of the player who asks, the oldest first.

    Raises:
        NotFound: the account is no player's.
    """
    person, account = own_player(request), required_account(request).name
    if person is None:
        raise NotFound("account.not_yours")
    office = office_of(request)
    with office.reading() as connection:
        waiting = open_claims(connection, MOST_OPEN_CLAIMS)
    others = [each for each in waiting if each.content and each.account != account]
    people, found = claims_people(request), []
    ids = people.same(person.id) if others else ()
    for claim in (each for each in others if not each.players.isdisjoint(ids)):
        claimant = people.of_account(claim.account)
        if claimant is None or claimant.id not in ids:
            with office.reading() as connection:
                answers = answers_to(connection, claim.id)
            own = next((each for each in answers if each.account == account), None)
            found.append(AskedClaim(claim, _question(claim, claimant), own))
    return found


def answer_claim(request: Request, id_: str, word: str, words: str) -> None:
    """Keeps whether what a claim says is so: ``word`` is "confirm" or "otherwise", with a reason.

    Raises:
        NotFound: no such claim is asked of this player.
        InputRefused: it is neither, or no reason is given, or too long a one.
        Conflict: somebody took the claim up meanwhile, or it is decided.
    """
    if not any(each.claim.id == id_ for each in claims_asked(request)):
        raise NotFound("claim.not_asked")
    text = visible(" ".join(words.split()))
    if word not in {"confirm", "otherwise"} or (word == "otherwise" and not text):
        raise InputRefused("claim.why_otherwise")
    if len(text) > MOST_ANSWER:
        raise InputRefused("claim.long", length=len(text), most=MOST_ANSWER)
    office, account = office_of(request), required_account(request).name
    confirms = word == "confirm"
    answer = ClaimAnswer(account, confirms, "" if confirms else text, office.now())
    with office.writing() as connection:
        keep_answer(connection, id_, answer)


def claims_people(request: Request) -> ClaimsPeople:
    """Returns who is who in the claims of a site."""
    view = site_of(request).newest()
    return ClaimsPeople(
        office_of(request),
        partial(person_meant, request),
        lambda player: view.recall(ids_of_person, player),
    )


def _question(claim: KeptClaim, claimant: TiedPlayer | None) -> Message:
    """Returns what somebody says is wrong, in words for who played the game."""
    content = read_content(claim.content)
    if not isinstance(content, OperationContent) or content.what not in _QUESTIONS:
        return Message.of("submission.unreadable")
    who: object = claim.account or _SOMEBODY
    if claimant is not None:
        who = claimant.name or claimant.id
    return Message.of(_QUESTIONS[content.what], who=who, result=content.words.get("result", ""))
