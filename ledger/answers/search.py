"""What a text that somebody searches for may mean besides a player who has its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.answers.directory import directory_of
from ledger.answers.tournaments import TournamentsWanted, chosen, has_words
from ledger.reports.categories import Clubs
from ledger.reports.directory import Person
from ledger.reports.tournaments import TournamentLine
from ledger.spelling import folded
from ledger.views.view import LedgerView

_MOST: Final = 8
"""So many of a kind are named."""


@dataclass(frozen=True, slots=True)
class FoundBeside:
    """What a text may mean besides players that have its words."""

    near: Sequence[Person] = ()
    clubs: Sequence[str] = ()
    tournaments: Sequence[TournamentLine] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it means nothing else."""
        return not (self.near or self.clubs or self.tournaments)


def named_beside(text: str, clubs: Clubs, tournaments: Sequence[TournamentLine]) -> FoundBeside:
    """Return the clubs and tournaments that have the words of a text."""
    words = folded(text).split()
    names = dict.fromkeys(row.club for row in clubs.clubs if row.club)
    wanted = TournamentsWanted(search=text, limit=_MOST)
    return FoundBeside(
        clubs=[name for name in names if has_words(name, words)][:_MOST],
        tournaments=chosen(tournaments, wanted).lines if words else (),
    )


def near_names(view: LedgerView, text: str) -> list[Person]:
    """Return the first players whose names come near a text."""
    directory = directory_of(view)
    return [directory[place] for place in directory.near(text)[:_MOST]]
