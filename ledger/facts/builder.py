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
from operator import attrgetter, itemgetter
from typing import assert_never
from weakref import WeakValueDictionary

import numpy as np

from ledger.calendar import CalendarSegment, period_named
from ledger.events import ladders as la
from ledger.events import light_players as light
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, AnyEvent
from ledger.events.light import DECODERS
from ledger.events.light_players import LightPlayer, read_player
from ledger.events.model import Dated, LadderEvent, ListEvent, PlayerEvent, TournamentEvent
from ledger.facts.arrays import NEVER, Column
from ledger.facts.blocks import Block, BlockRows, GrowingBlocks, Words, coded
from ledger.facts.columns import (
    Acceptance,
    Adoption,
    AwardedTitle,
    Facts,
    ListFacts,
    Merge,
    OrderedStep,
    Ruling,
)
from ledger.facts.effects import Effects
from ledger.facts.entry_runs import EntryRuns
from ledger.facts.fold_state import FoldState, merged_again, opened_twice
from ledger.facts.ladder import LadderEntry, LadderFacts
from ledger.facts.page_fold import WITHOUT_FACTS, FoldedPages
from ledger.facts.pairings import PAIRING_TYPES, pairings
from ledger.facts.segment import Content, OtherEvent, Supersession
from ledger.facts.tables import EVERY_LIST, NO_YEAR, opened, registered, seeded
from ledger.journal.records import StoredEvent, StoredRow

_ENTRY = (to.PlayerEntered.TYPE, to.PlayerEntered.VERSION)
_ALWAYS = dt.date.min.toordinal()
_PAGE = 1_000
# Events that tables are made of; all that are no pairings either are kept as they are.
_IN_TABLES = frozenset(
    event.TYPE
    for event in (
        pl.PlayerRegistered,
        pl.RatingSeeded,
        pl.KAssigned,
        to.TournamentOpened,
        to.TournamentClosed,
    )
)


_of_event = attrgetter("seq", "type", "version", "effective_on", "payload")
_of_row = itemgetter(
    *map(StoredEvent.__slots__.index, ("seq", "type", "version", "effective_on", "payload"))
)


