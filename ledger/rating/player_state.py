"""Where every player stands between two periods: the only state a replay carries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ledger.facts.arrays import is_among
from ledger.facts.columns import Column, Mask
from ledger.rating.first_ratings import Buckets
from ledger.rating.postings import PostingColumns

UNRATED = 0
NO_K = -1
UNKNOWN_YEAR = 0
UNKNOWN_DAY = 0

VECTORS = ("rating", "games", "peak", "listed", "seeded_on")


@lru_cache(maxsize=4)
def nothing(players: int) -> Column:
    """Returns a vector of zeros that all share and nobody changes."""
    zeros = np.zeros(players, dtype=np.int32)
    zeros.flags.writeable = False
    return zeros


@dataclass(frozen=True, slots=True)
class Played:
    """Rated games of one period: the players who had any, ascending, and how many each.

    ``day`` (ordinal) is that on which the period's list came into force.
    """

    day: int
    players: Column
    games: Column

    @classmethod
    def made(cls, day: int, players: Column, games: Column) -> Played:
        """Returns the games of players in ascending order."""
        return cls(day, players.astype(np.int32, copy=False), games.astype(np.int32, copy=False))

    def of(self, players: Column) -> Played:
        """Returns the games of some players, by their place among those asked for."""
        asked = players.astype(np.int32, copy=False)  # of one type, they need not be converted
        places = np.flatnonzero(is_among(asked, self.players))
        games = self.games[np.searchsorted(self.players, asked[places])]
        return Played.made(self.day, places, games)

    def moved(self, into: Column) -> Played:
        """Returns the games under the index that counts for each player by now."""
        players, place = np.unique(into[self.players], return_inverse=True)
        games = np.zeros(len(players), dtype=np.int32)
        np.add.at(games, place, self.games)
        return Played.made(self.day, players, games)


@dataclass(frozen=True, slots=True)
class PlayerStates(PostingColumns):
    """Vectors by player index, and the provisional buckets of those who have no rating yet.

    ``rating`` is in points (``UNRATED``: none), ``games`` counts rated games, ``peak`` is the
    highest rating ever in force, ``listed`` says who has a place in the list (1) or not (0),
    ``seeded_on`` when a rating was last brought in from outside (ordinal; 0: never).
    ``buckets`` are the computable results of unrated players, each with its period's index, and of
    those whose first rating is still calculated anew.
    ``recent`` holds the rated games of the periods whose lists came into force in the last year,
    oldest first.
    """

    rating: Column
    games: Column
    peak: Column
    listed: Column
    seeded_on: Column
    buckets: Buckets
    recent: tuple[Played, ...] = ()

    @classmethod
    def empty(cls, players: int) -> PlayerStates:
        """Nobody has a rating."""
        rating, games, peak, seeded_on = (np.zeros(players, dtype=np.int32) for _ in range(4))
        listed = np.zeros(players, dtype=np.int8)
        return cls(rating, games, peak, listed, seeded_on, Buckets.empty())

    def copy(self) -> PlayerStates:
        """Returns states with vectors of their own, to be changed."""
        return replace(self, **{name: getattr(self, name).copy() for name in VECTORS})

    def of(self, players: Column) -> PlayerStates:
        """Returns where some players stand, by their place among those asked for."""

        def column(name: str) -> Any:
            match name:
                case "buckets":
                    return Buckets.empty()
                case "recent":
                    return tuple(played.of(players) for played in self.recent)
                case _:
                    return getattr(self, name)[players]

        return PlayerStates.made(column)

    def games_within_a_year(self, on: dt.date) -> Column:
        """Returns everybody's rated games in the lists of the twelve months up to the day."""
        year_ago = _year_before(on).toordinal()
        games = np.zeros(len(self.rating), dtype=np.int32)
        for played in self.recent:
            if year_ago < played.day <= on.toordinal():
                games[played.players] += played.games
        return games

    def seeded_within_a_year(self, on: dt.date) -> Mask:
        """Returns who came with a rating from outside so lately that his year is not known."""
        within: Mask = self.seeded_on > _year_before(on).toordinal()
        return within

    def with_recent(self, on: dt.date, players: Column, games: Column) -> PlayerStates:
        """Returns the states after a period whose list is in force from the day.

        ``players`` (ascending) had so many rated ``games`` in it.
        """
        year_ago = _year_before(on).toordinal()
        kept = tuple(played for played in self.recent if played.day > year_ago)
        return replace(self, recent=(*kept, Played.made(on.toordinal(), players, games)))

    def anew(self, players: Column) -> PlayerStates:
        """Returns the states with nothing behind some players but their place in the list."""
        made = self.copy()
        for column in (made.rating, made.games, made.peak, made.seeded_on):
            column[players] = 0
        return replace(made, buckets=made.buckets.without(players))

    def dropped(self, into: Column) -> Mask:
        """Returns whose rating a merge throws away, because the id that stays has its own."""
        given_up = into != np.arange(len(into))
        thrown: Mask = given_up & (self.rating != UNRATED) & (self.rating[into] != UNRATED)
        return thrown

    def carried(self, into: Column) -> PlayerStates:
        """Returns the states after merges: what stood under a given-up id moves to the other.

        ``into`` maps each player to the index under which he counts. Who has a rating of his own
        keeps it; an id that was given up has no place any more.
        """
        given_up = np.flatnonzero(into != np.arange(len(into)))
        if not given_up.size or not (self.listed[given_up].any() or len(self.buckets)):
            return self
        moved = self.copy()
        buckets = dict(self.buckets.items())
        rated = (moved.rating, moved.games, moved.peak, moved.seeded_on)
        for player in given_up.tolist():
            stays = int(into[player])
            bucket = buckets.pop(player, ())
            if moved.rating[stays] == UNRATED and moved.rating[player] != UNRATED:
                for column in rated:
                    column[stays] = column[player]
                buckets[stays] = bucket
            elif bucket and moved.rating[stays] == UNRATED:
                buckets[stays] = (*buckets.get(stays, ()), *bucket)
            moved.listed[stays] |= moved.listed[player]
            for column in (*rated, moved.listed):
                column[player] = 0
        recent = tuple(played.moved(into) for played in self.recent)
        return replace(moved, buckets=Buckets.of(buckets), recent=recent)


