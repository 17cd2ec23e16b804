"""``list``, ``period`` and ``publish``: rating lists."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional, cast

import typer

from cli.names import list_and, list_of, needed
from cli.options import (
    Actor,
    All,
    As,
    Db,
    DryRun,
    Federations,
    Format,
    OfSex,
    Reason,
    ReceiptFormat,
    Receipts,
    Search,
    codes_of,
    day,
    sex_of,
)
from cli.output import (
    emit,
    excerpt,
    note,
    print_rest,
    say,
    signed,
    table,
    write,
    write_bytes,
)
from cli.session import carry_out, opened, print_receipt, receipt_data, request
from ledger.calendar import Calendar, ListCalendar
from ledger.errors import InputRefused
from ledger.terms import Rate

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.application.lists import PublishedList
    from ledger.lists.rating_list import RatingList
    from ledger.lists.rows import ListRows

app = typer.Typer(no_args_is_help=True)
period_app = typer.Typer(no_args_is_help=True)

Name = Annotated[
    Optional[str],  # noqa: UP045 - Typer evaluates it at run time
    typer.Argument(help="The list's name (default: the only one).", show_default=False),
]
PeriodName = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Argument(help="The period: 2011-01, 2011-Q1, 2011 …", show_default=False),
]
Edition = Annotated[
    Optional[int],  # noqa: UP045 - the same
    typer.Option("--edition", help="As published, this edition.", min=1),
]
PeriodEdition = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Argument(help="PERIOD@EDITION (edition: the last)", show_default=False),
]
Parameters = Annotated[
    Optional[list[str]],  # noqa: UP045 - the same
    typer.Option("--param", help="A parameter of the regulation, key=value; may be repeated."),
]


_LONGEST_NUMBER = 15  # what JSON keeps exactly; no regulation has a figure of more
_SHARE = re.compile(r"[-+]?([0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{0,9})?|\.[0-9]{1,9})")


def add_to(application: typer.Typer) -> None:
    """Adds the commands that stand at the top."""
    application.command("publish")(publish)


def parameters_of(given: list[str] | None) -> dict[str, int | str]:
    """Reads ``key=value`` words; raises ``InputRefused`` for anything else."""
    found: dict[str, int | str] = {}
    for word in given or ():
        name, separator, value = word.partition("=")
        if not separator or not name or not value:
            raise InputRefused("cli.no_parameter", value=word)
        if name in found:
            raise InputRefused("cli.parameter_twice", name=name)
        digits = value.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER
        found[name] = int(value) if is_number else value
    return found


def edition_of(text: str) -> tuple[str, int | None]:
    """Reads ``PERIOD@EDITION``; without an edition it is the last one."""
    from ledger.intake.csv_table import integer_in

    period, separator, edition = text.partition("@")
    if not separator:
        return period, None
    number = integer_in(edition, least=1, most=10**_LONGEST_NUMBER)
    if number is None:
        raise InputRefused("cli.no_edition", value=text)
    return period, number


def share_of(text: str) -> Fraction:
    """Reads a share, ``2/5`` or ``0.4``; raises ``InputRefused`` that quotes it."""
    if not _SHARE.fullmatch(text):
        raise InputRefused("cli.no_share", value=text)
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise InputRefused("cli.no_share", value=text) from error


@app.command("define")
def define(
    name: Annotated[str, typer.Argument(help="The list's name.")],
    regulation: Annotated[str, typer.Option("--regulation", help="Its id; see: regulation list.")],
    calendar: Annotated[
        ListCalendar, typer.Option("--calendar", help="fide: as FIDE's through the years.")
    ],
    first: Annotated[str, typer.Option("--first", help="First day of the first period.")],
    rate_of_play: Annotated[
        Optional[Rate],  # noqa: UP045 - the same
        typer.Option("--rate-of-play", help="Only tournaments of this rate (default: all)."),
    ] = None,
    param: Parameters = None,
    policy: Annotated[
        str, typer.Option("--policy", help="Late facts: restate, or next-list.")
    ] = "restate",
    closes_days_before: Annotated[
        int, typer.Option("--closes-days-before", help="Closing before the end.", min=0, max=27)
    ] = 0,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Define a rating list; several may live on the same events."""
    import uuid

    from ledger.application.lists import define_list

    if policy not in ("restate", "next-list"):
        raise InputRefused("cli.no_policy", value=policy)
    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        receipt = define_list(
            ledger,
            name,
            regulation=regulation,
            parameters=parameters_of(param),
            calendar="fide" if calendar is ListCalendar.FIDE else Calendar(calendar.value),
            first_on=day(first),
            policy=cast(Literal["restate", "next-list"], policy),
            rate_of_play=rate_of_play,
            closes_days_before=closes_days_before,
            request=asked,
        )
    print_receipt(receipt, as_)


