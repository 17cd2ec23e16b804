"""How the worksheet of an all-play-all looks: the columns of the printed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, signed, table

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.worksheet import Worksheet

_FIGURES = (
    "rating", "points", "percent", "d_of_p", "adjusted_d", "rp", "difference_from_mean", "pe",
    "n_times_p", "expected_score", "above_expectation", "change", "new_rating",
)  # fmt: skip
_IN_DATA = {"rp": "performance", "difference_from_mean": "difference", "pe": "expected"}


def render_worksheet(found: Worksheet, out: Console) -> None:
    """Writes the sheet; what stands in parentheses is for comparison and enters nothing."""
    sheet = found.data()
    out.print(say("worksheet.title", **sheet), style="bold", markup=False)
    made = table("place", "id", "name", *_FIGURES, right=("place", *_FIGURES))
    for row in sheet["rows"]:
        values = {name: row[_IN_DATA.get(name, name)] for name in _FIGURES}
        cells = {name: "" if value is None else str(value) for name, value in values.items()}
        if row["rating"] is not None and cells["rp"]:
            cells["rp"] = f"({cells['rp']})"
        cells["change"] = signed(values["change"])
        made.add_row(str(row["place"]), row["id"], row["name"], *cells.values())
    out.print(made)
    if sheet["mean_adjusted_d"] is not None:
        out.print(say("worksheet.below", **sheet), markup=False)
