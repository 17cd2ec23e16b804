"""A player's ratings by period: as published, edition by edition, beside the restated history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ledger.calendar import Period
from ledger.facts.columns import Facts
from ledger.json_form import JsonForm, fields_of
from ledger.lists.publications import beside_published, publications
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome


@dataclass(frozen=True, slots=True)
class HistoryLine(JsonForm):
    """One period: the rating of each edition (0 while provisional), and the one known now."""

    period: str
    published: tuple[tuple[int, int | None], ...]
    restated: int | None
    change: int | None
    games: int

    @property
    def has_a_place(self) -> bool:
        """Whether the player is in the list, or in an edition of it."""
        ratings = (self.restated, *(rating for _, rating in self.published))
        return any(rating is not None for rating in ratings)

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says."""
        published = [{"edition": e, "rating": r} for e, r in self.published]
        return fields_of(self) | {"published": published}


def history(facts: Facts, name: str, player: int, until: Period) -> list[HistoryLine]:
    """Returns the lines of all periods up to ``until`` in which the player has a place."""
    published: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    lines = []
    for outcome, editions in beside_published(facts, name, publications(facts, name), until):
        restated = _rating(outcome, player)
        counts_as = outcome.timeline.known.merged_into[player]
        opening = int(outcome.opening.rating[counts_as])
        change = restated - opening if restated and opening != UNRATED else None
        games = int(outcome.rated_games[counts_as])
        lines.append(HistoryLine(outcome.period.name, (), restated, change, games))
        for publication, then in editions:
            published[publication.period].append((publication.edition, _rating(then, player)))
    lines = [replace(line, published=tuple(sorted(published[line.period]))) for line in lines]
    return [line for line in lines if line.has_a_place]


def _rating(outcome: PeriodOutcome, player: int) -> int | None:
    """Returns the rating as a list shows it, or None where the player has no place in it."""
    counts_as = outcome.timeline.known.merged_into[player]
    return int(outcome.closing.rating[counts_as]) if outcome.closing.listed[counts_as] else None
