"""Folds events, in order of ``seq``, into facts.

The fold believes the events: what makes no sense was refused by the registrar before it became one.
"""

from __future__ import annotations

import datetime as dt
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeAlias, assert_never

import numpy as np

from ledger.calendar import Segment, period_named
from ledger.events import administration as adm
from ledger.events import ladders as la
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, AnyEvent
from ledger.events.model import LadderEvent, ListEvent, PlayerEvent, TournamentEvent
from ledger.facts.columns import (
    NEVER,
    NOBODY,
    Acceptance,
    Adoption,
    AssignedK,
    AwardedTitle,
    Column,
    Ending,
    Facts,
    GameColumns,
    ListFacts,
    Merge,
    OrderedStep,
    PlayerVersion,
    Seed,
    TournamentVersion,
)
from ledger.facts.ladders import Entry, LadderFacts
from ledger.facts.segment import ROW_TYPES, OtherEvent, pack, unpack
from ledger.journal.entries import StoredEvent
from ledger.results import Result, Termination

_ENDING = {
    Termination.PLAYED: Ending.PLAYED,
    Termination.SHORT: Ending.SHORT,
    Termination.FORFEIT: Ending.FORFEIT,
    Termination.ADJUDICATED: Ending.ADJUDICATED,
}
GameEvent: TypeAlias = (
    to.ResultRecorded
    | to.ForfeitRecorded
    | to.ResultCorrected
    | to.RatingResultCorrected
    | to.ResultAnnulled
    | to.GameAdjourned
    | to.GameAdjudicated
)
PairingEvent: TypeAlias = GameEvent | to.ByeGiven
_ALWAYS = dt.date.min.toordinal()


# Events that no fact is made of.
_WITHOUT_FACTS = frozenset(
    event.TYPE for event in (to.PlayerEntered, to.PlayerWithdrew, to.TournamentClosed)
)


