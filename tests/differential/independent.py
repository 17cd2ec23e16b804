"""ENF 2010 a second time, written from the rules alone: game by game, in fractions and dicts.

It knows nothing of the ledger. Where the two disagree, one of them has misread the rules.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tests.differential.tables import D_OF_P, P_OF_D

HALF = Fraction(1, 2)
SCORES = {"1": Fraction(1), "1/2": HALF, "0": Fraction(0)}
MERIT = {"classical": Fraction(1), "rapid": HALF}
IRT_RULE = 350


@dataclass(frozen=True)
class Person:
    """A player as the federation knows him before the first period."""

    id: str
    rating: int | None
    k: int | None
    games: int


@dataclass(frozen=True)
class Game:
    """A row of a crosstable; without ``black`` it is a bye."""

    round: int
    white: str
    black: str | None
    result: str


@dataclass(frozen=True)
class Event:
    """A tournament."""

    id: str
    starts_on: dt.date
    ends_on: dt.date
    system: str
    rate_of_play: str
    merit: Fraction | None
    games: tuple[Game, ...]


@dataclass(frozen=True)
class Rules:
    """The options of the regulation."""

    method: str = "per-game"
    difference_rule: int = 0


@dataclass(frozen=True)
class Achieved:
    """A newcomer's computable result."""

    event: str
    games: int
    performance: Fraction


@dataclass
class State:
    """Everything about everybody at a moment."""

    rating: dict[str, int]
    games: dict[str, int]
    best: dict[str, int]
    buckets: dict[str, list[Achieved]]


@dataclass
class Month:
    """What a period came to."""

    rating: dict[str, int] = field(default_factory=dict)
    change: dict[str, Fraction] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    k: dict[str, int] = field(default_factory=dict)
    buckets: dict[str, list[Achieved]] = field(default_factory=dict)
    robins: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Side:
    """A played game as one of the two sees it."""

    me: str
    other: str
    score: Fraction


def expected(difference: int) -> Fraction:
    """P(D), of the player whose rating less the opponent's is the difference."""
    share = next((p for bound, p in P_OF_D if abs(difference) <= bound), 100)
    return Fraction(share if difference >= 0 else 100 - share, 100)


def half_away(value: Fraction) -> int:
    """Rounds to the nearest, halves away from zero."""
    whole = math.floor(abs(value) + HALF)
    return whole if value >= 0 else -whole


def half_up(value: Fraction) -> int:
    """Rounds to the nearest, halves up."""
    return math.floor(value + HALF)


def difference_of(score: Fraction, games: int) -> int:
    """D(p) of a score, the share rounded to a whole per cent."""
    return D_OF_P[max(half_up(100 * score / games), 1)]


def performance(mean: Fraction, score: Fraction, games: int) -> Fraction:
    """Ru."""
    above = 2 * score - games
    if above >= 0:
        return mean + Fraction(25, 2) * above
    return mean + Fraction(difference_of(score, games) * games, games + 1)


def beyond(own: Fraction, other: Fraction, rule: int) -> Fraction:
    """What the rule adds to the rating of an opponent who is further away than it allows."""
    if other < own - rule:
        return own - rule - other
    if other > own + rule:
        return own + rule - other
    return Fraction(0)


def k_of(person: Person, state: State) -> int:
    """The assigned K, else by the rule."""
    if person.k is not None:
        return person.k
    if state.games[person.id] < 30:
        return 30
    return 10 if state.best.get(person.id, 0) >= 2400 else 15


def mean(values: Iterable[Fraction]) -> Fraction:
    """The arithmetic mean."""
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


def played(event: Event) -> list[Side]:
    """Both views of every game that was really played: no bye, no forfeit, no short game."""
    sides = []
    for game in event.games:
        if game.black is None or "+" in game.result or game.result == "-/-":
            continue
        if game.result.endswith("s"):
            continue
        white, black = game.result.removesuffix("a").split("-")
        sides.append(Side(game.white, game.black, SCORES[white]))
        sides.append(Side(game.black, game.white, SCORES[black]))
    return sides


def calculate(
    people: Sequence[Person],
    events: Sequence[Event],
    months: Sequence[tuple[int, int]],
    rules: Rules,
) -> list[Month]:
    """Rates the months, one after the other."""
    rated = [p for p in people if p.rating is not None]
    state = State(
        rating={p.id: p.rating for p in rated if p.rating is not None},
        games={p.id: p.games for p in people},
        best={p.id: p.rating for p in rated if p.rating is not None},
        buckets=defaultdict(list),
    )
    found = []
    for year, month in months:
        ending = [e for e in events if (e.ends_on.year, e.ends_on.month) == (year, month)]
        found.append(_month(people, ending, state, rules))
    return found


