"""A period of a list, calculated: what it comes to beside its games, and where everybody stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ledger.calendar import Period
from ledger.events.players import RatingAdjusted
from ledger.facts.arrays import is_among, scattered
from ledger.facts.columns import Column, Mask
from ledger.facts.tables import RecordedEvent
from ledger.identifiers import PlayerIndex, TournamentIndex
from ledger.rating.first_ratings import FirstRatings
from ledger.rating.game_sums import Summed
from ledger.rating.newcomer_results import Results
from ledger.rating.player_state import UNRATED, PlayerStates, nothing
from ledger.rating.postings import FIRST_OWN, Calculation, Games, Reason
from ledger.rating.rounding import column_half_away_from_zero
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import RatedGames, rate_games
from ledger.replay.late_results import Credits
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.openings import PeriodOpening
from ledger.replay.period_input import PeriodInput
from ledger.replay.snapshot import State
from ledger.replay.timeline import Timeline


@dataclass(frozen=True)
class PeriodOutcome:
    """One period of a list, calculated; vectors are by player index, in points unless said.

    Attributes:
        period: the period.
        timeline: the list as it was known for it.
        regulation: the rules in force.
        opening: the player states with the period's seeds and the steps ordered for players.
        ordered: what those steps came to, by player.
        steps_ordered: the same one by one.
        rated: what the games come to.
        credits: what earlier lists owed, exactly.
        paid: the whole points by which that moves ratings, rounded together with the games.
        adjustment: the list-wide step.
        lifted: what keeps a rating at 1 or more.
        removed: what those lose who fall below the list's floor: all they had.
        restarted: indexes of those whom the regulation makes unrated again; what they had is among
            ``removed``, too.
        closing: the player states after the period.
    """

    period: Period
    timeline: Timeline
    regulation: Regulation
    opening: PlayerStates
    ordered: Column
    steps_ordered: Sequence[RecordedEvent[RatingAdjusted]]
    rated: RatedGames
    credits: Credits
    paid: Column
    adjustment: Column
    lifted: Column
    removed: Column
    restarted: Column
    closing: PlayerStates

    @property
    def units(self) -> Column:
        """The exact changes by games and steps; ``calculation.units`` make a point."""
        return self.rated.units

    @property
    def lost(self) -> Mask:
        """Who has no rating any more, or none from this period on."""
        was_rated = (self.opening.rating != UNRATED) | (self.closing.peak != UNRATED)
        lost: Mask = was_rated & (self.closing.rating == UNRATED)
        return lost

    @property
    def change(self) -> Column:
        """The same in whole points, as the regulation rounds them."""
        return self.rated.change

    @property
    def rated_games(self) -> Column:
        """The games posted."""
        return self.rated.rated_games

    @property
    def first_rated(self) -> FirstRatings:
        """The first ratings that were reached; event by event, ``change`` goes on from there."""
        return self.rated.first_rated

    @property
    def newcomers(self) -> Results:
        """What players without a rating achieved."""
        return self.rated.newcomers

    @property
    def calculation(self) -> Calculation:
        """The games of the period, side by side; made when it is asked for."""
        return self.rated.calculation

    @property
    def games(self) -> Games:
        """All games of the period."""
        return self.rated.inputs.games

    def tournaments_of(self, player: PlayerIndex) -> list[TournamentIndex]:
        """Returns the tournaments in which a player has games in the period."""
        games = self.games
        his = (games.white == player) | (games.black == player)
        return sorted(set(games.tournament[his].tolist()))

    @property
    def in_force(self) -> RatingsInForce:
        """The ratings the games are rated with, those of the period's start the last."""
        return self.rated.inputs.in_force

    @property
    def state(self) -> State:
        """What a replay carries on from the period, where nothing stands but what is known."""
        return State(self.period, self.closing, self.in_force)

    @cached_property
    def k(self) -> Column:
        """Everybody's K at the start of the period."""
        return self.regulation.k(self.opening, self.timeline.particulars(self.period.starts_on))

    def k_of(self, player: PlayerIndex) -> int:
        """A player's K at the start of the period."""
        one = np.array([player])
        particulars = self.timeline.particulars(self.period.starts_on)
        return int(self.regulation.k(self.opening.of(one), particulars.of(one))[0])

    @property
    def counted_games(self) -> Column:
        """Everybody's games of the period that count for a rating, newcomers' included."""
        return scattered(len(self.opening.rating), *_counted_games(self.rated))

    @property
    def next_k(self) -> Column:
        """Everybody's K as the list shows it: by the states after the period."""
        particulars = self.timeline.particulars(self.period.in_force_on)
        return self.regulation.k(self.closing, particulars)

    @property
    def active(self) -> Mask:
        """Who is active in the list."""
        return self.regulation.active(self.closing, self.period.in_force_on)


