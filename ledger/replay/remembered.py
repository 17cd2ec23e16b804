"""A list's periods as they were calculated, kept for questions about what a change would move.

Beside each period stands where every player's games are among its games: whoever asks about few
players does not look through all games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column, Mask
from ledger.rating.game_sums import Summed, Sums
from ledger.rating.player_state import PlayerStates
from ledger.rating.postings import Games
from ledger.rating.ratios import ranges
from ledger.replay.calculation import Given
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.plain_sums import summed_with
from ledger.replay.replay import PeriodOutcome
from ledger.replay.timeline import Timeline

# Above this share of a period's players it is quicker to look through all games.
_FEW = 1 / 4


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where the games of each player stand among the games of a period.

    ``players`` are those who have any, in ascending order; the rows of the one at a place are those
    from ``starts[place]`` to before ``starts[place + 1]``.
    """

    players: Column
    starts: Column
    rows: Column

    @classmethod
    def of(cls, games: Games) -> Whereabouts:
        """Returns where everybody's games are: four bytes a side, eight a player with games."""
        row = np.arange(len(games.white), dtype=np.int64)
        # Player and row in one figure: one column of integers is sorted faster than an order.
        sides = np.concatenate(
            (
                games.white.astype(np.int64) << 32 | row,
                (games.black.astype(np.int64) << 32 | row)[games.black != NOBODY],
            )
        )
        sides.sort()
        whose = (sides >> 32).astype(np.int32)
        starts = np.flatnonzero(np.diff(whose, prepend=np.int32(NOBODY))).astype(np.int32)
        return cls(
            whose[starts],
            np.append(starts, np.int32(len(whose))),
            (sides & 0xFFFFFFFF).astype(np.int32),
        )

    def of_those(self, players: Column) -> Column:
        """Returns the rows of the games of some players, in ascending order, each once."""
        if not len(self.players):
            return self.rows
        place = np.searchsorted(self.players, players.astype(np.int32, copy=False))
        place = place[self.players[np.minimum(place, len(self.players) - 1)] == players]
        starts = self.starts[place]
        rows = np.sort(self.rows[ranges(starts, self.starts[place + 1] - starts)])
        once: Column = rows[np.diff(rows, prepend=np.int32(-1)) != 0]
        return once


@dataclass(frozen=True, slots=True)
class Remembered:
    """A period as it was calculated, without what can be calculated again.

    ``plain`` are the sums of its plain games, by player, ``apart`` the players whose other games
    were rated as well. ``whereabouts`` may be missing: then games are looked through.
    """

    period: Period
    opening: PlayerStates
    closing: PlayerStates
    games: Games
    in_force: RatingsInForce
    plain: Sums
    apart: Column
    whereabouts: Whereabouts | None

    @classmethod
    def of(cls, outcome: PeriodOutcome, *, for_many_questions: bool = True) -> Remembered:
        """Returns what is worth remembering: some 20 bytes a player and 40 bytes a game.

        Where games stand is found out where there are many questions to come.
        """
        given, apart = outcome.rated.given, outcome.rated.apart
        assert given.whole, "games that were summed elsewhere cannot be exchanged"
        plain = Sums(*[np.zeros(0, dtype=np.int64)] * 3)
        if given.regulation.plain is not None:
            plain = _by_player(plain_sums(given, outcome.opening.rating).sums)
        stepped = np.array([step.player for step in apart.steps], dtype=np.int64)
        return cls(
            outcome.period,
            outcome.opening,
            outcome.closing,
            given.games,
            given.in_force,
            plain,
            np.unique(np.concatenate((apart.postings.player, stepped))),
            Whereabouts.of(given.games) if for_many_questions else None,
        )

    def rows_of(self, marked: Mask) -> Column:
        """Returns the rows of the games of marked players, in ascending order; as ``rows_of``."""
        if self.whereabouts is not None:
            players = np.flatnonzero(marked)
            if len(players) < _FEW * len(self.whereabouts.players):
                return self.whereabouts.of_those(players)
        return rows_of(self.games, marked)


def rows_of(games: Games, marked: Mask) -> Column:
    """Looks through games for those of marked players; returns their rows in ascending order.

    ``marked`` is by player, and the last one is nobody, who is not marked.
    """
    return np.flatnonzero(marked[games.white] | marked[games.black])


def _by_player(sums: Sums) -> Sums:
    order = np.argsort(sums.players)
    return Sums(sums.players[order], sums.per_k[order], sums.games[order].astype(np.int32))


def plain_sums(given: Given, rating: Column) -> Summed:
    """Sums the plain games of a period under a regulation that has them.

    Args:
        given: the games, and what they are calculated with.
        rating: everybody's rating at the start of the period, in points.
    """
    rules = given.regulation.plain
    assert rules is not None, "a regulation with plain games"
    assert given.conditions is not None, "and what they count"
    return summed_with(
        rules.expectation,
        given.games,
        given.conditions,
        rating,
        given.in_force if given.regulation.RATINGS_OF == "tournament" else None,
        given.tournaments.starts_on,
    )


@dataclass(frozen=True, slots=True)
class RememberedList:
    """All periods of a list as it is known at a basis, from the first one on."""

    timeline: Timeline
    periods: Sequence[Remembered]

    @classmethod
    def of(cls, timeline: Timeline, outcomes: Iterable[PeriodOutcome]) -> RememberedList:
        """Returns the periods, each let go of once it is remembered."""
        return cls(timeline, [Remembered.of(outcome) for outcome in outcomes])