@app.command("adopt")
def adopt(
    regulation: Annotated[str, typer.Option("--regulation", help="Its id; see: regulation list.")],
    on: Annotated[str, typer.Option("--on", help="From the periods that start on or after it.")],
    name: Name = None,
    param: Parameters = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where it changes a closed period.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Change a list's regulation, or its parameters, from a day on."""
    import uuid

    from ledger.application.lists import adopt_regulation

    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        receipt = adopt_regulation(
            ledger,
            list_of(ledger, name),
            regulation=regulation,
            parameters=parameters_of(param),
            on=day(on),
            as_correction=as_correction,
            request=asked,
        )
    print_receipt(receipt, as_)


@app.command("calendar")
def calendar_(
    name: Annotated[str, typer.Argument(help="The list's name.")],
    calendar: Annotated[Calendar, typer.Argument(help="monthly, quarterly …")],
    on: Annotated[str, typer.Option("--on", help="From the period that starts on this day.")],
    closes_days_before: Annotated[
        int, typer.Option("--closes-days-before", help="Closing before the end.", min=0, max=27)
    ] = 0,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Change a list's calendar from a day on."""
    from ledger.registrar.commands import SetCalendar

    command = SetCalendar(
        list=name, calendar=calendar, closes_days_before=closes_days_before, on=day(on)
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("adjust")
def adjust(
    below: Annotated[int, typer.Option("--below", help="Ratings below this one.", min=1)],
    pivot: Annotated[int, typer.Option("--pivot", help="They move towards it.", min=0)],
    share: Annotated[str, typer.Option("--share", help="By this share of the way, 2/5.")],
    name: Name = None,
    period: PeriodName = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where the period is closed.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Order a list-wide step after the calculation of a period."""
    from ledger.registrar.commands import AdjustList

    way = share_of(share)
    with opened(db) as ledger:
        name, (period,) = list_and(ledger, name, period)
    command = AdjustList(
        list=name,
        period=needed(period, "PERIOD"),
        below=below,
        pivot=pivot,
        numerator=way.numerator,
        denominator=way.denominator,
        as_correction=as_correction,
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("list")
def list_(db: Db = None, as_: As = Format.TABLE) -> None:
    """List the rating lists."""
    with opened(db) as ledger:
        facts = ledger.facts()
    rows = [
        {
            "list": name,
            "regulation": of.adoptions[-1].event.regulation,
            "calendar": of.segments[-1][1].calendar.value,
            "first": of.defined.first_on.isoformat(),
            "policy": of.defined.policy,
            "rate_of_play": of.defined.rate_of_play.value if of.defined.rate_of_play else None,
            "published": len(of.publications),
        }
        for name, of in sorted(facts.lists.items())
    ]

    def render(out: Console) -> None:
        made = table(
            "list", "regulation", "calendar", "first", "policy", "rate_of_play", "published",
            right=("published",),
        )  # fmt: skip
        for row in rows:
            made.add_row(*("" if value is None else str(value) for value in row.values()))
        out.print(made)

    emit(as_, {"lists": rows}, rows, render)


@app.command("show")
def show(
    name: Name = None,
    period: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Argument(help="The period (default: the last one published)."),
    ] = None,
    top: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option("--top", help="Only so many, the highest.", min=1),
    ] = None,
    federation: Federations = None,
    sex: OfSex = None,
    active: Annotated[bool, typer.Option("--active", help="Only the active.")] = False,
    search: Search = None,
    everything: All = False,
    edition: Edition = None,
    as_known_at: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option("--as-known-at", help="With what was known at this seq.", min=0),
    ] = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show a list: as known now, as known at a seq, or an edition as published.

    Who is left out by --top, --federation … leaves the others their rank.
    """
    from ledger.application import lists
    from ledger.application.selection import Selection, selected

    if edition is not None and as_known_at is not None:
        raise typer.BadParameter(say("cli.edition_or_known"))
    wanted = Selection(codes_of(federation), sex_of(sex), search, active=active, top=top)
    with opened(db) as ledger:
        name, (period,) = list_and(ledger, name, period)
        made = lists.show(ledger, name, period, edition=edition, as_known_at=as_known_at)
        rows = selected(ledger, made, wanted)
    _emit_list(made, rows, as_, everything=everything)


def _emit_list(made: RatingList, chosen: ListRows, as_: Format, *, everything: bool) -> None:
    """Writes a list, or what was chosen of its rows."""

    def render(out: Console) -> None:
        title = say(
            "cli.list_title",
            list=made.list,
            period=made.period,
            on=made.published_on,
            edition=made.edition or say("cli.unpublished"),
            seq=made.basis.seq,
            regulation=made.basis.regulation,
        )
        figures = ("rank", "rating", "games", "change", "k")
        made_rows = table(
            "rank", "id", "name", "federation", *figures[1:], title=title, right=figures
        )
        shown = excerpt(chosen, everything=everything)
        for row in shown:
            made_rows.add_row(
                str(row.rank),
                row.id,
                row.name,
                row.federation or "",
                say("cli.provisional") if row.provisional else str(row.rating),
                str(row.games),
                signed(row.change),
                str(row.k),
            )
        out.print(made_rows)
        if not chosen:
            out.print(say("cli.no_row" if made.rows else "cli.list_empty"), markup=False)
        print_rest(out, len(shown), len(chosen))

    text = chosen.sheet if chosen else None
    emit(as_, lambda: made.data(chosen), chosen.data, render, text)


@app.command("regenerate")
def regenerate(
    name: Name = None,
    period: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Argument(help="The period (default: the last one published)."),
    ] = None,
    edition: Edition = None,
    everything: All = False,
    db: Db = None,
    as_: Annotated[
        Optional[Format],  # noqa: UP045 - the same
        typer.Option("--format", help="Default: the published bytes."),
    ] = None,
) -> None:
    """Replay a published list to its basis and write its bytes; exit 3 unless they are the same."""
    from ledger.application import lists

    with opened(db) as ledger:
        name, (period,) = list_and(ledger, name, period)
        newest = period or lists.newest_period(ledger, name)
        made, failure = lists.regenerate(ledger, name, newest, edition)
    if as_ is None:
        write_bytes(made.document())
    else:
        _emit_list(made, made.rows, as_, everything=everything)
    if failure is not None:
        raise failure
    note("cli.regenerated", digest=made.output_sha256())


@app.command("diff")
def diff(
    name: Name = None,
    before: PeriodEdition = None,
    after: PeriodEdition = None,
    everything: All = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Compare two published lists: who entered, who left, who moved."""
    from ledger.application.lists import compare

    with opened(db) as ledger:
        name, (before, after) = list_and(ledger, name, before, after)
        pair = needed(before, "BEFORE"), needed(after, "AFTER")
        moves = compare(ledger, name, *map(edition_of, pair))
    rows = [move.data() for move in moves]

    def render(out: Console) -> None:
        if not moves:
            out.print(say("cli.no_difference"), markup=False)
            return
        figures = ("before", "after", "change")
        made = table("what", "id", "name", *figures, right=figures)
        shown = excerpt(moves, everything=everything)
        for move in shown:
            made.add_row(
                say(f"move.{move.kind}"),
                move.id,
                move.name,
                "" if move.before is None else str(move.before),
                "" if move.after is None else str(move.after),
                signed(move.points),
            )
        out.print(made)
        print_rest(out, len(shown), len(moves))

    emit(as_, {"list": name, "before": before, "after": after, "moves": rows}, rows, render)


@period_app.callback()
def _group() -> None:
    """The periods of a list."""


@period_app.command("list")
def periods(
    name: Name = None, everything: All = False, db: Db = None, as_: As = Format.TABLE
) -> None:
    """List the periods with their state: open, closed, published, restated."""
    from ledger.application.lists import period_states

    with opened(db) as ledger:
        name = list_of(ledger, name)
        states = period_states(ledger, name)
    rows = [
        {
            "period": each.period.name,
            "start": each.period.starts_on.isoformat(),
            "end": each.period.ends_on.isoformat(),
            "closes": each.period.closes_on.isoformat(),
            "state": each.state,
            "editions": each.editions,
            "games": each.games,
        }
        for each in states
    ]

    def render(out: Console) -> None:
        figures = ("editions", "games")
        made = table("period", "start", "end", "closes", "state", *figures, right=figures)
        shown = excerpt(rows, everything=everything, last=True)
        for row in shown:
            values = {**row, "state": say(f"state.{row['state']}")}
            made.add_row(*(str(value) for value in values.values()))
        out.print(made)
        print_rest(out, len(shown), len(rows), last=True)

    emit(as_, {"list": name, "periods": rows}, rows, render)


def publish(
    name: Name = None,
    period: PeriodName = None,
    also_earlier: Annotated[
        bool, typer.Option("--also-earlier", help="Earlier periods without a list too, in order.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Publish a period's list: edition 1, or the next one when facts have changed since.

    A period is not passed over: those before it are published first, or with --also-earlier.
    """
    from ledger.application import lists

    asked = request(actor, reason, dry_run=dry_run)
    data = []
    with opened(db) as ledger:
        name, (period,) = list_and(ledger, name, period)
        last = needed(period, "PERIOD")
        several = lists.publish_with_earlier(ledger, name, last, asked)
        for made in several if also_earlier else [lists.publish(ledger, name, last, asked)]:
            if as_ is ReceiptFormat.JSON:
                data.append(_publication(made))
            else:
                _tell_published(made, dry_run=dry_run)
    if data:
        write(json.dumps(data if also_earlier else data[0], ensure_ascii=False, indent=2))


def _publication(published: PublishedList) -> dict[str, Any]:
    if published.receipt is None:
        return {"first_seq": None, "last_seq": None, "edition": published.list.edition}
    return receipt_data(published.receipt)


def _tell_published(published: PublishedList, *, dry_run: bool) -> None:
    made = published.list
    if published.receipt is None:
        note("cli.unchanged", list=made.list, period=made.period, edition=made.edition)
        return
    print_receipt(published.receipt, ReceiptFormat.TABLE)
    if not made.rows:
        note("cli.published_empty", list=made.list, period=made.period)
    if not dry_run:
        write(
            say(
                "cli.published",
                list=made.list,
                period=made.period,
                edition=made.edition,
                count=len(made.rows),
                digest=made.output_sha256(),
            )
        )
