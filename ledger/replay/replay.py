"""Carries the standing of all players through the periods of a list.

Which games of a period are simultaneous, and with which ratings they are rated, is the regulation's
to say (see ``calculation``); among those the order cannot matter. opening (or first rating) +
contributions + steps + rounding + credits + adjustment + lifted + removed = closing holds for every
player and is asserted.

Under the policy *restate* the whole of history is read with the basis' knowledge. Under *next-list*
a published period stands as its first edition had it, and what became known of it later is credited
in the period that is calculated next (see ``late``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ledger.calendar import Period, period_named
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts, Mask, OrderedStep
from ledger.rating.first_ratings import FirstRatings, Results
from ledger.rating.player_state import PlayerStates
from ledger.rating.postings import Calculation, Games
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import Given, RatedGames
from ledger.replay.late_results import Closed, ClosedPeriods, Credits, PeriodWorth
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.other_lists import OtherLists
from ledger.replay.period_close import PeriodClose, games_met, moved_by_order, settle
from ledger.replay.prefetch import Prefetch, Source, at_once
from ledger.replay.snapshot import Keeping, State, keep_nothing, usable
from ledger.replay.timeline import Timeline


@dataclass(frozen=True)
class PeriodOutcome:
    """One period of a list, calculated; vectors are by player index, in points unless said.

    ``opening`` is the standing with the period's seeds and with the steps ``ordered`` for single
    players (``steps_ordered`` one by one), ``settled`` what the period comes to from there.
    """

    period: Period
    timeline: Timeline
    regulation: Regulation
    opening: PlayerStates
    ordered: Column
    settled: PeriodClose
    steps_ordered: Sequence[OrderedStep] = ()

    @property
    def closing(self) -> PlayerStates:
        """Where everybody stands after the period."""
        return self.settled.closing

    @property
    def rated(self) -> RatedGames:
        """What the games come to."""
        return self.settled.rated

    @property
    def credits(self) -> Credits:
        """What earlier lists owed."""
        return self.settled.credits

    @property
    def paid(self) -> Column:
        """The whole points by which that moves ratings, rounded together with the games."""
        return self.settled.paid

    @property
    def adjustment(self) -> Column:
        """The list-wide step."""
        return self.settled.adjustment

    @property
    def lifted(self) -> Column:
        """What keeps a rating at 1 or more."""
        return self.settled.lifted

    @property
    def removed(self) -> Column:
        """What those lose who fall below the list's floor: all they had."""
        return self.settled.removed

    @property
    def units(self) -> Column:
        """The exact changes by games and steps; ``calculation.units`` make a point."""
        return self.rated.units

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
        return self.rated.given.games

    def tournaments_of(self, player: int) -> list[int]:
        """Returns the tournaments in which a player has games in the period."""
        games = self.games
        his = (games.white == player) | (games.black == player)
        return sorted(set(games.tournament[his].tolist()))

    @property
    def in_force(self) -> RatingsInForce:
        """The ratings the games are rated with, those of the period's start the last."""
        return self.rated.given.in_force

    @property
    def state(self) -> State:
        """What a replay carries on from the period, where nothing stands but what is known."""
        return State(self.period, self.closing, self.in_force)

    @cached_property
    def k(self) -> Column:
        """Everybody's K at the start of the period."""
        return self.regulation.k(self.opening, self.timeline.particulars(self.period.starts_on))

    def k_of(self, player: int) -> int:
        """A player's K at the start of the period."""
        one = np.array([player])
        particulars = self.timeline.particulars(self.period.starts_on)
        return int(self.regulation.k(self.opening.of(one), particulars.of(one))[0])

    @property
    def games_met(self) -> Column:
        """Everybody's games of the period that count for a rating, newcomers' included."""
        return games_met(self.rated)

    @property
    def next_k(self) -> Column:
        """Everybody's K as the list shows it: by the standing after the period."""
        particulars = self.timeline.particulars(self.period.in_force_on)
        return self.regulation.k(self.closing, particulars)

    @property
    def active(self) -> Mask:
        """Who is active in the list."""
        return self.regulation.active(self.closing, self.period.in_force_on)


