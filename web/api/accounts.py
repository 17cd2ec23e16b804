"""Accounts with their roles, for administrators and auditors; no ways to sign in."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path

from ledger.application.accounts import AccountReport, Accounts, accounts, require_account
from ledger.terms import Role
from web.access import only
from web.api.routing import ApiRoutes
from web.asked_view import Asked

routes = ApiRoutes("accounts")
_READERS: Final = only(Role.ADMINISTRATOR, Role.AUDITOR, scope="accounts")


@routes.reads("/accounts", _READERS)
def accounts_listed(view: Asked) -> Accounts:
    """The accounts that ever had a role, by name."""
    return Accounts(view.ask(accounts))


@routes.reads("/accounts/{account}", _READERS)
def account_described(
    view: Asked, name: Annotated[str, Path(alias="account", description="The account's name.")]
) -> AccountReport:
    """An account with the roles that it has."""
    return view.ask(require_account, name)
