"""``k``: development coefficients."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from cli.commands.record import Player
from cli.options import Actor, Db, DryRun, Reason, ReceiptFormat, Receipts, day
from cli.session import carry_out

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Development coefficients."""


@app.command("assign")
def assign(
    player: Player,
    k: Annotated[int, typer.Argument(help="The coefficient, 0 to 200.", min=0, max=200)],
    on: Annotated[str, typer.Option("--on", help="From which day, YYYY-MM-DD.")],
    list_: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--list", help="In this list only (default: in all)."),
    ] = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where it changes a closed period.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Give a player a K, in force from a day on."""
    from ledger.registrar.commands import AssignK

    command = AssignK(player=player, k=k, list=list_, on=day(on), as_correction=as_correction)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)
