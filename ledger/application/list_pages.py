"""Parts of a rating list for people who turn its pages: chosen, in an order, so many at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.application.directory import Selection
from ledger.lists.orders import RowOrder
from ledger.lists.rating_list import ListRows

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
