"""``ladder``: open, join, leave, challenge, result, settle, withdraw, show."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli.commands.record import Black, Player, White, read_result
from cli.names import list_of, player_of
from cli.options import (
    Actor,
    As,
    Day,
    Db,
    DryRun,
    Format,
    ListName,
    Reason,
    ReceiptFormat,
    Receipts,
    day,
)
from cli.output import emit, say, table
from cli.session import carry_out, opened, print_receipt, request
from ledger.terms import Rate

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(no_args_is_help=True)
# So that the forfeits -/+ and -/- are arguments, not options.
_RESULTS = {"ignore_unknown_options": True}
_MATCH_DAYS = 30

Name = Annotated[str, typer.Argument(metavar="LADDER", help="The ladder's name.")]
Challenger = Annotated[str, typer.Argument(help="Who challenged: the id, or the name.")]
Challenged = Annotated[str, typer.Argument(help="Who was challenged: the id, or the name.")]


@app.command("open")
def open_(
    name: Name,
    players: Annotated[list[str], typer.Argument(help="The players' ids, or names.")],
    list_: ListName = None,
    as_given: Annotated[
        bool, typer.Option("--as-given", help="In the order given, not by their ratings.")
    ] = False,
    on: Day = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Open a ladder: the players of a club from the highest rating down."""
    from ledger.application.ladders import open_ladder

    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        receipt = open_ladder(
            ledger,
            name,
            list_=list_of(ledger, list_),
            players=[player_of(ledger, player) for player in players],
            on=_day(on),
            as_given=as_given,
            request=asked,
        )
    print_receipt(receipt, as_)


