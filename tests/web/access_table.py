"""Who may use which route: the whole site, as it is meant to be.

A line says who (``everybody``, ``people`` for whoever signed in, or roles; ``arbiter-everywhere``
is an arbiter who is limited to no tournament), the method, the path,
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
everybody GET /suggestions
everybody GET /logo
everybody GET /favicon.ico
everybody GET /feeds/corrections
everybody GET /feeds/lists
everybody GET /feeds/players/{player}
everybody GET /feeds/tournaments/{tournament:path}
everybody GET /robots.txt
everybody GET /sitemap.xml
everybody GET /sitemaps/{what}/{page}
everybody GET /static/{digest}/{name}
everybody GET /offline
everybody GET /data
everybody GET /data/{file}
everybody GET /tournaments/{tournament:path}/forms/certificate/{player}
everybody GET /tournaments/{tournament:path}/forms/report-form
everybody GET /tournaments/{tournament:path}/forms/{form}
everybody GET /demo
everybody GET /help
everybody GET /privacy
everybody GET /lists
everybody GET /lists/{name}
everybody GET /lists/{name}/diff
everybody GET /lists/{name}/{period}
everybody GET /lists/{name}/{period}/bytes
everybody GET /lists/{name}/{period}/csv
everybody GET /lists/{name}/{period}/print
everybody GET /lists/{name}/{period}/xlsx
everybody GET /lists/{name}/{period}/email
everybody GET /lists/{name}/{period}/letters
everybody GET /lists/{name}/{period}/json
officer GET /lists/{name}/restated/publish
officer POST /lists/{name}/restated/publish
officer GET /lists/{name}/{period}/publish
officer POST /lists/{name}/{period}/publish
officer GET /newcomers
officer POST /newcomers/{player:path}
officer GET /erase/{player:path}
officer POST /erase/{player:path}
everybody GET /corrections
everybody GET /corrections/{seq}
everybody GET /claims/new
everybody POST /claims/new
everybody GET /claim/{secret}
everybody POST /claim/{secret}/withdraw
arbiter officer GET /claims
arbiter officer GET /claims/{id_}
arbiter officer POST /claims/{id_}/accept
officer POST /claims/{id_}/refuse
everybody GET /audit
everybody GET /audit/checkpoint
everybody GET /audit/log
everybody GET /audit/commits/{number}
everybody GET /proofs
everybody GET /proofs/verify.html
everybody GET /proofs/checkpoint
everybody GET /checkpoint
everybody GET /tile/{path:path}
everybody GET /proofs/events/{seq}
everybody GET /proofs/lists/{name}/{period}
everybody GET /proofs/lists/{name}/{period}/{player:path}
everybody GET /audit/events/{seq}
everybody GET /regulations
everybody GET /regulations/{regulation}
everybody GET /ladders
everybody GET /ladders/{ladder}
everybody GET /monitor/{name}
everybody GET /compare/{name}/{regulation}
people POST /studies
everybody GET /tournaments
everybody GET /tournaments/{tournament:path}/crosstable
everybody GET /tournaments/{tournament:path}/rounds/{number}
everybody GET /tournaments/{tournament:path}/gains
everybody GET /tournaments/{tournament:path}/report
everybody GET /tournaments/{tournament:path}/standings.{form}
everybody GET /tournaments/{tournament:path}/teams
everybody GET /tournaments/{tournament:path}/places/{player:path}
everybody GET /tournaments/{tournament:path}
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
officer POST /submissions/{id_}/blank
arbiter officer POST /submissions/{id_}/columns
arbiter auditor officer GET /submissions/{id_}/file
officer POST /submissions/{id_}/hand-back
arbiter officer POST /submissions/{id_}/hand-in
arbiter officer POST /submissions/{id_}/look
arbiter officer POST /submissions/{id_}/mend
arbiter officer POST /submissions/{id_}/people
arbiter auditor officer GET /submissions/{id_}/preview.json
officer POST /submissions/{id_}/refuse
arbiter officer POST /submissions/{id_}/share
arbiter officer POST /submissions/{id_}/unshare
arbiter officer POST /submissions/{id_}/withdraw
everybody GET /clubs
officer GET /office
officer GET /office/duplicates
officer GET /office/next
everybody GET /calendar
everybody GET /calendar.ics
arbiter-everywhere officer GET /calendar/announce
arbiter-everywhere officer POST /calendar/announce
arbiter-everywhere officer POST /calendar/cancel
everybody GET /players
everybody GET /players/{player}
everybody GET /players/{player}/against
everybody GET /players/{player}/against/{opponent}
everybody GET /players/{player}/card.png
everybody GET /players/{player}/titles
everybody GET /players/{player}/tournaments
everybody GET /players/{player}/{name}
everybody GET /players/{player}/{name}/forecast
everybody GET /players/{player}/{name}/why
everybody GET /players/{player}/{name}/{period}
arbiter officer GET /desk
arbiter-everywhere officer GET /desk/new
arbiter-everywhere officer POST /desk/new
arbiter officer GET /desk/{tournament:path}
arbiter officer POST /desk/{tournament:path}/close
arbiter officer GET /desk/{tournament:path}/check-in
arbiter officer POST /desk/{tournament:path}/check-in
arbiter officer GET /desk/{tournament:path}/entries
arbiter officer POST /desk/{tournament:path}/entries
arbiter officer POST /desk/{tournament:path}/entries/{player:path}
arbiter officer GET /desk/{tournament:path}/entries/{player:path}
arbiter officer GET /desk/{tournament:path}/found
arbiter officer POST /desk/{tournament:path}/newcomers
arbiter officer GET /desk/{tournament:path}/numbers
arbiter officer POST /desk/{tournament:path}/numbers
arbiter officer GET /desk/{tournament:path}/pair
arbiter officer POST /desk/{tournament:path}/pair
arbiter officer GET /desk/{tournament:path}/report
arbiter officer GET /desk/{tournament:path}/report.trf
arbiter officer POST /desk/{tournament:path}/report
arbiter officer GET /desk/{tournament:path}/rounds/{number}
arbiter officer POST /desk/{tournament:path}/rounds/{number}/boards/{place}
arbiter officer POST /desk/{tournament:path}/rounds/{number}/withdraw
arbiter officer GET /desk/{tournament:path}/rules
arbiter officer POST /desk/{tournament:path}/rules
arbiter officer POST /desk/{tournament:path}/prizes
officer POST /desk/{tournament:path}/ruling
arbiter officer GET /desk/{tournament:path}/standings
arbiter officer POST /desk/{tournament:path}/standings
arbiter officer GET /desk/{tournament:path}/teams
arbiter officer POST /desk/{tournament:path}/teams
arbiter officer POST /desk/{tournament:path}/teams/{team:path}/lineup

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
people POST /account/keys/bind
people POST /account/keys/unbind
people GET /again
people GET /again/{secret}
people GET /sign/{secret}
people POST /sign/{secret}/begin
people POST /sign/{secret}
people POST /account/sessions/end
people POST /account/tokens
people POST /account/tokens/end
people GET /account/claims
people POST /account/claims/{id_}

administrator auditor GET /accounts
administrator POST /accounts
administrator GET /accounts/{account}
administrator POST /accounts/{account}/grant
administrator POST /accounts/{account}/revoke
administrator POST /accounts/{account}/sessions/end
administrator POST /accounts/{account}/reset
administrator POST /accounts/{account}/identities
administrator POST /accounts/{account}/identities/end
administrator officer GET /player-accounts
administrator officer POST /player-accounts
administrator officer POST /player-accounts/link
administrator officer POST /player-accounts/untie
administrator GET /webhooks
administrator POST /webhooks
administrator POST /webhooks/deliveries
administrator POST /webhooks/{webhook}/withdraw
administrator POST /webhooks/{webhook}/resume

everybody GET /api/v1
everybody GET /api/v1/checkpoint
everybody GET /api/v1/commits
everybody GET /api/v1/commits/{commit}
everybody GET /api/v1/corrections
everybody GET /api/v1/corrections/{seq}
everybody GET /api/v1/events/{seq}/proof
everybody GET /api/v1/players/{player}/tournaments
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
everybody GET /api/v1/players/{player}/{list}/forecast
everybody GET /api/v1/players/{player}/{list}/against/{opponent}
everybody GET /api/v1/players/{player}/{list}/career
everybody GET /api/v1/players/{player}/{list}/history
everybody GET /api/v1/players/{player}/{list}/performance/{tournament}
everybody GET /api/v1/players/{player}/{list}/why
everybody GET /api/v1/players/{player}/{list}/{period}
everybody GET /api/v1/calendar
everybody GET /api/v1/clubs
everybody GET /api/v1/agenda
everybody GET /api/v1/lists/{list}/periods/{period}/check
everybody GET /api/v1/lists/{list}/periods/{period}/letters
everybody GET /api/v1/problems/{key}
everybody GET /api/v1/regulations
everybody GET /api/v1/regulations/{regulation}
everybody GET /api/v1/regulations/{regulation}/lists/{list}
everybody GET /api/v1/tournaments
everybody GET /api/v1/tournaments/{tournament}
everybody GET /api/v1/tournaments/{tournament}/cards
everybody GET /api/v1/tournaments/{tournament}/crosstable
everybody GET /api/v1/tournaments/{tournament}/gains
everybody GET /api/v1/tournaments/{tournament}/prizes
everybody GET /api/v1/tournaments/{tournament}/progress
everybody GET /api/v1/tournaments/{tournament}/results
everybody GET /api/v1/tournaments/{tournament}/seats
everybody GET /t/{tournament:path}/live
everybody GET /api/v1/tournaments/{tournament}/rounds/{round}
everybody GET /api/v1/tournaments/{tournament}/score-sheet
everybody GET /api/v1/tournaments/{tournament}/standings
everybody GET /api/v1/tournaments/{tournament}/standings/{player}
everybody GET /api/v1/tournaments/{tournament}/teams
everybody GET /api/v1/tournaments/{tournament}/titles
everybody GET /api/v1/tournaments/{tournament}/trf
everybody GET /api/v1/tournaments/{tournament}/worksheet/{list}
everybody GET /api/v1/tournaments/{tournament}/certificates/{player}
everybody GET /api/v1/tournaments/{tournament}/report-form
arbiter auditor officer GET /api/v1/submissions : submissions
arbiter auditor officer GET /api/v1/submissions/{submission} : submissions
arbiter auditor officer GET /api/v1/submissions/{submission}/preview : submissions
arbiter officer GET /api/v1/claims : submissions
everybody POST /api/v1/claims
arbiter officer POST /api/v1/claims/{claim}/accept : submissions
officer POST /api/v1/claims/{claim}/refuse : submissions
arbiter officer POST /api/v1/submissions/corrections : submissions
officer POST /api/v1/submissions/erasures : submissions
arbiter officer POST /api/v1/submissions/files : submissions
arbiter officer POST /api/v1/submissions/{submission}/withdraw : submissions
officer POST /api/v1/submissions/{submission}/hand-back : submissions
officer POST /api/v1/submissions/{submission}/refuse : submissions
officer POST /api/v1/submissions/{submission}/accept : submissions
arbiter officer POST /api/v1/submissions/{submission}/hand-in : submissions
arbiter officer POST /api/v1/submissions/{submission}/mend/correction : submissions
officer POST /api/v1/submissions/{submission}/mend/erasure : submissions
arbiter officer POST /api/v1/submissions/{submission}/mend/file : submissions
people GET /api/v1/jobs : jobs
people GET /api/v1/jobs/{job} : jobs
administrator auditor officer POST /api/v1/jobs/verification : jobs
people POST /api/v1/jobs/{job}/cancel : jobs
everybody GET /api/v1/verification
administrator auditor GET /api/v1/accounts : accounts
administrator auditor GET /api/v1/accounts/{account} : accounts
administrator GET /api/v1/webhooks : accounts
administrator GET /api/v1/webhooks/{webhook}/deliveries : accounts
administrator POST /api/v1/webhooks : accounts
administrator POST /api/v1/webhooks/{webhook}/withdraw : accounts
administrator POST /api/v1/webhooks/{webhook}/resume : accounts
officer POST /api/v1/commands/accept-tournament : tournaments
arbiter officer POST /api/v1/commands/adjourn-game : tournaments
arbiter officer POST /api/v1/commands/adjudicate-game : tournaments
officer POST /api/v1/commands/adjust-list : lists
officer POST /api/v1/commands/adjust-rating : players
officer POST /api/v1/commands/define-list : lists
officer POST /api/v1/commands/adopt-regulation : lists
officer POST /api/v1/commands/set-two-persons : lists
officer POST /api/v1/commands/affiliate-player : players
arbiter officer POST /api/v1/commands/announce-absence : tournaments
arbiter officer POST /api/v1/commands/announce-prizes : tournaments
arbiter-everywhere officer POST /api/v1/commands/announce-tournament : tournaments
arbiter-everywhere officer POST /api/v1/commands/cancel-tournament : tournaments
arbiter officer POST /api/v1/commands/announce-rounds : tournaments
arbiter officer POST /api/v1/commands/announce-rules : tournaments
arbiter officer POST /api/v1/commands/annul-bye : tournaments
arbiter officer POST /api/v1/commands/annul-result : tournaments
officer POST /api/v1/commands/annul-tournament : tournaments
officer POST /api/v1/commands/assign-k : players
officer POST /api/v1/commands/award-title : players
arbiter officer POST /api/v1/commands/change-rounds : tournaments
arbiter officer POST /api/v1/commands/change-rules : tournaments
arbiter officer POST /api/v1/commands/close-tournament : tournaments
officer POST /api/v1/commands/correct-player : players
officer POST /api/v1/commands/link-player : players
officer POST /api/v1/commands/tell-apart : players
officer POST /api/v1/commands/confirm-player : players
arbiter officer POST /api/v1/commands/correct-colours : tournaments
arbiter officer POST /api/v1/commands/correct-result : tournaments
arbiter officer POST /api/v1/commands/correct-tournament : tournaments
arbiter officer POST /api/v1/commands/describe-entry : tournaments
officer POST /api/v1/commands/describe-player : players
arbiter officer POST /api/v1/commands/enter-player : tournaments
arbiter officer POST /api/v1/commands/register-newcomer : tournaments
arbiter officer POST /api/v1/commands/enter-team : tournaments
arbiter officer POST /api/v1/commands/excuse-absence : tournaments
arbiter officer POST /api/v1/commands/expel-player : tournaments
officer POST /api/v1/commands/flag-tournament : tournaments
arbiter officer POST /api/v1/commands/give-bye : tournaments
arbiter officer POST /api/v1/commands/hand-in-lineup : tournaments
officer POST /api/v1/commands/erase-player : players
officer POST /api/v1/commands/leave-ladder : ladders
officer POST /api/v1/commands/merge-players : players
arbiter officer POST /api/v1/commands/number-participants : tournaments
arbiter-everywhere officer POST /api/v1/commands/open-tournament : tournaments
arbiter officer POST /api/v1/commands/pair-round : tournaments
officer POST /api/v1/commands/publish : lists
arbiter officer POST /api/v1/commands/publish-standings : tournaments
arbiter officer POST /api/v1/commands/record-boards : tournaments
officer POST /api/v1/commands/record-challenge-game : ladders
arbiter officer POST /api/v1/commands/record-forfeit : tournaments
arbiter officer POST /api/v1/commands/record-result : tournaments
officer POST /api/v1/commands/register-player : players
officer POST /api/v1/commands/reject-tournament : tournaments
officer POST /api/v1/commands/rule-on-tournament : tournaments
officer POST /api/v1/commands/seed-rating : players
officer POST /api/v1/commands/set-calendar : lists
officer POST /api/v1/commands/settle-challenge : ladders
officer POST /api/v1/commands/withdraw-challenge : ladders
arbiter officer POST /api/v1/commands/return-player : tournaments
officer POST /api/v1/commands/reopen-tournament : tournaments
officer POST /api/v1/commands/split-player : players
officer POST /api/v1/commands/undo-commit : lists
arbiter officer POST /api/v1/commands/withdraw-player : tournaments
arbiter officer POST /api/v1/commands/withdraw-round : tournaments
officer POST /api/v1/previews/accept-tournament : tournaments
arbiter officer POST /api/v1/previews/adjourn-game : tournaments
arbiter officer POST /api/v1/previews/adjudicate-game : tournaments
officer POST /api/v1/previews/adjust-list : lists
officer POST /api/v1/previews/adjust-rating : players
officer POST /api/v1/previews/define-list : lists
officer POST /api/v1/previews/adopt-regulation : lists
officer POST /api/v1/previews/set-two-persons : lists
officer POST /api/v1/previews/affiliate-player : players
arbiter officer POST /api/v1/previews/announce-absence : tournaments
arbiter officer POST /api/v1/previews/announce-prizes : tournaments
arbiter-everywhere officer POST /api/v1/previews/announce-tournament : tournaments
arbiter-everywhere officer POST /api/v1/previews/cancel-tournament : tournaments
arbiter officer POST /api/v1/previews/announce-rounds : tournaments
arbiter officer POST /api/v1/previews/announce-rules : tournaments
arbiter officer POST /api/v1/previews/annul-bye : tournaments
arbiter officer POST /api/v1/previews/annul-result : tournaments
officer POST /api/v1/previews/annul-tournament : tournaments
officer POST /api/v1/previews/assign-k : players
officer POST /api/v1/previews/award-title : players
arbiter officer POST /api/v1/previews/change-rounds : tournaments
arbiter officer POST /api/v1/previews/change-rules : tournaments
arbiter officer POST /api/v1/previews/close-tournament : tournaments
officer POST /api/v1/previews/correct-player : players
officer POST /api/v1/previews/link-player : players
officer POST /api/v1/previews/tell-apart : players
officer POST /api/v1/previews/confirm-player : players
arbiter officer POST /api/v1/previews/correct-colours : tournaments
arbiter officer POST /api/v1/previews/correct-result : tournaments
arbiter officer POST /api/v1/previews/correct-tournament : tournaments
arbiter officer POST /api/v1/previews/describe-entry : tournaments
officer POST /api/v1/previews/describe-player : players
arbiter officer POST /api/v1/previews/enter-player : tournaments
arbiter officer POST /api/v1/previews/register-newcomer : tournaments
arbiter officer POST /api/v1/previews/enter-team : tournaments
arbiter officer POST /api/v1/previews/excuse-absence : tournaments
arbiter officer POST /api/v1/previews/expel-player : tournaments
officer POST /api/v1/previews/flag-tournament : tournaments
arbiter officer POST /api/v1/previews/give-bye : tournaments
arbiter officer POST /api/v1/previews/hand-in-lineup : tournaments
officer POST /api/v1/previews/erase-player : players
officer POST /api/v1/previews/leave-ladder : ladders
officer POST /api/v1/previews/merge-players : players
arbiter officer POST /api/v1/previews/number-participants : tournaments
arbiter-everywhere officer POST /api/v1/previews/open-tournament : tournaments
arbiter officer POST /api/v1/previews/pair-round : tournaments
officer POST /api/v1/previews/publish : lists
arbiter officer POST /api/v1/previews/publish-standings : tournaments
arbiter officer POST /api/v1/previews/record-boards : tournaments
officer POST /api/v1/previews/record-challenge-game : ladders
arbiter officer POST /api/v1/previews/record-forfeit : tournaments
arbiter officer POST /api/v1/previews/record-result : tournaments
officer POST /api/v1/previews/register-player : players
officer POST /api/v1/previews/reject-tournament : tournaments
officer POST /api/v1/previews/rule-on-tournament : tournaments
officer POST /api/v1/previews/seed-rating : players
officer POST /api/v1/previews/set-calendar : lists
officer POST /api/v1/previews/settle-challenge : ladders
officer POST /api/v1/previews/withdraw-challenge : ladders
arbiter officer POST /api/v1/previews/return-player : tournaments
officer POST /api/v1/previews/reopen-tournament : tournaments
officer POST /api/v1/previews/split-player : players
officer POST /api/v1/previews/undo-commit : lists
arbiter officer POST /api/v1/previews/withdraw-player : tournaments
arbiter officer POST /api/v1/previews/withdraw-round : tournaments
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
