"""Something wrong? The form for everybody, the page of who sent it, and those of who decide.

Who has the secret of a link sees its claim; whoever guesses is told that there is none.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Query, Request, Response

from ledger.answers.claims import QuestionedGame, claimable_tournament, questioned_game
from ledger.answers.directory import names_recorded
from ledger.answers.tournaments import names_of_tournaments
from ledger.errors import LedgerError
from ledger.identifiers import Seq
from ledger.reports.statement import Statement
from ledger.terms import Role
from ledger.typed_values import integer_in
from web.access import PUBLIC, SIGNED_IN, Routes, only, required_account
from web.asked_view import newest_for, site_of
from web.destinations import to_page
from web.fields import LARGEST, Filled
from web.forms import NOTHING, TypedForm
from web.office.claims import ClaimState, KeptClaim
from web.office.store import new_secret
from web.office.submissions import Submission, SubmissionState
from web.problems import failure_data, form_status
from web.rendering import render
from web.submissions.claim_answers import (
    MOST_ANSWER,
    answer_claim,
    claims_asked,
    claims_people,
)
from web.submissions.claim_intake import (
    claim_desk,
    deadline_of,
    receive_claim,
    statement_meant,
)
from web.submissions.claims import (
    MOST_WORDS,
    standing,
)
from web.submissions.contents import read_content
from web.submissions.names import words_of
from web.submissions.pages import MOST_OF_PREVIEW, Everything, asked_board
from web.submissions.permissions import desk_of, party_of
from web.submissions.previews import summary

routes = Routes()
_DECIDERS: Final = only(Role.ARBITER, Role.OFFICER)
_OFFICERS: Final = only(Role.OFFICER)
_STATES: Final = {
    ClaimState.OPEN.value: "claim.state_open",
    ClaimState.ACCEPTED.value: "claim.state_accepted",
    ClaimState.REFUSED.value: "claim.state_refused",
    ClaimState.WITHDRAWN.value: "claim.withdrawn",
}
_NAMED: Final = 50  # claims of a list; each is read with its round
_Name = Annotated[str, Query(max_length=300)]


# By everybody


@routes.get("/claims/new", PUBLIC)
def new_claim(
    request: Request, player: _Name = "", name: Annotated[_Name, Query(alias="list")] = "",
    period: _Name = "", game: _Name = "", tournament: _Name = "",
    number: Annotated[_Name, Query(alias="round")] = "",
) -> Response:  # fmt: skip
    """Shows the form: what is wrong in a statement, and of which game.

    Of a tournament it is the statement in which a player's games of it are, or it asks whose. Of
    neither it says where one begins.
    """
    of_tournament = None
    if tournament and not (name and period):
        of_tournament = newest_for(request).ask(claimable_tournament, tournament)
        name, period = of_tournament.list, of_tournament.period
    if not (player and name and period):
        return render(
            request, "claim_where.html", of_tournament=of_tournament, tournament=tournament
        )
    if number and not game:
        place = {"player": player, "list": name, "period": period}
        game = _game_of(statement_meant(request, place), tournament, number)
    words = {
        "player": player, "list": name, "period": period, "game": game, "tournament": tournament,
    }  # fmt: skip
    return _form(request, TypedForm.of_pairs(words.items(), path=""))


def _game_of(statement: Statement, tournament: str, number: str) -> str:
    """Returns the seq of a player's game of a round, as the form names it; "" where none is."""
    lines = (each for each in statement.lines if each.tournament == tournament)
    return next((str(each.seq) for each in lines if str(each.round) == number), "")


@routes.post("/claims/new", PUBLIC)
def add_claim(request: Request, typed: Filled) -> Response:
    """Keeps a claim, and leads to its page, whose address is the only way to it."""
    secret = typed.value("key")
    try:
        receive_claim(request, typed.texts, secret)
    except LedgerError as error:
        return _form(request, typed, error)
    return to_page("claim", secret)


@routes.get("/claim/{secret}", PUBLIC)
def own_claim(request: Request, secret: str) -> Response:
    """Shows a claim to who has its link; nobody keeps it, and no search engine lists it."""
    return _own(request, secret)


@routes.post("/claim/{secret}/withdraw", PUBLIC)
def withdraw_claim(request: Request, secret: str) -> Response:
    """Withdraws a claim."""
    try:
        claim_desk(request).withdraw(secret)
    except LedgerError as error:
        return _own(request, secret, error)
    return to_page("claim", secret)


def _own(request: Request, secret: str, error: LedgerError | None = None) -> Response:
    desk = claim_desk(request)
    claim = desk.of_link(secret)
    submission = desk.submission_of(claim)
    site = site_of(request)
    answer = render(
        request, "claim.html", form_status(error), claim=claim, secret=secret,
        error=failure_data(request, error), standing=standing(claim, submission),
        link=f"{site.settings.origin}/claim/{secret}", is_taken_up=submission is not None,
        to=site.settings.federation.claims_to, is_staff=False,
        said=claims_people(request).answers(claim),
        **_asked(request, claim, submission),
    )  # fmt: skip
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _asked(request: Request, claim: KeptClaim, taken_up: Submission | None) -> dict[str, Any]:
    """Returns what a claim asks for, with names: as templates of submissions know it.

    Where it was recorded, the board is as it was before.
    """
    content = read_content(claim.content) if claim.content else None
    commit = claim.commit_id if taken_up is None else taken_up.commit_id
    board = None
    if content is not None:
        board = newest_for(request).ask(asked_board, content, commit)
    named = newest_for(request).ask(names_recorded, [claim.player])[claim.player]
    event = None
    if content is None and claim.tournament:
        events = newest_for(request).ask(names_of_tournaments, [claim.tournament])
        event = events.get(claim.tournament)
    return {
        "content": content, "asked": board, "name": named.name, "event": event,
        "is_recorded": commit is not None,
    }  # fmt: skip


