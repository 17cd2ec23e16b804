"""The tables of an event of teams: teams, players by board, the best of each board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.forms.page import Circled, PageCell, PrintedPage, Say, row, saying
from ledger.rating.decimal_text import score_text
from ledger.reports.team_tables import BoardPrize, IndividualRow, TeamCell, TeamRow, TeamTables

PRIZE_COLUMNS: Final = ("board", "place", "name", "team", "points", "games")
_PLACES = 3
_WITHOUT_MATCH = {"pairing-allocated": "card.pairing_allocated", "half": "card.half"}


def team_tables_page(made: TeamTables, language: str) -> PrintedPage:
    """Returns the tables as a page to print; points without play are circled."""
    say = saying(language)
    numbers = [str(number) for number in range(1, made.after + 1)]
    parts = ["<table>", _heading(say, "number", "name", *numbers, "points", "board_points")]
    parts += (_row(team_cells(each, say), name=1) for each in made.teams)
    parts += ["</table>", f"<h2>{say('team.individual')}</h2>", "<table>"]
    parts.append(_heading(say, "team", "board", "name", *numbers, "points"))
    team = None
    for player in made.players:
        cells = individual_cells(player, made.after, Circled, say)
        parts.append(_row(cells, name=2, apart=team not in (None, player.team)))
        team = player.team
    parts += ["</table>", f"<h2>{say('team.prizes')}</h2>", "<table>"]
    parts.append(_heading(say, *PRIZE_COLUMNS))
    parts += (_row(cells, name=2) for cells in prize_rows(made, say))
    return PrintedPage(team_tables_title(made, say), [*parts, "</table>"], language)


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


def _heading(say: Say, *keys: str) -> str:
    return row((PageCell(key if key.isdigit() else say(f"column.{key}")) for key in keys), tag="th")


def _row(cells: list[object], *, name: int, apart: bool = False) -> str:
    made = (PageCell(cell, kind="name" if i == name else "") for i, cell in enumerate(cells))
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
