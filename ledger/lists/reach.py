"""Which published periods events can reach: list by list, from their dates, without a replay.

``Facts.last_effect_upto`` takes all events together. Here each list is asked what concerns it:
a tournament of its rate of play, in the period that rates it; a rating that was brought into it,
from its day on; another year of birth, always. What takes an event back reaches what the event
did. What is reached may still come out the same: only a replay finds that out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ledger.calendar import Period, period_named, periods
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, UNDOING, FactUndone
from ledger.events.fast import PAIRING_TYPES, reader
from ledger.events.model import Dated
from ledger.facts.arrays import NEVER
from ledger.facts.as_of import AsOf, ListAsOf
from ledger.facts.columns import Facts
from ledger.facts.tables import EVERY_LIST
from ledger.identifiers import Seq
from ledger.journal.batch import EventRow, pages_of
from ledger.regulations.registry import adopted

_ALWAYS: Final = dt.date.min.toordinal()
_STILL: Final = {
    model.TYPE
    for model in CATALOGUE.models()
    if issubclass(
        model,
        to.AnnouncementEvent
        | to.TournamentOpened
        | to.PlayerEntered
        | to.TournamentClosed
        | to.StandingsEvent,
    )
}
"""What is said of a tournament and moves no rating; anything else can."""
_assigned = reader(pl.KAssigned)
_seeded = reader(pl.RatingSeeded)


@dataclass(frozen=True, slots=True)
class Reached:
    """A list of which published periods can be reached; ``period`` is the first one."""

    list: str
    period: str


@dataclass(slots=True)
class _Tournament:
    """A tournament before some events or after them: None before it was opened.

    ``rated_in`` are the periods in which lists were told to rate it.
    """

    version: to.TournamentVersion | None
    rated_in: dict[str, str]


class _Movers:
    """What events say that can move ratings.

    ``known`` is what was recorded before them, ``after`` the same without what they take back.
    """

    def __init__(self, known: AsOf, after: AsOf | None = None) -> None:
        self._known = known
        self._after = after or known
        self._days: dict[str | None, int] = {}
        self._tournaments: dict[str, tuple[_Tournament, _Tournament]] = {}
        self._moved: set[str] = set()
        self._new_players: set[str] = set()

    def take(self, row: EventRow) -> None:
        """Takes the next event."""
        type_, version, day, stream, payload = row
        kind, _, id_ = stream.partition(":")
        if type_ in UNDOING:
            self._take_undone(_fact_undone(row), id_, _ordinal(day))
            return
        match kind:
            case "tournament":
                self._tournament(type_, version, id_, payload)
            case "player":
                self._player(type_, version, id_, _ordinal(day), payload)
            case "list":
                self._list(type_, version, _ordinal(day), payload)
            case _:
                pass  # ladders and accounts move no ratings

    def first_day(self, name: str, its: ListAsOf) -> int:
        """Returns the first day (ordinal) on which the events can move the ratings of a list."""
        days = [self._days.get(None, NEVER), self._days.get(name, NEVER)]
        for id_ in self._moved:
            for state in self._tournaments[id_]:
                period = _rating_period(name, its, state)
                if period is not None:
                    days.append(period.starts_on.toordinal())
        return min(days)

    def _put(self, list_: str | None, day: int) -> None:
        self._days[list_] = min(day, self._days.get(list_, NEVER))

    def _put_list(self, list_: str, day: int, *names: str) -> None:
        """Puts the first day of the periods with some names; the day, where there is none."""
        segments = self._known.list(list_).segments if list_ in self._known.facts.lists else ()
        periods = [period_named(segments, name) for name in names] if segments else []
        days = [period.starts_on.toordinal() for period in periods if period is not None]
        self._put(list_, min(days, default=day))

    def _take_undone(self, undone: FactUndone, id_: str, day: int) -> None:
        """Takes what is taken back in the end, or brought back: an event of before."""
        seq, type_ = _origin(self._known.facts, undone)
        match undone:
            case to.TournamentFactUndone():
                self._tournament_without(type_, id_)
            case adm.ListFactUndone(list=list_):
                adjustments = self._known.facts.lists[list_].adjustments
                periods = [event.period for at, event in adjustments if at == seq]
                self._put_list(list_, _ALWAYS if periods else day, *periods)
            case pl.PlayerFactUndone():
                self._player_without(seq, type_, id_, day)

    def _tournament_without(self, type_: str, id_: str) -> None:
        index = self._known.facts.tournament_index.get(id_)
        if index is None:
            return  # it is only announced
        if id_ not in self._tournaments:
            self._tournaments[id_] = _state(self._known, id_), _state(self._known, id_)
        before, _ = self._tournaments[id_]
        self._tournaments[id_] = before, _state(self._after, id_)
        is_of_all = type_ == to.TournamentOpened.TYPE
        games = self._known if self._known.is_open[index] else self._after
        if games.with_games[index] if is_of_all else type_ not in _STILL:
            self._moved.add(id_)

    def _player_without(self, seq: Seq, type_: str, id_: str, day: int) -> None:
        facts = self._known.facts
        match type_:
            case pl.PlayerRegistered.TYPE:
                self._new_players.add(id_)  # nobody plays, or has played, who is registered anew
            case pl.KAssigned.TYPE:
                list_ = int(facts.ks.list[np.searchsorted(facts.ks.seq, seq)])
                player = facts.player_index[id_]
                is_listed = self._known.is_registered[player] and self._after.is_registered[player]
                self._put(None if list_ == EVERY_LIST else facts.names[list_], day - is_listed)
            case pl.RatingSeeded.TYPE:
                self._put(facts.names[facts.seeds.list[np.searchsorted(facts.seeds.seq, seq)]], day)
            case pl.RatingAdjusted.TYPE:
                steps = facts.recorded(pl.RatingAdjusted)
                self._put(next(step.event.list for step in steps if step.seq == seq), day)
            case pl.PlayerIdentityCorrected.TYPE:
                if self._birth_year(id_) != self._birth_year(id_, self._after):
                    self._put(None, _ALWAYS)
            case pl.PlayerAffiliated.TYPE | pl.TitleAwarded.TYPE:
                pass
            case _:
                self._put(None, _ALWAYS)

    def _tournament(self, type_: str, version: int, id_: str, payload: str) -> None:
        if type_ not in _STILL:
            self._moved.add(id_)
        if id_ not in self._tournaments:
            self._tournaments[id_] = _state(self._known, id_), _state(self._known, id_)
        if type_ in PAIRING_TYPES:
            return
        _, after = self._tournaments[id_]
        match CATALOGUE.decode(type_, version, payload):
            case to.TournamentVersion() as said:
                after.version = said
            case to.TournamentAccepted(list=str(list_), period=str(period)):
                after.rated_in[list_] = period
            case _:
                pass

    def _player(self, type_: str, version: int, id_: str, day: int, payload: str) -> None:
        match type_:
            case pl.PlayerRegistered.TYPE:
                self._new_players.add(id_)
            case pl.KAssigned.TYPE:
                # A list shows the K of its first day, which is the one after its period.
                is_listed = id_ not in self._new_players
                self._put(_assigned(payload).list, day - is_listed)
            case pl.RatingSeeded.TYPE:
                self._put(_seeded(payload).list, day)
            case _:
                self._said_later(type_, version, id_, day, payload)

    def _said_later(self, type_: str, version: int, id_: str, day: int, payload: str) -> None:
        """Takes what is said of a player who is known."""
        match CATALOGUE.decode(type_, version, payload):
            case pl.RatingAdjusted(list=list_):
                self._put(list_, day)
            case pl.PlayerIdentityCorrected(birth_year=year) if id_ not in self._new_players:
                if year != self._birth_year(id_):
                    self._put(None, _ALWAYS)  # K goes by age
            case pl.PlayerDescribed() if id_ not in self._new_players:
                self._put(None, _ALWAYS)  # a rule may ask for it in any period
            case (
                pl.PlayerVersion()
                | pl.PlayerDescribed()
                | pl.PlayerAffiliated()
                | pl.TitleAwarded()
                | pl.PlayerErased()
            ):
                pass
            case _:
                self._put(None, _ALWAYS)  # a merge, and what is not known to move nothing

    def _birth_year(self, id_: str, known: AsOf | None = None) -> int | None:
        known = known or self._known
        index = known.facts.player_index.get(id_)
        version = None if index is None else known.player(index)
        return None if version is None else version.birth_year

    def _list(self, type_: str, version: int, day: int, payload: str) -> None:
        match CATALOGUE.decode(type_, version, payload):
            case adm.RegulationAdopted(list=list_) | adm.CalendarSet(list=list_):
                self._put(list_, day)
            case adm.ListAdjusted(list=list_, period=name):
                self._put_list(list_, _ALWAYS, name)
            case adm.ListDefined() | adm.PublicationEvent() | adm.TwoPersonsSet():
                pass
            case _:
                self._put(None, _ALWAYS)  # what is not known to move nothing


def reaches(known: AsOf, rows: Iterable[EventRow], name: str, period: Period) -> bool:
    """Return whether events can reach a period of a list.

    ``known`` is what was before them; they are all that was recorded next.
    """
    rows = [*rows]
    movers = _Movers(known, AsOf(known.facts, Seq(known.seq + len(rows))))
    for row in rows:
        movers.take(row)
    return _first_days(known, movers)[name] < period.in_force_on.toordinal()


def _first_days(known: AsOf, movers: _Movers) -> dict[str, int]:
    """Return the first day (ordinal) on which events can move each list that there is."""
    lists = {name: known.list(name) for name in known.facts.lists}
    days = {name: movers.first_day(name, its) for name, its in lists.items()}
    return _with_entrants(lists, days)


def _state(known: AsOf, id_: str) -> _Tournament:
    """Returns a tournament as something is known."""
    index = known.facts.tournament_index.get(id_)
    if index is None:
        return _Tournament(None, {})
    rated_in = {
        ruling.list: ruling.period or ""
        for ruling in known.facts.rulings
        if ruling.tournament == index and ruling.list is not None and known.holds(ruling.seq)
    }
    return _Tournament(known.tournament(index), rated_in)


def _fact_undone(row: EventRow) -> FactUndone:
    type_, version, _, _, payload = row
    event = CATALOGUE.decode(type_, version, payload)
    assert isinstance(event, FactUndone), "it is of a type that takes back"
    return event


def _origin(facts: Facts, undone: FactUndone) -> tuple[Seq, str]:
    """Returns seq and type of the event that no longer holds, or holds again, by taking back."""
    seq, type_ = undone.undoes, undone.what
    while type_ in UNDOING:
        seq, type_ = next((each.undoes, each.what) for each in facts.undone if each.seq == seq)
    return seq, type_


def reached(facts: Facts, events: Sequence[Dated], before: Seq | None = None) -> list[Reached]:
    """Returns the lists of which events can reach published periods, by name.

    Args:
        facts: what is recorded before the events, or with them.
        events: in the order in which they are to be recorded.
        before: the last seq before the events (None: that of the facts).
    """
    published = {name: its for name, its in facts.lists.items() if its.publications}
    if not published:
        return []
    known = AsOf(facts, facts.seq if before is None else before)
    if before is None:
        rows = (row for page in pages_of(events) for row in page if row[0] in UNDOING)
        facts = facts.without((undone.undoes, undone.what) for undone in map(_fact_undone, rows))
    said = _Movers(known, AsOf(facts, facts.seq if before is None else Seq(before + len(events))))
    for page in pages_of(events):
        for row in page:
            said.take(row)
    days = _first_days(known, said)
    found = {name: _first_reached(facts, name, known.list(name), days[name]) for name in published}
    return [Reached(name, period) for name, period in sorted(found.items()) if period is not None]


def _first_reached(facts: Facts, name: str, its: ListAsOf, day: int) -> str | None:
    """Returns the first published period of a list whose list is in force after a day (ordinal)."""
    named = {event.period for _, event in facts.lists[name].publications}
    found = [period for each in named if (period := period_named(its.segments, each))]
    behind = [period for period in found if period.in_force_on.toordinal() > day]
    return min(behind, key=lambda period: period.index).name if behind else None


def _with_entrants(lists: dict[str, ListAsOf], days: dict[str, int]) -> dict[str, int]:
    """Returns the first days, where what moves a list moves those that take ratings from it."""
    sources = {name: set(_sources(its)) for name, its in lists.items()}
    for _ in lists:
        days = {
            name: min([day, *(days[source] for source in sources[name] if source in days)])
            for name, day in days.items()
        }
    return days


def _sources(its: ListAsOf) -> Iterator[str]:
    """Yields the lists from which a list takes, or took, ratings of those who enter it."""
    for adoption in its.adoptions:
        other = adopted(adoption.event.regulation, adoption.event.parameters).enters_from
        if other is not None:
            yield other


def _rating_period(name: str, its: ListAsOf, state: _Tournament) -> Period | None:
    """Returns the period in which a list rates a tournament; None: it does not."""
    version = state.version
    wanted = its.defined.rate_of_play
    if version is None or wanted not in (None, version.rate_of_play):
        return None
    told = period_named(its.segments, state.rated_in.get(name, ""))
    own = periods(its.segments, version.ends_on)
    found = [period for period in (own[-1] if own else None, told) if period is not None]
    return max(found, key=lambda period: period.index, default=None)


def _ordinal(day: str) -> int:
    return dt.date.fromisoformat(day).toordinal()
