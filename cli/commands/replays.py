"""``replay``: lists calculated anew from the stored games, here or on many workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.options import ReadOptions
from cli.output import emit, say, table
from cli.session import opened

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.cluster.dask import OnDask

_MOST_WORKERS = 256  # processes of one machine
_FIGURES = ("periods", "postings", "players", "seconds", "games_per_second")


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the work is done, and by how many."""

    engine: Annotated[EngineName, typer.Option("--engine", help="Where the work is done.")] = (
        EngineName.LOCAL
    )
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, max=_MOST_WORKERS, help="Dask: so many processes of this machine."
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", help="Dask: the address of a cluster, tcp://host:8786."),
    ] = None

    def require_agreement(self) -> None:
        """Raises Typer's error where the options contradict each other."""
        named = self.workers is not None or self.scheduler is not None
        if named and self.engine is EngineName.LOCAL:
            raise typer.BadParameter(say("replay.needs_dask"), param_hint="--engine")
        if self.workers is not None and self.scheduler is not None:
            raise typer.BadParameter(say("replay.one_cluster"), param_hint="--scheduler")

    @contextmanager
    def cluster(self) -> Iterator[OnDask | None]:
        """Gives the workers; None where the work is done here."""
        from ledger.cluster.dask import on_dask

        if self.engine is EngineName.LOCAL:
            yield None
            return
        with on_dask(self.workers, self.scheduler) as workers:
            yield workers


@command("replay")
def replay(
    list_: Annotated[
        str | None, typer.Argument(metavar="LIST", help="The rating list; by default all.")
    ] = None,
    period: Annotated[
        str | None, typer.Option("--period", help="The last period (default: each list's newest).")
    ] = None,
    *,
    on: EngineOptions,
    check: Annotated[
        bool,
        typer.Option("--check", help="Compare what is kept of replays with a full one; exit 3."),
    ] = False,
    options: ReadOptions,
) -> None:
    """Replay lists from the stored games, without shortcuts; on Dask by many workers."""
    if check:
        if period is not None or on != EngineOptions():
            raise typer.BadParameter(say("replay.check_alone"), param_hint="--check")
        _check(list_, options)
        return
    from ledger.service.replays import replay_lists

    on.require_agreement()
    with opened(options.db) as ledger, on.cluster() as where:
        names = sorted(ledger.facts().lists) if list_ is None else [list_]
        replays = replay_lists(ledger, settings.db(options.db), names, period, where)
    data = [each.data() for each in replays]

    def render(out: Console) -> None:
        shown = table("list", "period", *_FIGURES, "ratings_sha256")
        for each in replays:
            shown.add(
                each.list,
                each.period,
                each.periods,
                each.postings,
                each.players,
                f"{each.seconds:.2f}",
                each.games_per_second,
                each.ratings_sha256,
            )
        out.print(shown)

    emit(options.format, {"lists": data}, data, render)


def _check(list_: str | None, options: ReadOptions) -> None:
    """Compares snapshots with full replays, and fails with the first that is wrong."""
    from ledger.trust.snapshot_check import check_lists, failure_of

    with opened(options.db) as ledger:
        names = sorted(ledger.facts().lists) if list_ is None else [list_]
        checks = check_lists(ledger, names)
    data = [each.data() for each in checks]

    def render(out: Console) -> None:
        shown = table("list", "snapshots", "thrown_away", "wrong")
        for each in checks:
            shown.add(each.list, each.snapshots, each.thrown_away, ", ".join(each.wrong))
        out.print(shown)

    emit(options.format, {"lists": data}, data, render)
    failure = failure_of(checks)
    if failure is not None:
        raise failure
