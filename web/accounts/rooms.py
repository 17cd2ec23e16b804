"""The routes of accounts."""

from __future__ import annotations

from web.access import Routes
from web.accounts import administration, enrolment, oidc, own_account, sign_in

ACCOUNTS: tuple[Routes, ...] = (
    sign_in.routes,
    sign_in.sign_out_routes,
    oidc.routes,
    enrolment.routes,
    own_account.routes,
    administration.routes,
)
