"""The tables of an event of teams: teams, players by board, the best of each board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ledger.forms.page import Circled, PageCell, PrintedPage, Say, row, saying, table
from ledger.rating.decimal_text import score_text
from ledger.reports.team_tables import BoardPrize, IndividualRow, TeamCell, TeamRow, TeamTables

PRIZE_COLUMNS: Final = ("board", "place", "name", "team", "points", "games")
_PLACES = 3
_TEAM: Final = PRIZE_COLUMNS.index("team")
_KINDS: Final = {"name": "name", "team": "name"}
_WITHOUT_MATCH = {"pairing-allocated": "card.pairing_allocated", "half": "card.half"}


def team_tables_page(made: TeamTables, language: str) -> PrintedPage:
    """Returns the tables as a page to print; points without play are circled."""
    say = saying(language)
    numbers = [str(number) for number in range(1, made.after + 1)]
    names: dict[object, str] = {each.number: each.name for each in made.teams}
    teams = (_row(team_cells(each, say), 1) for each in made.teams)
    players, team = [], None
    for player in made.players:
        cells = individual_cells(player, made.after, Circled, say)
        apart = team not in (None, player.team)
        players.append(_row(_named(cells, 0, names), 0, 2, apart=apart))
        team = player.team
    prizes = (_row(_named(cells, _TEAM, names), 2, _TEAM) for cells in prize_rows(made, say))
    parts = [
        *table(_headings(say, "number", "name", *numbers, "points", "board_points"), teams),
        f"<h2>{say('team.individual')}</h2>",
        *table(_headings(say, "team", "board", "name", *numbers, "points"), players),
        f"<h2>{say('team.prizes')}</h2>",
        *table(_headings(say, *PRIZE_COLUMNS), prizes),
    ]
    return PrintedPage(team_tables_title(made, say), parts, language)


def team_tables_title(made: TeamTables, say: Say) -> str:
    """Returns the heading of the tables."""
    return say("team.title", name=made.name, after=made.after)


def team_cells(each: TeamRow, say: Say) -> list[object]:
    """Returns number, name, rounds, match points and board points of a team."""
    rounds = (_round(cell, say) for cell in each.rounds)
    return [each.number, each.name, *rounds, each.points, each.board_points]


def individual_cells(
    player: IndividualRow, after: int, circle: Callable[[str], str], say: Say
) -> list[object]:
    """Returns team, board, name, rounds and points; ``circle`` marks points without play."""
    who = (player.team, _board(player.board, say), player.name or player.id)
    return [*who, *_results(player, after, circle), player.points]


def prize_rows(made: TeamTables, say: Say) -> Iterator[list[object]]:
    """Yields the first three places of each board, in ``PRIZE_COLUMNS``."""
    for prize in made.prizes:
        if prize.place <= _PLACES:
            yield _prize(prize, say)


def _prize(prize: BoardPrize, say: Say) -> list[object]:
    board, name = _board(prize.board, say), prize.name or prize.id
    return [board, prize.place, name, prize.team, prize.points, prize.games]


def _named(cells: list[object], at: int, names: Mapping[object, str]) -> list[object]:
    """Returns a row in which a team stands by its name, and not by its number."""
    return [*cells[:at], names[cells[at]], *cells[at + 1 :]]


def _headings(say: Say, *keys: str) -> list[PageCell]:
    return [
        PageCell(key if key.isdigit() else say(f"column.{key}"), kind=_KINDS.get(key, ""))
        for key in keys
    ]


def _row(cells: list[object], *names: int, apart: bool = False) -> str:
    made = (PageCell(cell, kind="name" if at in names else "") for at, cell in enumerate(cells))
    return row(made, kind="apart" if apart else "")


def _round(cell: TeamCell, say: Say) -> str:
    """Returns a round: boards for and against, colour, opponent, match points so far."""
    if cell.boards is None or cell.colour is None:
        key = _WITHOUT_MATCH.get(cell.how.value, "card.zero")
        return f"{say(key)} ={score_text(cell.points)}"
    one, other = map(score_text, cell.boards)
    colour = say(f"card.{cell.colour.name.lower()}")
    return f"{one}–{other} {colour}{cell.opponent} ={score_text(cell.points)}"


def _board(board: int | None, say: Say) -> object:
    return say("team.reserve") if board is None else board


def _results(
    player: IndividualRow, after: int, circle: Callable[[str], str]
) -> Iterator[str | None]:
    """Yields a cell for each round; None where he did not play."""
    by_round = {each.round: each for each in player.results}
    for number in range(1, after + 1):
        each = by_round.get(number)
        said = None if each is None else score_text(each.points)
        yield circle(said) if each is not None and each.circled and said else said