def replay(
    facts: Facts,
    name: str,
    basis: int,
    until: Period,
    *,
    under: Regulation | None = None,
    restated: bool = False,
    since: Period | None = None,
    after: State | None = None,
    summing: Source | None = None,
) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list's periods, from the first one to ``until``.

    Args:
        facts: the fold of at least the events up to ``basis``.
        name: a list that is defined at the basis.
        basis: the seq up to which events are known.
        until: the last period wanted.
        under: a regulation for all periods, instead of those that the list adopted.
        restated: recompute all of history, whatever the list's policy for closed periods.
        since: the first period wanted. The replay begins after the last good snapshot before it,
            if one was kept, and keeps new ones; the outcomes are the same.
        after: a state that is the same at the basis, to begin after. It is of no use, and the
            replay begins with the first period, where it has forgotten ratings that are needed.
        summing: sums the plain games of each period elsewhere (see ``ledger.cluster``).
    """

    def ratings_of(other: str, seq: int) -> RatingsInForce | None:
        """Replays another list; what it takes from elsewhere itself is not asked for."""
        if other == name or other not in facts.lists or facts.lists[other].seq > seq:
            return None
        there = Timeline(AsOf(facts, seq), other)
        periods = there.periods(until.closes_on)
        if not periods:
            return None
        made = RatingsInForce()
        stands = there.list.defined.policy == "next-list"
        walk = _PeriodWalk(there, OtherLists(lambda *_: None), stands=stands)
        for period in periods:
            made.start(period, walk.through(period, at_once).opening.rating)
        return made

    timeline = Timeline(AsOf(facts, basis), name, under)
    stands = timeline.list.defined.policy == "next-list" and under is None and not restated
    walk = _PeriodWalk(timeline, OtherLists(ratings_of), stands=stands)
    with ExitStack() as stack:
        source = summing or at_once
        keep = keep_nothing
        if walk.by_itself and since is not None and under is None:
            walk.begin_at(usable(timeline, since))
            keeping = Keeping(timeline, until)
            # Also when nobody asks for the later periods any more.
            stack.callback(keeping.keep)
            keep = keeping.take
        elif after is not None and _reaches(after, timeline):
            walk.begin_at(after)
        periods = walk.ahead(until)
        if walk.by_itself and summing is None and len(periods) > 1:
            source = stack.enter_context(Prefetch(timeline, periods))
        for period in periods:
            outcome = walk.through(period, source)
            keep(walk.state)
            yield outcome


def _reaches(state: State, timeline: Timeline) -> bool:
    """Whether a state knows all ratings that the periods after it ask for."""
    following = timeline.period_at(state.before.index + 1)
    return state.in_force.reaches(timeline.earliest_start(following))


def replayed_from(
    facts: Facts, name: str, basis: int, first: int, until: Period
) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list from the period of an index on, as ``replay`` does.

    What lies before it is replayed only as far as no snapshot does instead.
    """
    since = Timeline(AsOf(facts, basis), name).period_at(first)
    for outcome in replay(facts, name, basis, until, since=since):
        if outcome.period.index >= first:
            yield outcome


def by_itself(timeline: Timeline) -> bool:
    """Whether a list knows all of its past at one basis, and looks at no other list."""
    restates = timeline.list.defined.policy != "next-list"
    return restates and not OtherLists.asked_by(timeline)


