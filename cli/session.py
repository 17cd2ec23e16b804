"""A ledger for one command: opened, told the clock, shown progress, closed again."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli import settings
from cli.output import console, progress
from cli.render.receipts import print_receipt

if TYPE_CHECKING:
    from cli.options import ReasonedWriteOptions
    from ledger.application.ledger import Ledger, Request
    from ledger.registrar.commands import Command
    from ledger.wording import Message


@contextmanager
def opened(db: str | None) -> Iterator[Ledger]:
    """Opens the ledger the flags and settings name."""
    from ledger.application.archives import open_ledger
    from ledger.application.ledger import Ledger

    journal = open_ledger(settings.db(db))
    try:
        with progress() as tell:
            yield Ledger(journal, lambda: dt.datetime.now(dt.UTC), progress=tell, notice=_noticed)
    finally:
        journal.close()


def _noticed(message: Message) -> None:
    console(stderr=True).print(message.within(settings.language()))


def typed() -> str:
    """Returns the key of a request that is typed: typed twice, it is recorded twice."""
    return f"typed:{uuid.uuid4()}"


def request(to: ReasonedWriteOptions, key: str | None = None, body: str = "") -> Request:
    """Returns what accompanies a command; without a key the application makes one."""
    from ledger.application.ledger import Request

    return Request(
        actor=settings.actor(to.actor),
        reason=to.reason,
        idempotency_key=key or "",
        body=body,
        dry_run=to.dry_run,
    )


def carry_out(to: ReasonedWriteOptions, command: Command, key: str | None = None) -> None:
    """Carries out a command, which may name players by name, and prints what was appended."""
    from cli.lookup import with_players
    from ledger.application.ledger import body_of

    with opened(to.db) as ledger:
        meant = [with_players(ledger, command)]
        receipt = ledger.execute(meant, request(to, key or typed(), body_of(meant)))
    print_receipt(receipt, to.format)
