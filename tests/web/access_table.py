"""Who may use which route: the whole site, as it is meant to be.

A line says who (``everybody``, ``people`` for whoever signed in, or roles), the method, the path,
and after ``:`` the scope that a token needs; without one, programs may not use what is not for
everybody. A new route needs a line here; ``test_access.py`` tries every cell.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from fastapi.routing import APIRoute

from web.app import ROOMS


class Row(NamedTuple):
    """Who may use a route; ``who`` has roles, or one word."""

    who: frozenset[str]
    scope: str | None


TABLE: Final = """
everybody GET /
everybody GET /static/{digest}/{name}
everybody GET /tournaments/{tournament}/forms/{form}
everybody GET /demo
everybody GET /lists
everybody GET /lists/{name}
everybody GET /lists/{name}/diff
everybody GET /lists/{name}/{period}
everybody GET /lists/{name}/{period}/bytes
everybody GET /lists/{name}/{period}/csv
everybody GET /lists/{name}/{period}/json
people GET /jobs
administrator auditor officer POST /jobs/verification
people GET /jobs/{job}
people POST /jobs/{job}/cancel
arbiter officer GET /corrections/new
arbiter officer POST /corrections/new
everybody GET /previews/{secret}
arbiter auditor officer GET /submissions
arbiter officer GET /submissions/new
arbiter officer POST /submissions/new
arbiter auditor officer GET /submissions/{id_}
officer POST /submissions/{id_}/accept
arbiter auditor officer GET /submissions/{id_}/file
officer POST /submissions/{id_}/hand-back
arbiter officer POST /submissions/{id_}/hand-in
arbiter officer POST /submissions/{id_}/mend
arbiter auditor officer GET /submissions/{id_}/preview.json
officer POST /submissions/{id_}/refuse
arbiter officer POST /submissions/{id_}/share
arbiter officer POST /submissions/{id_}/unshare
arbiter officer POST /submissions/{id_}/withdraw
everybody GET /players
everybody GET /players/{player}
everybody GET /players/{player}/titles
everybody GET /players/{player}/{name}
everybody GET /players/{player}/{name}/why
everybody GET /players/{player}/{name}/{period}

everybody GET /sign-in
everybody POST /sign-in
everybody POST /sign-in/passkey/begin
everybody POST /sign-in/passkey
everybody GET /sign-in/oidc
everybody GET /sign-in/oidc/callback
everybody POST /sign-out
everybody GET /enrol/{code}
everybody POST /enrol/{code}/password
everybody POST /enrol/{code}/codes
everybody POST /enrol/{code}/passkey/begin
everybody POST /enrol/{code}/passkey

people GET /account
people POST /account/password
people POST /account/codes
people POST /account/recovery-codes
people POST /account/password/end
people POST /account/passkeys/begin
people POST /account/passkeys
people POST /account/passkeys/end
people POST /account/sessions/end
people POST /account/tokens
people POST /account/tokens/end

administrator GET /accounts
administrator POST /accounts
administrator GET /accounts/{account}
administrator POST /accounts/{account}/grant
administrator POST /accounts/{account}/revoke
administrator POST /accounts/{account}/sessions/end
administrator POST /accounts/{account}/reset
administrator POST /accounts/{account}/identities
administrator POST /accounts/{account}/identities/end

everybody GET /api/v1
everybody GET /api/v1/checkpoint
everybody GET /api/v1/commits
everybody GET /api/v1/commits/{commit}
everybody GET /api/v1/events
everybody GET /api/v1/events/{seq}
everybody GET /api/v1/head
everybody GET /api/v1/ladders
everybody GET /api/v1/ladders/{ladder}
everybody GET /api/v1/lists
everybody GET /api/v1/lists/{list}
everybody GET /api/v1/lists/{list}/comparison
everybody GET /api/v1/lists/{list}/diff
everybody GET /api/v1/lists/{list}/live
everybody GET /api/v1/lists/{list}/monitor
everybody GET /api/v1/lists/{list}/periods
everybody GET /api/v1/lists/{list}/{period}
everybody GET /api/v1/lists/{list}/{period}/bytes
everybody GET /api/v1/openapi.json
everybody GET /api/v1/players
everybody GET /api/v1/players/{player}
everybody GET /api/v1/players/{player}/titles
everybody GET /api/v1/players/{player}/{list}/history
everybody GET /api/v1/players/{player}/{list}/performance/{tournament}
everybody GET /api/v1/players/{player}/{list}/why
everybody GET /api/v1/players/{player}/{list}/{period}
everybody GET /api/v1/problems/{key}
everybody GET /api/v1/regulations
everybody GET /api/v1/regulations/{regulation}
everybody GET /api/v1/regulations/{regulation}/lists/{list}
everybody GET /api/v1/tournaments
everybody GET /api/v1/tournaments/{tournament}
everybody GET /api/v1/tournaments/{tournament}/cards
everybody GET /api/v1/tournaments/{tournament}/crosstable
everybody GET /api/v1/tournaments/{tournament}/gains
everybody GET /api/v1/tournaments/{tournament}/rounds/{round}
everybody GET /api/v1/tournaments/{tournament}/score-sheet
everybody GET /api/v1/tournaments/{tournament}/standings
everybody GET /api/v1/tournaments/{tournament}/standings/{player}
everybody GET /api/v1/tournaments/{tournament}/teams
everybody GET /api/v1/tournaments/{tournament}/titles
everybody GET /api/v1/tournaments/{tournament}/trf
everybody GET /api/v1/tournaments/{tournament}/worksheet/{list}
"""


def rows() -> dict[tuple[str, str], Row]:
    """Returns the rows by method and path."""
    found = {}
    for line in filter(None, map(str.strip, TABLE.splitlines())):
        said, _, scope = line.partition(" : ")
        *who, method, path = said.split()
        assert (method, path) not in found, f"{method} {path} stands there twice"
        found[method, path] = Row(frozenset(who), scope.strip() or None)
    return found


def routes() -> dict[tuple[str, str], APIRoute]:
    """Returns the routes of the site by method and path; HEAD goes with GET."""
    return {
        (method, route.path): route
        for room in ROOMS
        for route in room.router.routes
        if isinstance(route, APIRoute)
        for method in (route.methods or set()) - {"HEAD"}
    }
