"""The calendar: tournaments as they were announced, and how far each has come.

Announcements and tournaments are columns: only those of the days that are asked for are looked at.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Final

import numpy as np

from ledger.calendar import Period, periods
from ledger.events.tournaments import (
    ReportDetails,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentVersion,
)
from ledger.facts.as_of import AsOf
from ledger.facts.blocks import ending_of
from ledger.facts.columns import Acceptance, Column, Ending, Mask
from ledger.facts.tables import RATES, id_key
from ledger.identifiers import TournamentId, TournamentIndex
from ledger.json_form import JsonForm, Key
from ledger.spelling import folded
from ledger.terms import CalendarState, Rate, System
from ledger.wording import Message

REPORT_DAYS: Final = 7
"""Days after its end within which the report of a tournament is to be complete."""
DUE: Final = frozenset({CalendarState.PLAYED, CalendarState.LATE})
"""The states in which a report is waited for."""
_AS_ANNOUNCED: Final = ("announced_by", "chief_arbiter", "region", "time_control")
_LAST_DAY: Final = dt.date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class CalendarRow(JsonForm):
    """A tournament of the calendar.

    Once it is ``opened`` what is recorded then holds; region, arbiter, time control and who
    announced it are as announced, or as last corrected. ``players`` are entered. As long as its
    report is waited for, ``due_days`` are days since its end, and ``complete`` is whether all its
    rounds have results; then it is not late. ``rated_in`` names the lists and periods that rated
    it.
    """

    starts_on: Annotated[dt.date, Key("start")]
    ends_on: Annotated[dt.date, Key("end")]
    tournament: TournamentId
    name: str
    state: CalendarState
    due_days: int | None
    complete: bool | None
    rated_in: tuple[str, ...]
    place: str | None
    region: str | None
    federation: str | None
    rate_of_play: Rate
    time_control: str | None
    system: System
    rounds: int | None
    chief_arbiter: str | None
    announced_by: str | None
    announced: bool
    opened: bool
    players: int

    def reported(self, *, complete: bool, whole: bool) -> CalendarRow:
        """Return a row whose report is due by what is recorded of it.

        A report that came ``whole`` and is ``complete`` waits for nobody, though it is never
        closed; one that is complete is not late.
        """
        if whole and complete:
            return replace(self, state=CalendarState.REPORTED, due_days=None, complete=None)
        is_late = (self.due_days or 0) > REPORT_DAYS and not complete
        state = CalendarState.LATE if is_late else CalendarState.PLAYED
        return replace(self, state=state, complete=complete)

    @property
    def _periods(self) -> str:
        """The lists and periods that rated it, as people read them."""
        return ", ".join(self.rated_in).replace(":", " ")

    @property
    def stage(self) -> Message:
        """How far it has come, in words."""
        match self.state:
            case CalendarState.ANNOUNCED:
                return Message.of("calendar.announced")
            case CalendarState.REGISTRATION:
                return Message.of("calendar.registration", count=self.players)
            case CalendarState.PLAYING:
                return Message.of("calendar.playing")
            case CalendarState.PLAYED if self.complete:
                return Message.of("calendar.complete", count=self.due_days)
            case CalendarState.PLAYED:
                return Message.of("calendar.played", count=self.due_days)
            case CalendarState.LATE:
                return Message.of("calendar.late", count=self.due_days)
            case CalendarState.REPORTED:
                return Message.of("calendar.reported")
            case CalendarState.RATED:
                return Message.of("calendar.rated", periods=self._periods)
            case CalendarState.REJECTED:
                return Message.of("calendar.rejected")
            case CalendarState.CANCELLED:
                return Message.of("calendar.cancelled")


@dataclass(frozen=True, slots=True)
class TournamentCalendar(JsonForm):
    """The tournaments of some days, as they stand on a day; by their first day."""

    since: Annotated[dt.date, Key("from")]
    until: Annotated[dt.date, Key("to")]
    on: dt.date
    tournaments: tuple[CalendarRow, ...]

    def months(self) -> Iterator[tuple[dt.date, Sequence[CalendarRow]]]:
        """Yields the first day of each month with the tournaments that begin in it.

        Those that began before are of the first month.
        """
        month = self.since.replace(day=1)
        while month <= self.until:
            after = month_after(month)
            begun = dt.date.min if month <= self.since else month
            yield month, [row for row in self.tournaments if begun <= row.starts_on < after]
            month = after


def month_after(day: dt.date, months: int = 1) -> dt.date:
    """Returns the first day of the month that comes so many months after a day's.

    >>> month_after(dt.date(2026, 11, 27), 3), month_after(dt.date(2026, 11, 27), -12)
    (datetime.date(2027, 2, 1), datetime.date(2025, 11, 1))
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return dt.date(year, month + 1, 1)


