"""``ladder``: open, join, leave, challenge, result, settle, withdraw, show."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.options import (
    Black,
    Day,
    ListName,
    Player,
    QuestionOptions,
    White,
    WriteOptions,
)
from cli.output import emit, say, table
from cli.session import carry_out, list_of, opened, player_of, recording, viewed
from cli.values import day_or_today
from ledger.operations.ladders import (
    LeaveLadder,
    RecordChallengeGame,
    SettleChallenge,
    WithdrawChallenge,
)
from ledger.terms import Rate
from ledger.typed_values import day, result_of

if TYPE_CHECKING:
    from rich.console import Console

    from cli.tables import Table

_MATCH_DAYS = 30

Name = Annotated[str, typer.Argument(metavar="LADDER", help="The ladder's name.")]
Challenger = Annotated[str, typer.Argument(help="Who challenged: the id, or the name.")]
Challenged = Annotated[str, typer.Argument(help="Who was challenged: the id, or the name.")]


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """The match of a challenge: when, at which rate of play, and its tournament."""

    on: Day = None
    until: Annotated[
        str | None, typer.Option("--until", help="Last day of the match (default: 30 days later).")
    ] = None
    rate_of_play: Annotated[Rate, typer.Option("--rate-of-play")] = Rate.CLASSICAL
    override: Annotated[
        str | None,
        typer.Option("--override", help="Who authorizes it at 400 points or more, and why."),
    ] = None
    match: Annotated[
        str | None, typer.Option("--match", help="Its tournament's id (default: LADDER-number).")
    ] = None
    title: Annotated[str | None, typer.Option("--name", help="Its tournament's name.")] = None


@command("ladder open")
def open_(
    name: Name,
    players: Annotated[list[str], typer.Argument(help="The players' ids, or names.")],
    list_: ListName = None,
    as_given: Annotated[
        bool, typer.Option("--as-given", help="In the order given, not by their ratings.")
    ] = False,
    on: Day = None,
    *,
    to: WriteOptions,
) -> None:
    """Open a ladder: the players of a club from the highest rating down."""
    from ledger.service.ladders import open_ladder

    with recording(to) as at:
        at.receipt = open_ladder(
            at.ledger,
            name,
            list_=list_of(at.ledger, list_),
            players=[player_of(at.ledger, player) for player in players],
            on=day_or_today(on),
            as_given=as_given,
            request=at.request,
        )


@command("ladder join")
def join(
    name: Name,
    player: Player,
    place: Annotated[
        int | None, typer.Option("--place", help="On this place (default: at the bottom).", min=1)
    ] = None,
    on: Day = None,
    *,
    to: WriteOptions,
) -> None:
    """Put a player on a ladder."""
    from ledger.service.ladders import join_ladder

    with recording(to) as at:
        at.receipt = join_ladder(
            at.ledger,
            name,
            player_of(at.ledger, player),
            place=place,
            on=day_or_today(on),
            request=at.request,
        )


@command("ladder leave", destroys=True)
def leave(name: Name, player: Player, on: Day = None, *, to: WriteOptions) -> None:
    """Take a player off a ladder; all below go one up."""
    command_ = LeaveLadder(ladder=name, player=player, on=day_or_today(on))
    carry_out(to, command_)


@command("ladder challenge")
def challenge(
    name: Name,
    challenger: Annotated[str, typer.Argument(help="Who challenges: the id, or the name.")],
    challenged: Annotated[str, typer.Argument(help="Who is challenged: the id, or the name.")],
    *,
    match: MatchOptions,
    to: WriteOptions,
) -> None:
    """Challenge the next free player above; opens a match of two games."""
    from ledger.service.ladders import make_challenge

    start = day_or_today(match.on)
    with recording(to) as at:
        at.receipt = make_challenge(
            at.ledger,
            name,
            (player_of(at.ledger, challenger), player_of(at.ledger, challenged)),
            on=start,
            ends_on=day(match.until) if match.until else start + dt.timedelta(days=_MATCH_DAYS),
            rate_of_play=match.rate_of_play,
            tournament=match.match,
            title=match.title,
            override=match.override,
            request=at.request,
        )


@command("ladder result", results=True)
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
    *,
    to: WriteOptions,
) -> None:
    """Record a game of a challenge; the game that ends the match moves the places too."""
    command_ = RecordChallengeGame(
        ladder=name,
        tournament=_match(to.db, name, white, black),
        game=game,
        white=white,
        black=black,
        result=result_of(result_),
        played_on=day_or_today(on),
        as_correction=as_correction,
    )
    carry_out(to, command_)


@command("ladder settle")
def settle(
    name: Name,
    challenger: Challenger,
    challenged: Challenged,
    on: Day = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where it was decided otherwise.")
    ] = False,
    *,
    to: WriteOptions,
) -> None:
    """Decide a challenge by its games as recorded or corrected elsewhere."""
    command_ = SettleChallenge(
        ladder=name,
        tournament=_match(to.db, name, challenger, challenged),
        on=day_or_today(on),
        as_correction=as_correction,
    )
    carry_out(to, command_)


@command("ladder withdraw", destroys=True)
def withdraw(
    name: Name, challenger: Challenger, challenged: Challenged, on: Day = None, *, to: WriteOptions
) -> None:
    """Give a challenge up; games that were played stay recorded."""
    command_ = WithdrawChallenge(
        ladder=name, tournament=_match(to.db, name, challenger, challenged), on=day_or_today(on)
    )
    carry_out(to, command_)


@command("ladder show")
def show(
    name: Name,
    on: Annotated[
        str | None, typer.Option("--on", help="Ratings in force on this day (default: today).")
    ] = None,
    *,
    options: QuestionOptions,
) -> None:
    """Show a ladder: places, challenges, exchanges."""
    from ledger.service.ladders import show_ladder

    with viewed(options) as view:
        data = show_ladder(view, name, on=day_or_today(on)).data()
    emit(options.format, data, data["places"], lambda out: _render(out, data))


def _render(out: Console, data: dict[str, Any]) -> None:
    values = {name: data[name] for name in ("ladder", "list", "seq")}
    out.print(say("ladder.title", on=data["ratings_on"], **values))
    places = table("place", "id", "name", "rating", "since", "match")
    for row in data["places"]:
        places.add(*row.values())
    out.print(places)
    if data["challenges"]:
        out.print(_challenges(data["challenges"]))
    for row in data["challenges"]:
        if row["by_games"] not in (None, row["state"]):
            out.print(_disagreement(data["ladder"], row), style="yellow")
    for row in data["exchanges"]:
        places_said = {"from_place": row["from"], "to_place": row["to"]}
        values = {name: row[name] for name in ("on", "match", "winner", "loser")}
        out.print(say("ladder.exchange", **values, **places_said))


def _challenges(rows: list[dict[str, Any]]) -> Table:
    """Returns a table of challenges."""
    from cli.tables import Kind

    columns = ("match", "start", "challenger", "challenged", "games", "state", "end", "override")
    table_ = table(*columns, games=Kind.TEXT)
    for row in rows:
        challenger, challenged = row["ratings"]
        table_.add(
            row["match"],
            row["on"],
            f"{row['challenger']} ({challenger})",
            f"{row['challenged']} ({challenged})",
            ", ".join(row["games"]),
            say(f"state.{row['state']}"),
            row["ended_on"],
            row["override"],
        )
    return table_


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
    states = {name: say(f"state.{row[name]}") for name in ("state", "by_games")}
    values = {name: row[name] for name in ("match", "challenger", "challenged")}
    return say(key, ladder=ladder, **values, **states)


def _match(db: str | None, name: str, one: str, other: str) -> str:
    from ledger.service.ladders import match_of

    with opened(db) as ledger:
        return match_of(ledger, name, player_of(ledger, one), player_of(ledger, other))
