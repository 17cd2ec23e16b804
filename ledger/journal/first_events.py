"""The events with which a stream begins: each stream has at most one of them."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any, Final

BEGINNINGS: Final = ("ladder.opened", "list.defined", "player.registered", "tournament.opened")
"""Their types; those of other events continue a stream."""

# Not IN: SQLite would make a table of the list for every row that is inserted.
IS_BEGINNING: Final = " OR ".join(f"type = '{name}'" for name in BEGINNINGS)
"""The same as a condition in SQL."""


def beginnings(rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, int]]:
    """Returns stream and seq of those of some stored rows that begin a stream."""
    return [(stream, seq) for seq, _, _, type_, _, _, stream, _, _ in rows if type_ in BEGINNINGS]


def begun_again(made: Iterable[tuple[str, int]], begun: MutableMapping[str, int]) -> str | None:
    """Returns the first stream that begins a second time; None, if there is none.

    Args:
        made: stream and seq of new events that begin one.
        begun: stream to seq of what began before, of which the new ones may be a part; the new
            ones up to the first bad one are added.
    """
    for stream, seq in made:
        if begun.setdefault(stream, seq) != seq:
            return stream
    return None
