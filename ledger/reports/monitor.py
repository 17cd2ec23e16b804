"""A list's health by period: the mean of a control group, and where its points come from and go.

The *pool* is everybody who has a rating in the list; its total is the sum of their ratings. In a
period it changes by causes that are exact and sum to the change, which is asserted:

* two ids of one person become one (only where a closed list had both);
* ratings brought in: seeds, corrected seeds, and ratings taken from another list;
* newcomers' first ratings;
* games. What a game gives one side it takes from the other, except by *unequal K*, by *expected
  scores* of the two that do not sum to 1 (a mean of opponents, a difference counted for one only),
  and where it is rated for *one side* only. With weights w = K · CM, both sides together get
  (w - w') / 2 · ((s - e) - (s' - e')) by their unequal weights; the rest is by the expected scores;
* what rules give or take as a whole, rounding, credits for closed lists, list-wide adjustments (and
  what keeps a rating at 1), and those who fall below the list's floor.

Activity does not change the pool: how many went inactive or came back, and with how many points, is
told beside it. ``active_only`` takes the active players as the pool instead; then both are causes
of their own, and a game of an active player against one who is not is rated for one side only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.identifiers import PlayerIndex
from ledger.json_form import HIDDEN, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.rating.postings import Postings
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.comparison import fixed_players
from ledger.reports.measures import Summary, rounded, slope_per_year


class Source(StrEnum):
    """Where points of the pool come from, or go."""

    MERGES = "merges"
    CAME_BACK = "came-back"
    WENT_INACTIVE = "went-inactive"
    BROUGHT_IN = "brought-in"
    ORDERED = "ordered"
    NEWCOMERS = "newcomers"
    UNEQUAL_K = "unequal-k"
    EXPECTED_SCORES = "expected-scores"
    ONE_SIDED = "one-sided"
    RULES = "rules"
    ROUNDING = "rounding"
    CREDITS = "credits"
    ADJUSTMENTS = "adjustments"
    KEPT = "kept-at-one"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Activity(JsonForm):
    """Rated players who were active in one list and not in the other: how many, with what."""

    players: int
    points: int


@dataclass(frozen=True, slots=True)
class MonitorLine(JsonForm):
    """One period. ``before`` and ``after`` are the pool's total; the sources sum to the change."""

    period: str
    pool: Annotated[Summary, HIDDEN]
    control: Annotated[Summary, HIDDEN]
    active: int
    newcomers: int
    brought_in: int
    removed: int
    went_inactive: Activity
    came_back: Activity
    k: Mapping[int, int]
    before: int
    after: int
    sources: Mapping[Source, Fraction]

    @property
    @derived
    def rated(self) -> Annotated[int, After("period")]:
        """How many are rated in the pool."""
        return self.pool.count

    @property
    @derived
    def mean(self) -> Annotated[Fraction | None, rounded(), After("rated")]:
        """The pool's."""
        return self.pool.mean

    @property
    @derived
    def control_mean(self) -> Annotated[Fraction | None, rounded(), After("active")]:
        """The control group's."""
        return self.control.mean

    @property
    @derived
    def change(self) -> Annotated[int, After("after")]:
        """After less before."""
        return self.after - self.before

    @property
    @derived
    def created(self) -> Annotated[Fraction, After("change")]:
        """The points that came in."""
        return sum((points for points in self.sources.values() if points > 0), Fraction(0))

    @property
    @derived
    def destroyed(self) -> Annotated[Fraction, After("created")]:
        """The points that went out, as a negative number."""
        return sum((points for points in self.sources.values() if points < 0), Fraction(0))

    def row(self) -> dict[str, Any]:
        """Returns it as one row: every source has a column of its own."""
        data = self.data()
        points = data.pop("sources")
        for name in ("went_inactive", "came_back"):
            data[name], data[f"{name}_points"] = data[name]["players"], data[name]["points"]
        return data | {source.value: points.get(source.value, "0") for source in Source}


