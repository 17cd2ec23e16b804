"""The editions of C.07 and what tells them apart.

Source: FIDE Handbook C.07. The edition of 1 March 2026 (approved on 2 February 2026) follows that
of 1 August 2024; between them 15.2 and 16.4 changed figures, 8 forbade the Buchholz family in
round robins, and STD, TPN and RTNG were added. An event may announce tie-breaks of its own
(4.1), so these three are calculated for earlier events as well. A tournament that began before
August 2024 is read by the edition of 2024: before it the handbook had other wordings of the same
rules, and before September 2023 other rules.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakEdition:
    """An edition of C.07 and what is different in it.

    ``capped``: 16.4, who stands in for an opponent is not stronger than the scheduled opponent, or
    than a draw in every round. ``defaults_unplayed``: 15.2, in a round robin games lost by default
    are unplayed rounds for a player's own record; before they were regular games.
    """

    in_force: dt.date
    capped: bool
    defaults_unplayed: bool

    def article(self, number: str) -> str:
        """Returns where a rule stands, as it is cited."""
        return f"FIDE C.07 ({self.in_force:%Y-%m}) {number}"


OF_2024: Final = TieBreakEdition(
    in_force=dt.date(2024, 8, 1), capped=False, defaults_unplayed=False
)
OF_2026: Final = TieBreakEdition(in_force=dt.date(2026, 3, 1), capped=True, defaults_unplayed=True)


def edition_of(first_day: dt.date) -> TieBreakEdition:
    """Returns the edition of a tournament's first day.

    >>> edition_of(dt.date(2026, 2, 28)) is OF_2024
    True
    """
    return OF_2026 if first_day >= OF_2026.in_force else OF_2024
