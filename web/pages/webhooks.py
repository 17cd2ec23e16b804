"""Webhooks: an administrator announces addresses, and sees what each answered."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Request, Response

from ledger.errors import LedgerError
from ledger.terms import Role
from web.access import Routes, only, required_account
from web.accounts.identity import FRESH
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Filled, Typed
from web.forms import FormOutcome
from web.office import jobs, webhooks
from web.office.host_addresses import check_host
from web.office.store import office_of
from web.office.webhooks import JOB, Subject
from web.problems import failure_data, status_of
from web.rendering import render

routes = Routes("/webhooks")
ADMINISTRATOR = only(Role.ADMINISTRATOR)
Subjects = Annotated[tuple[str, ...], Form()]


@routes.get("", ADMINISTRATOR)
def webhooks_page(request: Request) -> Response:
    """Shows the webhooks with their last deliveries."""
    return _page(request, FormOutcome())


def _page(request: Request, outcome: FormOutcome, secret: str = "") -> Response:
    """Shows the webhooks; ``secret`` is that of the one that was announced just now."""
    with office_of(request).reading() as connection:
        hooks = [
            (each, webhooks.deliveries(connection, each.id))
            for each in webhooks.webhooks(connection)
        ]
    refused = outcome.problem
    return render(
        request, "webhooks.html", status_of(refused), outcome.typed, hooks=hooks, secret=secret,
        subjects=list(Subject), stopped=jobs.failed(office_of(request), JOB),
        error=failure_data(request, refused),
    )  # fmt: skip


@routes.post("", ADMINISTRATOR, dependencies=[FRESH])
def announce(
    request: Request, typed: Filled, url: Typed = "", subject: Subjects = ()
) -> Response:  # fmt: skip
    """Announces an address, and shows its secret for the only time."""
    site, office = site_of(request), office_of(request)
    seq = site.head()
    try:
        check_host(url.strip(), anywhere=site.settings.webhooks_anywhere)
        with office.writing() as connection:
            hook = webhooks.announce(
                connection, url.strip(), webhooks.subjects_of(subject), seq=seq, now=office.now(),
                account=required_account(request).name, anywhere=site.settings.webhooks_anywhere,
            )  # fmt: skip
    except LedgerError as error:
        return _page(request, FormOutcome(typed, error))
    return _page(request, FormOutcome(), hook.secret)


@routes.post("/deliveries", ADMINISTRATOR)
def deliver_again(request: Request) -> Response:
    """Begin deliveries again after their job has failed."""
    jobs.start(office_of(request), JOB, {})
    return to_page("/webhooks")


@routes.post("/{webhook}/withdraw", ADMINISTRATOR, dependencies=[FRESH])
def withdraw(request: Request, webhook: str) -> Response:
    """Takes an address away."""
    with office_of(request).writing() as connection:
        webhooks.withdraw(connection, webhook)
    return to_page("/webhooks")


@routes.post("/{webhook}/resume", ADMINISTRATOR)
def resume(request: Request, webhook: str) -> Response:
    """Tries an address again at once, from where it is."""
    with office_of(request).writing() as connection:
        webhooks.resume(connection, webhook)
    return to_page("/webhooks")
