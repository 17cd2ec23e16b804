"""``regulation``: the rating systems that a list may adopt, and what one did adopt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import As, Db, Format
from cli.output import emit, say, table
from cli.session import opened

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.application.regulations import AdoptionSheet
    from ledger.reports.regulations import RegulationSheet

app = typer.Typer(no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="The regulation's id.")]


@app.callback()
def _group() -> None:
    """Rating systems."""


@app.command("list")
def list_(as_: As = Format.TABLE) -> None:
    """List the regulations, this program's own and those that other packages bring.

    Where a package's regulation cannot be used, the others are listed all the same; exit 3.
    """
    from ledger.application.regulations import regulation_list

    sheets, broken = regulation_list()
    rows = [sheet.row() for sheet in sheets]

    def render(out: Console) -> None:
        made = table(
            "regulation", "title", "parameters", "rated_at", "package", "source",
            right=("parameters",),
        )  # fmt: skip
        for sheet in sheets:
            made.add_row(
                sheet.id,
                sheet.title,
                str(len(sheet.parameters)),
                _rated_at(sheet),
                sheet.package or say("cli.own_package"),
                sheet.source,
            )
        out.print(made)

    emit(as_, {"regulations": rows}, rows, render)
    for error in broken:
        raise error


@app.command("show")
def show(
    regulation: Id,
    name: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--list", help="What this list adopted instead: when, which parameters."),
    ] = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show a regulation article by article: parameters, tables, dated figures, digest."""
    from ledger.application.regulations import adoptions, regulation_sheet

    if name is None:
        sheet = regulation_sheet(regulation)
        emit(as_, sheet.data(), _rows(sheet), lambda out: _render_sheet(sheet, out))
        return
    with opened(db) as ledger:
        adopted = adoptions(ledger, regulation, name)
    rows = [each.data() for each in adopted]
    data = {"regulation": regulation, "list": name, "adoptions": rows}
    emit(as_, data, rows, lambda out: _render_adoptions(adopted, out))


def _rows(sheet: RegulationSheet) -> list[dict[str, object]]:
    """Its parameters: what there is to set is what a spreadsheet is made for."""
    return [line.data() for line in sheet.parameters]


def _rated_at(sheet: RegulationSheet) -> str:
    return say("cli.by_event") if sheet.event_by_event else say("cli.by_period")


def _render_sheet(sheet: RegulationSheet, out: Console) -> None:
    out.print(f"{sheet.id}: {sheet.title}", style="bold", markup=False)
    package = sheet.package or say("cli.own_package")
    out.print(f"{_rated_at(sheet)}; {package}: {sheet.module}", markup=False)
    out.print(f"{say('cli.source')}: {sheet.source}", markup=False)
    articles = table("article", "says", "where", title=say("cli.coverage"))
    for clause in sheet.coverage:
        articles.add_row(clause.article, clause.says, clause.where)
    out.print(articles)
    if sheet.parameters:
        _render_parameters(sheet, out)
    if sheet.dated:
        _render_dated(sheet, out)
    if sheet.tables:
        tables = table("table", "rows", "digest", right=("rows",))
        for each in sheet.tables:
            tables.add_row(each.name, str(each.rows), each.sha256)
        out.print(tables)
    if sheet.worked_example:
        out.print(sheet.worked_example, markup=False)
    if sheet.digest is not None:
        out.print(f"{say('cli.digest_of_defaults')}: {sheet.digest}", markup=False)


def _render_parameters(sheet: RegulationSheet, out: Console) -> None:
    made = table("parameter", "default", "allowed", "unit", "clause", right=("default",))
    for line in sheet.parameters:
        name = say("cli.added_later", name=line.name) if line.added_later else line.name
        made.add_row(name, line.default or "", line.allowed, line.unit, line.clause)
    out.print(made)


def _render_dated(sheet: RegulationSheet, out: Console) -> None:
    made = table("clause", "what", "since", "value", right=("value",))
    for line in sheet.dated:
        since = say("cli.dated_from_the_start") if line.first else line.from_on.isoformat()
        value = say("cli.no_limit") if line.value is None else str(line.value)
        made.add_row(line.clause, line.name, since, value)
    out.print(made)


def _render_adoptions(adopted: list[AdoptionSheet], out: Console) -> None:
    for each in adopted:
        key = "cli.adopted_since" if each.until is None else "cli.adopted_at"
        since = say(key, since=each.since, until=each.until, period=each.period, seq=each.seq)
        out.print(since, style="bold", markup=False)
        if each.differences:
            made = table("parameter", "default", "adopted_value", "clause")
            for line in each.differences:
                made.add_row(line.name, line.default or "", line.adopted, line.clause)
            out.print(made)
        else:
            out.print(say("cli.all_defaults"), markup=False)
        out.print(f"{say('column.recorded_digest')}: {each.recorded}", markup=False)
        if each.same:
            out.print(say("cli.adoption_same"), markup=False)
        else:
            out.print(f"{say('column.computed_digest')}: {each.computed or '-'}", markup=False)
            out.print(say("cli.adoption_differs"), style="bold red", markup=False)
        _render_code(each, out)


def _render_code(adopted: AdoptionSheet, out: Console) -> None:
    if adopted.recorded_code is None:
        return
    out.print(f"{say('column.recorded_code')}: {adopted.recorded_code}", markup=False)
    if adopted.same_code is False:
        out.print(f"{say('column.computing_code')}: {adopted.computing_code}", markup=False)
        out.print(say("cli.other_code"), style="yellow", markup=False)
