"""Carries the states of all players through the periods of a list.

Which games of a period are simultaneous, and with which ratings they are rated, is the regulation's
to say (see ``calculation``); among those the order cannot matter. opening (or first rating) +
contributions + steps + rounding + credits + adjustment + lifted + removed = closing holds for every
player and is asserted.

Two cores serve a long replay: the next period's games are read while this one is calculated.

Under the policy *restate* the whole of history is read with the basis' knowledge. Under *next-list*
a published period stays as its first edition had it, and what became known of it later is credited
in the period that is calculated next (see ``late_results``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import TypeAlias, TypeVar

from ledger.calendar import Period, period_named
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column
from ledger.identifiers import Seq
from ledger.rating.game_sums import Summed
from ledger.rating.player_state import PlayerStates
from ledger.rating.postings import Games
from ledger.replay.late_results import Closed, ClosedPeriods, Credits, PeriodWorth
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.openings import Openings, OtherLists
from ledger.replay.period_input import PeriodInput
from ledger.replay.period_outcome import PeriodOutcome, period_outcome
from ledger.replay.snapshot import Keeping, State, keep_nothing, usable
from ledger.replay.timeline import Timeline

AHEAD_FROM = 2_000
"""So many events a period make it worth a thread to read the next one meanwhile."""


def replay(
    timeline: Timeline,
    until: Period,
    *,
    restated: bool = False,
    since: Period | None = None,
    after: State | None = None,
    summing: Source | None = None,
) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list's periods, from the first one to ``until``.

    Args:
        timeline: the list as it is known at a basis, perhaps under another regulation.
        until: the last period wanted.
        restated: recompute all of history, whatever the list's policy for closed periods.
        since: the first period wanted. The replay begins after the last good snapshot before it,
            if one was kept, and keeps new ones; the outcomes are the same.
        after: a state that is the same at the basis, to begin after. It is of no use, and the
            replay begins with the first period, where it has forgotten ratings that are needed.
        summing: sums the plain games of each period elsewhere (see ``ledger.cluster``).
    """
    walk = _PeriodWalk(timeline, _other_lists(timeline, until), restated=restated)
    with ExitStack() as stack:
        source = summing or at_once
        keep = keep_nothing
        if walk.by_itself and since is not None and timeline.under is None:
            walk.begin_after(usable(timeline, since))
            keeping = Keeping(timeline, until)
            # Also when nobody asks for the later periods any more.
            stack.callback(keeping.keep)
            keep = keeping.take
        elif after is not None and _reaches(after, timeline):
            walk.begin_after(after)
        periods = walk.left(until)
        long = len(periods) > 1 and timeline.known.seq >= AHEAD_FROM * len(periods)
        if walk.by_itself and summing is None and long:
            read = one_ahead(map(timeline.games, periods))
            stack.callback(read.close)
            source = in_order(read)
        for period in periods:
            yield walk.through(period, source, keep)


def _other_lists(timeline: Timeline, until: Period) -> OtherLists:
    """Returns the other lists of the ledger, replayed when they are asked for."""
    facts = timeline.known.facts

    def ratings_of(other: str, seq: Seq) -> RatingsInForce | None:
        """Replays another list; what it takes from others itself is not asked for."""
        if other == timeline.name or other not in facts.lists or facts.lists[other].seq > seq:
            return None
        there = Timeline(AsOf(facts, seq), other)
        made = RatingsInForce()
        walk = _PeriodWalk(there, OtherLists(lambda *_: None))
        periods = there.periods(until.closes_on)
        for period in periods:
            made.start(period, walk.through(period, at_once).opening.rating)
        return made if periods else None

    return OtherLists(ratings_of)


def _reaches(state: State, timeline: Timeline) -> bool:
    """Whether a state knows all ratings that the periods after it ask for."""
    following = timeline.period_at(state.before.index + 1)
    return state.in_force.reaches(timeline.earliest_start(following))


