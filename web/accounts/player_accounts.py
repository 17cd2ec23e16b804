"""The accounts of players: who speaks with one about their own games. An officer says whose it is.

Such an account needs no role. Nothing of it is recorded, since it lets nobody record anything.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query, Request, Response

from ledger.answers.people_pages import PeopleAsked, living_ids
from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.service.accounts import check_new_name, has_or_had_role
from ledger.terms import Role
from web.access import Routes, only
from web.accounts.identity import FRESH
from web.accounts.own_player import person_meant
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Filled, Typed
from web.forms import FormOutcome
from web.office import accounts, player_ties
from web.office.store import office_of
from web.problems import failure_data, status_of
from web.read_models.answers import people_of
from web.read_models.model_store import store_of
from web.rendering import render

routes = Routes("/player-accounts")
_PAGE: Final = "player-accounts"
STAFF: Final = only(Role.ADMINISTRATOR, Role.OFFICER)
_FOUND: Final = 20
_UNSENT: Final = FormOutcome()


@routes.get("", STAFF)
def player_accounts_page(
    request: Request, q: Annotated[str, Query(max_length=200)] = "",
    account: Annotated[str, Query(max_length=100)] = "",
) -> Response:  # fmt: skip
    """Shows the accounts of players, and the players who are looked for."""
    return _page(request, q, account, _UNSENT)


@routes.post("", STAFF, dependencies=[FRESH])
def tie_account(
    request: Request, typed: Filled, account: Typed = "", player: Typed = "", q: Typed = ""
) -> Response:
    """Says whose an account is; one that there is not is made, and its link shown."""
    name, site, office = account.strip().lower(), site_of(request), office_of(request)
    try:
        if not player:
            raise InputRefused("account.which_player")
        view = site.newest()
        ids = view.ask(living_ids, player)
        with office.writing() as connection:
            tied = player_ties.tied_players(connection)
            is_new = name not in tied and not view.ask(has_or_had_role, name)
            if is_new:
                view.ask(check_new_name, name, tied)
            player_ties.tie_player(connection, name, player, ids, office.now())
    except LedgerError as error:
        return _page(request, q, name, FormOutcome(typed, error))
    return _handed_over(request, name) if is_new else to_page(_PAGE)


@routes.post("/link", STAFF, dependencies=[FRESH])
def make_link(request: Request, typed: Filled, account: Typed = "") -> Response:
    """Takes every way in from an account that never had a role, and shows a new link."""
    with office_of(request).reading() as connection:
        is_tied = player_ties.tied_player(connection, account) is not None
    if not is_tied or site_of(request).newest().ask(has_or_had_role, account):
        refused = Conflict("account.has_role", account=account)
        return _page(request, "", "", FormOutcome(typed, refused))
    return _handed_over(request, account)


@routes.post("/untie", STAFF, dependencies=[FRESH])
def untie_account(request: Request, typed: Filled, account: Typed = "") -> Response:
    """Lets an account be no player's any more."""
    try:
        with office_of(request).writing() as connection:
            player_ties.untie_account(connection, account)
    except LedgerError as error:
        return _page(request, "", "", FormOutcome(typed, error))
    return to_page(_PAGE)


def players_by_account(request: Request) -> dict[str, player_ties.TiedPlayer]:
    """Returns the players whose accounts are, by account; nobody who was erased."""
    with office_of(request).reading() as connection:
        tied = player_ties.tied_players(connection)
    found = {name: person_meant(request, player) for name, player in tied.items()}
    return {name: person for name, person in found.items() if person is not None}


def _handed_over(request: Request, account: str) -> Response:
    office = office_of(request)
    with office.writing() as connection:
        origin = site_of(request).settings.origin
        link = accounts.hand_over(connection, account, origin, office.now())
    return render(
        request, "handed_over.html", name=account, link=link, hours=accounts.ENROLMENT_HOURS,
        before=None, back=f"/{_PAGE}",
    )  # fmt: skip


def _page(request: Request, search: str, account: str, outcome: FormOutcome) -> Response:
    view, problem = site_of(request).newest(), outcome.problem
    tied, text = players_by_account(request), search.strip()
    wanted = PeopleAsked(search=text, limit=_FOUND)
    return render(
        request, "player_accounts.html", status_of(problem), outcome.typed, q=text, name=account,
        tied=tied,
        people=people_of(store_of(request), view, wanted)[0].people if text else (),
        with_roles={each for each in tied if view.ask(has_or_had_role, each)},
        error=failure_data(request, problem),
    )  # fmt: skip
