"""The orders in which people look at a rating list, beside that of its ranks."""

from __future__ import annotations

from enum import StrEnum

from ledger.lists.people import sort_key
from ledger.lists.rating_list import ListRows


class RowOrder(StrEnum):
    """In which order rows are shown; among equals it is that of the ranks."""

    RANK = "rank"
    NAME = "name"
    GAIN = "gain"
    LOSS = "loss"
    GAMES = "games"


def ordered(rows: ListRows, order: RowOrder) -> list[int]:
    """Returns the places of all rows in an order.

    Those without a change (a first rating) come last, whether gains or losses are asked for.
    """
    places = range(len(rows))
    match order:
        case RowOrder.RANK:
            return list(places)
        case RowOrder.NAME:
            keys = list(map(sort_key, rows.published.name, rows.published.id))
            return sorted(places, key=keys.__getitem__)
        case RowOrder.GAIN | RowOrder.LOSS:
            sign = -1 if order is RowOrder.GAIN else 1
            changes = rows.published.change
            return sorted(places, key=lambda at: _first_known(changes[at], sign))
        case RowOrder.GAMES:
            games = rows.published.games
            return sorted(places, key=lambda at: -games[at])


def _first_known(change: int | None, sign: int) -> tuple[bool, int]:
    return (True, 0) if change is None else (False, sign * change)
