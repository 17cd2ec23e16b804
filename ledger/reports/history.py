"""A player's ratings by period: as published, edition by edition, beside the restated history."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ledger.calendar import Period
from ledger.facts.columns import Facts
from ledger.lists.published import publications, recalculated
from ledger.rating.standing import UNRATED
from ledger.replay.replay import PeriodOutcome, replay


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One period: the rating of each edition (0 while provisional), and the one known now."""

    period: str
    published: tuple[tuple[int, int | None], ...]
    restated: int | None
    change: int | None
    games: int

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "period": self.period,
            "published": [{"edition": e, "rating": r} for e, r in self.published],
            "restated": self.restated,
            "change": self.change,
            "games": self.games,
        }


def history(facts: Facts, name: str, player: int, until: Period) -> list[HistoryLine]:
    """Returns the lines of all periods up to ``until`` in which the player has a place."""
    published: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for publication, outcome in recalculated(facts, name, publications(facts, name)):
        rating = _rating(outcome, player)
        published[publication.period].append((publication.edition, rating))
    lines = []
    for outcome in replay(facts, name, facts.seq, until):
        restated = _rating(outcome, player)
        editions = tuple(sorted(published[outcome.period.name]))
        if restated is None and all(rating is None for _, rating in editions):
            continue
        counts_as = outcome.timeline.known.merged_into[player]
        opening = int(outcome.opening.rating[counts_as])
        change = restated - opening if restated and opening != UNRATED else None
        games = int(outcome.rated_games[counts_as])
        lines.append(HistoryLine(outcome.period.name, editions, restated, change, games))
    return lines


def _rating(outcome: PeriodOutcome, player: int) -> int | None:
    """Returns the rating as a list shows it, or None where the player has no place in it."""
    counts_as = outcome.timeline.known.merged_into[player]
    return int(outcome.closing.rating[counts_as]) if outcome.closing.listed[counts_as] else None
