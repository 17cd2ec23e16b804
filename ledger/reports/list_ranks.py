"""Ranks by rating in a list: among everybody, and in the groups that the list tells apart.

A rank is shared by all who have the same rating. Groups are kept by year of birth, of which age
groups are made, by federation and by club.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from ledger.facts.arrays import Column
from ledger.facts.as_of import AsOf
from ledger.facts.tables import NOT_TOLD
from ledger.identifiers import PlayerIndex
from ledger.json_form import JsonForm, derived
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.spelling import folded
from ledger.wording import Message

_UPPER_HALF: Final = 50  # per cent
RankKind: TypeAlias = Literal["all", "born", "federation", "club"]
"""By what players are ranked among each other."""


@dataclass(frozen=True, slots=True)
class ListRank(JsonForm):
    """A place by rating in the newest edition: so many are higher, of all who have a rating."""

    rank: int
    players: int

    @property
    @derived
    def percent(self) -> int:
        """Of how many per cent of them the player is one, from the first down; at least 1."""
        return -(-100 * self.rank // self.players)

    @property
    def words(self) -> Message:
        """The place as people read it; the share is said of the upper half alone."""
        place = Message.of("career.rank", rank=self.rank, players=self.players)
        if self.percent > _UPPER_HALF:
            return place
        return Message.of("career.place_and_top", place=place, percent=self.percent)


def rated_players(outcome: PeriodOutcome) -> Column:
    """Returns who has a rating in a list as calculated, by index."""
    into, closing = outcome.timeline.known.merged_into, outcome.closing
    own = (into == np.arange(len(into))) & closing.listed.astype(np.bool_)
    return np.flatnonzero(own & (closing.rating > UNRATED))


def rank_in(outcome: PeriodOutcome, player: PlayerIndex) -> ListRank | None:
    """Returns a player's rank in a list as calculated; None without a rating in it."""
    ratings, own = outcome.closing.rating[rated_players(outcome)], outcome.closing.rating[player]
    if own not in ratings:
        return None
    return ListRank(int(np.count_nonzero(ratings > own)) + 1, len(ratings))


def rank_rows(
    outcome: PeriodOutcome, known: AsOf, day: dt.date
) -> Iterator[tuple[str, str, int, int]]:
    """Yields how many of each group have a rating or a higher one, by the ratings that there are.

    Args:
        outcome: the list as calculated; federations are those that were known then.
        known: who was born when and is of which club.
        day: of which club on this day.

    Yields:
        the kind of the group, its name (a club's is ``folded``), the rating, and the players.
    """
    players = rated_players(outcome)
    for kind, groups, names in _groups(outcome, known, day, players):
        of_group = groups != NOT_TOLD
        numbers, ratings = groups[of_group], outcome.closing.rating[players[of_group]]
        order = np.lexsort((-ratings, numbers))
        numbers, ratings = numbers[order], ratings[order]
        counts = np.arange(1, len(order) + 1) - np.searchsorted(numbers, numbers)
        is_last = np.ones(len(order), dtype=np.bool_)
        is_last[:-1] = (np.diff(numbers) != 0) | (np.diff(ratings) != 0)
        rows = (column[is_last].tolist() for column in (numbers, ratings, counts))
        yield from ((kind, names[number], *row) for number, *row in zip(*rows, strict=True))


def _groups(
    outcome: PeriodOutcome, known: AsOf, day: dt.date, players: Column
) -> Iterator[tuple[RankKind, Column, Sequence[str]]]:
    """Yields kinds of groups: that of each player by number (or ``NOT_TOLD``), and the names."""
    stays = known.merged_into[players]
    yield "all", np.zeros_like(players), [""]
    years, numbers = np.unique(known.birth_years[stays], return_inverse=True)
    yield "born", numbers, [str(year) for year in years.tolist()]
    codes = outcome.timeline.known.federation_codes[players]
    codes, numbers = np.unique(codes, return_inverse=True)
    yield "federation", numbers, [code.decode() for code in codes.tolist()]
    names = [folded(name) for name in known.facts.body_names]
    same = {name: number for number, name in enumerate(names)}
    number_of = np.array([*map(same.__getitem__, names), NOT_TOLD], dtype=np.int32)
    yield "club", number_of[known.affiliations(day).club[stays]], names
