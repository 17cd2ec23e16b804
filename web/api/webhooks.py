"""Webhooks, for administrators: announced, withdrawn, and what each answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Path, Request
from pydantic import BaseModel, ConfigDict, Field

from ledger.json_form import PARTS, JsonForm
from ledger.terms import Role
from web.access import only, required_account
from web.api.routing import ApiRoutes
from web.asked_view import site_of
from web.office import webhooks
from web.office.host_addresses import check_host
from web.office.store import office_of
from web.office.webhooks import Delivery, Subject, WebhookReport, Webhooks

routes = ApiRoutes("webhooks")
_ADMINISTRATOR: Final = only(Role.ADMINISTRATOR, scope="accounts")
WebhookId = Annotated[str, Path(alias="webhook", description="The webhook's id.", max_length=40)]


@dataclass(frozen=True, slots=True)
class AnnouncedWebhook(JsonForm):
    """A webhook with the secret by which its deliveries are signed, for the only time."""

    webhook: Annotated[WebhookReport, PARTS]
    secret: str


@dataclass(frozen=True, slots=True)
class Deliveries(JsonForm):
    """The last tries of a webhook, the newest first."""

    deliveries: Sequence[Delivery]


class WebhookAnnouncement(BaseModel):
    """An address; without subjects it is told of all."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, Field(max_length=500, examples=["https://club.example.org/ratings"])]
    subjects: Annotated[list[Subject], Field(max_length=9)] = []


class NoWords(BaseModel):
    """A request that needs no words: an empty object."""

    model_config = ConfigDict(extra="forbid")


@routes.reads("/webhooks", _ADMINISTRATOR)
def webhooks_listed(request: Request) -> Webhooks:
    """The webhooks, and how far each is; without their secrets."""
    with office_of(request).reading() as connection:
        return Webhooks([each.report() for each in webhooks.webhooks(connection)])


@routes.reads("/webhooks/{webhook}/deliveries", _ADMINISTRATOR)
def webhook_deliveries(request: Request, id_: WebhookId) -> Deliveries:
    """The last tries of a webhook, each with the code of its answer."""
    with office_of(request).reading() as connection:
        webhooks.webhook(connection, id_)
        return Deliveries(webhooks.deliveries(connection, id_, 200))


@routes.writes("/webhooks", _ADMINISTRATOR)
def webhook_announced(request: Request, announcement: WebhookAnnouncement) -> AnnouncedWebhook:
    """Announces an address: it is told of what is recorded from now on."""
    site, office = site_of(request), office_of(request)
    check_host(announcement.url, anywhere=site.settings.webhooks_anywhere)
    seq = site.head()
    with office.writing() as connection:
        hook = webhooks.announce(
            connection, announcement.url, frozenset(announcement.subjects or Subject),
            seq=seq, now=office.now(), account=required_account(request).name,
            anywhere=site.settings.webhooks_anywhere,
        )  # fmt: skip
    return AnnouncedWebhook(hook.report(), hook.secret)


@routes.writes("/webhooks/{webhook}/withdraw", _ADMINISTRATOR)
def webhook_withdrawn(request: Request, id_: WebhookId, _nothing: NoWords) -> WebhookReport:
    """Takes a webhook away: it is told nothing any more."""
    with office_of(request).writing() as connection:
        hook = webhooks.webhook(connection, id_)
        webhooks.withdraw(connection, id_)
    return hook.report()


@routes.writes("/webhooks/{webhook}/resume", _ADMINISTRATOR)
def webhook_resumed(request: Request, id_: WebhookId, _nothing: NoWords) -> WebhookReport:
    """Tries a webhook again at once, a disabled one too, from where it is."""
    with office_of(request).writing() as connection:
        webhooks.resume(connection, id_)
        return webhooks.webhook(connection, id_).report()
