"""The accounts of the site, for an administrator: made, granted roles, and revoked.

Every form has a key of its own: sent twice, it is one commit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import Form, Request, Response

from ledger.answers.tournaments import names_of_tournaments
from ledger.errors import Conflict, LedgerError
from ledger.facts.accounts import Grant
from ledger.service.accounts import (
    AccountReport,
    GrantInForce,
    create_account,
    entrust_account,
    grant_role,
    has_or_had_role,
    require_account,
    revoke_role,
)
from ledger.service.accounts import accounts as accounts_of
from ledger.service.ledger import Ledger, Receipt
from ledger.service.ledger import Request as Asking
from ledger.terms import Role
from ledger.trust.two_persons import needs_two_to_revoke
from ledger.views.view import LedgerView
from web.access import Routes, only, required_account
from web.accounts.identity import FRESH, rights_now
from web.accounts.oidc import provider_of
from web.accounts.own_player import player_of_account
from web.accounts.player_accounts import players_by_account
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Filled, Reason, Typed
from web.forms import FormOutcome
from web.office import accounts, credentials, sessions, tokens
from web.office.player_ties import tied_player
from web.office.store import new_secret, office_of
from web.paths import path_of
from web.problems import failure_data, status_of
from web.rendering import render
from web.signature_requests import asking_of

routes = Routes("/accounts")
ADMINISTRATOR = only(Role.ADMINISTRATOR)
Chosen = Annotated[Role, Form()]


@routes.get("", only(Role.ADMINISTRATOR, Role.AUDITOR))
def accounts_page(request: Request) -> Response:
    """Shows all accounts with their roles; an auditor may see them."""
    return _accounts_page(request, FormOutcome())


def _accounts_page(request: Request, outcome: FormOutcome) -> Response:
    newest = site_of(request).newest()
    found = newest.ask(accounts_of)
    grants = [grant for each in found for grant in each.grants]
    administers = Role.ADMINISTRATOR in required_account(request).roles
    tied = players_by_account(request)
    others = sorted(tied.keys() - {each.account for each in found})
    return _render(
        request, "accounts.html", outcome, administers=administers, tied=tied,
        events=newest.ask(_events, grants),
        accounts=[*found, *(AccountReport(each, ()) for each in others)],
    )  # fmt: skip


def _events(view: LedgerView, grants: Iterable[GrantInForce]) -> dict[str, str]:
    """Returns how the tournaments are called to which roles are limited, by id."""
    return names_of_tournaments(view, {each.tournament for each in grants if each.tournament})


@routes.post("", ADMINISTRATOR, dependencies=[FRESH])
def create(
    request: Request, typed: Filled, role: Chosen, account: Typed = "", reason: Reason = "",
    tournament: Typed = "", key: Typed = "",
) -> Response:  # fmt: skip
    """Makes an account with its first role, and shows the link by which it is handed over."""
    name, place = account.strip().lower(), tournament.strip() or None
    asking = _asking(request, reason, key, "create", name, role, place)

    def made(ledger: Ledger) -> Receipt:
        again = ledger.repeated(asking)  # else it would be refused, as it is there
        return again or create_account(ledger, name, role, tournament=place, request=asking)

    try:
        _check_nobodys(request, name)
        receipt = site_of(request).record(made)
    except LedgerError as error:
        return _accounts_page(request, FormOutcome(typed, error))
    return _handed_over(request, name, receipt, reason)


def _check_nobodys(request: Request, account: str) -> None:
    """Refuses a new account under the name of one that is a player's, and has no role."""
    with office_of(request).reading() as connection:
        if tied_player(connection, account) is not None:
            raise Conflict("account.exists", account=account)


@routes.get("/{account}", ADMINISTRATOR)
def one_account_page(request: Request, account: str) -> Response:
    """Shows an account: its roles, ways in and sessions."""
    return _one_account_page(request, account, FormOutcome())