def _form(request: Request, typed: TypedForm, error: LedgerError | None = None) -> Response:
    statement = statement_meant(request, typed.texts)
    view = newest_for(request)
    seq = integer_in(typed.value("game"), least=1, most=LARGEST)
    game: QuestionedGame | None = None
    if seq is not None and seq in statement.seqs:
        game = view.ask(questioned_game, Seq(seq))
    return render(
        request, "claim_new.html", form_status(error), typed if typed.is_sent else NOTHING,
        made=statement, key=typed.text("key") or new_secret(), game=game,
        events=view.ask(names_of_tournaments, statement.tournaments),
        chosen=typed.value("game"), tournament=typed.value("tournament"),
        deadline=deadline_of(request, statement),
        to=site_of(request).settings.federation.claims_to, most_words=MOST_WORDS,
        error=failure_data(request, error),
    )  # fmt: skip


# By who played the game


@routes.get("/account/claims", SIGNED_IN)
def asked_claims(request: Request) -> Response:
    """Shows what others say is wrong with games of the player who signed in."""
    return _asked_page(request)


@routes.post("/account/claims/{id_}", SIGNED_IN)
def answer_asked(request: Request, id_: str, typed: Filled) -> Response:
    """Keeps whether that is so."""
    try:
        answer_claim(request, id_, typed.value("answer"), typed.value("words"))
    except LedgerError as error:
        return _asked_page(request, error, typed)
    return to_page("account", "claims")


def _asked_page(
    request: Request, error: LedgerError | None = None, typed: TypedForm = NOTHING
) -> Response:
    found = [(each, _asked(request, each.claim, None)) for each in claims_asked(request)]
    return render(
        request, "asked_claims.html", form_status(error), typed, found=found[:_NAMED],
        most_answer=MOST_ANSWER, error=failure_data(request, error),
    )  # fmt: skip


# By who decides


@routes.get("/claims", _DECIDERS)
def all_claims(request: Request) -> Response:
    """Lists the claims that wait: an arbiter's tournaments, for an officer all."""
    found = claim_desk(request).waiting(required_account(request))
    named = [(each, _asked(request, each, None)) for each in found[:_NAMED]]
    others = [(each, dict[str, Any]()) for each in found[_NAMED:]]
    return render(request, "claims.html", found=[*named, *others])


@routes.get("/claims/{id_}", _DECIDERS)
def one_claim(request: Request, id_: str, *, everything: Everything = False) -> Response:
    """Shows a claim with what it would change."""
    return _page(request, id_, most=None if everything else MOST_OF_PREVIEW)


@routes.post("/claims/{id_}/accept", _DECIDERS)
def take_up_claim(request: Request, id_: str, typed: Filled) -> Response:
    """Makes a submission of a claim; who may decide alone has recorded it as well."""
    desk, party = claim_desk(request), party_of(request)
    try:
        claim = desk.seen(id_, party.account)
        desk.take_up(claim, party, typed.value("reason"), typed.value("digest"))
    except LedgerError as error:
        return _page(request, id_, error, typed)
    return to_page("submissions", id_)


@routes.post("/claims/{id_}/refuse", _OFFICERS)
def refuse_claim(request: Request, id_: str, typed: Filled) -> Response:
    """Refuses a claim, with the reason that its maker is told."""
    desk, account = claim_desk(request), required_account(request)
    try:
        desk.refuse(desk.seen(id_, account), account, typed.value("comment"))
    except LedgerError as error:
        return _page(request, id_, error, typed)
    return to_page("claims")


def _page(
    request: Request, id_: str, error: LedgerError | None = None, typed: TypedForm = NOTHING,
    *, most: int | None = MOST_OF_PREVIEW,
) -> Response:  # fmt: skip
    desk, account = claim_desk(request), required_account(request)
    people, claim = claims_people(request), desk.seen(id_, account)
    submission = desk.submission_of(claim)
    waits = claim.state is ClaimState.OPEN and submission is None
    return render(
        request, "one_claim.html", form_status(error), typed, claim=claim, waits=waits,
        states=_STATES, most=most,
        preview=desk.preview(claim, account) if waits else None, error=failure_data(request, error),
        is_taken_up=submission is not None,
        is_officer=Role.OFFICER in account.roles, needs_two=desk_of(request).needs_two(),
        submission={"state": SubmissionState.DRAFT}, summary=summary,
        words=words_of(SubmissionState.DRAFT), may_mend=False, is_staff=True,
        said=people.answers(claim), claimant=people.claiming(claim),
        **_asked(request, claim, submission),
    )  # fmt: skip
