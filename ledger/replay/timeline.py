"""One list over what is known at a basis: its periods, their games and rules, assigned Ks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ledger.calendar import Period, first_from, period_at, period_named, periods
from ledger.events.lists import RegulationAdopted
from ledger.events.players import RatingAdjusted
from ledger.facts.as_of import AsOf, ListAsOf
from ledger.facts.columns import Column, Facts, Mask
from ledger.facts.tables import RATES, AssignedKs, RecordedEvent, Seeds
from ledger.identifiers import PlayerIndex, Seq, TournamentIndex
from ledger.rating.plain_games import PlainGames
from ledger.rating.player_state import NO_K, Particulars
from ledger.rating.postings import Games, Reason, Sides
from ledger.regulations.interface import Regulation
from ledger.regulations.registry import adopted
from ledger.replay.period_games import RowCache, games_of, plain_games_of, sides_of

_LATE = np.int8(Reason.LATE_REPORT)
_FAR = dt.date.max.toordinal()
_NO_PERIOD = -1
_NEVER = np.iinfo(np.int64).max


class Timeline:
    """One list over what is known at a basis; ``under`` another regulation, if one is given."""

    def __init__(self, known: AsOf, name: str, under: Regulation | None = None) -> None:
        self.known = known
        self.list: ListAsOf = known.list(name)
        self.name = name
        self.under = under
        self._regulations: dict[int, Regulation] = {}
        self._plain_games: dict[Regulation, PlainGames] = {}
        self._last_ks: tuple[int, Column] | None = None

    @classmethod
    def at_head(cls, facts: Facts, name: str, under: Regulation | None = None) -> Timeline:
        """Returns a list as it is known by now."""
        return cls(AsOf(facts, facts.seq), name, under)

    def at(self, basis: Seq) -> Timeline:
        """Returns the same list as it was known at another seq."""
        return Timeline(AsOf(self.known.facts, basis), self.name, self.under)

    def periods(self, until: dt.date) -> Sequence[Period]:
        """Returns the list's periods from the first to the one that rates ``until``."""
        return periods(self.list.segments, until)

    def period_at(self, index: int) -> Period:
        """Returns the list's period with so many others before it."""
        return period_at(self.list.segments, index)

    def first_from(self, day: dt.date) -> Period:
        """Returns the first period that starts on the day or later."""
        return first_from(self.list.segments, day)

    @cached_property
    def last_day(self) -> dt.date:
        """The day the last known tournament of the list ends (the list's first day if none)."""
        counted = self._counted
        ends_on = self.known.tournaments.ends_on[counted]
        ends = [dt.date.fromordinal(int(ends_on.max()))] if len(ends_on) else []
        ends += [period.closes_on for index, period in self._put_into.items() if counted[index]]
        return max(self.list.defined.first_on, *ends) if ends else self.list.defined.first_on

    @cached_property
    def last_period(self) -> Period:
        """The last period worth calculating: of the last games, or open after the last list."""
        last_day = self.last_day
        for seq, event in self.known.facts.lists[self.name].publications:
            if seq > self.known.seq:
                break
            published = period_named(self.list.segments, event.period)
            if published is not None:
                last_day = max(last_day, published.closes_on + dt.timedelta(days=1))
        return self.periods(last_day)[-1]

    @property
    def last_touched_period(self) -> Period:
        """The last period that anything recorded moves, ratings brought in later included."""
        known, name = self.known, self.name
        steps = known.facts.recorded(RatingAdjusted)
        days = [step.from_on for step in steps if step.event.list == name]
        days += map(dt.date.fromordinal, self.seeds.from_on[-1:].tolist())  # the last one of all
        for _, adjusted in known.facts.lists[name].adjustments:
            period = period_named(self.list.segments, adjusted.period)
            days += [period.starts_on] if period else []
        return self.periods(max([self.last_period.closes_on, *days]))[-1]

    @cached_property
    def _put_into(self) -> dict[int, Period]:
        """The periods in which tournaments are rated because somebody said so, by their index."""
        said = {
            ruling.tournament: ruling
            for ruling in self.known.facts.rulings
            if self.known.holds(ruling.seq) and ruling.list == self.name
        }
        named = {
            index: period_named(self.list.segments, ruling.period or "")
            for index, ruling in said.items()
        }
        # A calendar that was set since may not have the period any more.
        return {index: period for index, period in named.items() if period is not None}

    @cached_property
    def _counted(self) -> Mask:
        """Which tournaments have known games that are for the list."""
        tournaments = self.known.tournaments
        counted: Mask = tournaments.ends_on >= self.list.defined.first_on.toordinal()
        counted[[*self._put_into]] = True
        counted &= self.known.with_games
        wanted = self.list.defined.rate_of_play
        if wanted is not None:
            counted &= tournaments.rate == RATES.index(wanted)
        return counted

    @cached_property
    def _period_of(self) -> Column:
        """The index of the period that rates each tournament; ``_NO_PERIOD``: none does."""
        closings = [p.closes_on.toordinal() for p in self.periods(self.last_day)]
        period = np.searchsorted(np.array(closings, dtype=np.int64), self.known.tournaments.ends_on)
        for index, said in self._put_into.items():
            period[index] = max(int(period[index]), said.index)
        made: Column = np.where(self._counted, period, _NO_PERIOD).astype(np.int32)
        return made

    def rated_in(self, tournaments: Column) -> Column:
        """Returns the index of the period that rates each of some tournaments (negative: none)."""
        return self._period_of[tournaments]

    @cached_property
    def _rows(self) -> RowCache:
        places = self.known.places
        directory = self.known.facts.directory
        period = self._period_of[directory.tournament[places]]
        return RowCache(self.known.facts.blocks, directory.block[places], period)

    def games(self, period: Period) -> Games:
        """Returns all games that the period rates, excluded ones with the reason.

        Asked for in the order of the periods, no more is kept in memory than later ones need.
        """
        rows = self._rows
        places = self.known.places[rows.period == period.index]
        games = games_of(self.known, self.known.games(places, rows.fetch))
        rows.forget(period.index)
        if not self.late.any():
            return games
        excluded = self.late[games.tournament] & (games.reason == Reason.NONE)
        return games.with_(reason=np.where(excluded, _LATE, games.reason))

    def period_said(self, tournament: TournamentIndex) -> tuple[Seq, str] | None:
        """Returns the seq and the name of the period of the word that says where one is rated."""
        said = [
            (ruling.seq, ruling.period)
            for ruling in self.known.facts.rulings
            if self.known.holds(ruling.seq)
            and (ruling.list, ruling.tournament) == (self.name, tournament)
        ]
        return (said[-1][0], said[-1][1] or "") if said else None

    def sides(self, period: Period) -> Sides:
        """Returns the sides of all games that the period rates, excluded ones with the reason.

        Their ratings are not filled in yet.
        """
        return sides_of(self.known.tournaments, self.games(period))

    @cached_property
    def late(self) -> Mask:
        """Which tournaments were not known yet when the last list for them went out.

        The list of the period that rates a tournament is the first of those for it.
        """
        published = [
            (period.index, event.basis_seq)
            for seq, event in self.known.facts.lists[self.name].publications
            if seq <= self.known.seq and event.edition == 1
            if (period := period_named(self.list.segments, event.period))
        ]
        period_of = self._period_of
        limits = np.full(int(period_of.max(initial=_NO_PERIOD)) + 1, _NEVER, dtype=np.int64)
        for index in np.unique(period_of[period_of >= 0]).tolist() if published else ():
            within = self.regulation(self.period_at(index)).report_within_lists
            if within is not None:
                last = index + within - 1
                bases = (basis for at, basis in published if at >= last)
                limits[index] = min(bases, default=_NEVER)
        seqs = self.known.facts.tournaments.seq
        late: Mask = (period_of >= 0) & (seqs > np.append(limits, _NEVER)[period_of])
        return late

    def earliest_start(self, period: Period) -> int:
        """Returns the first day (ordinal) of the tournaments that the period or later ones rate."""
        starts = self._earliest_starts
        return int(starts[min(period.index, len(starts) - 1)])

    @cached_property
    def _earliest_starts(self) -> Column:
        counted = self._counted
        period = self._period_of[counted]
        starts_on = self.known.tournaments.starts_on[counted]
        # Of one type: ``at`` is many times slower where it must convert.
        earliest = np.full(int(period.max(initial=_NO_PERIOD)) + 2, _FAR, dtype=starts_on.dtype)
        np.minimum.at(earliest, period, starts_on)
        return np.minimum.accumulate(earliest[::-1])[::-1]

    def adoption(self, period: Period) -> RegulationAdopted:
        """Returns the adoption in force when the period starts (the first, where none is yet)."""
        return self._adoption(period).event

    def _adoption(self, period: Period) -> RecordedEvent[RegulationAdopted]:
        in_force = [a for a in self.list.adoptions if a.from_on <= period.starts_on]
        return in_force[-1] if in_force else self.list.adoptions[0]

    def regulation(self, period: Period) -> Regulation:
        """Returns the regulation in force when the period starts."""
        if self.under is not None:
            return self.under
        return self._own_regulation(self._adoption(period))

    def own_regulation_on(self, day: dt.date) -> Regulation:
        """Returns the list's own regulation in the first period from a day on.

        Whatever regulation is tried instead of it.
        """
        return self._own_regulation(self._adoption(self.first_from(day)))

    def _own_regulation(self, adoption: RecordedEvent[RegulationAdopted]) -> Regulation:
        if adoption.seq not in self._regulations:
            event = adoption.event
            self._regulations[adoption.seq] = adopted(event.regulation, event.parameters)
        return self._regulations[adoption.seq]

    def plain_games(self, period: Period) -> PlainGames | None:
        """Returns which games that the period rates are plain, by tournament; None: none is."""
        regulation = self.regulation(period)
        if not regulation.plain or regulation.fixes_ratings:
            return None
        if regulation not in self._plain_games:
            made = plain_games_of(regulation, self.known.tournaments)
            self._plain_games[regulation] = made
        return self._plain_games[regulation]

    def regulations(self) -> list[Regulation]:
        """Returns all regulations that the list adopted, or the one instead of them."""
        if self.under is not None:
            return [self.under]
        events = [adoption.event for adoption in self.list.adoptions]
        return [adopted(event.regulation, event.parameters) for event in events]

    def particulars(self, day: dt.date) -> Particulars:
        """Returns what is known on a day, beside where the players stand."""
        known = self.known

        def column(name: str) -> Any:
            match name:
                case "on":
                    return day
                case "assigned_k":
                    return self._assigned_k(day)
                case "birth_year":
                    return known.birth_years
                case "flags":
                    return known.flags
                case "federation":
                    return known.federation_codes
                case _:
                    return getattr(known.descriptions, name)

        return Particulars.made(column)

    def _assigned_k(self, day: dt.date) -> Column:
        """Returns the K assigned to each player and in force on the day (``NO_K``: none).

        The last word holds, whether it was said for this list or for all, and by which id of a
        person.
        """
        ks = self._assigned_ks
        in_force = int(np.searchsorted(ks.from_on, day.toordinal(), side="right"))
        last = self._last_ks
        if last is None or last[0] != in_force:
            assigned = np.full(len(self.known.facts.players), NO_K, dtype=ks.k.dtype)
            players = self.known.merged_into[ks.player[:in_force]]
            assigned[players] = ks.k[:in_force]  # of several the last one stays
            assigned.flags.writeable = False
            last = self._last_ks = in_force, assigned
        return last[1]

    @cached_property
    def _assigned_ks(self) -> AssignedKs:
        return self.known.assigned_ks(self.name)

    def k_assigned(self, player: PlayerIndex, day: dt.date) -> tuple[Seq, int] | None:
        """Returns the seq and the K of the word that assigns a player's K on a day, if one does."""
        ks = self._assigned_ks
        its = np.flatnonzero((ks.player == player) & (ks.from_on <= day.toordinal()))
        return (Seq(int(ks.seq[its[-1]])), int(ks.k[its[-1]])) if len(its) else None

    @cached_property
    def seeds(self) -> Seeds:
        """The ratings brought in from outside, by day."""
        return self.known.seeds(self.name)

    def steps_ordered(
        self, period: Period, before: Period | None, known_after: int
    ) -> list[RecordedEvent[RatingAdjusted]]:
        """Returns the orders that move ratings at this period's start.

        Those whose day lies after the start of the period ``before`` and not after this one's; of
        earlier days, those that became known only after the seq ``known_after``.
        """
        return [
            step
            for step in self.known.facts.recorded(RatingAdjusted)
            if self.known.holds(step.seq)
            and step.event.list == self.name
            and step.from_on <= period.starts_on
            and (before is None or step.from_on > before.starts_on or step.seq > known_after)
        ]


def last_period(facts: Facts, name: str) -> Period:
    """Returns the last period of a list worth calculating, as known by now."""
    return Timeline.at_head(facts, name).last_period
