"""What becomes of a claim: it is made, taken up as a submission, refused, or withdrawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from limits import parse
from limits.strategies import FixedWindowRateLimiter

from ledger.answers.claims import QuestionedGame
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.terms import Role
from ledger.wording import Message, visible
from web.access import Account
from web.office import submissions as kept
from web.office.attempts import AttemptCounts
from web.office.claims import (
    GAME,
    ClaimState,
    KeptClaim,
    add_claim,
    claim_of_link,
    end_claim,
    find_claim,
    open_claims,
)
from web.office.store import Office, digest_of
from web.office.submissions import Submission, SubmissionState
from web.refusals import fitting_reason
from web.site import Site
from web.submissions.contents import OperationContent, read_content
from web.submissions.decisions import SubmissionDesk
from web.submissions.forms import new_id
from web.submissions.life import StepName
from web.submissions.permissions import SubmissionParty
from web.submissions.previews import SubmissionPreview, made_preview
from web.submissions.records import ID

MOST_WORDS: Final = 1_000
"""Characters of what somebody writes in a claim."""
MOST_LISTED: Final = 100
"""So many claims are shown at once."""
RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "+/-", "-/+", "-/-")
"""What may be said to be the right result."""
_OF_ADDRESS: Final = parse("6 per 15 minutes")
_EMAIL: Final = re.compile(r"[^\s@<>\"']{1,64}@[^\s@<>\"']{1,180}\.[A-Za-z0-9-]{2,30}")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")  # as ``new_secret`` makes them
_TITLE: Final = 300


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """A statement by its player, list and period: where a claim is made.

    ``tournament`` is the one from which it was made; its arbiter sees what is said of no game, too.
    """

    player: str
    list: str
    period: str
    tournament: str | None = None


def claimed_content(game: QuestionedGame | None, words: Mapping[str, str]) -> str:
    """Returns what a claim asks to be recorded, as JSON; "" where only its words say it.

    A game that is missing stands in no list to choose from: no right result chosen, it is words.

    Raises:
        InputRefused: it does not say what is wrong, or nothing would change.
    """
    wrong, result = words.get("wrong", ""), words.get("result", "")
    if wrong == "other":
        return ""
    if game is None:
        if not wrong or (wrong == "result" and not result):  # as the form was opened
            return ""
        raise InputRefused("claim.which_game")
    white, black = (each.id or "" for each in game.players)
    fields = {
        "tournament": game.tournament, "round": str(game.round), "white": white, "black": black,
    }  # fmt: skip
    match wrong:
        case "result":
            if result not in RESULTS:
                raise InputRefused("claim.which_result")
            if result == game.result:
                raise InputRefused("claim.same_result", result=result)
            what, fields = "correct-result", {**fields, "result": result}
        case "colours":
            what = "correct-colours"
        case "not-played":
            what = "annul-result"
        case _:
            raise InputRefused("claim.what_is_wrong")
    return OperationContent(what=what, words=fields).model_dump_json()


class ClaimDesk:
    """Takes claims at the site, and what is decided of them.

    Args:
        office: where they are kept.
        site: the ledger.
    """

    def __init__(self, office: Office, site: Site) -> None:
        self._office = office
        self._site = site

    # By who makes one

    def make(
        self,
        place: StatementPlace,
        game: QuestionedGame | None,
        words: Mapping[str, str],
        *,
        secret: str,
        address: str,
        account: Account | None,
    ) -> None:
        """Keeps a claim.

        Args:
            place: the statement in which something is wrong.
            game: of which game, if of one.
            words: the fields of the form.
            secret: that of its link, which is not kept; sent twice with the same one it is one.
            address: from where it comes: from each only a few are taken in a while.
            account: who signed in, if anybody did.

        Raises:
            InputRefused: a field is wrong, or too many came from there.
            Conflict: as ``add_claim``.
        """
        if not _SECRET.fullmatch(secret):
            raise InputRefused("submission.bad_form")
        with self._office.reading() as connection:
            if claim_of_link(connection, digest_of(secret)) is not None:
                return
        content = claimed_content(game, words)
        text, email = words.get("words", "").strip(), words.get("email", "").strip()
        if not (content or text):
            raise InputRefused("claim.what_is_wrong")
        if len(text) > MOST_WORDS:
            raise InputRefused("claim.long", length=len(text), most=MOST_WORDS)
        if email and not _EMAIL.fullmatch(email):
            raise InputRefused("claim.no_email", email=email)
        limiter = FixedWindowRateLimiter(AttemptCounts(self._office))
        if not limiter.hit(_OF_ADDRESS, "claims", address):
            raise InputRefused("claim.too_fast")
        now = self._office.now()
        claim = KeptClaim(
            id=new_id(), about=_about(place, game), title=_title(place, game)[:_TITLE],
            player=place.player, list=place.list, period=place.period,
            tournament=game.tournament if game else place.tournament, content=content,
            words="\n".join(map(visible, text.splitlines())), email=email or None,
            account=account.name if account else None, state=ClaimState.OPEN, decided_by=None,
            reason="", commit_id=None, made_at=now, changed_at=now,
        )  # fmt: skip
        with self._office.writing() as connection:
            add_claim(connection, claim, digest_of(secret))

    def of_link(self, secret: str) -> KeptClaim:
        """Returns the claim of a link; raises ``NotFound`` where there is none."""
        with self._office.reading() as connection:
            claim = claim_of_link(connection, digest_of(secret))
        return self._settled(claim)

    def withdraw(self, secret: str) -> KeptClaim:
        """Withdraws the claim of a link, unless somebody took it up."""
        claim = self.of_link(secret)
        if self.submission_of(claim) is not None:
            raise Conflict("claim.taken_up")
        return self._ended(claim, ClaimState.WITHDRAWN)

    # By who decides

    def waiting(self, account: Account) -> list[KeptClaim]:
        """Returns the claims that wait for an account: an arbiter's own tournaments only."""
        with self._office.reading() as connection:
            found = open_claims(connection, MOST_LISTED)
        return [each for each in found if _sees(account, each)]

    def seen(self, id_: str, account: Account) -> KeptClaim:
        """Returns a claim that an account may see; raises ``NotFound`` else."""
        claim = None
        if ID.fullmatch(id_):
            with self._office.reading() as connection:
                claim = find_claim(connection, id_)
        if claim is None or not _sees(account, claim):
            raise NotFound("claim.unknown")
        return self._settled(claim)

    def submission_of(self, claim: KeptClaim) -> Submission | None:
        """Returns what became of a claim that was taken up; None where nobody did."""
        with self._office.reading() as connection:
            return kept.find(connection, claim.id)

    def preview(self, claim: KeptClaim, account: Account) -> SubmissionPreview | None:
        """Returns what a claim would change if an account took it up; None: only words say it."""
        if not claim.content:
            return None
        content = read_content(claim.content).model_copy(update={"reason": "-"})  # any
        asked_for = Submission(
            id=claim.id, kind="correction", state=SubmissionState.DRAFT, account=account.name,
            turn=1, version=1, title=claim.title, content=content.model_dump_json(), sha256=None,
            made_at=claim.made_at, changed_at=claim.changed_at, decided_by=None, commit_id=None,
        )  # fmt: skip
        return self._site.preview(made_preview, asked_for, b"")

    def take_up(self, claim: KeptClaim, party: SubmissionParty, reason: str, digest: str) -> None:
        """Hands in what a claim asks for; an officer who may decide alone has recorded it, too.

        It is recorded if it still comes to what was seen, by ``digest``; else it waits as a
        submission.

        Raises:
            InputRefused: a reason is missing, only words say what is wrong, or it cannot be done.
            Conflict: it is decided already.
        """
        if claim.state is not ClaimState.OPEN:
            raise Conflict("claim.decided")
        content = read_content(claim.content) if claim.content else None
        if not isinstance(content, OperationContent):
            raise InputRefused("claim.only_words")
        if not (fitting := fitting_reason(reason)):
            raise InputRefused("registrar.needs_reason")
        desk: SubmissionDesk = party.desk
        content = content.model_copy(update={"reason": fitting})
        submission = desk.draft(claim.id, party.account.name, content, None)
        if submission.state is SubmissionState.DRAFT:
            desk.take(StepName.HAND_IN, submission, submission.turn, party.account.name)
        now = desk.found(claim.id)
        is_alone = party.decides and not desk.needs_two()
        is_awaiting = now.state is SubmissionState.HANDED_IN
        if is_alone and is_awaiting and desk.preview(now).digest == digest:
            desk.accept(now.id, now.turn, party.account.name, digest)

    def refuse(self, claim: KeptClaim, account: Account, reason: str) -> KeptClaim:
        """Refuses a claim, or says what was done about one that only words say.

        Raises:
            InputRefused: a reason is missing.
            Conflict: it was taken up, or is decided.
        """
        if not (fitting := fitting_reason(reason)):
            raise InputRefused("submission.needs_comment")
        if self.submission_of(claim) is not None:
            raise Conflict("claim.taken_up")
        return self._ended(claim, ClaimState.REFUSED, account.name, visible(fitting))

    def _ended(
        self, claim: KeptClaim, state: ClaimState, account: str | None = None, reason: str = ""
    ) -> KeptClaim:
        at = self._office.now()
        with self._office.writing() as connection:
            if not end_claim(connection, claim.id, state, at=at, account=account, reason=reason):
                raise Conflict("claim.decided")
        return replace(claim, state=state, decided_by=account, reason=reason, words="", email=None)

    def _settled(self, claim: KeptClaim | None) -> KeptClaim:
        """Returns a claim as the journal has it: what it asked for may be recorded already."""
        if claim is None:
            raise NotFound("claim.unknown")
        submission = self.submission_of(claim)
        if submission is None or claim.state is not ClaimState.OPEN:
            return claim
        SubmissionDesk(self._office, self._site).settled(submission)
        with self._office.reading() as connection:
            return find_claim(connection, claim.id) or claim


