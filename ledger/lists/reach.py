"""Which published periods events can reach: list by list, from their dates, without a replay.

``Facts.last_effect_upto`` takes all events together. Here each list is asked what concerns it:
a tournament of its rate of play, in the period that rates it; a rating that was brought into it,
from its day on; another year of birth, always. What is reached may still come out the same: only a
replay finds that out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.calendar import Period, period_named, periods
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import PAIRING_TYPES, reader
from ledger.events.model import Dated
from ledger.facts.arrays import NEVER
from ledger.facts.as_of import AsOf, ListAsOf
from ledger.facts.columns import Facts
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
    """What events say that can move ratings; ``known`` is what was recorded before them."""

    def __init__(self, known: AsOf) -> None:
        self._known = known
        self._days: dict[str | None, int] = {}
        self._tournaments: dict[str, tuple[_Tournament, _Tournament]] = {}
        self._moved: set[str] = set()
        self._new_players: set[str] = set()

    def take(self, row: EventRow) -> None:
        """Takes the next event."""
        type_, version, day, stream, payload = row
        kind, _, id_ = stream.partition(":")
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

    def _tournament(self, type_: str, version: int, id_: str, payload: str) -> None:
        if type_ not in _STILL:
            self._moved.add(id_)
        if id_ not in self._tournaments:
            self._tournaments[id_] = self._before(id_), self._before(id_)
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

    def _before(self, id_: str) -> _Tournament:
        facts = self._known.facts
        index = facts.tournament_index.get(id_)
        if index is None:
            return _Tournament(None, {})
        rated_in = {
            ruling.list: ruling.period or ""
            for ruling in facts.rulings
            if ruling.tournament == index and ruling.list is not None
        }
        return _Tournament(self._known.tournament(index), rated_in)

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

    def _birth_year(self, id_: str) -> int | None:
        index = self._known.facts.player_index.get(id_)
        version = None if index is None else self._known.player(index)
        return None if version is None else version.birth_year

    def _list(self, type_: str, version: int, day: int, payload: str) -> None:
        match CATALOGUE.decode(type_, version, payload):
            case adm.RegulationAdopted(list=list_) | adm.CalendarSet(list=list_):
                self._put(list_, day)
            case adm.ListAdjusted(list=list_, period=name):
                its = self._known.facts.lists.get(list_)
                segments = self._known.list(list_).segments if its else ()
                period = period_named(segments, name) if segments else None
                self._put(list_, period.starts_on.toordinal() if period else _ALWAYS)
            case adm.ListDefined() | adm.PublicationEvent() | adm.TwoPersonsSet():
                pass
            case _:
                self._put(None, _ALWAYS)  # what is not known to move nothing


def reaches(known: AsOf, rows: Iterable[EventRow], name: str, period: Period) -> bool:
    """Return whether events can reach a period of a list; ``known`` is what was before them."""
    movers = _Movers(known)
    for row in rows:
        movers.take(row)
    return _first_days(known, movers)[name] < period.in_force_on.toordinal()


def _first_days(known: AsOf, movers: _Movers) -> dict[str, int]:
    """Return the first day (ordinal) on which events can move each list that there is."""
    lists = {name: known.list(name) for name in known.facts.lists}
    days = {name: movers.first_day(name, its) for name, its in lists.items()}
    return _with_entrants(lists, days)


def reached(facts: Facts, events: Sequence[Dated]) -> list[Reached]:
    """Returns the lists of which events can reach published periods, by name.

    Args:
        facts: what is recorded before the events.
        events: in the order in which they are to be recorded.
    """
    published = {name: its for name, its in facts.lists.items() if its.publications}
    if not published:
        return []
    known = AsOf(facts, facts.seq)
    said = _Movers(known)
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