def period_outcome(
    timeline: Timeline,
    inputs: PeriodInput,
    start: PeriodOpening,
    credits_: Credits,
    plain: Summed | None = None,
) -> PeriodOutcome:
    """Calculates a period from its opening; ``plain`` as in ``rate_games``."""
    opening, regulation, period = start.states, inputs.regulation, inputs.period
    rated = rate_games(inputs, replace(opening, buckets=credits_.buckets), plain)
    owed = bool(credits_.entitlements)
    was_rated = opening.rating > UNRATED
    paid = adjustment = removed = nothing(len(was_rated))
    rating = rated.states.rating.copy()
    if owed:
        paid = np.where(was_rated, credits_.paid(rated), 0).astype(np.int32)
        rating += paid
    if inputs.adjustments:
        adjustment = _adjustment(inputs, rating)
        rating += adjustment
    again = regulation.unrated_again(rating, rated.states, inputs.particulars, period.in_force_on)
    restarted = np.zeros(0, dtype=np.int64)
    if again is not None and (restarted := np.flatnonzero(again & (rating != UNRATED))).size:
        removed = removed.copy()
        removed[restarted] = -rating[restarted]
        rating[restarted] = UNRATED
    # 0 stands for no rating: who has one cannot lose it by losing games.
    lifted = rated.lifted
    moved = np.arange(len(rating)) if owed or inputs.adjustments else rated.changes.players
    low = moved[was_rated[moved] & (rating[moved] < 1)]
    low = low[~is_among(low, restarted)]
    if low.size:
        lifted = lifted.copy()
        lifted[low] += 1 - rating[low]
        rating[low] = 1
    floor = regulation.floor(period.in_force_on)
    if floor > 1 and (fallen := np.flatnonzero((rating > UNRATED) & (rating < floor))).size:
        removed = removed.copy()
        removed[fallen] = -rating[fallen]
        rating[fallen] = UNRATED
    balance = _balance(opening, rated, paid, adjustment, lifted, removed)
    assert (balance == rating).all(), f"period {period.name} does not balance"
    return PeriodOutcome(
        period, timeline, regulation, opening, start.ordered, start.steps, rated, credits_, paid,
        adjustment, lifted, removed, restarted,
        _closing(opening, rated, credits_, rating, restarted),
    )  # fmt: skip


def _balance(opening: PlayerStates, rated: RatedGames, *steps: Column) -> Column:
    """Returns everybody's opening, or first rating, with what moves it, in points."""
    balance = opening.rating.copy()
    balance[rated.changes.players] += rated.changes.points
    first = rated.first_rated
    balance[first.players] += first.ratings - opening.rating[first.players]
    for step in steps:
        if step is not nothing(len(balance)):
            balance += step
    return balance


def _closing(
    opening: PlayerStates,
    rated: RatedGames,
    credits_: Credits,
    rating: Column,
    restarted: Column,
) -> PlayerStates:
    """Returns the player states after a period, with the ratings that it comes to."""
    games = rated.states.games
    if credits_.entitlements:
        games = (games + credits_.games).astype(np.int32)
    listed = opening.listed.copy()
    listed[rated.first_rated.players] = 1
    listed[rated.newcomers.player] = 1
    listed[_at_board(rated.apart)] = 1
    peak = np.maximum(opening.peak, rating)
    closing = replace(rated.states, rating=rating, games=games, peak=peak, listed=listed)
    if restarted.size:
        closing = closing.anew(restarted)
    return closing.with_recent(rated.inputs.period.in_force_on, *_counted_games(rated))


def _counted_games(rated: RatedGames) -> tuple[Column, Column]:
    """Returns who had games that count for a rating (ascending), and how many each."""
    players, games = rated.changes.players, rated.changes.games.copy()
    computable = rated.newcomers.rows(rated.newcomers.computable)
    places = np.searchsorted(players, computable.player)
    np.add.at(games, places, computable.games.astype(np.int32))
    had = np.flatnonzero(games)
    return players[had], games[had]


def _adjustment(inputs: PeriodInput, rating: Column) -> Column:
    """Returns the list-wide steps of the period, one after the other, in points."""
    total = np.zeros(len(rating), dtype=np.int32)
    for event in inputs.adjustments:
        before = rating + total
        points = column_half_away_from_zero(
            event.numerator * (event.pivot - before), event.denominator
        )
        concerned = (before > UNRATED) & (before < event.below)
        total += np.where(concerned, points, 0).astype(np.int32)
    return total


# Why a game was not rated that could have counted.
_AT_BOARD = np.zeros(max(Reason) + 1, dtype=np.bool_)
_AT_BOARD[
    [
        Reason.OPPONENT_UNRATED, Reason.TOO_FEW_GAMES, Reason.NO_POINTS, Reason.NO_MERIT,
        Reason.DIFFERENCE_TOO_LARGE, Reason.NO_DIFFERENCE, Reason.BY_MATCH_TABLE,
        Reason.NO_FIRST_RATING,
    ]
] = True  # fmt: skip


def _at_board(calculation: Calculation) -> Column:
    """Returns who sat at a board in a game of the period that could have counted."""
    excluded = calculation.exclusions
    own = excluded.reason >= FIRST_OWN
    return excluded.player[own | _AT_BOARD[np.where(own, Reason.NONE, excluded.reason)]]
