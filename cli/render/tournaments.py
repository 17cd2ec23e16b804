"""How a tournament looks: its crosstable, worksheet, and what it comes to for titles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.output import say, signed, table
from cli.settings import language
from ledger.reports.desk_changes import DeskChange
from ledger.titles.fide_1972 import FEWER_RESULTS, RESULTS, RULES, YEARS

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.application.tournaments import PlayerTitles
    from ledger.reports.titles import TitleProgress, TitleRow
    from ledger.reports.worksheet import Worksheet

_WORKSHEET = (
    "rating", "points", "percent", "d_of_p", "adjusted_d", "rp", "difference_from_mean", "pe",
    "n_times_p", "expected_score", "above_expectation", "change", "new_rating",
)  # fmt: skip
_RESULTS = (
    "mean", "category", "aim", "percent", "games", "needed", "points", "made", "fails",
)  # fmt: skip
_IN_DATA = {"rp": "performance", "difference_from_mean": "difference", "pe": "expected"}


def render_crosstable(data: dict[str, Any], out: Console) -> None:
    """Writes the players of a tournament by starting number, with their rounds."""
    from cli.tables import Column

    about = data["tournament"]
    out.print(f"{about['name']} · {about['start']} – {about['end']}")
    if about["annulled"]:
        out.print(say("state.annulled"), style="bold red")
    for list_, period in about["rated_in"].items():
        out.print(say("cli.rated_in", list=list_, period=period))
    if about["flags"]:
        out.print(say("cli.flags", flags=", ".join(about["flags"])))
    rounds = [str(number) for number in range(1, data["rounds"] + 1)]
    made = table("number", "id", "name", *map(Column, rounds), "points")
    for row in data["players"]:
        results = (row["rounds"].get(number) for number in rounds)
        made.add(row["number"], row["id"], _participant(row), *results, row["points"])
    out.print(made)
    if won := [f"{row['number']} +{row['awarded']}" for row in data["players"] if row["awarded"]]:
        out.print(say("cli.awarded", players=", ".join(won)))
    for change in about["changes"]:
        out.print(" ".join(DeskChange(**change).sentences(language())))


def _participant(row: dict[str, Any]) -> str:
    """Returns a participant's name, and from which round the player withdrew."""
    if row["withdrew_from"] is None:
        return str(row["name"])
    key = "cli.cancelled" if row["cancelled"] else "cli.withdrew"
    return say(key, name=row["name"], round=row["withdrew_from"])


def render_worksheet(found: Worksheet, out: Console) -> None:
    """Writes the sheet; what stands in parentheses is for comparison and enters nothing."""
    sheet = found.data()
    out.print(say("worksheet.title", **sheet), style="bold")
    made = table("place", "id", "name", *_WORKSHEET)
    for row in sheet["rows"]:
        cells = {name: row[_IN_DATA.get(name, name)] for name in _WORKSHEET}
        if row["rating"] is not None and cells["rp"]:
            cells["rp"] = f"({cells['rp']})"
        cells["change"] = signed(cells["change"])
        made.add(row["place"], row["id"], row["name"], *cells.values())
    out.print(made)
    if sheet["mean_adjusted_d"] is not None:
        out.print(say("worksheet.below", **sheet))


def render_event(rows: list[TitleRow], out: Console) -> None:
    """Writes an event's report, a row for each participant and title."""
    made = table("number", "id", "name", "titles", "rating", *_RESULTS)
    for row in rows:
        data = row.data(language())
        titles = " ".join(data["titles"])
        made.add(data["number"], data["id"], data["name"], titles, data["rating"], *_cells(data))
    out.print(made)


def render_player(found: PlayerTitles, out: Console) -> None:
    """Writes a player's events, a row for each title, and below what they come to."""
    made = table("tournament", "end", *_RESULTS)
    for row in found.rows:
        data = row.event_data(language())
        made.add(data["tournament"], data["end"], *_cells(data))
    out.print(made)
    for progress in found.progress:
        out.print(_progress(progress))


def _cells(data: dict[str, Any]) -> Iterator[object]:
    """Yields the cells of ``_RESULTS``."""
    yield from (data["mean_counted"], data["category"], data["for"], data["percent"])
    yield from (data["games"], data["needed"], data["points"])
    yield from (say("title.made") if data["made"] else "", data["why"])


def _progress(progress: TitleProgress) -> str:
    together = progress.together
    values = {
        "title": together.title.value,
        "results": len(together.results),
        "games": together.games,
        "years": YEARS,
        "events": ", ".join(made.event for made in together.results) or "-",
    }
    if progress.held_from:
        return say("title.held", title=together.title.value, since=progress.held_from)
    if together.fulfilled:
        return say("title.fulfilled", on=together.results[-1].ends_on, **values)
    games = RULES[together.title].games_of_two
    return say(
        "title.not_fulfilled", needed=RESULTS, fewer=FEWER_RESULTS, with_games=games, **values
    )
