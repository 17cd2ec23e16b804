"""Folds events, in order of ``seq``, into facts.

What makes no sense was refused by the registrar before it became an event, and is not looked for
again, but for two things. Refused are a second event that begins a player, a tournament, a list or
a ladder, which a damaged index may have let in; and a merge that gives up an id a second time, for
itself or for one that is given up, which only another program records: who follows such merges may
never come to an end.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from threading import RLock
from typing import TypeAlias, TypeVar, assert_never
from weakref import WeakValueDictionary

import numpy as np

from ledger.calendar import period_named
from ledger.events import accounts as ac
from ledger.events import ladders as la
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, UNDOING, AnyEvent, FactUndone
from ledger.events.desk import AnyDeskEvent
from ledger.events.fast import Key, reader
from ledger.events.model import (
    AccountEvent,
    Dated,
    Event,
    LadderEvent,
    ListEvent,
    PlayerEvent,
    TournamentEvent,
)
from ledger.facts.accounts import AccountFacts
from ledger.facts.arrays import NEVER, Column
from ledger.facts.blocks import Block, BlockRows, GrowingBlocks, PairingRows
from ledger.facts.columns import NOBODY, Acceptance, Facts, ListFacts, Merge, Ruling, Undone
from ledger.facts.fold_state import FoldState, merged_again, opened_twice
from ledger.facts.ladder import LadderFacts
from ledger.facts.page_fold import FoldedPages, folded
from ledger.facts.runs import Effects
from ledger.facts.segment import Content, OtherEvent
from ledger.facts.tables import (
    EVERY_LIST,
    NO_YEAR,
    RecordedEvent,
    affiliation_row,
    announcement_row,
    player_row,
    seed_row,
    tournament_row,
)
from ledger.identifiers import Seq
from ledger.journal.batch import row_of
from ledger.journal.records import StoredRow

_ALWAYS = dt.date.min.toordinal()
_PAGE = 1_000
_UNSURE = -1  # no year of birth: what is said of it next may be another one
_MOVES_DAYS = frozenset({to.TournamentCorrected.TYPE, *UNDOING})


class FactsBuilder:
    """Takes events in order; ``facts`` may be asked for at any time.

    ``rows_in_use`` are the rows of segments that somebody still holds, by their digest. Whoever has
    it take something holds the ``lock``: facts that it made before may ask it for rows meanwhile.
    One that takes another's place is given the same.
    """

    def __init__(self, lock: RLock | None = None) -> None:
        self.lock = lock or RLock()
        self.rows_in_use: WeakValueDictionary[str, BlockRows] = WeakValueDictionary()
        self._state = FoldState()
        self._made: Facts | None = None

    @property
    def seq(self) -> Seq:
        """The last seq taken."""
        return self._state.seq

    def fork(self) -> FactsBuilder:
        """Returns a builder that has taken the same and goes on by itself."""
        made = FactsBuilder()
        with self.lock:
            made._state = self._state.fork()
        return made

    def facts(self) -> Facts:
        """Returns what was taken so far; later events do not change it."""
        if self._made is None or self._made.seq != self.seq:
            self._made = self._state.facts()
        return self._made

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self._state.of_players)

    # Segments

    def take_sealed(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Takes the events that a segment stands for; ``fetch`` brings its rows when asked for.

        Raises:
            ValueError: an index in it is of nothing.
        """
        state = self._state
        players = len(state.of_players) + len(content.players)
        tournaments = len(state.of_tournaments) + len(content.tournaments)
        content.check(players, tournaments, len(state.of_bodies) + len(content.bodies))
        state.extend(content, fetch)
        for seq, type_, version, effective_on, payload in content.others:
            event = CATALOGUE.decode(type_, version, payload)
            self._taken(seq, event, dt.date.fromisoformat(effective_on))

    def sealed(self, first_seq: int, last_seq: int) -> tuple[Content, bytes]:
        """Returns what was taken of a range of events as the content of a segment, and its rows."""
        return self._state.content(first_seq, last_seq)

    def give_away(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Leaves the rows of a range of events to the segment that holds them now."""
        self._state.give_away(content, fetch)
        self._made = None

    def last_sealed(self) -> Block | None:
        """Returns the last block whose rows are held by a segment."""
        return self._state.blocks.sealed()

    def rows_again(self, pages: Iterable[Sequence[StoredRow]]) -> BlockRows:
        """Returns the rows that a segment of some events, all taken before, has to have."""
        blocks, seqs = GrowingBlocks(), list[int]()
        with self.lock:
            for page in map(folded, pages):
                seqs += (page.first_seq, page.last_seq)
                blocks.append(self._indexed(page), self._state.last_days_now)
            return replace(self._state, blocks=blocks).block(seqs[0], seqs[-1]).fetch()

    # Pages of events

    def take(self, events: Iterable[Dated]) -> FactsBuilder:
        """Takes events that are not stored; returns itself."""
        left = iter(events)
        while some := list(islice(left, _PAGE)):
            page = []
            for seq, dated in enumerate(some, self.seq + 1):
                type_, version, day, stream, payload = row_of(dated)
                page.append((Seq(seq), "", 0, type_, version, day, stream, payload, ""))
            self.take_folded(folded(page))
        return self

    def take_pages(self, pages: Iterable[Sequence[StoredRow]]) -> FactsBuilder:
        """Takes stored events in order of seq; returns itself.

        Raises:
            DatabaseError: a version is unknown: newer software wrote it.
            VerificationFailed: a payload is no event of its type.
        """
        for page in pages:
            self.take_folded(folded(page))
        return self

    def take_folded(self, page: FoldedPages) -> FactsBuilder:
        """Takes what the next events say; returns itself."""
        assert page.first_seq == self.seq + 1, "pages are taken in order"
        state, seqs = self._state, page.pairings.seq
        days = np.full(page.last_seq - self.seq, NEVER, dtype=np.int64)
        told = 0
        for event in page.others:
            place = event[0] - page.first_seq
            if event[1] in _MOVES_DAYS:  # the days of its tournament were others before
                upto = int(np.searchsorted(seqs, event[0]))
                self._tell_days(page, slice(told, upto), days)
                told = upto
            day = self._take_other(event)
            days[place] = day if event[1] not in UNDOING else self._undone_from(day, page, days)
        self._tell_days(page, slice(told, len(seqs)), days)
        if len(seqs):
            state.blocks.append(self._indexed(page), state.last_days_now)
        if len(page.supersession):
            state.supersession.extend(page.supersession)
        if len(page.entered):
            tournament = page.tournament_indexes(state.of_tournaments.index)
            its = tournament[page.entered.tournament]
            state.entered.extend(replace(page.entered, tournament=its))
        state.effects.append(Effects.of(page.first_seq, days))
        state.seq = page.last_seq
        state.check_ids()
        return self

    def _indexed(self, page: FoldedPages) -> PairingRows:
        """Returns what a page says of pairings, with the indexes of the facts."""
        pairings, state = page.pairings, self._state
        tournament = page.tournament_indexes(state.of_tournaments.index)
        player = page.player_indexes(state.of_players.index)
        return replace(
            pairings,
            tournament=tournament[pairings.tournament],
            white=player[pairings.white],
            black=player[pairings.black],
        )

    def _tell_days(self, page: FoldedPages, rows: slice, days: Column) -> None:
        """Puts down the earliest day that some pairings can affect: their tournament's last one."""
        pairings = page.pairings.rows(rows)
        if not len(pairings):
            return
        index = page.tournament_indexes(self._state.of_tournaments.index)[pairings.tournament]
        # Without a name: a profiler that keeps this frame would keep the array from growing.
        days[pairings.seq - page.first_seq] = np.frombuffer(self._state.last_days, np.intc)[index]

    def _take_other(self, stored: OtherEvent) -> int:
        seq, type_, version, effective_on, payload = stored
        day = dt.date.fromisoformat(effective_on)
        take_row = _TABLES.get((type_, version))
        if take_row is not None:
            return take_row(self._state, seq, payload, day.toordinal())
        event = CATALOGUE.decode(type_, version, payload)
        self._state.others.append(stored)
        return self._taken(seq, event, day)

    # Each of the following takes one kind of event and returns the earliest chess date (ordinal)
    # on which it can change a rating.

    def _taken(self, seq: Seq, event: AnyEvent, effective_on: dt.date) -> int:
        match event:
            case pl.PlayerFactUndone() | to.TournamentFactUndone() | adm.ListFactUndone():
                return self._undone(seq, event)
            case TournamentEvent():
                return self._tournament(seq, event, effective_on)
            case PlayerEvent():
                return self._player(seq, event, effective_on)
            case ListEvent():
                return self._list(seq, event, effective_on)
            case LadderEvent():
                return self._ladder(seq, event, effective_on)
            case AccountEvent():
                return self._account(seq, event, effective_on)
            case _:
                assert_never(event)

    def _undone(self, seq: Seq, event: FactUndone) -> int:
        """Takes that an event is taken back; returns the earliest last day of its tournament."""
        state = self._state
        index, first_day = NOBODY, NEVER
        match event:
            case pl.PlayerFactUndone(player=player):
                index = state.of_players.index[player]
                if event.what in {pl.PlayerIdentityCorrected.TYPE, *UNDOING}:
                    state.birth_years[index] = _UNSURE
                if event.what in {pl.PlayersMerged.TYPE, *UNDOING}:
                    state.given_up = None
            case to.TournamentFactUndone(tournament=tournament):
                if tournament not in state.of_tournaments.index:  # it is only announced
                    state.records.undone.append(Undone(seq, event.undoes, event.what, NOBODY))
                    return NEVER
                index = state.of_tournaments.index[tournament]
                if event.what in {to.TournamentCorrected.TYPE, *UNDOING}:
                    state.last_days[index] = state.first_days[index]
                first_day = state.first_days[index]
            case _:
                state.records.lists[event.list].take(seq, event, dt.date.min)
        state.records.undone.append(Undone(seq, event.undoes, event.what, index))
        return first_day

    def _undone_from(self, first_day: int, page: FoldedPages, days: Column) -> int:
        """Returns what the event can affect that was taken back last: what the other one could.

        ``days`` are what those of the page can, so far. Its tournament may have been brought
        forward since, to ``first_day``.
        """
        undone = self._state.records.undone[-1]
        if undone.what == to.TournamentOpened.TYPE:
            return first_day
        place = undone.undoes - page.first_seq
        day = int(days[place]) if place >= 0 else self._state.day_of(undone.undoes)
        return day if day == NEVER else min(day, first_day)

    def _keep(self, seq: Seq, from_on: dt.date, event: Event, index: int) -> None:
        """Keeps an event as it is; ``index`` is that of its player or tournament."""
        events = self._state.records.events.setdefault(type(event), [])
        events.append(RecordedEvent(seq, from_on, event, index))

    def _player(self, seq: Seq, event: pl.AnyPlayerEvent, effective_on: dt.date) -> int:
        state = self._state
        player = state.of_players.index[event.player]
        match event:
            case pl.PlayerRegistered() | pl.KAssigned() | pl.RatingSeeded() | pl.PlayerAffiliated():
                raise AssertionError("rows of tables are taken as such")
            case pl.PlayerIdentityCorrected():
                self._keep(seq, effective_on, event, player)
                before, now = state.birth_years[player], event.birth_year or NO_YEAR
                state.birth_years[player] = now
                return NEVER if now == before else _ALWAYS  # K goes by age
            case pl.PlayersMerged():
                into = state.of_players.index[event.into]
                given_up = state.merged_away()
                if player == into or given_up & {player, into}:
                    raise merged_again(seq, event)
                given_up.add(player)
                state.records.merges.append(Merge(seq, player, into))
                return _ALWAYS
            case pl.RatingAdjusted():
                self._keep(seq, effective_on, event, player)
                return effective_on.toordinal()
            case pl.PlayerFactUndone():
                raise AssertionError("what takes back is taken as such")
            case pl.TitleAwarded() | pl.PlayerErased():
                self._keep(seq, effective_on, event, player)
                return NEVER
            case pl.PlayerDescribed():
                self._keep(seq, effective_on, event, player)
                return _ALWAYS  # a rule may ask for it in any period
            case _:
                assert_never(event)

    def _tournament(
        self, seq: Seq, event: to.AnyTournamentEvent | AnyDeskEvent, effective_on: dt.date
    ) -> int:
        state, rulings = self._state, self._state.records.rulings
        if isinstance(event, to.TournamentAnnounced):
            state.announcements.append(seq, *announcement_row(event))
        if isinstance(event, to.TournamentAnnounced | to.TournamentCancelled):
            self._keep(seq, effective_on, event, NOBODY)
            return NEVER
        index = state.of_tournaments.index[event.tournament]
        # A tournament is never rated in a period before its end: its last day is the earliest.
        last_day = state.last_days[index]
        match event:
            case to.TournamentCorrected():
                self._keep(seq, effective_on, event, index)
                state.last_days[index] = event.ends_on.toordinal()
                state.first_days[index] = min(state.first_days[index], state.last_days[index])
                return min(last_day, state.last_days[index])
            case to.TournamentAccepted():
                rated_in = event.list, event.period
                rulings.append(Ruling(seq, index, Acceptance.ACCEPTED, *rated_in))
                return last_day
            case to.TournamentRejected():
                rulings.append(Ruling(seq, index, Acceptance.REJECTED))
                return last_day
            case to.TournamentAnnulled():
                rulings.append(Ruling(seq, index, Acceptance.ANNULLED))
                return last_day
            case to.TournamentReopened():
                self._keep(seq, effective_on, event, index)
                return NEVER
            case to.TournamentFlagged():
                self._keep(seq, effective_on, event, index)
                return last_day
            case to.StandingsEvent() | to.PlayerEntered() | to.PairingEvent():
                raise AssertionError("what is said of rounds is folded in pages")
            case to.TournamentFactUndone():
                raise AssertionError("what takes back is taken as such")
            case to.TournamentOpened() | to.TournamentClosed():
                raise AssertionError("rows of tables are taken as such")
            case _:
                assert_never(event)

    def _list(self, seq: Seq, event: adm.AnyListEvent, effective_on: dt.date) -> int:
        lists = self._state.records.lists
        if isinstance(event, adm.ListDefined):
            if event.list in lists:
                raise opened_twice(seq, event.stream)
            lists[event.list] = ListFacts.of(seq, event)
            return NEVER
        facts = lists[event.list]
        facts.take(seq, event, effective_on)
        match event:
            case adm.ListAdjusted():
                period = period_named([s for _, s in facts.segments], event.period)
                return _ALWAYS if period is None else period.starts_on.toordinal()
            case adm.ListPublished() | adm.TwoPersonsSet():
                return NEVER
            case _:
                return effective_on.toordinal()

    def _ladder(self, seq: Seq, event: la.AnyLadderEvent, effective_on: dt.date) -> int:
        ladders = self._state.records.ladders
        if isinstance(event, la.LadderOpened):
            if event.ladder in ladders:
                raise opened_twice(seq, event.stream)
            ladders[event.ladder] = LadderFacts(seq, effective_on, event)
        else:
            ladders[event.ladder].entries.append(RecordedEvent(seq, effective_on, event))
        return NEVER

    def _account(self, seq: Seq, event: ac.AnyAccountEvent, effective_on: dt.date) -> int:
        accounts = self._state.records.accounts
        its = accounts.setdefault(event.account, AccountFacts(event.account))
        its.take(seq, event, effective_on)
        return NEVER


# Rows of tables. Each of the following takes one and returns the same.


def _registered(state: FoldState, seq: Seq, event: pl.PlayerRegistered, _day: int) -> int:
    state.of_players.append(event.player)
    state.players.append(seq, *player_row(event))
    state.birth_years.append(event.birth_year or NO_YEAR)
    return NEVER


def _assigned(state: FoldState, seq: Seq, event: pl.KAssigned, day: int) -> int:
    list_ = EVERY_LIST if event.list is None else state.name(event.list)
    state.ks.append(seq, day, list_, state.of_players.index[event.player], event.k)
    return day


def _seeded(state: FoldState, seq: Seq, event: pl.RatingSeeded, day: int) -> int:
    list_, player = state.name(event.list), state.of_players.index[event.player]
    state.seeds.append(seq, day, *seed_row(event, list_, player))
    return day


def _affiliated(state: FoldState, seq: Seq, event: pl.PlayerAffiliated, day: int) -> int:
    player = state.of_players.index[event.player]
    row = affiliation_row(event, player, lambda name: state.body(name, seq))
    state.affiliations.append(seq, day, *row)
    return NEVER


def _opened(state: FoldState, seq: Seq, event: to.TournamentOpened, _day: int) -> int:
    state.of_tournaments.append(event.tournament)
    state.tournament_names.append(event.name)
    state.tournament_places.append(event.place)
    state.tournaments.append(seq, *tournament_row(event))
    state.last_days.append(event.ends_on.toordinal())
    state.first_days.append(event.ends_on.toordinal())
    return NEVER


def _closed(state: FoldState, seq: Seq, event: to.TournamentClosed, _day: int) -> int:
    state.closed.append(seq, state.of_tournaments.index[event.tournament])
    return NEVER


M = TypeVar("M", bound=Event)
_Take: TypeAlias = Callable[[FoldState, Seq, str, int], int]


def _table(model: type[M], take: Callable[[FoldState, Seq, M, int], int]) -> tuple[Key, _Take]:
    """Returns type and version of a model, and what takes its payloads."""
    read = reader(model)
    return (model.TYPE, model.VERSION), lambda state, seq, payload, day: take(
        state, seq, read(payload), day
    )


_TABLES: dict[Key, _Take] = dict(
    [
        _table(pl.PlayerRegistered, _registered),
        _table(pl.KAssigned, _assigned),
        _table(pl.RatingSeeded, _seeded),
        _table(pl.PlayerAffiliated, _affiliated),
        _table(to.TournamentOpened, _opened),
        _table(to.TournamentClosed, _closed),
    ]
)
"""The events that are rows of tables; all that are folded nowhere else are kept as they are."""
