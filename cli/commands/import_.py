"""``import``: documents in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.files import not_written, reading, writing
from cli.options import Day, Key, RatedIn, WriteOptions
from cli.output import say, write, write_bytes
from cli.render.receipts import print_receipt
from cli.session import opened_to_record, request
from cli.settings import language
from ledger.errors import InputRefused
from ledger.terms import DayOrder, Rate, System
from ledger.typed_values import day, merit_of

if TYPE_CHECKING:
    from ledger.intake.imports import DocumentKind, Supplied
    from ledger.service.ledger import Receipt, Request


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
            "--federation",
            help="FIDE's list: only players of this one, as CHI; may be repeated. Players without "
            "such a column: of whom all are.",
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
        from ledger.intake.imports import DocumentKind

        kinds = {kind.value: kind for kind in DocumentKind}
        if self.kind is not None and self.kind not in kinds:
            raise InputRefused("cli.no_kind", value=self.kind, allowed=", ".join(kinds))
        return kinds[self.kind] if self.kind else None

    def about(self) -> dict[str, Any]:
        """Returns it as a document has it."""
        lists = self.lists or []
        return {
            "kind": self.document_kind(),
            "list": lists[0] if lists else None,
            "other_lists": tuple(lists[1:]),
            "federations": tuple(self.federation or ()),
            "on": day(self.on) if self.on else None,
            "games": self.games,
            "encoding": self.encoding,
            "as_correction": self.as_correction,
            "partial": self.partial,
        }


@dataclass(frozen=True, kw_only=True)
class PeopleOptions:
    """Whom a file means."""

    ids: Annotated[
        str | None,
        typer.Option("--ids", help="Whose the ids in the file are: fide or national."),
    ] = None
    is_member: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            help="Who is which member, WHO=ID: WHO is the starting number, the id, or in games "
            "the name; may be repeated.",
            metavar="WHO=ID",
        ),
    ] = None
    is_new: Annotated[
        list[str] | None,
        typer.Option(
            "--new",
            help="Who is a new person, WHO as for --as, or all; may be repeated.",
            metavar="WHO",
        ),
    ] = None

    only_members: Annotated[
        bool,
        typer.Option(
            "--only-members", help="Players: register nobody new; who is doubtful is left out."
        ),
    ] = False
    undecided: Annotated[
        Path | None,
        typer.Option(
            "--undecided",
            help="Write who is doubtful, with candidates, to fill in, CSV or XLSX; import nothing.",
        ),
    ] = None
    decided: Annotated[
        str | None, typer.Option("--decided", help="Such a file, filled in; - is standard input.")
    ] = None

    same: Annotated[
        list[str] | None,
        typer.Option(
            "--same",
            help="Players: a line of somebody who stands in a line before is left out, or all "
            "such; may be repeated.",
            metavar="LINE",
        ),
    ] = None
    apart: Annotated[
        list[str] | None,
        typer.Option(
            "--apart",
            help="Players: a line is of another person than the one before, or all such; may be "
            "repeated.",
            metavar="LINE",
        ),
    ] = None

    def decisions(self) -> tuple[tuple[str, str], ...]:
        """Returns what is decided about people of the file; a word here goes before the sheet."""
        from ledger.intake.decision_sheets import people_decided

        sheet = []
        if self.decided is not None:
            with reading(self.decided) as data:
                sheet = people_decided(data, self.decided)
        members = [(who, id_) if equals else ("", who) for who, equals, id_ in self._split()]
        return (*sheet, *members, *((who, "") for who in self.is_new or ()))

    def _split(self) -> Iterator[tuple[str, str, str]]:
        for word in self.is_member or ():
            who, equals, id_ = (part.strip() for part in word.partition("="))
            if not who or (equals and not id_):
                raise InputRefused("value.no_decision", value=word)
            yield who, equals, id_

    def whose(self) -> str | None:
        """Returns whose the ids are; raises ``InputRefused`` for anything else."""
        if self.ids not in (None, "fide", "national"):
            raise InputRefused("cli.no_issuer", value=self.ids)
        return self.ids


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
        """Returns it as an import takes it; raises ``InputRefused``."""
        from ledger.intake.imports import Supplied

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
    maps: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="Players, games: what stands under a heading, HEADING=COLUMN, as "
            '"Apellidos=name"; - leaves it out; may be repeated.',
            metavar="HEADING=COLUMN",
        ),
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
    dates: Annotated[
        DayOrder | None,
        typer.Option(
            "--dates",
            help="Players, games: where the day stands in dates as 03/07/2010 (default: as all "
            "dates of the file decide).",
        ),
    ] = None
    template: Annotated[
        Template | None,
        typer.Option("--template", help="Write an empty FILE to fill in, CSV or XLSX."),
    ] = None

    def about(self) -> dict[str, Any]:
        """Returns how columns are read as a document has it."""
        from ledger.intake.headings import as_mapped, mapping_of

        columns, ignored = as_mapped(map(mapping_of, self.maps or ()))
        columns = (*map(_column, self.columns or ()), *columns)
        return {
            "sheet": self.sheet, "dates": self.dates, "columns": columns,
            "ignored": (*(self.ignore or ()), *ignored),
        }  # fmt: skip


@command("import")
def import_(
    file: Annotated[str, typer.Argument(help="The file; - for standard input.")],
    *,
    document: DocumentOptions,
    people: PeopleOptions,
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
    published_k, club, region, licensed_until.

    Columns of games: tournament, name, start, end, system, rate_of_play, merit, round, date, white,
    black, result.
    """
    if table.template is not None:
        _write_template(table.template, file)
        return
    from ledger.intake.imports import Document, import_document
    from ledger.service.receipts import published_lists_reached
    from ledger.views.list_editions import rated_in as period_said

    supplied, decisions = tournament.supplied(), people.decisions()
    request_ = request(to, idempotency_key)
    about = document.about() | table.about()
    with reading(file) as data, opened_to_record(to) as ledger:
        if rated_in is not None:
            supplied = replace(supplied, rated_in=period_said(ledger, rated_in))
        name = "-" if file == "-" else Path(file).name
        read = Document(
            name=name, data=data, supplied=supplied, decisions=decisions, ids=people.whose(),
            only_members=people.only_members, same=tuple(people.same or ()),
            apart=tuple(people.apart or ()), **about,
        )  # fmt: skip
        if people.undecided is not None:
            _write_undecided(people.undecided, import_document(ledger, read, _preview(request_)))
            return
        receipt = import_document(ledger, read, request_)
        print_receipt(receipt, to, published_lists_reached(ledger, receipt))
        if to.dry_run and receipt.people is not None:
            receipt.people.require_decided(name, only_members=people.only_members)
        sys.stdout.flush()  # whoever reads it need not wait for what comes now
        ledger.seal(receipt)


def _preview(request_: Request) -> Request:
    return replace(request_, dry_run=True, with_impact=False)


def _write_undecided(file: Path, receipt: Receipt) -> None:
    """Writes who is doubtful in a file that was looked at."""
    from ledger.intake.decision_sheets import PEOPLE, write_sheet

    doubtful = receipt.people.doubtful if receipt.people is not None else []
    cells = (row for each in doubtful for row in each.sheet_rows)
    with writing(file) as out:
        write_sheet(out, file.name, PEOPLE, cells, language())
    write(say("cli.undecided", count=len(doubtful), file=file))


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
