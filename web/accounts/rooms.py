"""The routes of accounts."""

from __future__ import annotations

from web.access import Routes
from web.accounts import (
    administration,
    bound_keys,
    enrolment,
    oidc,
    own_account,
    sign_in,
    signature_pages,
)

ROOMS: tuple[Routes, ...] = (
    sign_in.routes,
    sign_in.sign_out_routes,
    oidc.routes,
    enrolment.routes,
    own_account.routes,
    bound_keys.routes,
    signature_pages.routes,
    administration.routes,
)
