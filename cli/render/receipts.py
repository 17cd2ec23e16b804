"""How a receipt looks: what was recorded, or would be, how to undo it, and what it moves."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cli import settings
from cli.options import ReceiptFormat
from cli.output import (
    SHOWN,
    console,
    excerpt,
    note,
    print_rest,
    say,
    table,
    told,
    write,
    write_json,
)
from cli.settings import language
from ledger.rating.decimal_text import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.options import ReasonedWriteOptions
    from ledger.lists.reach import Reached
    from ledger.reports.impact import RatingShifts
    from ledger.service.ledger import Receipt
    from ledger.service.people_meant import PeopleMeant


def print_receipt(
    receipt: Receipt, to: ReasonedWriteOptions, reached: Sequence[Reached] = ()
) -> None:
    """Prints what was recorded, or would be, how to undo it, and whose rating a dry run moves.

    ``reached`` are the published lists that it may change.
    """
    if to.format is ReceiptFormat.JSON:
        from ledger.service.receipts import receipt_data

        write_json(receipt_data(receipt, language()))
        return
    from ledger.service.receipts import notes_of_kinds

    people = receipt.people if receipt.dry_run else None
    questions = people.questions if people is not None else set()
    for each in notes_of_kinds(one for one in receipt.notes if one.message not in questions):
        console(stderr=True).print(f"{say('cli.note')} {told(each)}", style="yellow")
    if not receipt.counts:
        if people is not None and questions:
            _print_people(people)
        else:
            write(say("cli.nothing_new"))
        return
    _print_recorded(receipt, to)
    for reach in reached:
        write(say("cli.reaches", list=reach.list, period=reach.period))
    if people is not None:
        _print_people(people)
    if receipt.shifts is not None:
        _print_shifts(receipt.shifts)


def _print_recorded(receipt: Receipt, to: ReasonedWriteOptions) -> None:
    """Prints what a commit recorded or would record, and how it is undone, or why it cannot be."""
    from ledger.answers.commits import recorded_in_words
    from ledger.service.retractions import why_final

    what, why = recorded_in_words(receipt.counts, receipt.about), why_final(receipt.counts)
    repeated = "cli.recorded_before" if receipt.repeated else "cli.recorded"
    write(say("cli.would_record" if receipt.dry_run else repeated, what=what))
    if why is not None:
        write(say("cli.final", why=why))
    elif receipt.dry_run:
        write(say("cli.could_undo"))
    else:
        database = to.db or settings.FLAGS.db
        option = f" --db {shlex.quote(database)}" if database else ""
        write(say("cli.undo", commit=receipt.commit_id, option=option))
    if to.verbose:
        seqs = {"first": receipt.first_seq, "last": receipt.last_seq}
        write(say("cli.seqs", commit=receipt.commit_id or "-", **seqs))
        for type_, count in receipt.counts.items():
            write(f"  {count:>6}  {type_}")


def _print_people(people: PeopleMeant) -> None:
    """Prints whom a document means: who is to be decided, new people, then members."""
    from cli.tables import Kind

    rows = [
        *(
            (each.who, each.name, "cli.is_doubtful", " ".join(one.id for one in each.candidates))
            for each in people.doubtful
        ),
        *((each.who, each.name, "cli.is_new", each.id) for each in people.new),
        *((each.who, each.name, "cli.is_member", each.id) for each in people.members),
    ]
    counts = len(people.members), len(people.new), len(people.doubtful)
    title = say("cli.people", members=counts[0], new=counts[1], doubtful=counts[2])
    table_ = table("who", "name", "state", "id", title=title, who=Kind.TEXT)
    for who, name, state, id_ in excerpt(rows, everything=False):
        table_.add(who, name, say(state), id_)
    console().print(table_)
    print_rest(console(), min(len(rows), SHOWN), len(rows))


def _print_shifts(shifts: RatingShifts) -> None:
    """Prints what a change would move."""
    if not shifts:
        note("cli.no_shift")
        return
    columns = ("list", "period", "state", "id", "name", "before", "after", "change")
    table_ = table(*columns, title=say("cli.impact", count=len(shifts)))
    for shift in shifts:
        state = say("state.published" if shift.published else "state.open")
        table_.add(
            shift.list, shift.period, state, shift.id, shift.name, shift.before or "-",
            shift.after or "-", signed(shift.points) if shift.after else "-",
        )  # fmt: skip
    console().print(table_)


def restored_key(*, dry_run: bool, is_done: bool) -> str:
    """Returns the key of what is said of an archive or a backup that was to be restored."""
    if is_done:
        return "cli.restored"
    return "cli.would_restore" if dry_run else "cli.restored_before"