def _one_account_page(
    request: Request, account: str, outcome: FormOutcome, target: Grant | None = None
) -> Response:
    """Shows an account; ``target`` is the role that was to be revoked, where that was refused.

    Somebody else may have revoked it meanwhile: then its form is shown all the same, once more.
    """
    newest, person = site_of(request).newest(), player_of_account(request, account)
    is_recorded = newest.ask(has_or_had_role, account)
    found = AccountReport(account, ())
    if person is None or is_recorded:
        found = newest.ask(require_account, account)
    has_role = target in {Grant(each.role, each.tournament) for each in found.grants}
    office = office_of(request)
    with office.reading() as connection:
        values: dict[str, Any] = {
            "has_password": credentials.password_of(connection, account) is not None,
            "passkeys": credentials.passkeys_of(connection, account),
            "identities": credentials.identities_of(connection, account),
            "sessions": sessions.sessions_of(connection, account, office.now()),
            "tokens": tokens.tokens_of(connection, account),
            "link": accounts.pending_link(connection, account, office.now()),
        }
        able = credentials.who_can_sign_in(connection)
    provider = provider_of(site_of(request).settings)
    needs_two = newest.ask(lambda ledger: needs_two_to_revoke(ledger.facts(), account, able))
    return _render(
        request, "one_account.html", outcome, found=found, provider=provider, needs_two=needs_two,
        person=person, is_recorded=is_recorded, gone=None if has_role else target,
        events=newest.ask(_events, found.grants), **values,
    )  # fmt: skip


def _render(request: Request, template: str, outcome: FormOutcome, **values: Any) -> Response:
    """Returns a page with its forms as they were filled in, and what was wrong about one."""
    refused = outcome.problem
    return render(
        request, template, status_of(refused), outcome.typed,
        error=failure_data(request, refused), roles=list(Role), key=new_secret(), **values,
    )  # fmt: skip


@routes.post("/{account}/grant", ADMINISTRATOR, dependencies=[FRESH])
def grant(
    request: Request, typed: Filled, account: str, role: Chosen, reason: Reason = "",
    tournament: Typed = "", key: Typed = "",
) -> Response:  # fmt: skip
    """Gives an account a role."""
    place = tournament.strip() or None
    asking = _asking(request, reason, key, "grant", account, role, place)
    site = site_of(request)
    is_first = player_of_account(request, account) and not site.newest().ask(
        has_or_had_role, account
    )

    def granted(ledger: Ledger) -> Receipt:
        if is_first:  # its owner has the way in: that is told
            return create_account(ledger, account, role, tournament=place, request=asking)
        return grant_role(ledger, account, role, tournament=place, request=asking)

    try:
        site.record(granted)
    except LedgerError as error:
        return _one_account_page(request, account, FormOutcome(typed, error))
    return to_page("accounts", account)


@routes.post("/{account}/revoke", ADMINISTRATOR, dependencies=[FRESH])
def revoke(
    request: Request, typed: Filled, account: str, role: Chosen, reason: Reason = "",
    tournament: Typed = "", key: Typed = "",
) -> Response:  # fmt: skip
    """Takes a role from an account; its sessions and tokens end, with the last role its link."""
    place = tournament.strip() or None
    asking = _asking(request, reason, key, "revoke", account, role, place)
    with office_of(request).reading() as connection:
        able = credentials.who_can_sign_in(connection)
    try:
        site_of(request).record(
            revoke_role, account, role, tournament=place, able=able, request=asking
        )
    except LedgerError as error:
        return _one_account_page(request, account, FormOutcome(typed, error), Grant(role, place))
    _end_everywhere(request, account, with_link=not rights_now(request, account).roles)
    return to_page("accounts", account)


@routes.post("/{account}/sessions/end", ADMINISTRATOR, dependencies=[FRESH])
def end_sessions(request: Request, account: str) -> Response:
    """Ends the sessions and tokens of an account, and the link by which it awaits its owner."""
    _end_everywhere(request, account, with_link=True)
    return to_page("accounts", account)


