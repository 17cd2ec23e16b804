"""Players' ratings in a list by period: the published ones beside those that are known now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, Protocol

import numpy as np

from ledger.calendar import Period
from ledger.events.lists import ListPublished
from ledger.facts.arrays import Column, Mask
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import PlayerIndex
from ledger.json_form import HIDDEN, After, JsonForm, derived
from ledger.lists.publications import beside_published, publications
from ledger.lists.rating_source import RatingState
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome

_NOT_LISTED: Final = -1
_NO_CHANGE: Final = np.iinfo(np.int32).min  # there is none: the player had no rating before
_ONE: Final = 0  # the place of the only player who is asked for


class EditionRating(NamedTuple):
    """A rating in an edition: 0 while provisional, None where the player is not in it."""

    edition: int
    rating: int | None


@dataclass(frozen=True, slots=True)
class HistoryLine(JsonForm):
    """One period: the rating of each edition (0 while provisional), and the one known now.

    ``lost`` says that a rating of 0 is none any more. It is shown, and no part of the JSON form.
    """

    period: str
    published: tuple[EditionRating, ...]
    restated: int | None
    change: int | None
    games: int
    lost: Annotated[bool, HIDDEN] = False

    @property
    @derived
    def state(self) -> Annotated[RatingState, After("restated")]:
        """The state of the rating that is known now; the other ones are published."""
        if not self.published:
            return "preview"
        return "published" if self.published[-1].rating == self.restated else "recalculated"

    @property
    def has_a_place(self) -> bool:
        """Whether the player is in the list, or in an edition of it."""
        ratings = (self.restated, *(each.rating for each in self.published))
        return any(rating is not None for rating in ratings)


@dataclass(frozen=True, slots=True)
class PlayerHistory(JsonForm):
    """A player's ratings in a list, by period."""

    player: str
    list: str
    periods: Sequence[HistoryLine]


class PeriodFigures(NamedTuple):
    """What a period says of a player; None and ``lost`` are as in ``HistoryLine``."""

    rating: int | None
    change: int | None
    games: int
    lost: bool = False

    def quiet(self) -> PeriodFigures:
        """Returns the figures of the next period, if nothing happens to the rating in it."""
        return PeriodFigures(self.rating, 0 if self.rating else None, 0, self.lost)


NOT_LISTED: Final = PeriodFigures(None, None, 0)
"""The figures before the first period."""


@dataclass(frozen=True, slots=True)
class PeriodHistory:
    """A period in the histories of some players; columns are in their order.

    Attributes:
        outcome: the period as known now.
        ratings: points; 0 while provisional, below it where a player is not in the list.
        changes: points; the least number where there is none.
        games: those rated.
        lost: whether a rating of 0 is none any more.
        editions: each with its ratings, by number.
    """

    outcome: PeriodOutcome
    ratings: Column
    changes: Column
    games: Column
    lost: Mask
    editions: Sequence[tuple[int, Column]]

    @property
    def period(self) -> Period:
        """The period."""
        return self.outcome.period

    def line(self, place: int) -> HistoryLine:
        """Returns what it says of the player at a place."""
        (of,) = self._figures(np.array([place]))
        shown = tuple(
            EditionRating(number, _rating(int(then[place]))) for number, then in self.editions
        )
        return HistoryLine(self.period.name, shown, *of)

    def news(self, before: PeriodHistory | None) -> Iterator[tuple[int, PeriodFigures]]:
        """Yields those to whom something happens after the period before, by their places.

        To the others it is as ``PeriodFigures.quiet`` says.
        """
        was = _NOT_LISTED if before is None else before.ratings
        was_lost = False if before is None else before.lost
        quiet = np.where(self.ratings > UNRATED, 0, _NO_CHANGE)
        found = (self.ratings != was) | (self.changes != quiet) | (self.games != 0)
        found |= self.lost != was_lost
        places = np.flatnonzero(found)
        yield from zip(places.tolist(), self._figures(places), strict=True)

    def published_otherwise(self) -> Iterator[tuple[int, int, int | None]]:
        """Yields who has another rating in an edition than is known now: edition, place, rating."""
        for number, then in self.editions:
            places = np.flatnonzero(then != self.ratings)
            for place, rating in zip(places.tolist(), then[places].tolist(), strict=True):
                yield number, place, _rating(rating)

    def _figures(self, places: Column) -> Iterator[PeriodFigures]:
        columns = (self.ratings, self.changes, self.games, self.lost)
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        for rating, change, games, lost in rows:
            moved = None if change == _NO_CHANGE else change
            yield PeriodFigures(_rating(rating), moved, games, lost)


class PeriodTaker(Protocol):
    """Looks at the periods of a list as they are walked over."""

    def take(self, outcome: PeriodOutcome) -> None:
        """Takes the next period, as known now."""

    def take_edition(self, publication: ListPublished, then: PeriodOutcome) -> None:
        """Takes an edition as it was calculated."""


def histories(
    facts: Facts,
    name: str,
    players: Column,
    until: Period,
    *others: PeriodTaker,
    since: Period | None = None,
) -> Iterator[PeriodHistory]:
    """Yields the periods of a list up to one, as they are in the histories of some players.

    ``players`` are indexes; who was merged into another has the figures of that one. ``until`` is
    the last period, ``since`` the first (None: that of the list). ``others`` look at the same walk,
    which is a replay.
    """
    awaited: dict[str, list[tuple[int, Column]]] = defaultdict(list)
    for outcome, editions in beside_published(facts, name, publications(facts, name), until, since):
        for other in others:
            other.take(outcome)
        for publication, then in editions:
            for other in others:
                other.take_edition(publication, then)
            awaited[publication.period].append((publication.edition, _ratings(then, players)))
        into = outcome.timeline.known.merged_into[players]
        ratings, opening = _ratings(outcome, players), outcome.opening.rating[into]
        has_change = (ratings > UNRATED) & (opening != UNRATED)
        changes = np.where(has_change, ratings - opening, _NO_CHANGE)
        lost = (ratings == UNRATED) & outcome.lost[into]
        there = sorted(awaited.pop(outcome.period.name, ()), key=lambda each: each[0])
        yield PeriodHistory(outcome, ratings, changes, outcome.rated_games[into], lost, there)


def everybody(facts: Facts) -> Column:
    """Returns the indexes of the players, without those who were merged into another."""
    into = AsOf(facts, facts.seq).merged_into
    return np.flatnonzero(into == np.arange(len(into)))


def history(facts: Facts, name: str, player: PlayerIndex, until: Period) -> list[HistoryLine]:
    """Returns the lines of all periods up to ``until`` in which the player has a place."""
    lines = (each.line(_ONE) for each in histories(facts, name, np.array([player]), until))
    return [line for line in lines if line.has_a_place]


def listed_rating(outcome: PeriodOutcome, player: PlayerIndex) -> int | None:
    """Return a player's rating in the list of a period: 0 while provisional, None if not listed."""
    return _rating(int(_ratings(outcome, np.array([player]))[_ONE]))


def _ratings(outcome: PeriodOutcome, players: Column) -> Column:
    """Returns the ratings of players as the list of a period shows them."""
    into, closing = outcome.timeline.known.merged_into[players], outcome.closing
    listed = closing.listed[into].astype(np.bool_)
    return np.where(listed, closing.rating[into], _NOT_LISTED).astype(np.int32)


def _rating(rating: int) -> int | None:
    return None if rating == _NOT_LISTED else rating