def replayed_from(timeline: Timeline, first: int, until: Period) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list from the period of an index on, as ``replay`` does.

    What lies before it is replayed only as far as no snapshot does instead.
    """
    for outcome in replay(timeline, until, since=timeline.period_at(first)):
        if outcome.period.index >= first:
            yield outcome


def by_itself(timeline: Timeline) -> bool:
    """Whether a list knows all of its past at one basis, and looks at no other list."""
    restates = timeline.list.defined.policy != "next-list"
    return restates and not OtherLists.asked_by(timeline)


class _PeriodWalk:
    """Walks through the periods of a list, and knows what to carry from one to the next.

    ``restated``: published periods are recomputed, also where the list's policy is that they stay
    as their first edition had them.
    """

    def __init__(
        self, timeline: Timeline, other_lists: OtherLists, *, restated: bool = False
    ) -> None:
        self._last = self._timeline = timeline
        self._other_lists = other_lists
        self._openings = Openings(timeline, other_lists)
        stay = timeline.list.defined.policy == "next-list" and timeline.under is None
        self._bases = _first_editions(timeline) if stay and not restated else {}
        self._closed = ClosedPeriods()
        self._before: Period | None = None
        self._states = PlayerStates.empty(len(timeline.known.facts.players))
        self._in_force = RatingsInForce()
        # Nothing but this list as it is known at one basis.
        self.by_itself = not self._bases and not OtherLists.asked_by(timeline)

    def begin_after(self, state: State | None) -> None:
        """Begins after a period instead of before the first."""
        if state is not None:
            self._before = state.before
            self._states, self._in_force = state.states, state.in_force.copy()

    def left(self, until: Period) -> Sequence[Period]:
        """Returns the periods that are left."""
        first = self._before.index + 1 if self._before else 0
        return self._last.periods(until.closes_on)[first:]

    def through(
        self, period: Period, source: Source, keep: Callable[[State], None] = keep_nothing
    ) -> PeriodOutcome:
        """Calculates the next period; ``keep`` takes the state after it."""
        known_before = self._timeline.known.seq
        self._learn(period)
        timeline = self._timeline
        start = self._openings.opening(self._states, period, self._before, known_before)
        if not self._bases:
            self._in_force.forget_before(timeline.earliest_start(period))
        states = start.states
        buckets = timeline.regulation(period).renewed(states.buckets, states.rating)
        states = replace(states, buckets=buckets)
        credits_ = self._closed.credits(timeline, states, self._in_force)
        start = replace(start, states=_restored(states, credits_))
        rating = start.states.rating
        self._in_force.start(period, rating)
        games, plain = source(timeline, period, rating, self._in_force)
        inputs = PeriodInput.of(timeline, period, self._in_force, games, whole=plain is None)
        outcome = period_outcome(timeline, inputs, start, credits_, plain)
        self._states, self._before = outcome.closing, period
        if self._bases:
            self._close(outcome)
        keep(State(period, self._states, self._in_force.copy()))
        return outcome

    def _learn(self, period: Period) -> None:
        """Knows from now on what was known when the period, or the next published, went out."""
        of_editions = (basis for index, basis in self._bases.items() if index >= period.index)
        basis = min(of_editions, default=self._last.known.seq)
        if basis != self._timeline.known.seq:
            self._timeline = self._last.at(basis)
            self._openings = Openings(self._timeline, self._other_lists)
            into = self._timeline.known.merged_into
            self._closed.carry(into, self._states.dropped(into))
            self._in_force.carry(into)
            self._states = self._states.carried(into)

    def _close(self, outcome: PeriodOutcome) -> None:
        """Lets a period stay as it was calculated."""
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
        if outcome.restarted.size:
            removed = removed.copy()
            removed[outcome.restarted] = 0  # who starts anew gets nothing back
        self._closed.close(closed, outcome.first_rated, removed, outcome.closing, basis)


def _restored(opening: PlayerStates, credits_: Credits) -> PlayerStates:
    """Gives those their rating back who, by what is known now, did not fall below the floor."""
    if not credits_.restored:
        return opening
    players = list(credits_.restored)
    made = opening.copy()
    made.rating[players] = list(credits_.restored.values())
    return replace(made, buckets=made.buckets.without(players))


def _first_editions(timeline: Timeline) -> dict[int, Seq]:
    """Returns the basis of each period's first edition, by the period's index."""
    known = timeline.known
    return {
        period.index: event.basis_seq
        for seq, event in known.facts.lists[timeline.name].publications
        if seq <= known.seq and event.edition == 1
        if (period := period_named(timeline.list.segments, event.period))
    }


_Made = TypeVar("_Made")

# Brings the games of a period, given its opening ratings: all of them, or, where the plain ones are
# summed somewhere else, their sums and the others.
Source: TypeAlias = Callable[
    [Timeline, Period, Column, RatingsInForce], tuple[Games, Summed | None]
]


def at_once(
    timeline: Timeline, period: Period, rating: Column, in_force: RatingsInForce
) -> tuple[Games, None]:
    """Brings the games of a period when they are asked for."""
    del rating, in_force
    return timeline.games(period), None


def in_order(games: Iterator[Games]) -> Source:
    """Returns what brings the games of one period after the other."""
    return lambda *_: (next(games), None)


def one_ahead(following: Iterator[_Made]) -> Generator[_Made, None, None]:
    """Yields what an iterator does; the next one is made in a thread while this one is looked at.

    Who looks must not ask the timeline that makes it for games meanwhile.
    """
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="replay") as beside:
        made = beside.submit(next, following, None)
        while (this := made.result()) is not None:
            made = beside.submit(next, following, None)
            yield this
