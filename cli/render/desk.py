"""How forms of a tournament look: numbers, cards, rounds, standings, grids, tables of teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cli.output import excerpt, print_notes, print_rest, say, table, told
from cli.questions import Look, Rows
from cli.settings import language
from cli.tables import Column, Kind
from ledger.forms.cards import CARD_COLUMNS, card_cells, card_notes, card_title
from ledger.forms.grid import (
    crosstable_grid,
    crosstable_page,
    score_form_grid,
    score_form_page,
    total_text,
)
from ledger.forms.page import corrected_note, joined, result_words
from ledger.forms.round_sheet import (
    SEAT_COLUMNS,
    below_boards,
    board_cells,
    match_cells,
    round_columns,
    round_page,
    round_title,
    seat_cells,
    seats_page,
    seats_title,
)
from ledger.forms.standings import (
    STANDINGS_COLUMNS,
    code_name,
    last_columns,
    place_figures,
    standings_cells,
    standings_notes,
    standings_ratings,
    standings_title,
)
from ledger.forms.team_tables import (
    PRIZE_COLUMNS,
    individual_cells,
    prize_rows,
    team_cells,
    team_tables_page,
    team_tables_title,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from ledger.forms.grid import StandingsGrid
    from ledger.reports.crosstable import Crosstable, ScoreForm
    from ledger.reports.pairing_cards import PairingCard
    from ledger.reports.round_sheet import BoardRow, MatchGame, RoundSheet, SeatList
    from ledger.reports.standings import Standings
    from ledger.reports.team_tables import TeamTables
    from ledger.service.starting_numbers import NumberGiven


def render_numbers(given: Iterable[NumberGiven], out: Console) -> None:
    """Writes the numbers with the ratings for the pairing; those of teams are rounded down."""
    table_ = table("number", "id", "name", "rating")
    for each in given:
        rating = "-" if each.rating is None else int(each.rating)
        table_.add(each.number, each.id, each.name, rating)
    out.print(table_)


def render_cards(cards: Sequence[PairingCard], out: Console) -> None:
    """Writes the cards, one below the other; points without play stand in brackets."""
    for card in cards:
        out.print(card_title(card), style="bold")
        table_ = table(*CARD_COLUMNS)
        for line in card.lines:
            table_.add(*(joined(words, str) for words in card_cells(line, "({})".format, say)))
        out.print(table_)
        print_notes(out, card_notes(card, say))


def render_round(sheet: RoundSheet, out: Console, *, explain: bool) -> None:
    """Writes the boards of a round, who does not play, and how the pairing came to be."""
    out.print(round_title(sheet, say), style="bold")
    table_ = table(*round_columns(sheet))
    for board in sheet.boards:
        table_.add(*_cells(board_cells(board), board))
        for game in board.games:
            table_.add(*_cells(match_cells(board, game, "({})".format, say), game))
        if board.games:
            table_.section()
    out.print(table_)
    print_notes(out, corrected_note(sheet.corrected_by_seqs, say))
    for line in below_boards(sheet, say):
        out.print(line)
    if explain:
        for step in sheet.steps:
            out.print(f"  {told(step)}")


def _cells(cells: list[object], of: BoardRow | MatchGame) -> Iterator[object]:
    *before, result = cells
    yield from (*before, joined(result_words(result, of.corrected_by_seq, say), str))


def render_grid(grid: StandingsGrid, out: Console) -> None:
    """Writes the rows: results by column, points, tie-breaks, place."""
    out.print(grid.title, style="bold")
    codes = [
        Column(code_name(code, say), Kind.DECIMAL, explained=True) for code in grid.standings.codes
    ]
    written = table("number", "name", *map(Column, grid.columns), "points", *codes, "place")
    below = False
    for place, words in grid.rows:
        if place.cancelled and not below:
            written.section()
            below = True
        figures = place_figures(grid.standings, place)
        written.add(place.number, place.name, *map(grid.text, words), *figures)
    out.print(written)
    print_notes(out, grid.notes)


def render_team_tables(tables: TeamTables, out: Console) -> None:
    """Writes the team table, the individual table and the best of each board."""
    rounds = [Column(str(number)) for number in range(1, tables.after + 1)]
    out.print(team_tables_title(tables, say), style="bold")
    teams = table("number", "name", *rounds, "points", "board_points")
    for each in tables.teams:
        teams.add(*team_cells(each, say))
    out.print(teams)
    out.print(say("team.individual"), style="bold")
    players = table("team", "board", "name", *rounds, "points")
    for before, player in zip((None, *tables.players), tables.players, strict=False):
        if before is not None and before.team != player.team:
            players.section()
        players.add(*individual_cells(player, tables.after, "({})".format, say))
    out.print(players)
    out.print(say("team.prizes"), style="bold")
    prizes = table(*PRIZE_COLUMNS)
    for cells in prize_rows(tables, say):
        prizes.add(*cells)
    out.print(prizes)


_SAY_WHY_CUT = {"cut", "below-limit"}


def render_standings(standings: Standings, out: Console, *, everything: bool) -> None:
    """Writes the places, and below them what must be known of the points."""
    out.print(standings_title(standings, say), style="bold")
    if ratings := standings_ratings(standings, say):
        out.print(ratings)
    codes = [Column(code_name(code, say), Kind.DECIMAL, explained=True) for code in standings.codes]
    written = table(*STANDINGS_COLUMNS, *codes, *last_columns(standings))
    above = True
    shown = excerpt(standings.rows, everything=everything)
    for line in shown:
        if above and line.cancelled:
            written.section()
            above = False
        written.add(*standings_cells(standings, line, say))
    out.print(written)
    print_rest(out, len(shown), len(standings.rows))
    for note in standings_notes(standings, language(), numbered=True):
        out.print(note.text)


def render_explained(about: dict[str, Any], out: Console) -> None:
    """Writes a player's row, and each value with the rounds it comes from."""
    player = about["player"]
    out.print(say("standings.player", **{**player, "after": about["after"]}), style="bold")
    if player["decided_by"]:
        out.print(say("standings.decided", by=code_name(player["decided_by"], say)))
    for value in about["values"]:
        key = "standings.value_again" if value["again"] else "standings.value"
        amount = "–" if value["value"] is None else value["value"]
        name = code_name(value["tie_break"], say)
        article = value["article"] or say("standings.no_article")
        out.print(say(key, code=name, value=amount, article=article), style="bold")
        if value["parts"]:
            written = table("round", "number", "name", "amount", "note")
            for part in value["parts"]:
                written.add(
                    part["round"], part["opponent"], part["name"], part["amount"], _note(part)
                )
            out.print(written)
        for sentence in filter(None, (value["how"], value["why"])):
            out.print(f"  {sentence}\n")


