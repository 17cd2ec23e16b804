"""How starting numbers look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from ledger.application.starting_numbers import NumberGiven


def render_numbers(given: Iterable[NumberGiven], out: Console) -> None:
    """Writes the numbers with the ratings for the pairing; those of teams are rounded down."""
    made = table("number", "id", "name", "rating")
    for each in given:
        rating = "-" if each.rating is None else int(each.rating)
        made.add(each.number, each.id, each.name, rating)
    out.print(made)
