"""Parts of a rating list for people who turn its pages: chosen, in an order, so many at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ledger.application.directory import Selection, selected
from ledger.application.ledger import Ledger
from ledger.lists.orders import RowOrder, ordered
from ledger.lists.rating_list import ListRows, RatingList

PAGE = 50
"""Rows of a page, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """Which rows are asked for: those of a selection, in an order, after a place of that order.

    Places are counted from 1 over the whole list, as ranks are: whoever is left out keeps the own.
    """

    selection: Selection = field(default_factory=Selection)
    order: RowOrder = RowOrder.RANK
    after: int = 0
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class RowsPage:
    """Rows of a list; ``after`` is where the next page begins, None after the last."""

    rows: ListRows
    after: int | None


def page_of(ledger: Ledger, made: RatingList, asked: RowsAsked) -> RowsPage:
    """Returns a page of a list.

    Takes time in proportion to the whole list. It says what the read models of the web face, which
    do not, have to answer.
    """
    chosen = selected(ledger, made, asked.selection)
    ids, fitting = made.rows.column("id"), set(chosen.column("id"))
    places = ordered(made.rows, asked.order)
    return paged(
        made.rows,
        (
            (number, place)
            for number, place in enumerate(places, 1)
            if number > asked.after and ids[place] in fitting
        ),
        asked.limit,
    )


def paged(rows: ListRows, found: Iterable[tuple[int, int]], limit: int) -> RowsPage:
    """Returns the first of some rows, each given by its number in the order and its place."""
    kept: list[tuple[int, int]] = []
    for each in found:
        if len(kept) == limit:
            return RowsPage(rows.at([place for _, place in kept]), kept[-1][0])
        kept.append(each)
    return RowsPage(rows.at([place for _, place in kept]), None)
