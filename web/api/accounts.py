"""Accounts with their roles, for administrators and auditors; no ways to sign in."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Path

from ledger.application.accounts import accounts, require_account
from ledger.terms import Role
from web.access import only
from web.api.routing import ApiRoutes
from web.asked_view import Asked

routes = ApiRoutes("accounts")
_READERS: Final = only(Role.ADMINISTRATOR, Role.AUDITOR, scope="accounts")


@routes.reads("/accounts", _READERS, "Accounts")
def accounts_listed(view: Asked) -> Any:
    """The accounts that ever had a role, by name."""
    return {"accounts": [each.data() for each in view.ask(accounts)]}


@routes.reads("/accounts/{account}", _READERS, "Account")
def account_described(
    view: Asked, name: Annotated[str, Path(alias="account", description="The account's name.")]
) -> Any:
    """An account with the roles that it has."""
    return view.ask(require_account, name).data()