@app.command("join")
def join(
    name: Name,
    player: Player,
    place: Annotated[
        Optional[int],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--place", help="On this place (default: at the bottom).", min=1),
    ] = None,
    on: Day = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Put a player on a ladder."""
    from ledger.application.ladders import join_ladder

    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        player = player_of(ledger, player)
        receipt = join_ladder(ledger, name, player, place=place, on=_day(on), request=asked)
    print_receipt(receipt, as_)


@app.command("leave")
def leave(
    name: Name,
    player: Player,
    on: Day = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Take a player off a ladder; all below go one up."""
    from ledger.registrar.commands import LeaveLadder

    command = LeaveLadder(ladder=name, player=player, on=_day(on))
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("challenge")
def challenge(
    name: Name,
    challenger: Annotated[str, typer.Argument(help="Who challenges: the id, or the name.")],
    challenged: Annotated[str, typer.Argument(help="Who is challenged: the id, or the name.")],
    on: Day = None,
    until: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--until", help="Last day of the match (default: 30 days later)."),
    ] = None,
    rate_of_play: Annotated[Rate, typer.Option("--rate-of-play")] = Rate.CLASSICAL,
    override: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--override", help="Who authorizes it at 400 points or more, and why."),
    ] = None,
    match: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--match", help="Its tournament's id (default: LADDER-number)."),
    ] = None,
    title: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--name", help="Its tournament's name."),
    ] = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Challenge the next free player above; opens a match of two games."""
    from ledger.application.ladders import make_challenge

    start = _day(on)
    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        receipt = make_challenge(
            ledger,
            name,
            player_of(ledger, challenger),
            player_of(ledger, challenged),
            on=start,
            ends_on=day(until) if until else start + dt.timedelta(days=_MATCH_DAYS),
            rate_of_play=rate_of_play,
            tournament=match,
            title=title,
            override=override,
            request=asked,
        )
    print_receipt(receipt, as_)


@app.command("result", context_settings=_RESULTS)
def result(
    name: Name,
    game: Annotated[int, typer.Argument(metavar="GAME", help="1 or 2.", min=1, max=2)],
    white: White,
    black: Black,
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2, +/- …")],
    on: Day = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where the match was over.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record a game of a challenge; the game that ends the match moves the places too."""
    from ledger.registrar.commands import RecordChallengeGame

    command = RecordChallengeGame(
        ladder=name,
        tournament=_match(db, name, white, black),
        game=game,
        white=white,
        black=black,
        result=read_result(result_),
        played_on=_day(on),
        as_correction=as_correction,
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("settle")
def settle(
    name: Name,
    challenger: Challenger,
    challenged: Challenged,
    on: Day = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where it was decided otherwise.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Decide a challenge by its games as recorded or corrected elsewhere."""
    from ledger.registrar.commands import SettleChallenge

    command = SettleChallenge(
        ladder=name,
        tournament=_match(db, name, challenger, challenged),
        on=_day(on),
        as_correction=as_correction,
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("withdraw")
def withdraw(
    name: Name,
    challenger: Challenger,
    challenged: Challenged,
    on: Day = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Give a challenge up; games that were played stay recorded."""
    from ledger.registrar.commands import WithdrawChallenge

    command = WithdrawChallenge(
        ladder=name, tournament=_match(db, name, challenger, challenged), on=_day(on)
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("show")
def show(
    name: Name,
    on: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--on", help="Ratings in force on this day (default: today)."),
    ] = None,
    as_known_at: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option("--as-known-at", help="As known at this seq.", min=1),
    ] = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show a ladder: places, challenges, exchanges."""
    from ledger.application.ladders import show_ladder

    with opened(db) as ledger:
        data = show_ladder(ledger, name, on=_day(on), as_known_at=as_known_at)
    emit(as_, data, data["places"], lambda out: _render(out, data))


def _render(out: Console, data: dict[str, Any]) -> None:
    out.print(
        say(
            "ladder.title",
            ladder=data["ladder"],
            list=data["list"],
            on=data["ratings_on"],
            seq=data["seq"],
        ),
        markup=False,
    )
    places = table("place", "id", "name", "rating", "since", "match", right=("place", "rating"))
    for row in data["places"]:
        places.add_row(*("" if value is None else str(value) for value in row.values()))
    out.print(places)
    if data["challenges"]:
        made = table(
            "match", "start", "challenger", "challenged", "games", "state", "end", "override"
        )
        for row in data["challenges"]:
            challenger, challenged = row["ratings"]
            made.add_row(
                row["match"],
                row["on"],
                f"{row['challenger']} ({challenger})",
                f"{row['challenged']} ({challenged})",
                ", ".join(row["games"]),
                say(f"state.{row['state']}"),
                row["ended_on"] or "",
                row["override"] or "",
            )
        out.print(made)
    for row in data["challenges"]:
        if row["by_games"] not in (None, row["state"]):
            out.print(_disagreement(data["ladder"], row), style="yellow", markup=False)
    for row in data["exchanges"]:
        out.print(
            say(
                "ladder.exchange",
                on=row["on"],
                match=row["match"],
                winner=row["winner"],
                loser=row["loser"],
                from_place=row["from"],
                to_place=row["to"],
            ),
            markup=False,
        )


def _disagreement(ladder: str, row: dict[str, Any]) -> str:
    """Says how a challenge stands otherwise than its games, and what can be done."""
    if row["by_games"] == "annulled":
        key = "ladder.match_annulled"
    elif row["by_games"] == "running":
        key = "ladder.game_missing_now"
    elif row["state"] == "running":
        key = "ladder.not_settled"
    else:
        key = "ladder.disagrees"
    return say(
        key,
        ladder=ladder,
        match=row["match"],
        challenger=row["challenger"],
        challenged=row["challenged"],
        state=say(f"state.{row['state']}"),
        by_games=say(f"state.{row['by_games']}"),
    )


def _match(db: str | None, name: str, one: str, other: str) -> str:
    from ledger.application.ladders import match_of

    with opened(db) as ledger:
        return match_of(ledger, name, player_of(ledger, one), player_of(ledger, other))


def _day(text: str | None) -> dt.date:
    return day(text) if text else dt.datetime.now(dt.UTC).date()