@routes.post("/{account}/reset", ADMINISTRATOR, dependencies=[FRESH])
def reset(
    request: Request, typed: Filled, account: str, reason: Reason = "", key: Typed = ""
) -> Response:
    """Takes all ways in from an account, and shows a new link."""
    asking = _asking(request, reason, key, "reset", account)
    try:
        entrusted = site_of(request).record(entrust_account, account, "link", asking)
    except LedgerError as error:
        return _one_account_page(request, account, FormOutcome(typed, error))
    return _handed_over(request, account, entrusted, reason)


@routes.post("/{account}/identities", ADMINISTRATOR, dependencies=[FRESH])
def link_identity(
    request: Request, typed: Filled, account: str, issuer: Typed, subject: Typed,
    reason: Reason = "", key: Typed = "",
) -> Response:  # fmt: skip
    """Lets an account be signed in to by another site's word."""
    identity = credentials.LinkedIdentity(issuer.strip(), subject.strip(), account)
    site, office = site_of(request), office_of(request)
    with office.reading() as connection:
        taken = credentials.identified(connection, identity.issuer, identity.subject)
    if taken == account:  # the same form again
        return to_page("accounts", account)
    asking = _asking(request, reason, key, "identity", account, identity.issuer, identity.subject)
    try:
        if taken is not None:
            raise Conflict("access.identity_taken", account=taken)
        site.record(entrust_account, account, "identity", asking)
        with office.writing() as connection:
            accounts.add(connection, account, office.now())
            if not credentials.link(connection, identity, office.now()):
                raise Conflict("access.identity_taken", account=account)
    except LedgerError as error:
        return _one_account_page(request, account, FormOutcome(typed, error))
    return to_page("accounts", account)


@routes.post("/{account}/identities/end", ADMINISTRATOR, dependencies=[FRESH])
def unlink_identity(request: Request, account: str, issuer: Typed, subject: Typed) -> Response:
    """Takes the word of another site for an account no more."""
    with office_of(request).writing() as connection:
        credentials.unlink(connection, credentials.LinkedIdentity(issuer, subject, account))
        sessions.end_all(connection, account)
    return to_page("accounts", account)


def _asking(request: Request, reason: str, key: str, *subject: object) -> Asking:
    """Returns what accompanies a command of whoever signed in.

    Args:
        request: theirs.
        reason: why.
        key: that of the form; the same again is carried out once.
        subject: what is asked for: under the same key nothing else is.
    """
    return asking_of(request, "web", json.dumps([*map(str, subject), reason]), reason, key)


def _handed_over(request: Request, account: str, receipt: Receipt, reason: str) -> Response:
    """Shows the link by which an account is taken into possession, for the only time.

    The same form again, as by a second click or a reload, makes no other one, which would be the
    end of the first: it says that there is one, and offers another for the same reason.

    Raises:
        Conflict: somebody has taken possession, or the link expired or was ended.
    """
    office, before, link = office_of(request), None, ""
    with office.writing() as connection:
        if receipt.repeated:
            before = accounts.pending_link(connection, account, office.now())
            if before is None:
                raise Conflict("access.handed_over_before", account=account)
        else:
            origin = site_of(request).settings.origin
            link = accounts.hand_over(connection, account, origin, office.now())
    return render(
        request, "handed_over.html", name=account, link=link, hours=accounts.ENROLMENT_HOURS,
        before=before, reason=reason, key=new_secret(), back=path_of("accounts", account),
    )  # fmt: skip


def _end_everywhere(request: Request, account: str, *, with_link: bool) -> None:
    with office_of(request).writing() as connection:
        sessions.end_all(connection, account)
        tokens.end_all(connection, account)
        if with_link:
            accounts.end_enrolments(connection, account)
