"""A ledger for one command: opened, told the clock, shown progress, closed again."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cli import settings
from cli.options import ReceiptFormat
from cli.output import console, note, problem, progress, say, signed, table

if TYPE_CHECKING:
    from ledger.application.ledger import Ledger, Receipt, Request
    from ledger.registrar.commands import Command
    from ledger.reports.impact import RatingShift
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
    console(stderr=True).print(message.within(settings.language()), markup=False)


def request(
    actor: str | None, reason: str, *, dry_run: bool, key: str | None = None, body: str = ""
) -> Request:
    """Returns what accompanies a command; without a key the application makes one."""
    from ledger.application.ledger import Request

    return Request(
        actor=settings.actor(actor),
        reason=reason,
        idempotency_key=key or "",
        body=body,
        dry_run=dry_run,
    )


def carry_out(
    db: str | None,
    commands: Sequence[Command],
    *,
    actor: str | None,
    reason: str,
    dry_run: bool,
    as_: ReceiptFormat = ReceiptFormat.TABLE,
    key: str | None = None,
) -> None:
    """Carries out commands, which may name players by name, and prints what was appended."""
    from cli.names import with_players
    from ledger.application.ledger import body_of

    with opened(db) as ledger:
        meant = [with_players(ledger, command) for command in commands]
        asked = request(
            actor, reason, dry_run=dry_run, key=key or f"typed:{uuid.uuid4()}", body=body_of(meant)
        )
        receipt = ledger.execute(meant, asked)
    print_receipt(receipt, as_)


def print_receipt(receipt: Receipt, as_: ReceiptFormat) -> None:
    """Prints what was appended, or would be, with its impact."""
    from cli.output import write

    if as_ is ReceiptFormat.JSON:
        write(json.dumps(receipt_data(receipt), ensure_ascii=False, indent=2))
        return
    for told in receipt.notes:
        console(stderr=True).print(
            f"{say('cli.note')} {problem(told)}", style="yellow", markup=False
        )
    if receipt.repeated:
        write(
            say(
                "cli.repeated",
                commit=receipt.commit_id,
                first=receipt.first_seq,
                last=receipt.last_seq,
            )
        )
        return
    if not receipt.events:
        write(say("cli.nothing_new"))
        return
    key = "cli.would_append" if receipt.dry_run else "cli.appended"
    write(
        say(
            key,
            count=len(receipt.events),
            first=receipt.first_seq,
            last=receipt.last_seq,
            commit=receipt.commit_id or "-",
        )
    )
    for type_, count in receipt.counts.items():
        write(f"  {count:>6}  {type_}")
    if receipt.shifts is not None:
        print_shifts(receipt.shifts)


def receipt_data(receipt: Receipt) -> dict[str, Any]:
    """Returns a receipt as JSON data."""
    recorded = bool(receipt.events) or receipt.repeated
    return {
        "first_seq": receipt.first_seq if recorded else None,
        "last_seq": receipt.last_seq if recorded else None,
        "commit": receipt.commit_id,
        "dry_run": receipt.dry_run,
        "repeated": receipt.repeated,
        "events": [
            {
                "type": dated.event.TYPE,
                "effective_on": dated.effective_on.isoformat(),
                "payload": json.loads(dated.event.canonical()),
            }
            for dated in receipt.events
        ],
        "notes": [problem(note) for note in receipt.notes],
        "impact": None if receipt.shifts is None else [shift.data() for shift in receipt.shifts],
    }


def print_shifts(shifts: Sequence[RatingShift]) -> None:
    """Prints what a change would move."""
    if not shifts:
        note("cli.no_shift")
        return
    made = table(
        "list", "period", "state", "id", "name", "before", "after", "change",
        title=say("cli.impact", count=len(shifts)), right=("before", "after", "change"),
    )  # fmt: skip
    for shift in shifts:
        made.add_row(
            shift.list,
            shift.period,
            say("state.published") if shift.published else say("state.open"),
            shift.id,
            shift.name,
            str(shift.before or "-"),
            str(shift.after or "-"),
            signed(shift.after - shift.before),
        )
    console().print(made)
