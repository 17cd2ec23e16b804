"""Titles that players hold on a day: of several the highest, whatever id it was awarded under."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection
from typing import Final

from ledger.facts.as_of import AsOf
from ledger.identifiers import PlayerIndex

_TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


class TitlesHeld:
    """The title that everybody holds on a day, by what is known."""

    def __init__(self, known: AsOf, day: dt.date) -> None:
        self._known = known
        self._held = defaultdict[int, set[str]](set)
        for award in known.titles:
            if award.from_on <= day:
                self._held[known.counts_as(PlayerIndex(award.index))].add(award.event.title)

    def of(self, player: PlayerIndex) -> str | None:
        """Returns a player's title; None without one."""
        return highest(self._held.get(self._known.counts_as(player), set()))


def highest(titles: Collection[str]) -> str | None:
    """Returns the highest of several titles; None of none."""
    return next((title for title in _TITLES if title in titles), min(titles, default=None))
