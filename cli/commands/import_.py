"""``import``: documents in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, Optional

import typer

from cli.commands.tournaments import merit_hundredths
from cli.options import (
    Actor,
    Day,
    Db,
    DryRun,
    Key,
    RatedIn,
    Reason,
    ReceiptFormat,
    Receipts,
    day,
)
from cli.output import say, write, write_bytes
from cli.session import opened, print_receipt, request
from cli.settings import language
from ledger.errors import InputRefused
from ledger.terms import Rate, System


class Template(StrEnum):
    """What can be filled in."""

    PLAYERS = "players"
    GAMES = "games"


def add_to(app: typer.Typer) -> None:
    """Adds the commands to the application."""
    app.command("import")(import_)


def import_(
    file: Annotated[str, typer.Argument(help="The file; - for standard input.")],
    kind: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--kind", help="trf, games, players or fide-list (default: by its content)."),
    ] = None,
    lists: Annotated[
        Optional[list[str]],  # noqa: UP045 - the same
        typer.Option(
            "--list",
            help="The ratings in the file are seeds of this list; FIDE's list: may be repeated, "
            "each takes the ratings of its rate of play.",
        ),
    ] = None,
    federation: Annotated[
        Optional[list[str]],  # noqa: UP045 - the same
        typer.Option(
            "--federation", help="FIDE's list: only players of this one, as CHI; may be repeated."
        ),
    ] = None,
    on: Day = None,
    games: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option(
            "--games",
            help="Rated games before a rating, where the file does not say (default: established).",
            min=0,
            max=100_000,
        ),
    ] = None,
    encoding: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--encoding", help="Default: BOM, UTF-8, else cp1252."),
    ] = None,
    as_correction: Annotated[
        bool,
        typer.Option(
            "--as-correction",
            help="Where it differs, the file is right; games recorded and not in it are annulled.",
        ),
    ] = False,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="The file is not all there is to its tournaments: annul nothing."
        ),
    ] = False,
    tournament: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--tournament", help="TRF: the tournament's id (default: made of its name)."),
    ] = None,
    name: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--name", help="The tournament's name, whatever the file says."),
    ] = None,
    start: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--start", help="Its first day, whatever the file says."),
    ] = None,
    end: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--end", help="Its last day, whatever the file says."),
    ] = None,
    system: Annotated[
        Optional[System],  # noqa: UP045 - the same
        typer.Option("--system", help="Its system, whatever the file says."),
    ] = None,
    rate_of_play: Annotated[
        Optional[Rate],  # noqa: UP045 - the same
        typer.Option("--rate-of-play", help="Its rate of play, whatever the file says."),
    ] = None,
    merit: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--merit", help="Its merit coefficient."),
    ] = None,
    sheet: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--sheet", help="XLSX: the sheet (default: the first that is visible)."),
    ] = None,
    columns: Annotated[
        Optional[list[str]],  # noqa: UP045 - the same
        typer.Option(
            "--columns",
            help="Players, games: COLUMN=HEADER, as rating=Elo; may be repeated.",
            metavar="COLUMN=HEADER",
        ),
    ] = None,
    ignore: Annotated[
        Optional[list[str]],  # noqa: UP045 - the same
        typer.Option(
            "--ignore-column",
            help="Players, games: a column not to be read; may be repeated.",
            metavar="HEADER",
        ),
    ] = None,
    template: Annotated[
        Optional[Template],  # noqa: UP045 - the same
        typer.Option("--template", help="Write an empty FILE to fill in, CSV or XLSX."),
    ] = None,
    rated_in: RatedIn = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
    idempotency_key: Key = None,
) -> None:
    """Import a file: all of it or nothing, and the same file again adds nothing.

    Tournament reports (TRF), FIDE's list (text or XML), and tables as CSV or XLSX, headed in
    English or Spanish.

    Columns of players: id, name, federation, sex, birth_date, rating, k, games,
    published_k.

    Columns of games: tournament, name, start, end, system, rate_of_play, merit, round, date, white,
    black, result.
    """
    if template is not None:
        _write_template(template, file)
        return
    from ledger.application.imports import Document, DocumentKind, Supplied, import_document
    from ledger.application.rating_periods import rated_in as period_said

    kinds = {k.value: k for k in DocumentKind}
    if kind is not None and kind not in kinds:
        raise InputRefused("cli.no_kind", value=kind, allowed=", ".join(kinds))
    asked = request(actor, reason, dry_run=dry_run, key=idempotency_key)
    supplied = Supplied(
        tournament=tournament,
        name=name,
        starts_on=day(start) if start else None,
        ends_on=day(end) if end else None,
        system=system,
        rate_of_play=rate_of_play,
        merit_hundredths=merit_hundredths(merit),
    )
    from_on = day(on) if on else None
    with _reading(file) as data, opened(db) as ledger:
        if rated_in is not None:
            supplied = replace(supplied, rated_in=period_said(ledger, rated_in))
        document = Document(
            name="-" if file == "-" else Path(file).name,
            data=data,
            kind=kinds[kind] if kind else None,
            list=lists[0] if lists else None,
            other_lists=tuple(lists[1:]) if lists else (),
            federations=tuple(federation or ()),
            on=from_on,
            games=games,
            encoding=encoding,
            as_correction=as_correction,
            partial=partial,
            supplied=supplied,
            sheet=sheet,
            columns=tuple(map(_column, columns or ())),
            ignored=tuple(ignore or ()),
        )
        receipt = import_document(ledger, document, asked)
        print_receipt(receipt, as_)
        sys.stdout.flush()  # whoever reads it need not wait for what comes now
        ledger.seal(receipt)


def _column(written: str) -> tuple[str, str]:
    """Reads ``COLUMN=HEADER``."""
    column, equals, header = written.partition("=")
    if not (column.strip() and equals and header.strip()):
        raise InputRefused("cli.no_column", value=written)
    return column.strip(), header


def _write_template(template: Template, file: str) -> None:
    """Writes an empty document; what is there already is not overwritten."""
    from ledger.intake.headings import empty_document

    if file == "-":
        write_bytes(empty_document(template.value, "-.csv", language()))
        return
    made = empty_document(template.value, file, language())
    try:
        with Path(file).open("xb") as out:
            out.write(made)
    except OSError as error:
        why = error.strerror or error
        raise InputRefused("cli.not_written", file=file, why=why) from error
    players = template is Template.PLAYERS
    write(say("cli.template_players" if players else "cli.template_games", file=file))


@contextmanager
def _reading(file: str) -> Iterator[IO[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            opened_file = stack.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise InputRefused("cli.no_file", file=file, why=error.strerror) from error
        yield opened_file
