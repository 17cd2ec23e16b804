"""How the tables of an event of teams look: on the screen, and as a page to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table
from cli.render.html import Circled, PageCell, page, row
from cli.tables import Column
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from ledger.reports.team_tables import BoardPrize, IndividualRow, TeamCell, TeamRow, TeamTables

_PLACES = 3

_WITHOUT_MATCH = {"pairing-allocated": "card.pairing_allocated", "half": "card.half"}


def render_team_tables(made: TeamTables, out: Console) -> None:
    """Writes the team table, the individual table and the best of each board."""
    rounds = [Column(str(number)) for number in range(1, made.after + 1)]
    out.print(_title(made), style="bold")
    teams = table("number", "name", *rounds, "points", "board_points")
    for each in made.teams:
        teams.add(each.number, each.name, *map(_round, each.rounds), *_totals(each))
    out.print(teams)
    out.print(say("team.individual"), style="bold")
    players = table("team", "board", "name", *rounds, "points")
    for before, player in zip((None, *made.players), made.players, strict=False):
        if before is not None and before.team != player.team:
            players.section()
        players.add(*_player(player), *_results(player, made.after, "({})".format), _points(player))
    out.print(players)
    out.print(say("team.prizes"), style="bold")
    prizes = table("board", "place", "name", "team", "points", "games")
    for prize in _best(made):
        prizes.add(
            _board(prize.board),
            prize.place,
            prize.name,
            prize.team,
            exact(prize.points),
            prize.games,
        )
    out.print(prizes)


def team_tables_html(made: TeamTables) -> str:
    """Returns the tables as a page to print; points without play are circled."""
    numbers = [str(number) for number in range(1, made.after + 1)]
    parts = ["<table>", _heading("number", "name", *numbers, "points", "board_points")]
    for each in made.teams:
        cells = (each.number, each.name, *map(_round, each.rounds), *_totals(each))
        parts.append(_row(cells, name=1))
    parts += ["</table>", f"<h2>{say('team.individual')}</h2>", "<table>"]
    parts.append(_heading("team", "board", "name", *numbers, "points"))
    team = None
    for player in made.players:
        cells = (*_player(player), *_results(player, made.after, Circled), _points(player))
        parts.append(_row(cells, name=2, apart=team not in (None, player.team)))
        team = player.team
    parts += ["</table>", f"<h2>{say('team.prizes')}</h2>", "<table>"]
    parts.append(_heading("board", "place", "name", "team", "points", "games"))
    for prize in _best(made):
        cells = (_board(prize.board), prize.place, prize.name, prize.team, exact(prize.points))
        parts.append(_row((*cells, prize.games), name=2))
    return page(_title(made), [*parts, "</table>"])


def _best(made: TeamTables) -> list[BoardPrize]:
    """Returns the first three places of each board."""
    return [prize for prize in made.prizes if prize.place <= _PLACES]


def _heading(*keys: str) -> str:
    return row((PageCell(key if key.isdigit() else say(f"column.{key}")) for key in keys), tag="th")


def _row(cells: tuple[object, ...], *, name: int, apart: bool = False) -> str:
    made = (PageCell(cell, kind="name" if i == name else "") for i, cell in enumerate(cells))
    return row(made, kind="apart" if apart else "")


def _title(made: TeamTables) -> str:
    return say("team.title", name=made.name, after=made.after)


def _round(cell: TeamCell) -> str:
    """Returns a round: boards for and against, colour, opponent, match points so far."""
    if cell.boards is None or cell.colour is None:
        key = _WITHOUT_MATCH.get(cell.how.value, "card.zero")
        return f"{say(key)} ={exact(cell.points)}"
    one, other = map(exact, cell.boards)
    colour = say(f"card.{cell.colour.name.lower()}")
    return f"{one}-{other} {colour}{cell.opponent} ={exact(cell.points)}"


def _totals(each: TeamRow) -> tuple[str, str]:
    return exact(each.points), exact(each.board_points)


def _board(board: int | None) -> object:
    return say("team.reserve") if board is None else board


def _player(player: IndividualRow) -> tuple[object, object, str]:
    return player.team, _board(player.board), player.name or player.id


def _points(player: IndividualRow) -> str:
    return exact(player.points)


def _results(
    player: IndividualRow, after: int, circle: Callable[[str], str]
) -> Iterator[str | None]:
    """Yields a cell for each round; None where he did not play."""
    by_round = {each.round: each for each in player.results}
    for number in range(1, after + 1):
        each = by_round.get(number)
        said = None if each is None else exact(each.points)
        yield circle(said) if each is not None and each.circled and said else said
