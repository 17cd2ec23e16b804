"""``annul``: what was never to be recorded."""

from __future__ import annotations

import datetime as dt

import typer

from cli.commands.record import Black, Player, Round, Tournament, White
from cli.options import Actor, Db, DryRun, NeededReason, ReceiptFormat, Receipts
from cli.session import carry_out

app = typer.Typer(no_args_is_help=True)


@app.command("result")
def result(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    reason: NeededReason,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Annul a pairing."""
    from ledger.registrar.commands import AnnulResult

    command = AnnulResult(tournament=tournament, round=round_, white=white, black=black)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("bye")
def bye(
    tournament: Tournament,
    round_: Round,
    player: Player,
    reason: NeededReason,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Annul a bye."""
    from ledger.registrar.commands import AnnulResult

    command = AnnulResult(tournament=tournament, round=round_, white=player, black=None)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("tournament")
def tournament(
    tournament: Tournament,
    reason: NeededReason,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Annul a tournament: results, standings and rating, for good."""
    from ledger.registrar.commands import RuleOnTournament

    today = dt.datetime.now(dt.UTC).date()
    command = RuleOnTournament(tournament=tournament, ruling="annul", on=today)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)
