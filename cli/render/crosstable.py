"""How a tournament looks: its crosstable, and the worksheet of an all-play-all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.output import say, signed, table

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.worksheet import Worksheet

_WORKSHEET = (
    "rating", "points", "percent", "d_of_p", "adjusted_d", "rp", "difference_from_mean", "pe",
    "n_times_p", "expected_score", "above_expectation", "change", "new_rating",
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
    rounds = [str(number) for number in range(1, data["rounds"] + 1)]
    made = table("number", "id", "name", *map(Column, rounds), "points")
    for row in data["players"]:
        results = (row["rounds"].get(number) for number in rounds)
        made.add(row["number"], row["id"], _participant(row), *results, row["points"])
    out.print(made)
    if won := [f"{row['number']} +{row['awarded']}" for row in data["players"] if row["awarded"]]:
        out.print(say("cli.awarded", players=", ".join(won)))


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
