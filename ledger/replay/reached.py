"""What changed words about games move: only the players they reach, period after period.

Ratings are rounded, so most of what one game changes is gone after some months. Beside a replay as
it was, only those are calculated again whose opening is another one, those they meet, and those
whose games have changed; the others' figures cannot differ. Where nobody differs any more and no
later game has changed, nothing later differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column, Facts, Mask
from ledger.facts.known import ALL_PLAY_ALL
from ledger.rating.newcomers import Buckets
from ledger.rating.sheet import Games
from ledger.rating.standing import VECTORS, Standing
from ledger.replay.calculation import Given
from ledger.replay.in_force import RatingsInForce
from ledger.replay.late import Credits
from ledger.replay.settling import moved_by_order, settle
from ledger.replay.timeline import Timeline


class Past(Protocol):
    """A period as it was calculated before."""

    @property
    def period(self) -> Period:
        """Which one."""

    @property
    def opening(self) -> Standing:
        """Where everybody stood at its start."""

    @property
    def closing(self) -> Standing:
        """Where everybody stood after it."""

    @property
    def games(self) -> Games:
        """Its games."""

    @property
    def in_force(self) -> RatingsInForce:
        """The ratings its games were rated with, those of its start the last."""


@dataclass(frozen=True, slots=True)
class Differing:
    """Who stands otherwise: players in ascending order, and where, by their place among them.

    Their buckets are by player, beside the standing, which has none.
    """

    players: Column
    standing: Standing
    buckets: Buckets

    def __len__(self) -> int:
        """How many they are."""
        return len(self.players)

    def over(self, standing: Standing) -> Standing:
        """Returns the standing of everybody with theirs put in."""
        if not len(self):
            return standing
        made = standing.copy()
        for name in VECTORS:
            getattr(made, name)[self.players] = getattr(self.standing, name)
        recent = tuple(
            played.with_those_of(self.players, theirs)
            for played, theirs in zip(standing.recent, self.standing.recent, strict=True)
        )
        buckets = standing.buckets.without(self.players).with_those_of(self.buckets)
        return replace(made, recent=recent, buckets=buckets)


@dataclass(frozen=True, slots=True)
class Remembered:
    """A period as it was calculated, without what can be calculated again."""

    period: Period
    opening: Standing
    closing: Standing
    games: Games
    in_force: RatingsInForce

    @classmethod
    def of(cls, past: Past) -> Remembered:
        """Returns what is worth remembering: some 40 bytes a player and 25 bytes a game."""
        return cls(past.period, past.opening, past.closing, past.games, past.in_force)


_NOBODY_DIFFERS = Differing(np.zeros(0, dtype=np.int64), Standing.empty(0), Buckets.empty())


class OutOfReach(Exception):
    """What has changed cannot be followed from player to player: everything must be replayed."""


def changed_tournaments(before: Facts, after: Facts) -> Column:
    """Returns the tournaments of which something is known otherwise (indexes, ascending).

    Raises:
        OutOfReach: more has changed than words about tournaments and their games.
    """
    same = all(
        len(getattr(before, name)) == len(getattr(after, name))
        for name in ("players", "seeds", "ks", "merges", "ordered_steps", "player_corrections")
    )
    parts = ("segments", "adoptions", "adjustments", "publications")
    same = same and before.lists.keys() == after.lists.keys()
    if not same or any(
        len(getattr(before.lists[name], part)) != len(getattr(facts, part))
        for name, facts in after.lists.items()
        for part in parts
    ):
        raise OutOfReach
    seq = before.seq
    changed = [tournament for at, tournament, _ in after.tournament_corrections if at > seq]
    changed += [ruling.tournament for ruling in after.rulings if ruling.seq > seq]
    for block in after.blocks:
        if block.last_seq > seq:
            rows = np.flatnonzero(block.fetch().seq + np.int64(block.first_seq) > seq)
            entries = np.searchsorted(block.directory.start, rows, side="right") - 1
            changed += block.directory.tournament[entries].tolist()
    return np.unique(np.array(changed, dtype=np.int64))


class Reach:
    """Follows what has changed through the periods of a list.

    Args:
        was: the list as it was calculated before.
        now: the same list with what has changed.
        changed: the tournaments of which something is known otherwise.

    Raises:
        OutOfReach: the list's rules look at more than the players of a game.
    """

    def __init__(self, was: Timeline, now: Timeline, changed: Column) -> None:
        self._by_tournament = False
        for rules in now.regulations():
            self._by_tournament |= rules.RATINGS_OF == "tournament"
            if rules.plain is None or rules.EVENT_BY_EVENT or rules.enters_from is not None:
                raise OutOfReach
        if now.list.defined.policy != "restate":
            raise OutOfReach
        self._now = now
        self._changed = changed
        known = changed[changed < len(was.known.facts.tournaments)]
        self._touched = {*was.rated_in(known).tolist(), *now.rated_in(changed).tolist()}
        self._players = len(now.known.facts.players)
        self._all_play_alls = now.known.tournaments.system == ALL_PLAY_ALL
        # Ratings in force that are others than they were: by the day from which they hold.
        self._in_force: dict[int, tuple[Column, Column]] = {}
        self.differing = _NOBODY_DIFFERS

    def follow(self, past: Iterable[Past]) -> Iterator[tuple[Past, Differing]]:
        """Yields periods with who stands otherwise after each, until nothing differs any more.

        ``past`` are the periods as they were calculated, from one on that nothing before differs.
        """
        before: Past | None = None
        for then in past:
            opening = self._opening(then, before)
            self.differing = self._closing(then, opening)
            yield then, self.differing
            before = then
            done = not len(self.differing) and not self._in_force
            if done and then.period.index >= max(self._touched, default=-1):
                return

    def _opening(self, then: Past, before: Past | None) -> Differing:
        """Returns who stands otherwise at the start of a period: seeds and orders put in."""
        differing = self.differing
        if not len(differing):
            return differing
        assert before is not None, "nobody differs before the first period"
        players, period = differing.players, then.period
        ordered = self._now.ordered(period, before.period, self._now.known.seq)
        seeded = then.opening.seeded_on[players] != before.closing.seeded_on[players]
        if not ordered[players].any() and not seeded.any():
            return differing
        standing = differing.over(before.closing)
        standing = self._now.seeded(standing, period, before.period, self._now.known.seq)
        standing, _ = moved_by_order(standing, ordered)
        return _differing(
            then.opening, players, standing.of(players), standing.buckets.of_those(players)
        )

    def _closing(self, then: Past, opening: Differing) -> Differing:
        """Returns who stands otherwise after a period."""
        period, touched = then.period, then.period.index in self._touched
        days, ratings = then.in_force.content()
        self._in_force = {day: self._in_force[day] for day in days if day in self._in_force}
        if self._by_tournament and len(opening):
            self._in_force[period.starts_on.toordinal()] = (
                opening.players,
                opening.standing.rating,
            )
        games = self._now.games(period) if touched else then.games
        concerned = [opening.players, *(players for players, _ in self._in_force.values())]
        if touched:
            if not then.in_force.reaches(self._now.earliest_start(period)):
                raise OutOfReach
            for each in (games, then.games):
                of_changed = np.isin(each.tournament, self._changed)
                concerned += [each.white[of_changed], each.black[of_changed]]
        reached, rows = self._reached(games, np.concatenate(concerned))
        if not len(reached):
            return _NOBODY_DIFFERS
        among = games.rows(rows)
        marked = np.zeros(self._players + 1, dtype=np.bool_)
        for column in (among.white, among.black, reached):
            marked[column] = True
        players = np.flatnonzero(marked[:-1])
        local = RatingsInForce.of(
            days,
            [self._rating(day, rating, players) for day, rating in zip(days, ratings, strict=True)],
            complete=then.in_force.complete,
        )
        given = Given.of(self._now, period, local, games).among(players, among, local)
        standing = _put_in(then.opening, opening, players)
        closing = settle(given, standing, Credits.none(standing)).closing
        places = np.searchsorted(players, reached)
        buckets = _by_player(closing.buckets, players, period.index)
        return _differing(then.closing, reached, closing.of(places), buckets)

    def _reached(self, games: Games, concerned: Column) -> tuple[Column, Column]:
        """Returns whose figures may differ, and the rows of all games that decide them.

        Those are the players concerned, whom they met, and everybody in an all-play-all with them.
        """
        marked = np.zeros(self._players + 1, dtype=np.bool_)  # the last one for nobody
        marked[concerned] = True
        white, black = games.white, games.black
        rows = self._whole_all_play_alls(games, marked[white] | marked[black])
        marked[white[rows]] = True
        marked[black[rows]] = True
        marked[NOBODY] = False
        rows = self._whole_all_play_alls(games, marked[white] | marked[black])
        return np.flatnonzero(marked[:-1]), np.flatnonzero(rows)

    def _whole_all_play_alls(self, games: Games, rows: Mask) -> Mask:
        """Adds the other games of the all-play-alls of which some games are marked."""
        played = np.zeros(len(self._all_play_alls), dtype=np.bool_)
        played[games.tournament[rows]] = True
        played &= self._all_play_alls
        return rows | played[games.tournament] if played.any() else rows

    def _rating(self, day: int, rating: Column, players: Column) -> Column:
        """Returns the ratings of some players in force from a day on."""
        made = rating[players]
        if day in self._in_force:
            others, ratings = self._in_force[day]
            there = np.isin(others, players)
            made[np.searchsorted(players, others[there])] = ratings[there]
        return made


def _alike(one: Standing, other: Standing) -> Mask:
    """Which of the same players stand the same in both, but for buckets."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in VECTORS]
    pairs += [
        (a.by_player(len(one.rating)), b.by_player(len(one.rating)))
        for a, b in zip(one.recent, other.recent, strict=True)
    ]
    alike = np.ones(len(one.rating), dtype=np.bool_)
    for a, b in pairs:
        alike &= a == b
    return alike