@dataclass(frozen=True, slots=True)
class Particulars(PostingColumns):
    """What is known on a day, beside where the players stand; vectors by player index.

    ``assigned_k`` is ``NO_K`` where none was given, ``birth_year`` ``UNKNOWN_YEAR`` where it is
    not known. ``born_on`` and ``joined_on`` are ordinals (``UNKNOWN_DAY``: not known), ``sex`` is a
    position in ``as_of.SEXES``, ``federation`` a code of three letters as bytes (empty: not known).
    ``flags`` has the indexes of the tournaments (ascending) that have each flag.
    """

    on: dt.date
    assigned_k: Column
    birth_year: Column
    born_on: Column
    sex: Column
    federation: Column
    joined_on: Column
    flags: Mapping[str, Column]

    @classmethod
    def of_ages(cls, on: dt.date, assigned_k: Column, birth_year: Column) -> Particulars:
        """Returns what is known where nobody told anything but Ks and years of birth."""

        def column(name: str) -> Any:
            match name:
                case "on":
                    return on
                case "assigned_k":
                    return assigned_k
                case "birth_year":
                    return birth_year
                case "federation":
                    return np.zeros(len(birth_year), dtype="S3")
                case "flags":
                    return {}
                case _:
                    return np.zeros(len(birth_year), dtype=np.int32)

        return cls.made(column)

    def __len__(self) -> int:
        """How many players there are."""
        return len(self.assigned_k)

    def k_or(self, rule: Column | int) -> Column:
        """Returns everybody's K: as assigned, else by the rule."""
        return np.where(self.assigned_k != NO_K, self.assigned_k, rule)

    def of(self, players: Column) -> Particulars:
        """Returns what is known of some players, by their place among those asked for."""

        def column(name: str) -> Any:
            value = getattr(self, name)
            return value if name in ("on", "flags") else value[players]

        return Particulars.made(column)

    def flagged(self, flag: str, tournaments: Column) -> Mask:
        """Returns which of some tournaments, in a column of them, have a flag."""
        return is_among(tournaments, self.flags.get(flag, np.zeros(0, dtype=np.int64)))


def _year_before(day: dt.date) -> dt.date:
    """The same day a year before (28 February for the 29th)."""
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)  # noqa: PLR2004