def _month(people: Sequence[Person], events: Sequence[Event], state: State, rules: Rules) -> Month:
    """Rates one month from the ratings at its start, and moves the state on to its end."""
    made = Month(k={p.id: k_of(p, state) for p in people})
    change: dict[str, Fraction] = defaultdict(Fraction)
    counted: dict[str, int] = defaultdict(int)
    for event in events:
        merit = MERIT[event.rate_of_play] if event.merit is None else event.merit

        def post(who: str, points: Fraction, games: int, weight: Fraction = merit) -> None:
            change[who] += made.k[who] * weight * points
            counted[who] += games

        if is_irt(event, state):
            made.robins.append(event.id)
            _irt(event, state, post)
        else:
            _ordinary(event, state, rules, post)
    for person in people:
        who = person.id
        if who in state.rating:
            state.rating[who] += half_away(change[who])
            state.games[who] += counted[who]
        else:
            _first_rating(who, state, made)
        if who in state.rating:
            state.best[who] = max(state.best.get(who, 0), state.rating[who])
    made.rating = dict(state.rating)
    made.change, made.counted = change, counted
    made.buckets |= {who: list(bucket) for who, bucket in state.buckets.items() if bucket}
    return made


def _first_rating(who: str, state: State, made: Month) -> None:
    bucket = state.buckets[who]
    games = sum(result.games for result in bucket)
    if games < 9:
        return
    state.rating[who] = half_up(sum((r.performance * r.games for r in bucket), Fraction(0)) / games)
    state.games[who] = games
    made.buckets[who] = list(bucket)
    del state.buckets[who]


Post = Callable[[str, Fraction, int], None]


def _ordinary(event: Event, state: State, rules: Rules, post: Post) -> None:
    against: dict[str, list[Side]] = defaultdict(list)
    for side in played(event):
        if side.other in state.rating:
            against[side.me].append(side)
    for me, sides in against.items():
        score, games = sum((s.score for s in sides), Fraction(0)), len(sides)
        ratings = [Fraction(state.rating[s.other]) for s in sides]
        if me not in state.rating:
            if games >= 3 and score >= HALF:
                ru = performance(mean(ratings), score, games)
                state.buckets[me].append(Achieved(event.id, games, ru))
            continue
        own, cap = state.rating[me], rules.difference_rule
        if rules.method == "mean":
            near = [r + beyond(Fraction(own), r, cap) for r in ratings] if cap else ratings
            we = expected(half_away(own - mean(near))) * games
        else:
            we = sum((expected(_capped(own - int(r), rules)) for r in ratings), Fraction(0))
        post(me, score - we, games)


def _capped(difference: int, rules: Rules) -> int:
    cap = rules.difference_rule
    return max(-cap, min(cap, difference)) if cap else difference


def is_irt(event: Event, state: State) -> bool:
    """Whether the procedure of the round robin with unrated players applies."""
    if event.system != "round-robin":
        return False
    if any("+" in g.result or g.result == "-/-" for g in event.games):
        return False
    everybody = {who for g in event.games for who in (g.white, g.black) if who is not None}
    sides = played(event)
    pairs = {(s.me, s.other) for s in sides}
    count = len(everybody)
    if len(sides) != count * (count - 1) or len(pairs) != len(sides):
        return False
    rated = everybody & state.rating.keys()
    if len(rated) == count or 3 * len(rated) < count or (count < 10 and len(rated) < 4):
        return False
    score = _scores(sides)
    return all(score[who] > 0 for who in everybody) and all(score[who] < count - 1 for who in rated)


def _scores(sides: Iterable[Side]) -> dict[str, Fraction]:
    score: dict[str, Fraction] = defaultdict(Fraction)
    for side in sides:
        score[side.me] += side.score
    return score


def _irt(event: Event, state: State, post: Post) -> None:
    score = _scores(played(event))
    everybody = list(score)
    n = len(everybody) - 1
    rated = {who: Fraction(state.rating[who]) for who in everybody if who in state.rating}
    newcomers = [who for who in everybody if who not in rated]
    da = mean(Fraction(difference_of(score[who], n)) for who in rated)
    ra = mean(rated.values()) - da * n / (n + 1)
    first = {who: performance(ra, score[who], n) for who in newcomers}
    final = {}
    for who in newcomers:
        others = {**rated, **first}
        correction = sum(
            (beyond(first[who], r, IRT_RULE) for other, r in others.items() if other != who),
            Fraction(0),
        )
        final[who] = performance(ra + correction / n, score[who], n)
    for who in newcomers:
        state.buckets[who].append(Achieved(event.id, n, final[who]))
    for who, own in rated.items():
        others = {**rated, **final}
        correction = sum(
            (beyond(own, r, IRT_RULE) for other, r in others.items() if other != who),
            Fraction(0),
        )
        rc = (ra * (n + 1) - own + correction) / n
        post(who, score[who] - expected(half_away(own - rc)) * n, n)