class _PeriodWalk:
    """Walks through the periods of a list, and knows what to carry from one to the next.

    Args:
        timeline: the list as it is known at the basis.
        elsewhere: the other lists of the ledger.
        stands: published periods stand as their first edition had them.
    """

    def __init__(self, timeline: Timeline, elsewhere: OtherLists, *, stands: bool) -> None:
        self._last = self._timeline = timeline
        self._elsewhere = elsewhere
        self._bases = _first_editions(timeline) if stands else {}
        self._closed = ClosedPeriods()
        self._before: Period | None = None
        self._standing = PlayerStates.empty(len(timeline.known.facts.players))
        self._in_force = RatingsInForce()
        # Nothing but this list as it is known at one basis.
        self.by_itself = not self._bases and not OtherLists.asked_by(timeline)

    def begin_at(self, state: State | None) -> None:
        """Begins after a period instead of before the first."""
        if state is not None:
            self._before = state.before
            self._standing, self._in_force = state.standing, state.in_force.copy()

    @property
    def state(self) -> State:
        """What is carried on from the last period."""
        assert self._before is not None, "one period was walked through"
        return State(self._before, self._standing, self._in_force.copy())

    def ahead(self, until: Period) -> Sequence[Period]:
        """Returns the periods that are left."""
        first = self._before.index + 1 if self._before else 0
        return self._last.periods(until.closes_on)[first:]

    def through(self, period: Period, source: Source) -> PeriodOutcome:
        """Calculates the next period."""
        known_before = self._timeline.known.seq
        self._learn(period)
        timeline, before = self._timeline, self._before
        opening = timeline.seeded(self._standing, period, before, known_before)
        opening = self._elsewhere.entered(timeline, period, opening)
        ordered = timeline.ordered(period, before, known_before)
        opening, ordered = moved_by_order(opening, ordered)
        if not self._bases:
            self._in_force.forget_before(timeline.earliest_start(period))
        renewed = timeline.regulation(period).renewed(opening.buckets, opening.rating)
        opening = replace(opening, buckets=renewed)
        credits_ = self._closed.credits(timeline, opening, self._in_force)
        opening = _restored(opening, credits_)
        self._in_force.start(period, opening.rating)
        games, plain = source(timeline, period, opening.rating, self._in_force)
        given = Given.of(timeline, period, self._in_force, games, whole=plain is None)
        settled = settle(given, opening, credits_, plain)
        steps = timeline.steps_ordered(period, before, known_before)
        outcome = PeriodOutcome(
            period, timeline, given.regulation, opening, ordered, settled, steps
        )
        self._standing, self._before = outcome.closing, period
        if self._bases:
            self._close(outcome)
        return outcome

    def _learn(self, period: Period) -> None:
        """Knows from now on what was known when the period, or the next published, went out."""
        of_editions = (basis for index, basis in self._bases.items() if index >= period.index)
        basis = min(of_editions, default=self._last.known.seq)
        if basis != self._timeline.known.seq:
            self._timeline = self._last.at(basis)
            into = self._timeline.known.merged_into
            self._closed.carry(into, self._standing.dropped(into))
            self._in_force.carry(into)
            self._standing = self._standing.carried(into)

    def _close(self, outcome: PeriodOutcome) -> None:
        """Lets a period stand as it was calculated."""
        closed = Closed(
            outcome.period,
            replace(outcome.opening, buckets=outcome.credits.buckets),
            outcome.credits.points,
            outcome.adjustment,
            PeriodWorth.of(outcome.rated, outcome.lifted),
            outcome.rated_games,
            outcome.newcomers,
        )
        basis = self._timeline.known.seq
        removed = outcome.removed
        if outcome.settled.restarted.size:
            removed = removed.copy()
            removed[outcome.settled.restarted] = 0  # who starts anew gets nothing back
        self._closed.close(closed, outcome.first_rated, removed, outcome.closing, basis)


def _restored(opening: PlayerStates, credits_: Credits) -> PlayerStates:
    """Gives those their rating back who, by what is known now, did not fall below the floor."""
    if not credits_.restored:
        return opening
    players = list(credits_.restored)
    made = opening.copy()
    made.rating[players] = list(credits_.restored.values())
    return replace(made, buckets=made.buckets.without(players))


def _first_editions(timeline: Timeline) -> dict[int, int]:
    """Returns the basis of each period's first edition, by the period's index."""
    known = timeline.known
    return {
        period.index: event.basis_seq
        for seq, event in known.facts.lists[timeline.name].publications
        if seq <= known.seq and event.edition == 1
        if (period := period_named(timeline.list.segments, event.period))
    }