@dataclass(frozen=True, slots=True)
class CalendarAsked:
    """Which tournaments are asked for: of days, in a state, of a federation, in a region.

    Of a region words are enough; None asks for none in particular.
    """

    since: dt.date
    until: dt.date
    state: CalendarState | None = None
    federation: str | None = None
    region: str | None = None

    def fits(self, row: CalendarRow) -> bool:
        """Whether a tournament of the days is asked for."""
        if self.state not in (None, row.state):
            return False
        if self.federation and (row.federation or "") != self.federation.upper():
            return False
        words = folded(self.region or "").split()
        return set(words) <= set(folded(row.region or "").split())


@dataclass(frozen=True, slots=True)
class _Announced:
    """What was last announced of a tournament."""

    event: TournamentAnnounced
    is_cancelled: bool


class _Calendar:
    """The calendar as known at a seq, on a day."""

    def __init__(self, known: AsOf, today: dt.date) -> None:
        self._known = known
        self._facts = known.facts
        self._today = today
        self._lists = [_PublishedList.of(known, name) for name in sorted(known.facts.lists)]

    def rows(self, since: dt.date, until: dt.date) -> Iterator[CalendarRow]:
        """Yields the tournaments of some days, in no order."""
        about, ids = self._known.tournaments, self._facts.tournament_ids
        chosen = _touching(about.starts_on, about.ends_on, since, until) & self._known.is_open
        places = map(TournamentIndex, np.flatnonzero(chosen).tolist())
        opened = {ids[place]: place for place in places}
        table = self._facts.announcements
        of_days = _touching(table.starts_on, table.ends_on, since, until)
        of_days &= self._known.holding(table.seq)
        announced = self._announced({*opened, *(each.tournament for each in self._events(of_days))})
        for id_, place in opened.items():
            yield self._opened(place, announced.get(id_))
        for id_, last in announced.items():
            index = self._facts.tournament_index.get(id_)
            is_open = index is not None and bool(self._known.is_open[index])
            if not is_open and since <= last.event.ends_on and last.event.starts_on <= until:
                yield self._unopened(last)

    def _events(self, chosen: Mask) -> list[TournamentAnnounced]:
        """Returns the announcements of some rows."""
        recorded = self._facts.recorded(TournamentAnnounced)
        return [recorded[place].event for place in np.flatnonzero(chosen).tolist()]

    def _announced(self, ids: set[TournamentId]) -> dict[TournamentId, _Announced]:
        """Returns what was last announced of some tournaments."""
        table = self._facts.announcements
        keys = np.array([id_key(id_) for id_ in ids], dtype=np.int64)
        chosen = np.isin(table.key, keys) & self._known.holding(table.seq)
        seqs = table.seq[chosen].tolist()
        return {
            event.tournament: _Announced(event, seq in self._cancelled)
            for seq, event in zip(seqs, self._events(chosen), strict=True)
            if event.tournament in ids
        }

    @cached_property
    def _cancelled(self) -> frozenset[int]:
        """The seqs of the announcements that are cancelled."""
        recorded = self._facts.recorded(TournamentCancelled)
        return frozenset(
            each.event.announcement for each in recorded if self._known.holds(each.seq)
        )

    @cached_property
    def _ordered(self) -> Mapping[int, Mapping[str, str]]:
        """By tournament and list, the period in which it was ordered to be rated."""
        ordered: dict[int, dict[str, str]] = {}
        for ruling in self._facts.rulings:
            if ruling.list and ruling.period and self._known.holds(ruling.seq):
                ordered.setdefault(ruling.tournament, {})[ruling.list] = ruling.period
        return ordered

    @cached_property
    def _first_results(self) -> Column:
        """The seq of what was recorded first of each tournament's rounds; 0: nothing was."""
        directory, places = self._facts.directory, self._known.places
        last = np.iinfo(np.int64).max
        first = np.full(len(self._facts.tournaments), last, dtype=np.int64)
        np.minimum.at(first, directory.tournament[places], directory.seq[places])
        return np.where(first == last, 0, first)

    def _opened(self, place: TournamentIndex, last: _Announced | None) -> CalendarRow:
        version = self._known.tournament(place)
        assert version is not None, "it is open"
        rated_in = self._rated_in(place)
        state, complete = self._state(place, version, rated_in)
        event = None if last is None else last.event
        reported = version.report or ReportDetails()
        announced = {name: getattr(event, name, None) for name in _AS_ANNOUNCED}
        return CalendarRow(
            starts_on=version.starts_on,
            ends_on=version.ends_on,
            tournament=version.tournament,
            name=version.name,
            state=state,
            due_days=self._due_days(state, version.ends_on),
            complete=complete,
            rated_in=rated_in,
            place=version.place,
            region=announced["region"],
            federation=version.federation,
            rate_of_play=version.rate_of_play,
            time_control=reported.time_control or announced["time_control"],
            system=version.system,
            rounds=version.rounds,
            chief_arbiter=reported.chief_arbiter or announced["chief_arbiter"],
            announced_by=announced["announced_by"],
            announced=last is not None and not last.is_cancelled,
            opened=True,
            players=int(self._facts.entry_counts[place]),
        )

    def _unopened(self, last: _Announced) -> CalendarRow:
        event = last.event
        state = CalendarState.CANCELLED
        if not last.is_cancelled:
            before = CalendarState.ANNOUNCED
            state = self._by_day(event.starts_on, event.ends_on, before, complete=False)
        return CalendarRow(
            starts_on=event.starts_on,
            ends_on=event.ends_on,
            tournament=event.tournament,
            name=event.name,
            state=state,
            due_days=self._due_days(state, event.ends_on),
            complete=False if state in DUE else None,
            rated_in=(),
            place=event.place,
            region=event.region,
            federation=event.federation,
            rate_of_play=event.rate_of_play,
            time_control=event.time_control,
            system=event.system,
            rounds=event.rounds,
            chief_arbiter=event.chief_arbiter,
            announced_by=event.announced_by,
            announced=not last.is_cancelled,
            opened=False,
            players=0,
        )

    def _state(
        self, place: TournamentIndex, version: TournamentVersion, rated_in: Sequence[str]
    ) -> tuple[CalendarState, bool | None]:
        """Returns how far a tournament has come; and where its report is due, what it lacks."""
        match Acceptance(int(self._known.tournaments.acceptance[place])):
            case Acceptance.ANNULLED:
                return CalendarState.CANCELLED, None
            case Acceptance.REJECTED:
                return CalendarState.REJECTED, None
            case Acceptance.ACCEPTED:
                pass
        if rated_in:
            return CalendarState.RATED, None
        if self._facts.is_closed[place]:
            return CalendarState.REPORTED, None
        before = CalendarState.ANNOUNCED
        if self._first_results[place]:
            before = CalendarState.PLAYING
        elif self._facts.entry_counts[place]:
            before = CalendarState.REGISTRATION
        complete = version.ends_on < self._today and self._is_complete(place, version.rounds)
        state = self._by_day(version.starts_on, version.ends_on, before, complete=complete)
        return state, complete if state in DUE else None

    def _is_complete(self, place: TournamentIndex, rounds: int | None) -> bool:
        """Whether all rounds of a tournament have results; without a number, whether one has."""
        if not self._first_results[place]:
            return False
        games = self._known.games_of_tournament(place)
        endings = ending_of(games.code)
        if np.isin(endings, (Ending.ADJOURNED, Ending.TEMPORARY)).any():
            return False
        last = games.round[endings != Ending.ANNULLED].max(initial=0)
        return bool(last >= (rounds or 1))

    def _by_day(
        self, start: dt.date, end: dt.date, before: CalendarState, *, complete: bool
    ) -> CalendarState:
        """Returns the state by today, where nothing else tells; ``before`` until it begins."""
        if self._today < start:
            return before
        if self._today <= end:
            return CalendarState.PLAYING
        is_late = (self._today - end).days > REPORT_DAYS and not complete
        return CalendarState.LATE if is_late else CalendarState.PLAYED

    def _due_days(self, state: CalendarState, end: dt.date) -> int | None:
        return (self._today - end).days if state in DUE else None

    def _rated_in(self, place: TournamentIndex) -> tuple[str, ...]:
        """Returns the lists that rated a tournament, each with the period, as ``LIST:PERIOD``."""
        about, since = self._known.tournaments, int(self._first_results[place])
        if not since or about.acceptance[place] != Acceptance.ACCEPTED:
            return ()
        rate, ends_on = RATES[int(about.rate[place])], int(about.ends_on[place])
        ordered = self._ordered.get(place, {})
        found = ((each, each.rating(rate, ends_on, ordered, since)) for each in self._lists)
        return tuple(f"{each.name}:{period}" for each, period in found if period is not None)


