"""``regulation compare``, ``list monitor``, ``performance``, ``live``: figures over a list."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli.commands import lists, regulations
from cli.commands.lists import Name, Parameters, parameters_of
from cli.commands.record import Player
from cli.names import list_of, player_of
from cli.options import All, As, Db, Format, ListName
from cli.output import emit, note
from cli.session import opened
from ledger.errors import InputRefused
from ledger.reports.performance import PerformanceTable

if TYPE_CHECKING:
    from ledger.reports.comparison import Comparison

Control = Annotated[
    Optional[list[str]],  # noqa: UP045 - Typer evaluates it at run time
    typer.Option("--control", help="A player of the control group; may be repeated."),
]
Full = Annotated[bool, typer.Option("--full", help="Everything, not only what it comes to.")]


class Rows(StrEnum):
    """Which part of a comparison is written as rows, for CSV and JSON lines."""

    PLAYERS = "players"
    DISTRIBUTION = "distribution"
    INFLATION = "inflation"
    QUALITY = "quality"
    CALIBRATION = "calibration"


def add_to(app: typer.Typer) -> None:
    """Adds the commands: to the application, to those of lists, and to those of regulations."""
    regulations.app.command("compare")(compare)
    lists.app.command("monitor")(monitor)
    app.command("performance")(performance)
    app.command("live")(live)


def compare(
    with_: Annotated[str, typer.Option("--with", help="The other regulation's id.")],
    from_: Annotated[str, typer.Option("--from", help="The first period looked at.")],
    to: Annotated[str, typer.Option("--to", help="The last period looked at.")],
    name: Name = None,
    param: Parameters = None,
    control: Control = None,
    rows: Annotated[
        Rows, typer.Option("--rows", help="The part that CSV and JSON lines are made of.")
    ] = Rows.PLAYERS,
    svg: Annotated[
        Optional[Path],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--svg", help="Write a picture into this file as well.", show_default=False),
    ] = None,
    full: Full = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Replay a list under another regulation; nothing is recorded.

    The verdict comes first: who predicts better, the inflation, the largest differences.

    The other regulation holds from the list's first period on. Both are judged on the same games.
    """
    from cli.charts import comparison_svg
    from cli.figures import render_comparison
    from ledger.application.list_figures import compare_regulations

    with opened(db) as ledger:
        made = compare_regulations(
            ledger,
            list_of(ledger, name),
            regulation=with_,
            parameters=parameters_of(param),
            since=from_,
            until=to,
            control=control or (),
        )
    if svg is not None:
        try:
            svg.write_text(comparison_svg(made), encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputRefused("cli.cannot_write", file=svg, why=error.strerror) from error
        note("study.svg_written", file=svg)
    emit(
        as_,
        made.data,
        lambda: _rows(made, rows),
        lambda out: render_comparison(made, out, full=full),
    )


def _rows(made: Comparison, wanted: Rows) -> list[dict[str, Any]]:
    match wanted:
        case Rows.PLAYERS:
            return [player.data() for player in made.players.all()]
        case Rows.DISTRIBUTION:
            return [dict(band) for band in made.distribution()]
        case Rows.INFLATION:
            return [row for change in made.changes for row in change.rows()]
        case Rows.QUALITY:
            return [judgement.data() for judgement in made.judgements]
        case Rows.CALIBRATION:
            return made.calibration()


def monitor(
    name: Name = None,
    from_: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--from", help="The first period (default: the list's first)."),
    ] = None,
    to: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--to", help="The last period (default: the last one with games)."),
    ] = None,
    control: Control = None,
    active_only: Annotated[
        bool, typer.Option("--active-only", help="The pool is the active players only.")
    ] = False,
    full: Full = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Watch a list: its control group's mean, and where its points come from and go, exactly."""
    from cli.figures import render_monitor
    from ledger.application.list_figures import monitor_of

    with opened(db) as ledger:
        name = list_of(ledger, name)
        made = monitor_of(
            ledger, name, since=from_, until=to, control=control or (), active_only=active_only
        )
    emit(
        as_,
        made.data,
        lambda: [line.row() for line in made.lines],
        lambda out: render_monitor(made, out, full=full),
    )


def performance(
    player: Player,
    tournament: Annotated[str, typer.Option("--tournament", help="The tournament's id.")],
    list_: ListName = None,
    edition: Annotated[
        PerformanceTable,
        typer.Option(
            "--table", help="The table of D(p): of 2022 (800 at 0 and 100 %), or of 1972."
        ),
    ] = PerformanceTable.OF_2022,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Say what a player's result in a tournament is worth: Rp = Rc + D(p), with its steps."""
    from cli.figures import render_performance
    from ledger.application.list_figures import performance_of

    with opened(db) as ledger:
        name, player = list_of(ledger, list_), player_of(ledger, player)
        made = performance_of(ledger, player, tournament, name, edition)
    data = made.data()
    emit(as_, data, data["rounds"], lambda out: render_performance(made, out))


def live(name: Name = None, everything: All = False, db: Db = None, as_: As = Format.TABLE) -> None:
    """Show the ratings as if the current period closed now, beside those published last."""
    from cli.figures import render_live
    from ledger.application import list_figures

    with opened(db) as ledger:
        made = list_figures.live(ledger, list_of(ledger, name))
    data = made.data()
    emit(as_, data, data["rows"], lambda out: render_live(made, out, everything=everything))
