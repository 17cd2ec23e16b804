"""``record``: one event by hand."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from cli.options import Actor, Day, Db, DryRun, Key, Reason, ReceiptFormat, Receipts, day
from cli.session import carry_out
from ledger.errors import InputRefused
from ledger.results import BYE_OF_LETTER, Bye, Result

app = typer.Typer(no_args_is_help=True)
# So that the forfeits -/+ and -/- are arguments, not options.
_RESULTS = {"ignore_unknown_options": True}

Tournament = Annotated[str, typer.Argument(help="The tournament's id.")]
Round = Annotated[int, typer.Argument(metavar="ROUND", help="The round, from 1.", min=1)]
White = Annotated[str, typer.Argument(help="White's id.")]
Black = Annotated[str, typer.Argument(help="Black's id.")]
Player = Annotated[str, typer.Argument(help="The player's id.")]
Anyway = Annotated[
    bool,
    typer.Option("--anyway", help="It was so, though it is against the rules of a Swiss."),
]


def read_result(text: str) -> Result:
    """Reads a result as typed; raises ``InputRefused`` that says what is allowed."""
    try:
        return Result.parse(text)
    except ValueError as error:
        raise InputRefused("csv.no_result", value=text) from error


@app.command("result", context_settings=_RESULTS)
def result(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2, 1-0s …")],
    on: Day = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where the tournament is closed.")
    ] = False,
    anyway: Anyway = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
    idempotency_key: Key = None,
) -> None:
    """Record how a game ended."""
    from ledger.registrar.commands import RecordGame

    command = RecordGame(
        tournament=tournament,
        round=round_,
        white=white,
        black=black,
        result=read_result(result_),
        played_on=day(on) if on else None,
        as_correction=as_correction,
        anyway=anyway,
    )
    carry_out(
        db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_, key=idempotency_key
    )


@app.command("forfeit", context_settings=_RESULTS)
def forfeit(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="+/-, -/+ or -/-")],
    anyway: Anyway = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record that a game was not played: one side was absent, or both."""
    from ledger.registrar.commands import RecordGame
    from ledger.results import Termination

    read = read_result(result_)
    if read.termination is not Termination.FORFEIT:
        raise InputRefused("cli.no_forfeit", value=result_)
    command = RecordGame(
        tournament=tournament, round=round_, white=white, black=black, result=read, anyway=anyway
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("bye")
def bye(
    tournament: Tournament,
    round_: Round,
    player: Player,
    kind: Annotated[str, typer.Argument(help="U, F, H or Z (or half, full, …)")],
    anyway: Anyway = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record a round without opponent."""
    from ledger.registrar.commands import GiveBye

    names = {bye.value: bye for bye in Bye}
    chosen = BYE_OF_LETTER.get(kind.upper()) or names.get(kind.lower())
    if chosen is None:
        raise InputRefused("cli.no_bye", value=kind, allowed=", ".join([*BYE_OF_LETTER, *names]))
    command = GiveBye(
        tournament=tournament, round=round_, player=player, kind=chosen, anyway=anyway
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("withdrawal")
def withdrawal(
    tournament: Tournament,
    player: Player,
    from_round: Annotated[int, typer.Argument(help="The first round he does not play.", min=1)],
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record that a player left the tournament."""
    from ledger.registrar.commands import WithdrawPlayer

    command = WithdrawPlayer(tournament=tournament, player=player, from_round=from_round)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("adjudication")
def adjudication(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2 …")],
    temporary: Annotated[
        bool, typer.Option("--temporary", help="For the pairing only; not rated yet.")
    ] = False,
    anyway: Anyway = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record that a game was decided off the board."""
    from ledger.registrar.commands import AdjudicateGame

    command = AdjudicateGame(
        tournament=tournament,
        round=round_,
        white=white,
        black=black,
        result=read_result(result_.removesuffix("a") + "a"),
        ruling="temporary" if temporary else "definitive",
        anyway=anyway,
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("adjournment")
def adjournment(
    tournament: Tournament,
    round_: Round,
    white: White,
    black: Black,
    anyway: Anyway = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record that a game was interrupted."""
    from ledger.registrar.commands import AdjournGame

    command = AdjournGame(
        tournament=tournament, round=round_, white=white, black=black, anyway=anyway
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("entry")
def entry(
    tournament: Tournament,
    player: Player,
    number: Annotated[
        Optional[int],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--number", help="Starting number (default: the next).", min=1),
    ] = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record that a player takes part."""
    from ledger.registrar.commands import EnterPlayer

    command = EnterPlayer(tournament=tournament, player=player, starting_number=number)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)
