"""What a change would move, cascades included: who, in which list and period, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ledger.calendar import Period
from ledger.facts.arrays import NOBODY
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.identifiers import PlayerId, PlayerIndex
from ledger.json_form import JsonForm, derived
from ledger.lists.people import People
from ledger.rating.postings import Games, Reason
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class RatingShift(JsonForm):
    """One player's rating in one list and period, before and after the change (0: none)."""

    list: str
    period: str
    published: bool
    id: PlayerId
    name: str
    before: int
    after: int

    @property
    @derived
    def points(self) -> int:
        """After minus before."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Moved:
    """Who is moved in one period of a list: ratings old and new, by player, in points (0: none).

    ``players`` have a place in the columns of names and ids of ``RatingShifts``. ``through`` is, by
    player, an opponent of the period whose rating was moved before it, of several the one moved
    most; ``NOBODY`` where there is none.
    """

    list: str
    period: str
    published: bool
    players: Column
    before: Column
    after: Column
    through: Column


class RatingShifts:
    """Shifts by list, period and player, in columns: each is made when somebody looks at it."""

    def __init__(self, moved: Sequence[Moved], people: People) -> None:
        self._moved = moved
        self._players = np.unique(np.concatenate([_NOBODY, *(each.players for each in moved)]))
        self._ids, self._names = people.ids(self._players), people.names(self._players)

    def __len__(self) -> int:
        """How many there are."""
        return sum(len(moved.players) for moved in self._moved)

    @property
    def moved(self) -> Sequence[Moved]:
        """The same in columns, list by list and period by period."""
        return self._moved

    @property
    def players(self) -> int:
        """How many players are moved, each counted once."""
        return len(self._players)

    def person(self, player: PlayerIndex) -> tuple[PlayerId, str]:
        """Returns the id and the name of one who is moved, by index."""
        place = int(np.searchsorted(self._players, player))
        return self._ids[place], self._names[place]

    def __iter__(self) -> Iterator[RatingShift]:
        """Yields them."""
        for moved in self._moved:
            places = np.searchsorted(self._players, moved.players)
            columns = (column.tolist() for column in (places, moved.before, moved.after))
            for place, before, after in zip(*columns, strict=True):
                yield RatingShift(
                    list=moved.list,
                    period=moved.period,
                    published=moved.published,
                    id=self._ids[place],
                    name=self._names[place],
                    before=before,
                    after=after,
                )


_NOBODY = np.zeros(0, dtype=np.int64)
_NO_PERIOD = (None, _NOBODY, None)


def impact(before: Facts, after: Facts, people: People) -> RatingShifts:
    """Returns what differs between two states of the facts, list by list and period by period.

    Both are the same journal's facts; names are as known with the change.
    """
    return impact_between(AsOf(before, before.seq), AsOf(after, after.seq), people)


def impact_between(before: AsOf, after: AsOf, people: People) -> RatingShifts:
    """Returns the same of two states of knowledge; the later one's facts hold all that is between.

    A list that is defined between them is left out: it moves nobody.
    """
    day = after.facts.first_effect_between(before.seq, after.seq)
    moved: list[Moved] = []
    lists = before.facts.lists
    for name in sorted(lists.keys() & after.facts.lists.keys()):
        if lists[name].adoptions[0].seq <= before.seq:
            was, now = Timeline(before, name), Timeline(after, name)
            moved += _of_list(was, now, day)
    return RatingShifts(moved, people)


def _of_list(was: Timeline, now: Timeline, day: int) -> Iterator[Moved]:
    """Yields what differs in a list, in the periods that close on a day (ordinal) or later.

    Both replays begin at the last snapshot before these periods and go on side by side: of each no
    more is kept than its current period.
    """
    last_day = max(timeline.last_touched_period.closes_on for timeline in (was, now))
    reached = [p for p in now.periods(last_day) if p.closes_on.toordinal() >= day]
    if not reached:
        return
    first, until = reached[0], reached[-1]
    published = {
        event.period
        for seq, event in now.known.facts.lists[now.name].publications
        if seq <= now.known.seq
    }
    with_change = _closings(now, first, until)
    moved_before = _NOBODY
    for period, old, new, games in _side_by_side(_closings(was, first, until), with_change):
        moved = np.abs(new - old)
        players = np.flatnonzero(moved)
        if len(players):
            yield Moved(
                list=now.name,
                period=period.name,
                published=period.name in published,
                players=players,
                before=old[players],
                after=new[players],
                through=_through(games, players, moved_before),
            )
        moved_before = moved


def _through(games: Games, players: Column, moved_before: Column) -> Column:
    """Returns, for some players, who moved them: an opponent who was moved before, or ``NOBODY``.

    ``moved_before`` is by how much everybody is before the period; who came later is not in it.
    """
    found = np.full(len(players), NOBODY, dtype=np.int64)
    if not moved_before.any():
        return found
    rated = (games.reason == Reason.NONE) & (games.black != NOBODY)
    ways = [(games.white[rated], games.black[rated]), (games.black[rated], games.white[rated])]
    own, opponent = (np.concatenate(column) for column in zip(*ways, strict=True))
    size = np.zeros(max(len(moved_before), int(opponent.max(initial=0)) + 1), dtype=np.int64)
    size[: len(moved_before)] = moved_before
    places = np.searchsorted(players, own)
    places[places == len(players)] = 0
    reached = np.flatnonzero((players[places] == own) & (size[opponent] > 0))
    in_turn = reached[np.argsort(size[opponent[reached]], kind="stable")]
    found[places[in_turn]] = opponent[in_turn]  # where somebody is twice, the last holds
    return found


def _closings(
    timeline: Timeline, first: Period, until: Period
) -> Iterator[tuple[Period, Column, Games]]:
    """Yields periods from the first one on, each with the ratings after it, and its games."""
    for outcome in replay(timeline, until, since=first):
        if outcome.period.starts_on >= first.starts_on:
            closing = outcome.period, outcome.closing.rating, outcome.games
            del outcome  # of two replays side by side only what is compared stays
            yield closing


def _side_by_side(
    before: Iterator[tuple[Period, Column, Games]], after: Iterator[tuple[Period, Column, Games]]
) -> Iterator[tuple[Period, Column, Column, Games]]:
    """Yields the periods after a change with everybody's rating, old and new, and the games.

    Players and periods that are new had no rating.
    """
    was, old, _ = next(before, _NO_PERIOD)
    for period, new, games in after:
        while was is not None and was.starts_on < period.starts_on:
            was, old, _ = next(before, _NO_PERIOD)
        known = np.zeros_like(new)
        if was is not None and was.name == period.name:
            known[: len(old)] = old
        yield period, known, new, games
