"""All that a calculation reads of a period, but where everybody stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.calendar import Period
from ledger.events.lists import ListAdjusted
from ledger.facts.as_of import TournamentColumns
from ledger.facts.columns import Column
from ledger.rating.plain_games import GameRatings, PlainGames
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Calculation, Games, Reason, Sides
from ledger.regulations.interface import Regulation
from ledger.replay.opening_ratings import RatingsInForce, filled
from ledger.replay.timeline import Timeline

_NO_ORDER = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class PeriodInput:
    """The games of a period and everything they are calculated with, but where everybody stands.

    Players are all players, or some, by their place among those.
    ``tournament_order``, the place of each tournament among those of the same days, is there where
    events follow each other.
    ``adjustments`` are the list-wide steps of the period, in their order. ``plain_games``
    say which games are plain, where any can be. Not ``whole`` are games whose plain ones were
    summed elsewhere.
    """

    regulation: Regulation
    period: Period
    games: Games
    tournaments: TournamentColumns
    tournament_order: Column
    particulars: Particulars
    in_force: RatingsInForce
    adjustments: tuple[ListAdjusted, ...]
    plain_games: PlainGames | None = None
    whole: bool = True

    @classmethod
    def of(
        cls,
        timeline: Timeline,
        period: Period,
        in_force: RatingsInForce,
        games: Games,
        *,
        whole: bool = True,
    ) -> PeriodInput:
        """Returns what is known for a period of a list, with its games, ``whole`` or in part."""
        known = timeline.known
        regulation = timeline.regulation(period)
        return cls(
            regulation,
            period,
            games,
            known.tournaments,
            known.facts.tournament_order if regulation.EVENT_BY_EVENT else _NO_ORDER,
            timeline.particulars(period.starts_on),
            in_force.copy(),
            tuple(e for _, e in timeline.list.adjustments if e.period == period.name),
            timeline.plain_games(period),
            whole,
        )

    def game_ratings(self, opening: Column) -> GameRatings:
        """Returns the ratings that the games are rated with."""
        starts_on = self.tournaments.starts_on
        if self.regulation.RATINGS_OF == "tournament":
            return self.in_force.of_games(opening, starts_on, self.games.tournament)
        return GameRatings.at_start(opening, len(starts_on))

    def calculation(self, sides: Sides, states: PlayerStates, k: Column) -> Calculation:
        """Calculates sides as they are, from where everybody stands before them."""
        if self.regulation.RATINGS_OF == "tournament":
            ready = self.in_force.fill(sides)
        else:
            ready = filled(sides, states.rating)
        fixed = self.regulation.fixed(states, self.particulars)
        if fixed is not None:
            out = fixed[ready.player] & (ready.reason == Reason.NONE)
            ready = ready.with_(reason=np.where(out, Reason.FIXED_RATING, ready.reason))
        return self.regulation.calculate(ready, states, self.particulars, k)
