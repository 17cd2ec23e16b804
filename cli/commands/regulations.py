"""``regulation``: the rating systems that a list may adopt, what one adopted, and what if."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.files import not_written
from cli.options import (
    As,
    Control,
    Format,
    Full,
    NameOfList,
    Parameters,
    QuestionOptions,
)
from cli.output import emit, note, say, table
from cli.session import list_of, viewed
from cli.settings import language
from ledger.typed_values import parameters_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from ledger.answers.regulations import AdoptionSheet
    from ledger.reports.comparison import Comparison
    from ledger.reports.regulations import RegulationSheet


Id = Annotated[str, typer.Argument(help="The regulation's id.")]


class Rows(StrEnum):
    """Which part of a comparison is written as rows, for CSV and JSON lines."""

    PLAYERS = "players"
    DISTRIBUTION = "distribution"
    INFLATION = "inflation"
    QUALITY = "quality"
    CALIBRATION = "calibration"


@command("regulation list")
def list_regulations(as_: As = Format.TABLE) -> None:
    """List the regulations, this program's own and those that other packages bring.

    Where a package's regulation cannot be used, the others are listed all the same; exit 3.
    """
    from cli.tables import Kind
    from ledger.answers.regulations import regulation_list

    found, broken = regulation_list()
    sheets = [sheet.within(language()) for sheet in found]
    rows = [sheet.row().data() for sheet in sheets]

    def render(out: Console) -> None:
        columns = ("regulation", "title", "parameters", "rated_at", "package", "source")
        table_ = table(*columns, source=Kind.LONG)
        for sheet in sheets:
            table_.add(
                sheet.id,
                sheet.title,
                len(sheet.parameters),
                _rated_at(sheet),
                sheet.package or say("cli.own_package"),
                sheet.source,
            )
        out.print(table_)

    emit(as_, {"regulations": rows}, rows, render)
    for error in broken:
        raise error


@command("regulation show")
def show(
    regulation: Id,
    name: Annotated[
        str | None,
        typer.Option("--list", help="What this list adopted instead: when, which parameters."),
    ] = None,
    *,
    options: QuestionOptions,
) -> None:
    """Show a regulation article by article: parameters, tables, dated figures, digest."""
    from ledger.answers.regulations import Adoptions, adoptions, regulation_sheet

    if name is None:
        sheet = regulation_sheet(regulation).within(language())
        # Its parameters: what there is to set is what a spreadsheet is made for.
        parameters = [line.data() for line in sheet.parameters]
        emit(options.format, sheet.data(), parameters, lambda out: _render_sheet(sheet, out))
        return
    with viewed(options) as view:
        adopted = Adoptions(regulation, name, adoptions(view, regulation, name))
    shown = adopted.within(language())
    rows = [each.data() for each in shown.adoptions]
    emit(options.format, shown.data(), rows, lambda out: _render_adoptions(shown.adoptions, out))


@command("regulation compare")
def compare(
    with_: Annotated[str, typer.Option("--with", help="The other regulation's id.")],
    from_: Annotated[str, typer.Option("--from", help="The first period looked at.")],
    to: Annotated[str, typer.Option("--to", help="The last period looked at.")],
    name: NameOfList = None,
    param: Parameters = None,
    control: Control = None,
    rows: Annotated[
        Rows, typer.Option("--rows", help="The part that CSV and JSON lines are made of.")
    ] = Rows.PLAYERS,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Write a picture into this file as well.")
    ] = None,
    full: Full = False,
    *,
    options: QuestionOptions,
) -> None:
    """Replay a list under another regulation; nothing is recorded.

    The verdict comes first: who predicts better, the inflation, the largest differences.

    The other regulation holds from the list's first period on. Both are judged on the same games.
    """
    from cli.render.studies import render_comparison
    from ledger.answers.list_figures import compare_regulations
    from ledger.pictures.comparison import comparison_picture

    with viewed(options) as view:
        comparison = compare_regulations(
            view,
            list_of(view, name),
            regulation=with_,
            parameters=parameters_of(param),
            since=from_,
            until=to,
            control=control or (),
        )
    if svg is not None:
        try:
            svg.write_text(
                comparison_picture(comparison, language()), encoding="utf-8", newline="\n"
            )
        except OSError as error:
            raise not_written(svg, error, "cli.cannot_write") from error
        note("study.svg_written", file=svg)
    emit(
        options.format,
        comparison.data,
        lambda: _part(comparison, rows),
        lambda out: render_comparison(comparison, out, full=full),
    )


def _part(comparison: Comparison, wanted: Rows) -> list[dict[str, Any]]:
    match wanted:
        case Rows.PLAYERS:
            return [player.data() for player in comparison.players.all()]
        case Rows.DISTRIBUTION:
            return [band.data() for band in comparison.distribution]
        case Rows.INFLATION:
            return [row.data() for row in comparison.change_rows]
        case Rows.QUALITY:
            return [judgement.data() for judgement in comparison.judgements]
        case Rows.CALIBRATION:
            return [row.data() for row in comparison.calibration]


def _rated_at(sheet: RegulationSheet) -> str:
    return say("cli.by_event") if sheet.event_by_event else say("cli.by_period")


def _render_sheet(sheet: RegulationSheet, out: Console) -> None:
    out.print(f"{sheet.id}: {sheet.title}", style="bold")
    package = sheet.package or say("cli.own_package")
    out.print(f"{_rated_at(sheet)}; {package}: {sheet.module}")
    out.print(f"{say('cli.source')}: {sheet.source}")
    articles = table("article", "says", "where", title=say("cli.coverage"))
    for clause in sheet.coverage:
        articles.add(clause.article, clause.says, clause.where)
    out.print(articles)
    if sheet.parameters:
        _render_parameters(sheet, out)
    if sheet.dated:
        _render_dated(sheet, out)
    if sheet.tables:
        tables = table("table", "rows", "digest")
        for each in sheet.tables:
            tables.add(each.name, each.rows, each.sha256)
        out.print(tables)
    if sheet.worked_example:
        out.print(sheet.worked_example)
    if sheet.digest is not None:
        out.print(f"{say('cli.digest_of_defaults')}: {sheet.digest}")


def _render_parameters(sheet: RegulationSheet, out: Console) -> None:
    table_ = table("parameter", "default", "allowed", "unit", "clause")
    for line in sheet.parameters:
        name = line.parameter
        if line.added_later:
            name = say("cli.added_later", name=name)
        table_.add(name, line.default, line.allowed, line.unit, line.clause)
    out.print(table_)


def _render_dated(sheet: RegulationSheet, out: Console) -> None:
    from cli.tables import Kind

    table_ = table("clause", "what", "since", "value", value=Kind.FIGURE)
    for line in sheet.dated:
        since = say("cli.dated_from_the_start") if line.first else line.from_on.isoformat()
        value = say("cli.no_limit") if line.value is None else line.value
        table_.add(line.clause, line.name, since, value)
    out.print(table_)


def _render_adoptions(adopted: Sequence[AdoptionSheet], out: Console) -> None:
    for each in adopted:
        key = "cli.adopted_since" if each.until is None else "cli.adopted_at"
        since = say(key, since=each.since, until=each.until, period=each.period, seq=each.seq)
        out.print(since, style="bold")
        if each.differences:
            table_ = table("parameter", "default", "adopted_value", "clause")
            for line in each.differences:
                table_.add(line.parameter, line.default, line.adopted, line.clause)
            out.print(table_)
        else:
            out.print(say("cli.all_defaults"))
        out.print(f"{say('column.recorded_digest')}: {each.recorded}")
        if each.same:
            out.print(say("cli.adoption_same"))
        else:
            out.print(f"{say('column.computed_digest')}: {each.computed or '-'}")
            out.print(say("cli.adoption_differs"), style="bold red")
        _render_code(each, out)


def _render_code(adopted: AdoptionSheet, out: Console) -> None:
    if adopted.recorded_code is None:
        return
    out.print(f"{say('column.recorded_code')}: {adopted.recorded_code}")
    if adopted.same_code is False:
        out.print(f"{say('column.computing_code')}: {adopted.computing_code}")
        out.print(say("cli.other_code"), style="yellow")