def _differing(was: Standing, players: Column, now: Standing, buckets: Buckets) -> Differing:
    """Returns who of some players stands otherwise than he did.

    Args:
        was: where everybody stood.
        players: who is asked for.
        now: where they stand, by their place among them.
        buckets: buckets by player, theirs among them.
    """
    theirs = buckets.of_those(players)
    differs = ~_alike(was.of(players), now)
    differs |= np.isin(players, was.buckets.of_those(players).unlike(theirs))
    chosen = np.flatnonzero(differs)
    return Differing(players[chosen], now.of(chosen), theirs.of_those(players[chosen]))


def _put_in(standing: Standing, differing: Differing, players: Column) -> Standing:
    """Returns where some players stand, by their place, with those put in who stand otherwise."""
    made = standing.of(players)
    places = np.searchsorted(players, differing.players)
    for name in VECTORS:
        getattr(made, name)[places] = getattr(differing.standing, name)
    recent = made.recent
    if len(differing):
        recent = tuple(
            played.with_those_of(places, theirs)
            for played, theirs in zip(recent, differing.standing.recent, strict=True)
        )
    others = standing.buckets.of_those(np.setdiff1d(players, differing.players))
    buckets = others.with_those_of(differing.buckets)
    results = buckets.results
    by_place = np.searchsorted(players, results.player)
    buckets = buckets.renumbered(by_place, results.opponents.opponent)
    return replace(made, recent=recent, buckets=buckets)


def _by_player(buckets: Buckets, players: Column, period: int) -> Buckets:
    """Returns buckets by place as buckets by player.

    The opponents of this period's results are places as well, those of earlier ones are not.
    """
    results = buckets.results
    opponent = results.opponents.opponent
    of_now = np.flatnonzero(np.repeat(buckets.periods == period, results.met_counts))
    opponent = opponent.copy()
    opponent[of_now] = players[opponent[of_now]]
    return buckets.renumbered(players[results.player], opponent)