class FactsBuilder:
    """Takes events one by one; ``facts`` may be asked for at any time."""

    def __init__(self) -> None:
        self._effects = array("q", [NEVER])
        self._player_ids: list[str] = []
        self._player_index: dict[str, int] = {}
        self._player_versions: list[list[tuple[int, PlayerVersion]]] = []
        self._tournament_ids: list[str] = []
        self._tournament_index: dict[str, int] = {}
        self._tournament_versions: list[list[tuple[int, TournamentVersion]]] = []
        self._acceptances: list[list[tuple[int, Acceptance]]] = []
        self._rows = [array("q") for _ in range(9)]
        self._supersedes = array("q")
        self._others: list[OtherEvent] = []
        self._seeds: list[Seed] = []
        self._ordered_steps: list[OrderedStep] = []
        self._ks: list[AssignedK] = []
        self._titles: list[AwardedTitle] = []
        self._merges: list[Merge] = []
        self._lists: dict[str, ListFacts] = {}
        self._ladders: dict[str, LadderFacts] = {}

    @property
    def seq(self) -> int:
        """The last seq taken."""
        return len(self._effects) - 1

    def take_stored(self, events: Iterable[StoredEvent]) -> FactsBuilder:
        """Takes stored events in order of seq; returns itself."""
        decode = CATALOGUE.decode
        for stored in events:
            event = decode(stored.type, stored.version, stored.payload)
            games = len(self._supersedes)
            self.take(event, dt.date.fromisoformat(stored.effective_on))
            if len(self._supersedes) == games and stored.type not in _WITHOUT_FACTS:
                self._others.append(
                    (self.seq, stored.type, stored.version, stored.effective_on, stored.payload)
                )
        return self

    def take(self, event: AnyEvent, effective_on: dt.date) -> None:
        """Takes the next event."""
        self._effects.append(self._taken(self.seq + 1, event, effective_on))

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

    def take_sealed(self, data: bytes) -> bool:
        """Takes the events that a segment stands for; returns False for one of another format."""
        content = unpack(data)
        if content is None:
            return False
        for seq, type_, version, effective_on, payload in content.others:
            event = CATALOGUE.decode(type_, version, payload)
            self._taken(seq, event, dt.date.fromisoformat(effective_on))
        self._others += content.others
        rows = content.rows
        superseded_by = np.zeros(len(rows["seq"]), dtype=np.int64)
        columns = (rows["seq"], superseded_by, *(rows[name] for name in list(ROW_TYPES)[2:]))
        for kept, column in zip(self._rows, columns, strict=True):
            kept.frombytes(column.tobytes())
        self._supersedes.frombytes(rows["supersedes"].tobytes())
        self._effects.frombytes(content.effects.tobytes())
        for later in np.flatnonzero(rows["supersedes"]).tolist():
            self._supersede(int(rows["supersedes"][later]), int(rows["seq"][later]))
        return True

    def sealed(self, first_seq: int, last_seq: int) -> bytes:
        """Returns what was taken of a range of events, packed as a segment."""
        seqs = np.frombuffer(self._rows[0], dtype=np.int64)
        start, end = np.searchsorted(seqs, (first_seq, last_seq + 1)).tolist()
        columns = dict(zip(("seq", "superseded_by", *list(ROW_TYPES)[2:]), self._rows, strict=True))
        columns["supersedes"] = self._supersedes
        return pack(
            first_seq,
            {name: np.array(columns[name][start:end], dtype=np.int64) for name in ROW_TYPES},
            np.array(self._effects[first_seq : last_seq + 1], dtype=np.int64),
            [other for other in self._others if first_seq <= other[0] <= last_seq],
        )

    def facts(self) -> Facts:
        """Returns what was taken so far; later events do not change it."""
        columns = [np.array(column, dtype=np.int64) for column in self._rows]
        effects: Column = np.append(np.array(self._effects, dtype=np.int64)[1:], NEVER)
        return Facts(
            seq=self.seq,
            player_ids=list(self._player_ids),
            player_index=dict(self._player_index),
            player_versions=[list(versions) for versions in self._player_versions],
            tournament_ids=list(self._tournament_ids),
            tournament_index=dict(self._tournament_index),
            tournament_versions=[list(versions) for versions in self._tournament_versions],
            acceptances=[list(states) for states in self._acceptances],
            games=GameColumns(*columns),
            seeds=list(self._seeds),
            ordered_steps=list(self._ordered_steps),
            assigned_ks=list(self._ks),
            titles=list(self._titles),
            merges=list(self._merges),
            lists={name: _copy(facts) for name, facts in self._lists.items()},
            ladders={name: facts.copy() for name, facts in self._ladders.items()},
            first_effect=np.minimum.accumulate(effects[::-1])[::-1],
        )

    # Each of the following takes one kind of event and returns the earliest chess date (ordinal)
    # on which it can change a rating.

    def _player(self, seq: int, event: pl.AnyPlayerEvent, effective_on: dt.date) -> int:
        match event:
            case pl.PlayerRegistered():
                self._player_index[event.player] = len(self._player_ids)
                self._player_ids.append(event.player)
                self._player_versions.append([(seq, event)])
                return NEVER
            case pl.PlayerIdentityCorrected():
                versions = self._player_versions[self._player_index[event.player]]
                same_year = versions[-1][1].birth_year == event.birth_year
                versions.append((seq, event))
                return NEVER if same_year else _ALWAYS  # K may go by the age
            case pl.PlayersMerged():
                merge = Merge(seq, self._player_index[event.player], self._player_index[event.into])
                self._merges.append(merge)
                return _ALWAYS
            case pl.KAssigned():
                player = self._player_index[event.player]
                self._ks.append(AssignedK(seq, effective_on, event.list, player, event.k))
                return effective_on.toordinal()
            case pl.RatingSeeded():
                player = self._player_index[event.player]
                self._seeds.append(
                    Seed(seq, effective_on, event.list, player, event.rating, event.games)
                )
                return effective_on.toordinal()
            case pl.RatingAdjusted():
                player = self._player_index[event.player]
                self._ordered_steps.append(
                    OrderedStep(seq, effective_on, event.list, player, event.points)
                )
                return effective_on.toordinal()
            case pl.TitleAwarded():
                player = self._player_index[event.player]
                self._titles.append(AwardedTitle(seq, effective_on, player, event.title))
                return NEVER
            case _:
                assert_never(event)

    def _tournament(self, seq: int, event: to.AnyTournamentEvent) -> int:
        match event:
            case to.TournamentOpened():
                self._tournament_index[event.tournament] = len(self._tournament_ids)
                self._tournament_ids.append(event.tournament)
                self._tournament_versions.append([(seq, event)])
                self._acceptances.append([(seq, Acceptance.ACCEPTED)])
                return NEVER
            case to.TournamentCorrected():
                before = self._ends_on(event.tournament)
                self._tournament_versions[self._tournament_index[event.tournament]].append(
                    (seq, event)
                )
                return min(before, self._ends_on(event.tournament))
            case to.PlayerEntered() | to.PlayerWithdrew() | to.TournamentClosed():
                return NEVER
            case to.TournamentAccepted():
                return self._accept(seq, event.tournament, Acceptance.ACCEPTED)
            case to.TournamentRejected():
                return self._accept(seq, event.tournament, Acceptance.REJECTED)
            case to.TournamentAnnulled():
                return self._accept(seq, event.tournament, Acceptance.ANNULLED)
            case _:
                self._pairing(seq, event)
                return self._ends_on(event.tournament)

    def _pairing(self, seq: int, event: PairingEvent) -> None:
        match event:
            case to.ResultRecorded() | to.ForfeitRecorded() | to.ResultCorrected():
                result = Result.parse(event.result)
                self._row(seq, event, result.halves, _ENDING[result.termination])
            case to.GameAdjudicated():
                ending = Ending.ADJUDICATED if event.ruling == "definitive" else Ending.TEMPORARY
                self._row(seq, event, Result.parse(event.result).halves, ending)
            case to.RatingResultCorrected():
                if event.result is None:
                    self._row(seq, event, (0, 0), Ending.NOT_FOR_RATING)
                else:
                    result = Result.parse(event.result)
                    self._row(seq, event, result.halves, _ENDING[result.termination])
            case to.GameAdjourned():
                self._row(seq, event, (0, 0), Ending.ADJOURNED)
            case to.ResultAnnulled():
                self._row(seq, event, (0, 0), Ending.ANNULLED)
            case to.ByeGiven():
                self._append(
                    seq, event.tournament, event.round, event.player, None,
                    (event.kind.halves, 0), Ending.BYE,
                )  # fmt: skip
            case _:
                assert_never(event)

    def _row(
        self,
        seq: int,
        event: GameEvent,
        halves: tuple[int, int],
        ending: Ending,
    ) -> None:
        supersedes = None if isinstance(event, to.GameAdjourned) else event.supersedes
        if supersedes is not None:
            self._supersede(supersedes, seq)
        self._append(seq, event.tournament, event.round, event.white, event.black, halves, ending)
        self._supersedes[-1] = supersedes or 0

    def _supersede(self, earlier: int, seq: int) -> None:
        """Lets the word of a seq be the later one."""
        row = bisect_left(self._rows[0], earlier)
        assert self._rows[0][row] == earlier, "only a word about a pairing is superseded"
        self._rows[1][row] = seq

    def _append(
        self,
        seq: int,
        tournament: str,
        round_: int,
        white: str,
        black: str | None,
        halves: tuple[int, int],
        ending: Ending,
    ) -> None:
        self._supersedes.append(0)
        players = self._player_index
        row = (
            seq, 0, self._tournament_index[tournament], round_, players[white],
            NOBODY if black is None else players[black], *halves, ending,
        )  # fmt: skip
        for column, value in zip(self._rows, row, strict=True):
            column.append(value)

    def _accept(self, seq: int, tournament: str, acceptance: Acceptance) -> int:
        self._acceptances[self._tournament_index[tournament]].append((seq, acceptance))
        return self._ends_on(tournament)

    def _ends_on(self, tournament: str) -> int:
        return self._tournament_versions[self._tournament_index[tournament]][-1][
            1
        ].ends_on.toordinal()

    def _list(self, seq: int, event: adm.AnyListEvent, effective_on: dt.date) -> int:
        match event:
            case adm.ListDefined():
                segment = Segment(event.first_on, event.calendar, event.closes_days_before)
                self._lists[event.list] = ListFacts(seq, event, [(seq, segment)])
                return NEVER
            case adm.CalendarSet():
                segment = Segment(effective_on, event.calendar, event.closes_days_before)
                self._lists[event.list].segments.append((seq, segment))
                return effective_on.toordinal()
            case adm.RegulationAdopted():
                self._lists[event.list].adoptions.append(Adoption(seq, effective_on, event))
                return effective_on.toordinal()
            case adm.ListAdjusted():
                facts = self._lists[event.list]
                facts.adjustments.append((seq, event))
                period = period_named([s for _, s in facts.segments], event.period)
                return _ALWAYS if period is None else period.starts_on.toordinal()
            case adm.ListPublished():
                self._lists[event.list].publications.append((seq, event))
                return NEVER
            case _:
                assert_never(event)

    def _ladder(self, seq: int, event: la.AnyLadderEvent, effective_on: dt.date) -> int:
        if isinstance(event, la.LadderOpened):
            self._ladders[event.ladder] = LadderFacts(seq, effective_on, event)
        else:
            self._ladders[event.ladder].entries.append(Entry(seq, effective_on, event))
        return NEVER


def _copy(facts: ListFacts) -> ListFacts:
    return ListFacts(
        facts.seq,
        facts.defined,
        list(facts.segments),
        list(facts.adoptions),
        list(facts.adjustments),
        list(facts.publications),
    )
