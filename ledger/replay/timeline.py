"""Deals what is known out to the periods of one list: games, seeds and assigned Ks."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ledger.calendar import Period, first_from, period_named, periods
from ledger.events.administration import RegulationAdopted
from ledger.facts.columns import NOBODY, Acceptance, Adoption, Column, Ending, Seed
from ledger.facts.known import RATES, Known, KnownList, TournamentColumns
from ledger.rating.sheet import Games, Reason, Sides
from ledger.rating.standing import NO_K, UNRATED, Particulars, Standing
from ledger.regulations.interface import Regulation
from ledger.regulations.registry import adopted

_REASON_OF_ENDING = np.zeros(len(Ending), dtype=np.int8)
_REASON_OF_ENDING[Ending.SHORT] = Reason.SHORT
_REASON_OF_ENDING[Ending.FORFEIT] = Reason.FORFEIT
_REASON_OF_ENDING[Ending.BYE] = Reason.BYE
_REASON_OF_ENDING[Ending.ADJOURNED] = Reason.ADJOURNED
_REASON_OF_ENDING[Ending.TEMPORARY] = Reason.TEMPORARY
_REASON_OF_ENDING[Ending.NOT_FOR_RATING] = Reason.NOT_FOR_RATING
_REASON_OF_ENDING[Ending.ANNULLED] = Reason.ANNULLED
_REASON_OF_ACCEPTANCE = np.zeros(len(Acceptance), dtype=np.int8)
_REASON_OF_ACCEPTANCE[Acceptance.REJECTED] = Reason.TOURNAMENT_REJECTED
_REASON_OF_ACCEPTANCE[Acceptance.ANNULLED] = Reason.TOURNAMENT_ANNULLED
_LATE = np.int8(Reason.LATE_REPORT)
_FAR = dt.date.max.toordinal()


@dataclass(frozen=True, slots=True)
class _Dealt:
    """Rows of the known games in order of period; ``bounds[i]:bounds[i+1]`` is period i."""

    rows: Column
    bounds: Column


class Timeline:
    """One list over what is known at a basis; ``under`` another regulation, if one is given."""

    def __init__(self, known: Known, name: str, under: Regulation | None = None) -> None:
        self.known = known
        self.list: KnownList = known.list(name)
        self.name = name
        self._under = under
        self._regulations: dict[int, Regulation] = {}

    def periods(self, until: dt.date) -> Sequence[Period]:
        """Returns the list's periods from the first to the one that rates ``until``."""
        return periods(self.list.segments, until)

    def first_from(self, day: dt.date) -> Period:
        """Returns the first period that starts on the day or later."""
        return first_from(self.list.segments, day)

    @cached_property
    def last_day(self) -> dt.date:
        """The day the last known tournament of the list ends (the list's first day if none)."""
        ends = self._ends_on_of_games[self._ends_on_of_games < _FAR]
        first = self.list.defined.first_on
        return max(first, dt.date.fromordinal(int(np.max(ends)))) if len(ends) else first

    @cached_property
    def _ends_on_of_games(self) -> Column:
        """For each known game, the day its tournament ends; ``_FAR``: it is not for the list."""
        tournaments = self.known.tournaments
        games = self.known.games
        ends_on = tournaments.ends_on[games.tournament]
        wanted = self.list.defined.rate_of_play
        if wanted is not None:
            other = tournaments.rate[games.tournament] != RATES.index(wanted)
            ends_on = np.where(other, _FAR, ends_on)
        too_early = ends_on < self.list.defined.first_on.toordinal()
        result: Column = np.where(too_early, _FAR, ends_on)
        return result

    @cached_property
    def _dealt(self) -> _Dealt:
        ends_on = self._ends_on_of_games
        closings = [p.closes_on.toordinal() for p in self.periods(self.last_day)]
        period = np.searchsorted(np.array(closings, dtype=np.int64), ends_on, side="left")
        rows = np.argsort(period, kind="stable").astype(np.int64)
        bounds = np.searchsorted(period[rows], np.arange(len(closings) + 1))
        return _Dealt(rows, bounds.astype(np.int64))

    def games(self, period: Period) -> Games:
        """Returns all games that the period rates, excluded ones with the reason."""
        if period.index + 1 >= len(self._dealt.bounds):
            rows: Column = np.zeros(0, dtype=np.int64)
        else:
            start, end = self._dealt.bounds[period.index : period.index + 2]
            rows = self._dealt.rows[start:end]
        games = games_of(self.known, rows)
        within = self.regulation(period).report_within_lists
        return games if within is None else self._reported_in_time(games, period, within)

    def sides(self, period: Period) -> Sides:
        """Returns the sides of all games that the period rates, excluded ones with the reason.

        Their ratings are not filled in yet.
        """
        return sides_of(self.known.tournaments, self.games(period))

    def _reported_in_time(self, games: Games, period: Period, within: int) -> Games:
        """Excludes tournaments that were not known yet when the last list for them went out.

        The list of the period itself is the first after their end.
        """
        last = period.index + within - 1
        bases = [
            event.basis_seq
            for seq, event in self.known.facts.lists[self.name].publications
            if seq <= self.known.seq and event.edition == 1
            if (published := period_named(self.list.segments, event.period))
            if published.index >= last
        ]
        if not bases:
            return games
        late = self.known.reported_at[games.tournament] > min(bases)
        excluded = late & (games.reason == Reason.NONE)
        return games.with_(reason=np.where(excluded, _LATE, games.reason))

    def earliest_start(self, period: Period) -> int:
        """Returns the first day (ordinal) of the tournaments that the period or later ones rate."""
        starts = self._earliest_starts
        return int(starts[min(period.index, len(starts) - 1)])

    @cached_property
    def _earliest_starts(self) -> Column:
        starts_on = self.known.tournaments.starts_on[self.known.games.tournament]
        dealt = self._dealt
        earliest = [
            int(starts_on[dealt.rows[start:end]].min(initial=_FAR))
            for start, end in zip(dealt.bounds[:-1], dealt.bounds[1:], strict=True)
        ]
        return np.minimum.accumulate(np.array([*earliest, _FAR], dtype=np.int64)[::-1])[::-1]

    def adoption(self, period: Period) -> RegulationAdopted:
        """Returns the adoption in force when the period starts (the first, where none is yet)."""
        return self._adoption(period).event

    def _adoption(self, period: Period) -> Adoption:
        in_force = [a for a in self.list.adoptions if a.from_on <= period.starts_on]
        return in_force[-1] if in_force else self.list.adoptions[0]

    def regulation(self, period: Period) -> Regulation:
        """Returns the regulation in force when the period starts."""
        if self._under is not None:
            return self._under
        adoption = self._adoption(period)
        if adoption.seq not in self._regulations:
            event = adoption.event
            self._regulations[adoption.seq] = adopted(event.regulation, event.parameters)
        return self._regulations[adoption.seq]

    def particulars(self, day: dt.date) -> Particulars:
        """Returns what is known of the players on a day, beside where they stand."""
        return Particulars(day, self._assigned_k(day), self.known.birth_years)

    def _assigned_k(self, day: dt.date) -> Column:
        """Returns the K assigned to each player and in force on the day (``NO_K``: none).

        The last word holds, whether it was said for this list or for all. An id that was merged
        away leaves its K behind.
        """
        days, players, ks = self._assigned_ks
        in_force = int(np.searchsorted(days, day.toordinal(), side="right"))
        assigned = np.full(len(self.known.merged_into), NO_K, dtype=np.int64)
        assigned[players[:in_force]] = ks[:in_force]  # of several the last one stays
        return assigned

    @cached_property
    def _assigned_ks(self) -> tuple[Column, Column, Column]:
        """The Ks assigned in this list: days, players, figures, in the order in which they hold."""
        fitting = [
            (k.from_on.toordinal(), k.player, k.k)
            for k in self.known.assigned_ks
            if k.list in (None, self.name)
        ]
        days, players, ks = np.array(fitting, dtype=np.int64).reshape(-1, 3).T
        return days, players, ks

    def seeded(
        self, standing: Standing, period: Period, before: Period | None, known_after: int
    ) -> Standing:
        """Returns the standing with the ratings that were brought in for this period's start.

        Those whose day lies after the start of the period ``before`` and not after this one's; of
        earlier days, those that became known only after the seq ``known_after``.
        """
        seeds = self._seeds
        start = 0
        if before is not None:
            start = bisect_right(seeds, before.starts_on, key=_day)
        end = bisect_right(seeds, period.starts_on, key=_day)
        late = []
        if known_after < self.known.seq:
            late = [seed for seed in seeds[:start] if seed.seq > known_after]
        if start == end and not late:
            return standing
        made = standing.copy()
        rating, games = made.rating, made.games
        for seed in late:
            player = int(self.known.merged_into[seed.player])
            replaced = self._replaced(seed, known_after)
            if replaced is not None and rating[player] != UNRATED:
                # What was earned since stays: only the error of the earlier seed is made good.
                rating[player] += seed.rating - replaced.rating
                games[player] += seed.games - replaced.games
            else:
                rating[player], games[player] = seed.rating, seed.games
        timely = seeds[start:end]
        players = self.known.merged_into[[seed.player for seed in timely]]
        rating[players] = [seed.rating for seed in timely]  # of several the last one stays
        games[players] = [seed.games for seed in timely]
        for seed in (*late, *timely):
            player = int(self.known.merged_into[seed.player])
            made.listed[player] = 1
            made.seeded_on[player] = seed.from_on.toordinal()
            made.buckets.pop(player, None)
        return replace(made, peak=np.maximum(made.peak, rating))

    @cached_property
    def _seeds(self) -> list[Seed]:
        """The ratings brought into this list, in the order in which they hold."""
        return [seed for seed in self.known.seeds if seed.list == self.name]

    def ordered(self, period: Period, before: Period | None, known_after: int) -> Column:
        """Returns the points by which ratings were moved by order at this period's start.

        Days are dealt to periods as those of seeds are.
        """
        points = np.zeros(len(self.known.merged_into), dtype=np.int64)
        for step in self.known.facts.ordered_steps:
            if (
                step.seq <= self.known.seq
                and step.list == self.name
                and step.from_on <= period.starts_on
                and (before is None or step.from_on > before.starts_on or step.seq > known_after)
            ):
                points[self.known.merged_into[step.player]] += step.points
        return points

    def _replaced(self, seed: Seed, known_after: int) -> Seed | None:
        """Returns the seed that was in force instead of a later one, by what was known before."""
        earlier = [
            other
            for other in self._seeds
            if other.player == seed.player
            and other.from_on <= seed.from_on
            and other.seq <= known_after
        ]
        return earlier[-1] if earlier else None


