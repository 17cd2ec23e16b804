"""``correct``: what was recorded, superseded by what is right."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.record import Black, Round, Tournament, White, read_result
from cli.options import Actor, Db, DryRun, NeededReason, ReceiptFormat, Receipts
from cli.session import carry_out

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Correct what was recorded."""


@app.command("result", context_settings={"ignore_unknown_options": True})
def result(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, +/-, … or 'none'")],
    reason: NeededReason,
    rating_only: Annotated[
        bool,
        typer.Option("--rating-only", help="The standings keep the old result ('none': unrated)."),
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Supersede a result; with --dry-run, say which players, lists and periods would move."""
    from ledger.registrar.commands import CorrectResult

    command = CorrectResult(
        tournament=tournament,
        round=round_,
        white=white,
        black=black,
        result=None if result_ == "none" else read_result(result_),
        rating_only=rating_only,
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)
