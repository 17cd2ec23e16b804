"""``import``: documents in."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.command import command
from cli.files import not_written, reading
from cli.options import Day, Key, RatedIn, WriteOptions
from cli.output import say, write, write_bytes
from cli.render.receipts import print_receipt
from cli.session import opened_to_record, request
from cli.settings import language
from ledger.errors import InputRefused
from ledger.terms import Rate, System
from ledger.typed_values import day, merit_of

if TYPE_CHECKING:
    from ledger.application.imports import DocumentKind, Supplied


class Template(StrEnum):
    """What can be filled in."""

    PLAYERS = "players"
    GAMES = "games"


@dataclass(frozen=True, kw_only=True)
class DocumentOptions:
    """What a file is, which lists its ratings are of, and how much of them is meant."""

    kind: Annotated[
        str | None,
        typer.Option("--kind", help="trf, games, players or fide-list (default: by its content)."),
    ] = None
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            help="The ratings in the file are seeds of this list; FIDE's list: may be repeated, "
            "each takes the ratings of its rate of play.",
        ),
    ] = None
    federation: Annotated[
        list[str] | None,
        typer.Option(
            "--federation", help="FIDE's list: only players of this one, as CHI; may be repeated."
        ),
    ] = None
    on: Day = None
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help="Rated games before a rating, where the file does not say (default: established).",
            min=0,
            max=100_000,
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Default: BOM, UTF-8, else cp1252.")
    ] = None
    as_correction: Annotated[
        bool,
        typer.Option(
            "--as-correction",
            help="Where it differs, the file is right; games recorded and not in it are annulled.",
        ),
    ] = False
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="The file is not all there is to its tournaments: annul nothing."
        ),
    ] = False

    def document_kind(self) -> DocumentKind | None:
        """Returns the kind that was named; raises ``InputRefused`` for one that is not there."""
        from ledger.application.imports import DocumentKind

        kinds = {kind.value: kind for kind in DocumentKind}
        if self.kind is not None and self.kind not in kinds:
            raise InputRefused("cli.no_kind", value=self.kind, allowed=", ".join(kinds))
        return kinds[self.kind] if self.kind else None


@dataclass(frozen=True, kw_only=True)
class SuppliedOptions:
    """What is said of the tournament of a file, whatever the file says."""

    tournament: Annotated[
        str | None,
        typer.Option("--tournament", help="TRF: the tournament's id (default: made of its name)."),
    ] = None
    name: Annotated[
        str | None, typer.Option("--name", help="The tournament's name, whatever the file says.")
    ] = None
    start: Annotated[
        str | None, typer.Option("--start", help="Its first day, whatever the file says.")
    ] = None
    end: Annotated[
        str | None, typer.Option("--end", help="Its last day, whatever the file says.")
    ] = None
    system: Annotated[
        System | None, typer.Option("--system", help="Its system, whatever the file says.")
    ] = None
    rate_of_play: Annotated[
        Rate | None,
        typer.Option("--rate-of-play", help="Its rate of play, whatever the file says."),
    ] = None
    merit: Annotated[str | None, typer.Option("--merit", help="Its merit coefficient.")] = None

    def supplied(self) -> Supplied:
        """Returns it as the application takes it; raises ``InputRefused``."""
        from ledger.application.imports import Supplied

        return Supplied(
            tournament=self.tournament,
            name=self.name,
            starts_on=day(self.start) if self.start else None,
            ends_on=day(self.end) if self.end else None,
            system=self.system,
            rate_of_play=self.rate_of_play,
            merit_hundredths=merit_of(self.merit),
        )


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a file's columns are read, or which file is to be made to fill in."""

    sheet: Annotated[
        str | None,
        typer.Option("--sheet", help="XLSX: the sheet (default: the first that is visible)."),
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            help="Players, games: COLUMN=HEADER, as rating=Elo; may be repeated.",
            metavar="COLUMN=HEADER",
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore-column",
            help="Players, games: a column not to be read; may be repeated.",
            metavar="HEADER",
        ),
    ] = None
    template: Annotated[
        Template | None,
        typer.Option("--template", help="Write an empty FILE to fill in, CSV or XLSX."),
    ] = None


@command("import")
def import_(
    file: Annotated[str, typer.Argument(help="The file; - for standard input.")],
    *,
    document: DocumentOptions,
    tournament: SuppliedOptions,
    table: TableOptions,
    rated_in: RatedIn = None,
    to: WriteOptions,
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
    if table.template is not None:
        _write_template(table.template, file)
        return
    from ledger.application.imports import Document, import_document
    from ledger.application.list_editions import rated_in as period_said

    kind, supplied = document.document_kind(), tournament.supplied()
    request_ = request(to, idempotency_key)
    on = day(document.on) if document.on else None
    with reading(file) as data, opened_to_record(to) as ledger:
        if rated_in is not None:
            supplied = replace(supplied, rated_in=period_said(ledger, rated_in))
        lists = document.lists or []
        read = Document(
            name="-" if file == "-" else Path(file).name,
            data=data,
            kind=kind,
            list=lists[0] if lists else None,
            other_lists=tuple(lists[1:]),
            federations=tuple(document.federation or ()),
            on=on,
            games=document.games,
            encoding=document.encoding,
            as_correction=document.as_correction,
            partial=document.partial,
            supplied=supplied,
            sheet=table.sheet,
            columns=tuple(map(_column, table.columns or ())),
            ignored=tuple(table.ignore or ()),
        )
        receipt = import_document(ledger, read, request_)
        print_receipt(receipt, to.format)
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
    template_file = empty_document(template.value, file, language())
    try:
        with Path(file).open("xb") as out:
            out.write(template_file)
    except OSError as error:
        raise not_written(Path(file), error) from error
    players = template is Template.PLAYERS
    write(say("cli.template_players" if players else "cli.template_games", file=file))