def _day(seed: Seed) -> dt.date:
    return seed.from_on


def games_of(known: Known, rows: Column) -> Games:
    """Returns the given known games, with what excludes them whatever the regulation."""
    games = known.games
    white, black, tournament = games.white[rows], games.black[rows], games.tournament[rows]
    reason = _REASON_OF_ENDING[games.ending[rows]]
    reason[white == black] = Reason.SAME_PERSON
    not_accepted = _REASON_OF_ACCEPTANCE[known.tournaments.acceptance[tournament]]
    return Games(
        game=games.seq[rows],
        tournament=tournament.astype(np.int32),
        round=games.round[rows].astype(np.int16),
        white=white.astype(np.int32),
        black=black.astype(np.int32),
        white_halves=games.white_halves[rows].astype(np.int8),
        black_halves=games.black_halves[rows].astype(np.int8),
        reason=np.where(not_accepted != Reason.NONE, not_accepted, reason),
    )


def sides_of(tournaments: TournamentColumns, games: Games) -> Sides:
    """Returns both sides of games (a bye has one), sorted by game, white first."""
    in_order = np.argsort(games.game, kind="stable")
    at_board = in_order[games.black[in_order] != NOBODY]
    both = np.concatenate((in_order, at_board))
    is_white = np.arange(len(both)) < len(in_order)
    order = np.lexsort((~is_white, games.game[both]))
    both, is_white = both[order], is_white[order]
    white, black = games.white[both], games.black[both]
    tournament = games.tournament[both].astype(np.int64)
    halves = np.where(is_white, games.white_halves[both], games.black_halves[both])
    nothing = np.zeros(len(both), dtype=np.int64)
    return Sides(
        game=games.game[both],
        tournament=tournament,
        round=games.round[both].astype(np.int64),
        player=np.where(is_white, white, black).astype(np.int64),
        opponent=np.where(is_white, black, white).astype(np.int64),
        halves=halves.astype(np.int64),
        merit=tournaments.merit[tournament],
        system=tournaments.system[tournament],
        rate=tournaments.rate[tournament],
        starts_on=tournaments.starts_on[tournament],
        ends_on=tournaments.ends_on[tournament],
        rating=nothing,
        opponent_rating=nothing,
        reason=games.reason[both].astype(np.int64),
    )