class FactsBuilder:
    """Takes events in order; ``facts`` may be asked for at any time.

    ``at_hand`` are the rows of segments that somebody still holds, by their digest.
    """

    def __init__(self) -> None:
        self.at_hand: WeakValueDictionary[str, BlockRows] = WeakValueDictionary()
        self._folded = FoldState()
        self._made: Facts | None = None

    @property
    def seq(self) -> int:
        """The last seq taken."""
        return self._folded.seq

    def fork(self) -> FactsBuilder:
        """Returns a builder that has taken the same and goes on by itself."""
        made = FactsBuilder()
        made._folded = self._folded.fork()
        return made

    def facts(self) -> Facts:
        """Returns what was taken so far; later events do not change it."""
        if self._made is None or self._made.seq != self.seq:
            self._made = self._folded.facts()
        return self._made

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self._folded.of_players)

    # Segments

    def take_sealed(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Takes the events that a segment stands for; ``fetch`` brings its rows when asked for.

        Raises:
            ValueError: an index in it is of nothing.
        """
        folded = self._folded
        players = len(folded.of_players) + len(content.players)
        content.check(players, len(folded.of_tournaments) + len(content.tournaments))
        folded.extend(content, fetch)
        for seq, type_, version, effective_on, payload in content.others:
            event = CATALOGUE.decode(type_, version, payload)
            self._taken(seq, event, dt.date.fromisoformat(effective_on))

    def sealed(self, first_seq: int, last_seq: int) -> tuple[Content, bytes]:
        """Returns what was taken of a range of events as the content of a segment, and its rows."""
        return self._folded.content(first_seq, last_seq)

    def give_away(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Leaves the rows of a range of events to the segment that holds them now."""
        self._folded.give_away(content, fetch)
        self._made = None

    def last_sealed(self) -> Block | None:
        """Returns the last block whose rows are held by a segment."""
        return self._folded.blocks.sealed()

    def rows_again(self, pages: Iterable[Sequence[StoredRow]]) -> BlockRows:
        """Returns the rows that a segment of some events, all taken before, has to have."""
        blocks, seqs = GrowingBlocks(), [0]
        for page in pages:
            seqs += (page[0][0], page[-1][0])
            if said := [event for event in map(_of_row, page) if event[1] in PAIRING_TYPES]:
                blocks.append(self._words(said)[0], self._folded.last_days_now)
        return replace(self._folded, blocks=blocks).block(min(seqs[1:]), seqs[-1]).fetch()

    # Taking

    def take(self, events: Iterable[Dated]) -> FactsBuilder:
        """Takes events that are not stored; returns itself."""
        self._take_page(
            [
                (
                    seq,
                    e.event.TYPE,
                    e.event.VERSION,
                    e.effective_on.isoformat(),
                    e.event.canonical(),
                )
                for seq, e in enumerate(events, self.seq + 1)
            ]
        )
        return self

    def take_stored(self, events: Iterable[StoredEvent]) -> FactsBuilder:
        """Takes stored events in order of seq; returns itself."""
        left = map(_of_event, events)
        while page := list(islice(left, _PAGE)):
            self._take_page(page)
        return self

    def take_pages(self, pages: Iterable[Sequence[StoredRow]]) -> FactsBuilder:
        """Takes stored events in order of seq; returns itself."""
        for page in pages:
            self._take_page(list(map(_of_row, page)))
        return self

    def take_gleaned(self, gleaned: FoldedPages) -> FactsBuilder:
        """Takes what was gleaned of the next events; returns itself."""
        assert gleaned.first_seq == self.seq + 1, "what was gleaned is taken in order"
        folded, words = self._folded, gleaned.words
        places = words.seq - gleaned.first_seq
        days = np.full(gleaned.last_seq - self.seq, NEVER, dtype=np.int64)
        told = 0

        def tell(upto: int) -> None:
            nonlocal told
            if told < upto:
                index = gleaned.tournament_indexes(folded.of_tournaments.index)
                self._tell_days(places[told:upto], index[words.tournament[told:upto]], days)
                told = upto

        for event in gleaned.others:
            if event[1] == to.TournamentCorrected.TYPE:
                tell(int(np.searchsorted(words.seq, event[0])))  # while its days are the old ones
            days[event[0] - gleaned.first_seq] = self._take_other(event)
        tell(len(words))
        if len(words):
            tournament = gleaned.tournament_indexes(folded.of_tournaments.index)
            player = gleaned.player_indexes(folded.of_players.index)
            indexed = replace(
                words,
                tournament=tournament[words.tournament],
                white=player[words.white],
                black=player[words.black],
            )
            self._add(indexed, gleaned.supersession)
        if len(gleaned.entered):
            tournament = gleaned.tournament_indexes(folded.of_tournaments.index)
            its = tournament[gleaned.entered.tournament]
            folded.entered.extend(replace(gleaned.entered, tournament=its))
        folded.effects.append(Effects.of(gleaned.first_seq, days))
        folded.seq = gleaned.last_seq
        folded.check_ids()
        return self

    def _take_page(self, page: Sequence[OtherEvent]) -> None:
        if not page:
            return
        days = np.full(len(page), NEVER, dtype=np.int64)
        first_seq = self.seq + 1
        said: list[OtherEvent] = []
        entered: list[OtherEvent] = []
        for event in page:
            seq, type_, version, *_ = event
            if type_ in PAIRING_TYPES:
                said.append(event)
            elif (type_, version) == _ENTRY:
                entered.append(event)
            elif (type_, version) not in WITHOUT_FACTS:
                if type_ == to.TournamentCorrected.TYPE:
                    self._take_pairings(said, days, first_seq)  # while its days are the old ones
                    said = []
                days[seq - first_seq] = self._take_other(event)
        self._take_pairings(said, days, first_seq)
        self._take_entries(entered)
        self._folded.effects.append(Effects.of(first_seq, days))
        self._folded.seq += len(page)
        self._folded.check_ids()

    def _take_pairings(self, said: Sequence[OtherEvent], days: Column, first_seq: int) -> None:
        """Takes what events say of pairings; ``days`` learns what they can affect."""
        if said:
            words, supersession = self._words(said)
            self._add(words, supersession)
            self._tell_days(words.seq - first_seq, words.tournament, days)

    def _take_entries(self, entered: Sequence[OtherEvent]) -> None:
        """Takes events that enter players; how many they are is all that is known of them."""
        if not entered:
            return
        index = self._folded.of_tournaments.index
        read = DECODERS[_ENTRY]
        its = [index[read(payload).tournament] for *_, payload in entered]
        seqs = [seq for seq, *_ in entered]
        runs = EntryRuns.one_by_one(np.array(seqs), np.array(its, dtype=np.int32))
        self._folded.entered.extend(runs)

    def _add(self, words: Words, supersession: Supersession) -> None:
        self._folded.blocks.append(words, self._folded.last_days_now)
        if len(supersession):
            self._folded.supersession.extend(supersession)

    def _tell_days(self, places: Column, tournaments: Column, days: Column) -> None:
        """Puts down what words of tournaments can affect, by what is said of these by now."""
        # Without a name: a profiler that keeps this frame would keep the array from growing.
        days[places] = np.frombuffer(self._folded.last_days, dtype=np.intc)[tournaments]

    def _words(self, said: Sequence[OtherEvent]) -> tuple[Words, Supersession]:
        """Returns what events say of pairings, and what they supersede."""
        seqs, types, versions, _, payloads = zip(*said, strict=True)
        made = pairings(seqs, types, versions, payloads)
        tournament, white, black = made.indexed(
            self._folded.of_tournaments.index, self._folded.of_players.index
        )
        code = coded(made.white_halves, made.black_halves, made.ending)
        later = np.flatnonzero(made.supersedes)
        return (
            Words.narrowed(made.seq, tournament, white, black, made.round, code),
            Supersession(made.seq[later], made.supersedes[later]),
        )

    def _take_other(self, stored: OtherEvent) -> int:
        seq, type_, version, effective_on, payload = stored
        read = read_player(type_, version, payload)
        if read is not None:
            return self._light(seq, read, dt.date.fromisoformat(effective_on).toordinal())
        event = CATALOGUE.decode(type_, version, payload)
        if type_ not in _IN_TABLES:
            self._folded.others.append(stored)
        return self._taken(seq, event, dt.date.fromisoformat(effective_on))

    # Each of the following takes one kind of event and returns the earliest chess date (ordinal)
    # on which it can change a rating.

    def _taken(self, seq: int, event: AnyEvent, effective_on: dt.date) -> int:
        match event:
            case TournamentEvent():
                return self._tournament(seq, event)
            case PlayerEvent():
                return self._player(seq, event, effective_on)
            case ListEvent():
                return self._list(seq, event, effective_on)
            case LadderEvent():
                return self._ladder(seq, event, effective_on)
            case _:
                assert_never(event)

    def _light(self, seq: int, event: LightPlayer, day: int) -> int:
        folded = self._folded
        match event:
            case light.PlayerRegistered():
                folded.of_players.append(event.player)
                folded.players.append(seq, *registered(event))
                folded.birth_years.append(event.birth_year or NO_YEAR)
                return NEVER
            case light.KAssigned():
                list_ = EVERY_LIST if event.list is None else folded.name(event.list)
                folded.ks.append(seq, day, list_, folded.of_players.index[event.player], event.k)
                return day
            case light.RatingSeeded():
                list_, player = folded.name(event.list), folded.of_players.index[event.player]
                folded.seeds.append(seq, day, *seeded(event, list_, player))
                return day
            case _:
                assert_never(event)

    def _player(self, seq: int, event: pl.AnyPlayerEvent, effective_on: dt.date) -> int:
        folded, day = self._folded, effective_on.toordinal()
        match event:
            case pl.PlayerRegistered() | pl.KAssigned() | pl.RatingSeeded():
                raise AssertionError("what there is much of is read by structs")
            case pl.PlayerIdentityCorrected():
                player = folded.of_players.index[event.player]
                folded.player_corrections.append((seq, player, event))
                year, folded.birth_years[player] = (
                    folded.birth_years[player],
                    event.birth_year or NO_YEAR,
                )
                return NEVER if folded.birth_years[player] == year else _ALWAYS  # K goes by age
            case pl.PlayersMerged():
                index = folded.of_players.index
                player, into = index[event.player], index[event.into]
                if player == into or folded.given_up & {player, into}:
                    raise merged_again(seq, event)
                folded.given_up.add(player)
                folded.merges.append(Merge(seq, player, into))
                return _ALWAYS
            case pl.RatingAdjusted():
                player = folded.of_players.index[event.player]
                folded.ordered_steps.append(
                    OrderedStep(seq, effective_on, event.list, player, event.points)
                )
                return day
            case pl.TitleAwarded():
                player = folded.of_players.index[event.player]
                folded.titles.append(AwardedTitle(seq, effective_on, player, event.title))
                return NEVER
            case _:
                assert_never(event)

    def _tournament(self, seq: int, event: to.AnyTournamentEvent) -> int:
        folded = self._folded
        match event:
            case to.TournamentOpened():
                folded.of_tournaments.append(event.tournament)
                folded.tournament_names.append(event.name)
                folded.tournament_places.append(event.place)
                folded.tournaments.append(seq, *opened(event))
                folded.last_days.append(event.ends_on.toordinal())
                return NEVER
            case to.TournamentCorrected():
                index = folded.of_tournaments.index[event.tournament]
                folded.tournament_corrections.append((seq, index, event))
                before, folded.last_days[index] = (
                    folded.last_days[index],
                    event.ends_on.toordinal(),
                )
                return min(before, folded.last_days[index])
            case to.TournamentAccepted():
                return self._rule(
                    seq, event.tournament, Acceptance.ACCEPTED, event.list, event.period
                )
            case to.TournamentRejected():
                return self._rule(seq, event.tournament, Acceptance.REJECTED)
            case to.TournamentAnnulled():
                return self._rule(seq, event.tournament, Acceptance.ANNULLED)
            case to.TournamentClosed():
                folded.closed.append(seq, folded.of_tournaments.index[event.tournament])
                return NEVER
            case to.PlayerEntered() | to.PlayerWithdrew():
                return NEVER
            case (
                to.ResultRecorded()
                | to.ForfeitRecorded()
                | to.ByeGiven()
                | to.GameAdjourned()
                | to.GameAdjudicated()
                | to.ResultCorrected()
                | to.RatingResultCorrected()
                | to.ResultAnnulled()
            ):
                raise AssertionError("what is said of pairings is read in columns")
            case _:
                assert_never(event)

    def _rule(
        self,
        seq: int,
        tournament: str,
        acceptance: Acceptance,
        list_: str | None = None,
        period: str | None = None,
    ) -> int:
        """A tournament is never rated in a period before its end: its last day is the earliest."""
        index = self._folded.of_tournaments.index[tournament]
        self._folded.rulings.append(Ruling(seq, index, acceptance, list_, period))
        return self._folded.last_days[index]

    def _list(self, seq: int, event: adm.AnyListEvent, effective_on: dt.date) -> int:
        lists = self._folded.lists
        match event:
            case adm.ListDefined():
                if event.list in lists:
                    raise opened_twice(seq, event.stream)
                segment = CalendarSegment(event.first_on, event.calendar, event.closes_days_before)
                lists[event.list] = ListFacts(seq, event, [(seq, segment)])
                return NEVER
            case adm.CalendarSet():
                segment = CalendarSegment(effective_on, event.calendar, event.closes_days_before)
                lists[event.list].segments.append((seq, segment))
                return effective_on.toordinal()
            case adm.RegulationAdopted():
                lists[event.list].adoptions.append(Adoption(seq, effective_on, event))
                return effective_on.toordinal()
            case adm.ListAdjusted():
                facts = lists[event.list]
                facts.adjustments.append((seq, event))
                period = period_named([s for _, s in facts.segments], event.period)
                return _ALWAYS if period is None else period.starts_on.toordinal()
            case adm.ListPublished():
                lists[event.list].publications.append((seq, event))
                return NEVER
            case _:
                assert_never(event)

    def _ladder(self, seq: int, event: la.AnyLadderEvent, effective_on: dt.date) -> int:
        ladders = self._folded.ladders
        if isinstance(event, la.LadderOpened):
            if event.ladder in ladders:
                raise opened_twice(seq, event.stream)
            ladders[event.ladder] = LadderFacts(seq, effective_on, event)
        else:
            ladders[event.ladder].entries.append(LadderEntry(seq, effective_on, event))
        return NEVER
