"""``record``, ``correct``, ``annul``: one event by hand, what is right instead, what never was."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.command import command
from cli.options import (
    Day,
    GameArguments,
    Key,
    Player,
    ReasonedWriteOptions,
    Round,
    Tournament,
    WriteOptions,
)
from cli.session import carry_out, opened
from cli.values import today
from ledger.errors import InputRefused
from ledger.operations.commands import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectResult,
    EnterPlayer,
    GiveBye,
    RecordGame,
    RuleOnTournament,
    WithdrawPlayer,
)
from ledger.results import BYE_OF_LETTER, Bye, Termination
from ledger.typed_values import board_of, day, result_of

Anyway = Annotated[
    bool, typer.Option("--anyway", help="It was so, though it is against the rules of a Swiss.")
]


@command("record result", results=True)
def result(
    game: GameArguments,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2, 1-0s …")],
    on: Day = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where the tournament is closed.")
    ] = False,
    anyway: Anyway = False,
    *,
    to: WriteOptions,
    idempotency_key: Key = None,
) -> None:
    """Record how a game ended."""
    said = RecordGame(
        **vars(game),
        result=result_of(result_),
        played_on=day(on) if on else None,
        as_correction=as_correction,
        anyway=anyway,
    )
    carry_out(to, said, key=idempotency_key)


@command("record forfeit", results=True)
def forfeit(
    game: GameArguments,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="+/-, -/+ or -/-")],
    anyway: Anyway = False,
    *,
    to: WriteOptions,
) -> None:
    """Record that a game was not played: one side was absent, or both."""
    read = result_of(result_)
    if read.termination is not Termination.FORFEIT:
        raise InputRefused("cli.no_forfeit", value=result_)
    carry_out(to, RecordGame(**vars(game), result=read, anyway=anyway))


@command("record bye")
def bye(
    tournament: Tournament,
    round_: Round,
    player: Player,
    kind: Annotated[str, typer.Argument(help="U, F, H or Z (or half, full, …)")],
    anyway: Anyway = False,
    *,
    to: WriteOptions,
) -> None:
    """Record a round without opponent."""
    names = {bye.value: bye for bye in Bye}
    chosen = BYE_OF_LETTER.get(kind.upper()) or names.get(kind.lower())
    if chosen is None:
        raise InputRefused("cli.no_bye", value=kind, allowed=", ".join([*BYE_OF_LETTER, *names]))
    said = GiveBye(tournament=tournament, round=round_, player=player, kind=chosen, anyway=anyway)
    carry_out(to, said)


@command("record withdrawal", destroys=True)
def withdrawal(
    tournament: Tournament,
    player: Player,
    from_round: Annotated[int, typer.Argument(help="The first round he does not play.", min=1)],
    *,
    to: WriteOptions,
) -> None:
    """Record that a player left the tournament."""
    carry_out(to, WithdrawPlayer(tournament=tournament, player=player, from_round=from_round))


@command("record adjudication")
def adjudication(
    game: GameArguments,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2 …")],
    temporary: Annotated[
        bool, typer.Option("--temporary", help="For the pairing only; not rated yet.")
    ] = False,
    anyway: Anyway = False,
    *,
    to: WriteOptions,
) -> None:
    """Record that a game was decided off the board."""
    said = AdjudicateGame(
        **vars(game),
        result=result_of(result_.removesuffix("a") + "a"),
        ruling="temporary" if temporary else "definitive",
        anyway=anyway,
    )
    carry_out(to, said)


@command("record adjournment")
def adjournment(game: GameArguments, anyway: Anyway = False, *, to: WriteOptions) -> None:
    """Record that a game was interrupted."""
    carry_out(to, AdjournGame(**vars(game), anyway=anyway))


@command("record entry")
def entry(
    tournament: Tournament,
    player: Player,
    number: Annotated[
        int | None, typer.Option("--number", help="Starting number (default: the next).", min=1)
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Record that a player takes part."""
    carry_out(to, EnterPlayer(tournament=tournament, player=player, starting_number=number))


@command("correct result", results=True)
def correct_result(
    game: GameArguments,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, +/-, … or 'none'")],
    rating_only: Annotated[
        bool,
        typer.Option("--rating-only", help="The standings keep the old result ('none': unrated)."),
    ] = False,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Supersede a result; with --dry-run, say which players, lists and periods would move."""
    said = CorrectResult(
        **vars(game),
        result=None if result_ == "none" else result_of(result_),
        rating_only=rating_only,
    )
    carry_out(to, said)


@command("correct colours")
def correct_colours(
    tournament: Tournament,
    round_: Round,
    board: Annotated[
        str,
        typer.Argument(metavar="BOARD", help="The board, from 1; of teams 3.2, match and board."),
    ],
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Say that a board was played with the colours reversed; each keeps the points made there."""
    from ledger.application.boards import BoardAsked, board_colours

    with opened(to.db) as ledger:
        said = board_colours(ledger, BoardAsked(tournament, round_, board_of(board)))
    carry_out(to, said)


@command("annul result", destroys=True)
def annul_result(game: GameArguments, *, to: ReasonedWriteOptions) -> None:
    """Annul a pairing."""
    carry_out(to, AnnulResult(**vars(game)))


@command("annul bye", destroys=True)
def annul_bye(
    tournament: Tournament, round_: Round, player: Player, *, to: ReasonedWriteOptions
) -> None:
    """Annul a bye."""
    carry_out(to, AnnulResult(tournament=tournament, round=round_, white=player, black=None))


@command("annul tournament", destroys=True)
def annul_tournament(tournament: Tournament, *, to: ReasonedWriteOptions) -> None:
    """Annul a tournament: results, standings and rating, for good."""
    carry_out(to, RuleOnTournament(tournament=tournament, ruling="annul", on=today()))