def _note(part: dict[str, Any]) -> str:
    """Returns what is special about a part, and that it was cut where that does not say so."""
    notes = [part["note"]] if part["note"] and part["note"] != "adjusted" else []
    if not part["counted"] and part["note"] not in _SAY_WHY_CUT:
        notes.append("cut")
    adjusted = [part["adjusted"]] if part["adjusted"] else []
    return ", ".join(adjusted + [say(f"part.{note}") for note in notes])


def _crosstable(found: Crosstable, out: Console) -> None:
    render_grid(crosstable_grid(found, say), out)


def _score_form(found: ScoreForm, out: Console) -> None:
    render_grid(score_form_grid(found, say), out)


def _squares_as_rows(found: Crosstable) -> Rows:
    """Returns the crosstable's rows with a column for each opponent or round."""
    squares = ([" ".join(row.squares.get(at, ())) for at in found.columns] for row in found.rows)
    return _with_columns(found.data()["rows"], found.columns, squares)


def _totals_as_rows(found: ScoreForm) -> Rows:
    """Returns the score sheet's rows with a column for each round."""
    columns = score_form_grid(found, say).columns
    totals = ([total_text(total) for total in row.totals] for row in found.rows)
    return _with_columns(found.data()["rows"], columns, totals)


def _with_columns(rows: Rows, columns: Sequence[str], results: Iterable[list[str]]) -> Rows:
    """Returns rows with their results in columns, and one for each tie-break."""
    return [
        {name: row[name] for name in ("number", "id", "name")}
        | dict(zip(columns, each, strict=True))
        | {"points": row["points"], **row["tie_breaks"], "rank": row["rank"]}
        for row, each in zip(rows, results, strict=True)
    ]


def _seats(seats: SeatList, out: Console) -> None:
    out.print(seats_title(seats, say), style="bold")
    table_ = table(*SEAT_COLUMNS)
    for each in seats.seats:
        table_.add(*seat_cells(each, say))
    out.print(table_)


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "tournament crosstable": Look(_crosstable, crosstable_page, _squares_as_rows),
    "tournament round": Look(partial(render_round, explain=False), round_page),
    "tournament seats": Look(_seats, seats_page),
    "tournament score-sheet": Look(_score_form, score_form_page, _totals_as_rows),
    "tournament team-tables": Look(render_team_tables, team_tables_page),
}
"""How answers look, by the words of their questions."""
