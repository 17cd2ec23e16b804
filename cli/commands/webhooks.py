"""``webhook``: addresses that are told what was recorded."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import settings
from cli.command import command
from cli.office import office_of
from cli.options import Actor, Db, OfficeUrl, ReadOptions
from cli.output import emit, note, say, table, write
from cli.session import opened
from cli.settings import actor

WebhookId = Annotated[str, typer.Argument(metavar="WEBHOOK", help="Its id.")]


@command("webhook announce")
def announce(
    url: Annotated[str, typer.Argument(metavar="URL", help="https://… of a program elsewhere.")],
    subject: Annotated[
        list[str] | None,
        typer.Option(
            "--subject",
            help="corrections, lists or tournaments (default: all); give it for each.",
        ),
    ] = None,
    office: OfficeUrl = None,
    db: Db = None,
    actor_: Actor = None,
) -> None:
    """Announce an address that is sent a signed POST from now on; prints its secret, once."""
    from web.office import webhooks
    from web.office.host_addresses import check_host

    check_host(url, anywhere=settings.webhooks_anywhere())
    with opened(db) as ledger:
        head = ledger.journal.head().seq
    with office_of(db, office) as kept, kept.writing() as connection:
        hook = webhooks.announce(
            connection, url, webhooks.subjects_of(subject or ()), seq=head, now=kept.now(),
            account=actor(actor_), anywhere=settings.webhooks_anywhere(),
        )  # fmt: skip
    write(hook.id)
    note("webhook.secret_line", secret=hook.secret)


@command("webhook list")
def list_(office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """List the addresses that are told what was recorded, and how far each is."""
    from web.office import webhooks

    with office_of(options.db, office) as kept, kept.reading() as connection:
        found = [each.report().data() for each in webhooks.webhooks(connection)]
    table_ = table("id", "url", "subjects", "seq", "failures", "disabled_at")
    for row in found:
        table_.add(
            row["webhook"], row["url"], ", ".join(row["subjects"]), row["seq"], row["failures"],
            row["disabled_at"],
        )  # fmt: skip
    rows = [row | {"subjects": " ".join(row["subjects"])} for row in found]
    emit(options.format, {"webhooks": found}, rows, lambda out: out.print(table_))


@command("webhook deliveries")
def deliveries(webhook: WebhookId, office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """Show the last tries of a webhook, each with the code of its answer."""
    from web.language import iso_moment
    from web.office import webhooks

    with office_of(options.db, office) as kept, kept.reading() as connection:
        webhooks.webhook(connection, webhook)
        rows = [each.data() for each in webhooks.deliveries(connection, webhook, 200)]
    table_ = table("delivery", "seq", "subject", "tried_at", "code", "problem")
    for row in rows:
        table_.add(
            row["delivery"], row["seq"], row["subject"], iso_moment(row["tried_at"]), row["code"],
            row["problem"],
        )  # fmt: skip
    emit(options.format, {"deliveries": rows}, rows, lambda out: out.print(table_))


@command("webhook resume")
def resume(webhook: WebhookId, office: OfficeUrl = None, db: Db = None) -> None:
    """Try a webhook again at once, a disabled one too, from where it is."""
    from web.office import webhooks

    with office_of(db, office) as kept, kept.writing() as connection:
        webhooks.resume(connection, webhook)
        seq = webhooks.webhook(connection, webhook).seq
    write(say("webhook.resumed", webhook=webhook, seq=seq))


@command("webhook withdraw", destroys=True)
def withdraw(webhook: WebhookId, office: OfficeUrl = None, db: Db = None) -> None:
    """Withdraw an address: it is told nothing any more, and what it answered is forgotten."""
    from web.office import webhooks

    with office_of(db, office) as kept, kept.writing() as connection:
        url = webhooks.webhook(connection, webhook).url
        webhooks.withdraw(connection, webhook)
    write(say("webhook.withdrawn", webhook=webhook, url=url))
