"""How the reports on titles look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.output import say, table
from cli.settings import language
from ledger.titles.fide_1972 import FEWER_RESULTS, RESULTS, RULES, YEARS

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.application.tournaments import PlayerTitles
    from ledger.reports.titles import TitleProgress, TitleRow

_COLUMNS = (
    "mean", "category", "aim", "percent", "games", "needed", "points", "made", "fails",
)  # fmt: skip


def render_event(rows: list[TitleRow], out: Console) -> None:
    """Writes an event's report, a row for each participant and title."""
    made = table("number", "id", "name", "titles", "rating", *_COLUMNS)
    for row in rows:
        data = row.data(language())
        titles = " ".join(data["titles"])
        made.add(data["number"], data["id"], data["name"], titles, data["rating"], *_cells(data))
    out.print(made)


def render_player(found: PlayerTitles, out: Console) -> None:
    """Writes a player's events, a row for each title, and below what they come to."""
    made = table("tournament", "end", *_COLUMNS)
    for row in found.rows:
        data = row.event_data(language())
        made.add(data["tournament"], data["end"], *_cells(data))
    out.print(made)
    for progress in found.progress:
        out.print(_progress(progress))


def _cells(data: dict[str, Any]) -> Iterator[object]:
    """Yields the cells of ``_COLUMNS``."""
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