@dataclass(frozen=True, slots=True)
class _PublishedList:
    """A list with its periods, and what went out: the index of the period and the basis of each."""

    name: str
    rate: Rate | None
    periods: Sequence[Period]
    places: Mapping[str, int]
    editions: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, known: AsOf, name: str) -> _PublishedList:
        """Returns a list as known at a seq."""
        list_ = known.list(name)
        found = periods(list_.segments, _LAST_DAY)
        places = {period.name: period.index for period in found}
        editions = [
            (places[event.period], event.basis_seq)
            for seq, event in known.facts.lists[name].publications
            if known.holds(seq) and event.period in places
        ]
        return cls(name, list_.defined.rate_of_play, found, places, editions)

    def rating(
        self, rate: Rate, ends_on: int, ordered: Mapping[str, str], since: int
    ) -> str | None:
        """Returns the period in which a tournament was rated; None: no list that knew it is out.

        Args:
            rate: of play, of the tournament.
            ends_on: its last day (ordinal).
            ordered: the periods in which lists were told to rate it.
            since: the seq of its first result.
        """
        if self.rate not in (None, rate):
            return None
        day = dt.date.fromordinal(ends_on)
        own = bisect_right(self.periods, day, key=attrgetter("rates_from_on")) - 1
        at = max(own, self.places.get(ordered.get(self.name, ""), -1))
        is_out = any(index >= at and basis >= since for index, basis in self.editions)
        return self.periods[at].name if at >= 0 and is_out else None


def _touching(starts_on: Column, ends_on: Column, since: dt.date, until: dt.date) -> Mask:
    """Returns what went on between two days."""
    touching: Mask = (ends_on >= since.toordinal()) & (starts_on <= until.toordinal())
    return touching


def calendar_rows(known: AsOf, today: dt.date, since: dt.date, until: dt.date) -> list[CalendarRow]:
    """Return the tournaments of some days by columns alone, as they stand today.

    Of what was paired here ``complete`` is not known by them: see ``CalendarRow.reported``.
    """
    order = attrgetter("starts_on", "ends_on", "name", "tournament")
    return sorted(_Calendar(known, today).rows(since, until), key=order)
