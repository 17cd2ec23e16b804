"""``tournament``: teams, and who plays for them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from cli.command import command
from cli.options import Round, Tournament, WriteOptions
from cli.questions import ask
from cli.session import carry_out, opened, player_of
from ledger.operations.participants import EnterTeam, HandInLineup
from ledger.questions import tournaments as questions

_MISSING = "."
Team: TypeAlias = Annotated[str, typer.Argument(metavar="TEAM", help="The team's id.")]


@command("tournament team")
def team(
    tournament: Tournament,
    team_: Team,
    players: Annotated[
        list[str], typer.Argument(help="Ids or names, from board 1; reserves last.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="The team's name (default: its id).")
    ] = None,
    pairing_rating: Annotated[
        int | None,
        typer.Option(
            "--pairing-rating", help="Its strength for the pairing (default: the mean).", min=0
        ),
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Enter a team with its players, in the order of the boards."""
    with opened(to.db) as ledger:
        ids = tuple(player_of(ledger, player) for player in players)
    command_ = EnterTeam(
        tournament=tournament,
        team=team_,
        name=name or team_,
        participants=ids,
        pairing_rating=pairing_rating,
    )
    carry_out(to, command_)


@command("tournament lineup")
def lineup(
    tournament: Tournament,
    team_: Team,
    round_: Round,
    players: Annotated[
        list[str],
        typer.Argument(help="Ids or names, from board 1; a dot where nobody plays."),
    ],
    *,
    to: WriteOptions,
) -> None:
    """Hand in who plays for a team in a round (without one: its regular players)."""
    from ledger.answers.rounds import team_players

    with opened(to.db) as ledger:
        among = team_players(ledger, tournament, team_)
        ids = tuple(
            None if player == _MISSING else player_of(ledger, player, among) for player in players
        )
    carry_out(to, HandInLineup(tournament=tournament, team=team_, round=round_, participants=ids))


ask(questions.team_results, "desk")
