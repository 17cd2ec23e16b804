"""``replay``: lists calculated anew from the stored games, here or on many workers."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import settings
from cli.options import As, Db, Format
from cli.output import emit, say, table
from cli.session import opened

if TYPE_CHECKING:
    from rich.console import Console

_MOST_WORKERS = 256  # processes of one machine
_FIGURES = ("periods", "postings", "players", "seconds", "games_per_second")


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


def add_to(app: typer.Typer) -> None:
    """Adds the command to the application."""
    app.command("replay")(replay)


def replay(
    list_: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Argument(metavar="LIST", help="The rating list; by default all."),
    ] = None,
    period: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--period", help="The last period (default: each list's newest)."),
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Where the work is done.")
    ] = EngineName.LOCAL,
    workers: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option(
            "--workers", min=1, max=_MOST_WORKERS, help="Dask: so many processes of this machine."
        ),
    ] = None,
    scheduler: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--scheduler", help="Dask: the address of a cluster, tcp://host:8786."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Compare what is kept of replays with a full one; exit 3."),
    ] = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Replay lists from the stored games, without shortcuts; on Dask by many workers."""
    on_a_cluster = engine is EngineName.DASK
    if check:
        if period is not None or workers is not None or scheduler is not None or on_a_cluster:
            raise typer.BadParameter(say("replay.check_alone"), param_hint="--check")
        _check(list_, db, as_)
        return
    from ledger.application.replays import replay_lists
    from ledger.cluster.dask import on_dask

    if not on_a_cluster and (workers is not None or scheduler is not None):
        raise typer.BadParameter(say("replay.needs_dask"), param_hint="--engine")
    if workers is not None and scheduler is not None:
        raise typer.BadParameter(say("replay.one_cluster"), param_hint="--scheduler")
    with ExitStack() as stack:
        ledger = stack.enter_context(opened(db))
        names = sorted(ledger.facts().lists) if list_ is None else [list_]
        where = stack.enter_context(on_dask(workers, scheduler)) if on_a_cluster else None
        made = replay_lists(ledger, settings.db(db), names, period, where)
    data = [each.data() for each in made]

    def render(out: Console) -> None:
        shown = table("list", "period", *_FIGURES, "ratings_sha256", right=_FIGURES)
        for each in made:
            shown.add_row(
                each.list,
                each.period,
                str(each.periods),
                str(each.postings),
                str(each.players),
                f"{each.seconds:.2f}",
                str(each.games_per_second),
                each.ratings_sha256,
            )
        out.print(shown)

    emit(as_, {"lists": data}, data, render)


def _check(list_: str | None, db: str | None, as_: Format) -> None:
    """Compares snapshots with full replays, and fails with the first that is wrong."""
    from ledger.application.snapshot_check import check_lists, failure_of

    with opened(db) as ledger:
        names = sorted(ledger.facts().lists) if list_ is None else [list_]
        made = check_lists(ledger, names)
    data = [each.data() for each in made]

    def render(out: Console) -> None:
        figures = ("snapshots", "thrown_away")
        shown = table("list", *figures, "wrong", right=figures)
        for each in made:
            wrong = ", ".join(each.wrong)
            shown.add_row(each.list, str(each.snapshots), str(each.thrown_away), wrong)
        out.print(shown)

    emit(as_, {"lists": data}, data, render)
    failure = failure_of(made)
    if failure is not None:
        raise failure