@dataclass(frozen=True, slots=True)
class Monitor(JsonForm):
    """A list's periods; ``trend`` is the control group's mean in points a year, least squares.

    Its line goes through the mean at the start of the first period and that of every list.
    """

    list: str
    active_only: Annotated[bool, HIDDEN]
    control: tuple[str, ...]
    trend: Annotated[Fraction | None, Key("trend_per_year"), rounded()]
    lines: Annotated[tuple[MonitorLine, ...], Key("periods")]

    @property
    @derived
    def pool(self) -> Annotated[Literal["active", "rated"], After("list")]:
        """Whose points are counted."""
        return "active" if self.active_only else "rated"

    @property
    @derived
    def before(self) -> Annotated[int, After("trend_per_year")]:
        """The pool's points at the start."""
        return self.lines[0].before

    @property
    @derived
    def after(self) -> Annotated[int, After("before")]:
        """The pool's points at the end."""
        return self.lines[-1].after

    @property
    @derived
    def sources(self) -> Annotated[Mapping[Source, Fraction], After("after")]:
        """The points of each source, over all periods."""
        totals: dict[Source, Fraction] = {}
        for line in self.lines:
            for source, points in line.sources.items():
                totals[source] = totals.get(source, Fraction(0)) + points
        return {source: totals[source] for source in Source if totals.get(source)}


