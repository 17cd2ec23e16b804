"""How the tables of an event of teams look on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table
from cli.tables import Column
from ledger.forms.team_tables import (
    PRIZE_COLUMNS,
    individual_cells,
    prize_rows,
    team_cells,
    team_tables_title,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.team_tables import TeamTables


def render_team_tables(made: TeamTables, out: Console) -> None:
    """Writes the team table, the individual table and the best of each board."""
    rounds = [Column(str(number)) for number in range(1, made.after + 1)]
    out.print(team_tables_title(made, say), style="bold")
    teams = table("number", "name", *rounds, "points", "board_points")
    for each in made.teams:
        teams.add(*team_cells(each, say))
    out.print(teams)
    out.print(say("team.individual"), style="bold")
    players = table("team", "board", "name", *rounds, "points")
    for before, player in zip((None, *made.players), made.players, strict=False):
        if before is not None and before.team != player.team:
            players.section()
        players.add(*individual_cells(player, made.after, "({})".format, say))
    out.print(players)
    out.print(say("team.prizes"), style="bold")
    prizes = table(*PRIZE_COLUMNS)
    for cells in prize_rows(made, say):
        prizes.add(*cells)
    out.print(prizes)
