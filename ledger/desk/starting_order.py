"""The order in which participants are numbered: 1 for the highest rated (F 2, F 3).

Chavarría 1975: who has no rating comes last, in alphabetical order. Of equal ratings the entry that
was recorded first gets the lower number (the text is silent). FIDE (C.04.2): rating, title, name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""Titles in their order (FIDE C.04.2); who has none comes behind."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant before the numbers are given.

    ``name`` is what puts names in order; ``entered`` counts the entries; ``titles`` may be any.
    """

    player: str
    rating: int | None
    name: Any
    entered: int
    titles: tuple[str, ...] = ()

    @property
    def title(self) -> int:
        """The place of the highest title in ``TITLES``."""
        places = [TITLES.index(title) for title in self.titles if title in TITLES]
        return min(places, default=len(TITLES))


def order_of_1975(entrants: Iterable[Entrant]) -> list[str]:
    """Returns the participants in the order of their numbers, by the manual (F 2, F 3).

    >>> order_of_1975([Entrant("a", None, "Z", 1), Entrant("b", 1800, "Y", 2),
    ...                Entrant("c", 1800, "X", 3), Entrant("d", None, "W", 4)])
    ['b', 'c', 'd', 'a']
    """
    entrants = list(entrants)
    rated = [(-one.rating, one.entered, one.player) for one in entrants if one.rating is not None]
    others = [(one.name, one.entered, one.player) for one in entrants if one.rating is None]
    return [player for *_, player in (*sorted(rated), *sorted(others))]


def order_of_fide(entrants: Iterable[Entrant]) -> list[str]:
    """Returns the participants in the order of their numbers, by FIDE C.04.2; unrated ones last.

    >>> order_of_fide([Entrant("a", 2000, "Z", 1), Entrant("b", 2000, "Y", 2),
    ...                Entrant("c", 2000, "X", 3, ("FM",)), Entrant("d", None, "W", 4)])
    ['c', 'b', 'a', 'd']
    """
    return [one.player for one in sorted(entrants, key=_fide)]


def _fide(one: Entrant) -> tuple[bool, int, int, Any, int]:
    return (one.rating is None, -(one.rating or 0), one.title, one.name, one.entered)