def monitor(
    outcomes: Iterable[PeriodOutcome],
    since: int,
    people: People,
    control: Sequence[PlayerIndex] | None,
    *,
    active_only: bool = False,
) -> Monitor:
    """Watches a list from a period on.

    Args:
        outcomes: the periods of a replay, from the first one.
        since: the index of the first period that is looked at.
        people: names and ids, as known at the replay's basis.
        control: the players of the control group, by index; None: all who are rated at the start
            of the first and at the end of the last period.
        active_only: whether only active players make the pool.

    Raises:
        InputRefused: somebody of the control group is not rated at the start and at the end.
    """
    seen: list[_Seen] = []
    start = before = None
    for outcome in outcomes:
        if outcome.period.index >= since:
            if start is None:
                start = outcome
                opening = outcome.opening.rating
                # Nobody else can be of the control group: of everybody there would be too much.
                candidates = np.flatnonzero(opening > UNRATED)
            closing = outcome.closing.rating
            line = _line(outcome, before or _Before.nothing(len(closing)), active_only=active_only)
            seen.append(_Seen(line, outcome.period.in_force_on.toordinal(), closing[candidates]))
        before = _Before(outcome.closing, outcome.active)
    assert start is not None, "the last period does not lie before the first"
    assert before is not None, "there is a period at least"
    fixed_ = fixed_players([opening, before.states.rating], control, people)
    places = np.searchsorted(candidates, fixed_)
    lines = tuple(
        replace(each.line, control=Summary.of_rated(each.ratings[places])) for each in seen
    )
    means = [(start.period.starts_on.toordinal(), Summary.of_rated(opening[fixed_]).mean)] + [
        (each.day, line.control.mean) for each, line in zip(seen, lines, strict=True)
    ]
    return Monitor(
        list=start.timeline.name,
        active_only=active_only,
        control=tuple(people.id(player) or "" for player in fixed_.tolist()),
        trend=slope_per_year([(day, mean) for day, mean in means if mean is not None]),
        lines=lines,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """A period's figures, before the control group is known.

    ``day`` (ordinal) is that of its list, ``ratings`` are those in it of whoever may be of the
    group.
    """

    line: MonitorLine
    day: int
    ratings: Column


@dataclass(frozen=True, slots=True)
class _Before:
    """The list before a period: the player states, and who was active."""

    states: PlayerStates
    active: Mask

    @classmethod
    def nothing(cls, players: int) -> _Before:
        """Returns the one before the first period: nobody is rated."""
        return cls(PlayerStates.empty(players), np.zeros(players, dtype=np.bool_))


def _line(outcome: PeriodOutcome, before: _Before, *, active_only: bool) -> MonitorLine:
    """Returns a period's figures; those of the control group are for later."""
    opening, closing, active = outcome.opening.rating, outcome.closing.rating, outcome.active
    into = outcome.timeline.known.merged_into
    # The list before, under the ids that count in this period.
    carried = before.states.carried(into).rating
    was_active = np.zeros(len(closing), dtype=np.bool_)
    was_active[into[before.active]] = True
    pool = active if active_only else np.ones(len(closing), dtype=np.bool_)
    total = int(before.states.rating[before.active if active_only else pool].sum())
    went, came = (_activity(who, carried) for who in (was_active & ~active, active & ~was_active))
    kept = int(carried[was_active if active_only else pool].sum())
    sources = {Source.MERGES: Fraction(kept - total)}
    if active_only:
        sources[Source.CAME_BACK] = Fraction(came.points)
        sources[Source.WENT_INACTIVE] = -Fraction(went.points)
    sources |= _sources(outcome, carried, pool)
    after = int(closing[pool].sum())
    balance = sum(sources.values(), Fraction(total))
    assert balance == after, f"{outcome.period.name}: the sources do not balance"
    rated = closing > UNRATED
    members = rated & pool
    brought_in = (carried == UNRATED) & (opening > UNRATED) & (_given_back(outcome) == UNRATED)
    ks, players = np.unique(outcome.next_k[members], return_counts=True)
    return MonitorLine(
        period=outcome.period.name,
        pool=Summary.of(closing[members]),
        control=Summary.of(np.zeros(0, dtype=np.int64)),
        active=int((rated & active).sum()),
        newcomers=int(pool[outcome.first_rated.players].sum()),
        brought_in=int((brought_in & pool).sum()),
        removed=int(((outcome.removed != 0) & pool).sum()),
        went_inactive=went,
        came_back=came,
        k=dict(zip(ks.tolist(), players.tolist(), strict=True)),
        before=total,
        after=after,
        sources={source: points for source, points in sources.items() if points},
    )


def _activity(concerned: Mask, rating: Column) -> Activity:
    ratings = rating[concerned & (rating > UNRATED)]
    return Activity(len(ratings), int(ratings.sum()))


def _sources(outcome: PeriodOutcome, carried: Column, pool: Mask) -> dict[Source, Fraction]:
    """Returns what changed the ratings of the pool's players since they were carried over."""
    opening = outcome.opening.rating
    apart = outcome.rated.apart
    scale = apart.units
    games = _of_games(outcome, pool)
    steps = sum(step.units for step in apart.steps if pool[step.player])
    rounding = (outcome.change * scale - outcome.units)[pool]
    first = outcome.first_rated
    back = _given_back(outcome)
    return {
        Source.BROUGHT_IN: Fraction(int((opening - outcome.ordered - back - carried)[pool].sum())),
        Source.ORDERED: Fraction(int(outcome.ordered[pool].sum())),
        Source.NEWCOMERS: Fraction(int(first.ratings[pool[first.players]].sum())),
        **games,
        Source.RULES: Fraction(steps, scale),
        Source.ROUNDING: Fraction(int(rounding.sum()), scale),
        Source.CREDITS: Fraction(int((outcome.paid + back)[pool].sum())),
        Source.ADJUSTMENTS: Fraction(int(outcome.adjustment[pool].sum())),
        Source.KEPT: Fraction(int(outcome.lifted[pool].sum())),
        Source.FLOOR: Fraction(int(outcome.removed[pool].sum())),
    }


def _given_back(outcome: PeriodOutcome) -> Column:
    """Returns the ratings that were given back: they had not fallen below the floor."""
    back = np.zeros_like(outcome.opening.rating)
    for player, rating in outcome.credits.restored.items():
        back[player] = rating
    return back


def _of_games(outcome: PeriodOutcome, pool: Mask) -> dict[Source, Fraction]:
    """Splits what the games of the pool's players gave in sum."""
    postings, units = outcome.rated.postings, outcome.rated.apart.units
    if not pool.all():
        postings = postings.rows(pool[postings.player])
    postings = postings.rows(np.argsort(postings.game, kind="stable"))
    first = np.flatnonzero(np.diff(postings.game) == 0)
    one, other = postings.rows(first), postings.rows(first + 1)
    alone = np.ones(len(postings), dtype=np.bool_)
    alone[first] = alone[first + 1] = False
    both = int((one.contribution + other.contribution).sum())
    by_weight = _by_unequal_weights(one, other)
    return {
        Source.UNEQUAL_K: Fraction(by_weight, 2 * units),
        Source.EXPECTED_SCORES: Fraction(2 * both - by_weight, 2 * units),
        Source.ONE_SIDED: Fraction(int(postings.contribution[alone].sum()), units),
    }


def _by_unequal_weights(one: Postings, other: Postings) -> int:
    """Returns the sum of (w - w') · ((s - e) - (s' - e')), in halves of a unit."""
    weights = one.k * one.merit - other.k * other.merit
    above = (one.score - one.expected) - (other.score - other.expected)
    return int((weights * above).sum())
