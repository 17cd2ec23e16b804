"""Which player somebody is who signed in, by the tie of the account; see ``player_accounts``."""

from __future__ import annotations

from fastapi import Request

from ledger.answers.directory import player_recorded
from ledger.errors import NotFound
from web.access import account_of
from web.asked_view import site_of
from web.office.player_ties import TiedPlayer, tied_player
from web.office.store import office_if_any
from web.read_models.answers import Careers
from web.read_models.model_store import store_of


def person_meant(request: Request, player: str) -> TiedPlayer | None:
    """Returns who an id of a tie means now; None where nobody has it, or the person was erased."""
    view = site_of(request).newest()
    try:
        survivor = Careers(store_of(request), view).survivor(player)
        sheet = view.ask(player_recorded, survivor)
    except NotFound:
        return None
    return None if sheet.erased_on else TiedPlayer(survivor, sheet.name)


def player_of_account(request: Request, account: str) -> TiedPlayer | None:
    """Returns the player whose an account is; None where it is nobody's."""
    office = office_if_any(request)
    if office is None:
        return None
    with office.reading() as connection:
        tied = tied_player(connection, account)
    return None if tied is None else person_meant(request, tied)


def own_player(request: Request) -> TiedPlayer | None:
    """Returns which player asks; None where nobody signed in, or the account is nobody's."""
    account = account_of(request)
    return None if account is None else player_of_account(request, account.name)