def standing(claim: KeptClaim, submission: Submission | None) -> Message:
    """Returns how far a claim has come, in words for who made it."""
    if claim.state is ClaimState.OPEN:
        return Message.of("claim.waits" if submission is None else "claim.confirmed")
    return {
        ClaimState.ACCEPTED: Message.of("claim.accepted"),
        ClaimState.REFUSED: Message.of("claim.refused"),
        ClaimState.WITHDRAWN: Message.of("claim.withdrawn"),
    }[claim.state]


def _sees(account: Account, claim: KeptClaim) -> bool:
    if claim.tournament is None:
        return Role.OFFICER in account.roles
    return account.may_arbitrate(claim.tournament)


def _about(place: StatementPlace, game: QuestionedGame | None) -> str:
    """Returns what a claim is about, in one text: a game however its statement is reached."""
    if game is None:
        return f"statement\n{place.player}\n{place.list}\n{place.period}"
    players = sorted(each.id or "" for each in game.players)
    return "\n".join((GAME, game.tournament, str(game.round), *players))


def _title(place: StatementPlace, game: QuestionedGame | None) -> str:
    """Returns what a claim is called in lists, by ids alone: names can be erased."""
    if game is None:
        return f"{place.player}, {place.list} {place.period}"
    return f"{game.tournament}, {game.round}: {' – '.join(each.id or '' for each in game.players)}"
