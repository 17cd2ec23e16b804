"""What the registrar knows: the players, tournaments, lists and ladders a command is about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias, assert_never

from ledger.calendar import (
    CalendarSegment,
    Period,
    has_period_from,
    period_around,
    period_named,
    periods,
)
from ledger.events import fast
from ledger.events import ladders as la
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, AnyEvent
from ledger.events.model import LadderEvent, ListEvent, PlayerEvent, TournamentEvent
from ledger.facts.ladders import LadderEntry, LadderFacts
from ledger.journal.records import StoredEvent
from ledger.registrar.merged_players import Survivors
from ledger.results import Bye, Result

_result = cache(Result.parse)
"""Few results are possible."""

Status: TypeAlias = Literal["recorded", "adjourned", "temporary"]


@dataclass(slots=True)
class PlayerRecord:
    """One player as registered."""

    version: pl.PlayerRegistered | pl.PlayerIdentityCorrected
    merged_into: str | None = None
    ks: list[tuple[dt.date, pl.KAssigned]] = field(default_factory=list)
    seeds: list[tuple[dt.date, pl.RatingSeeded]] = field(default_factory=list)
    steps: list[tuple[dt.date, pl.RatingAdjusted]] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)

    def k_on(self, list_: str | None, day: dt.date) -> int | None:
        """Returns the K in force on the day: in the list, or (None) as assigned for all lists."""
        fitting = [k for k in self.ks if k[1].list in (None, list_) and k[0] <= day]
        return max(reversed(fitting), key=lambda k: k[0])[1].k if fitting else None

    def seed_on(self, list_: str, day: dt.date) -> pl.RatingSeeded | None:
        """Returns the rating brought into the list for exactly this day; the last word."""
        fitting = [seed for on, seed in self.seeds if seed.list == list_ and on == day]
        return fitting[-1] if fitting else None


@dataclass(frozen=True, slots=True)
class PairingRecord:
    """The last word on a pairing. ``black`` is None for a bye; an adjourned game has no result.

    ``rating_result`` is what counts for rating where that differs (``()``: it counts for none).
    """

    seq: int
    round: int
    white: str
    black: str | None
    result: Result | Bye | None
    status: Status = "recorded"
    rating_result: Result | tuple[()] | None = None


@dataclass(slots=True)
class TournamentRecord:
    """One tournament as recorded so far; its players under the ids that stay after merges.

    ``days`` are those of the first results of the rounds, ``reported_at`` is the seq of the first
    thing that was recorded of any round.
    """

    version: to.TournamentOpened | to.TournamentCorrected
    survivors: Survivors = field(default_factory=Survivors)
    entries: dict[str, int] = field(default_factory=dict)
    pairings: dict[tuple[int, str], PairingRecord] = field(default_factory=dict)
    annulled_pairings: set[tuple[int, str, str | None]] = field(default_factory=set)
    withdrawn: dict[str, int] = field(default_factory=dict)
    days: dict[int, dt.date] = field(default_factory=dict)
    reported_at: int | None = None
    closed: bool = False
    rejected: bool = False
    annulled: bool = False
    rated_in: dict[str, str] = field(default_factory=dict)
    """By list, the period in which it is rated because somebody said so."""

    @property
    def strangers(self) -> list[str]:
        """Players of whom something is recorded and who were never entered; by id.

        The registrar lets nobody play who was not entered; another program may have.
        """
        return sorted({player for _, player in self.pairings} - self.entries.keys())

    def put(self, pairing: PairingRecord) -> None:
        """Makes it the last word on the pairing of both players in the round."""
        if self.reported_at is None:
            self.reported_at = pairing.seq
        for player in (pairing.white, pairing.black):
            if player is not None:
                self.pairings[pairing.round, player] = pairing

    def strike(self, pairing: PairingRecord) -> None:
        """Takes the pairing out."""
        for player in (pairing.white, pairing.black):
            if player is not None:
                del self.pairings[pairing.round, player]
        self.annulled_pairings.add((pairing.round, pairing.white, pairing.black))

    def rename(self, player: str, into: str) -> None:
        """Puts the id that stays in place of the one that is given up."""

        def stays(one: str) -> str:
            return into if one == player else one

        def renamed(there: PairingRecord) -> PairingRecord:
            black = None if there.black is None else stays(there.black)
            return replace(there, white=stays(there.white), black=black)

        if player not in {*self.entries, *(one for _, one in self.pairings)}:
            return
        self.entries = {stays(one): number for one, number in self.entries.items()}
        self.withdrawn = {stays(one): round_ for one, round_ in self.withdrawn.items()}
        self.pairings = {
            (round_, stays(one)): renamed(there) for (round_, one), there in self.pairings.items()
        }
        self.annulled_pairings = {
            (round_, stays(white), None if black is None else stays(black))
            for round_, white, black in self.annulled_pairings
        }


@dataclass(slots=True)
class ListRecord:
    """One rating list as defined and published so far."""

    defined: adm.ListDefined
    segments: list[CalendarSegment]
    adoptions: list[tuple[dt.date, adm.RegulationAdopted]] = field(default_factory=list)
    adjustments: list[adm.ListAdjusted] = field(default_factory=list)
    published: dict[str, list[adm.ListPublished]] = field(default_factory=dict)

    def period(self, name: str) -> Period | None:
        """Returns the list's period of that name."""
        return period_named(sorted(self.segments, key=lambda s: s.from_on), name)

    def has_period_from(self, day: dt.date) -> bool:
        """Whether a period of the list starts on the day or later."""
        return has_period_from(sorted(self.segments, key=lambda s: s.from_on), day)

    def in_force_since(self, day: dt.date) -> dt.date:
        """Returns since when the list of the day is in force (of the first list at the least)."""
        return period_around(sorted(self.segments, key=lambda s: s.from_on), day).starts_on

    def rates(self, tournament: TournamentRecord) -> Period | None:
        """Returns the period that rates a tournament by its end, or because somebody said so."""
        segments = sorted(self.segments, key=lambda s: s.from_on)
        *_, own = [None, *periods(segments, tournament.version.ends_on)]
        said = self.period(tournament.rated_in.get(self.defined.list, ""))
        found = [period for period in (own, said) if period is not None]
        return max(found, key=lambda period: period.index, default=None)

    def knew(self, tournament: TournamentRecord, period: Period) -> bool:
        """Whether a list of the period, or of a later one, went out with results of a tournament.

        What a list did not know when it went out was not in it: results that came too late.
        """
        since = tournament.reported_at
        return since is not None and any(
            since <= edition.basis_seq
            for name, editions in self.published.items()
            if (published := self.period(name)) and published.index >= period.index
            for edition in editions
        )

    def last_closed(self) -> Period | None:
        """Returns the last period that was published; it and all before it are closed."""
        found = [period for name in self.published if (period := self.period(name))]
        return max(found, key=lambda period: period.index, default=None)


class Register:
    """The records of the streams it was given.

    Args:
        survivors: the merges that were recorded by then, of whomever a tournament names.
    """

    def __init__(self, survivors: Survivors | None = None) -> None:
        self.survivors = survivors or Survivors()
        self.players: dict[str, PlayerRecord] = {}
        self.tournaments: dict[str, TournamentRecord] = {}
        self.lists: dict[str, ListRecord] = {}
        self.ladders: dict[str, LadderFacts] = {}

    def take_stored(self, events: Iterable[StoredEvent]) -> Register:
        """Takes stored events in order of seq; returns itself."""
        for stored in events:
            # What is stored was validated: of rounds, which are many, structs are enough.
            said = fast.read(stored.type, stored.version, stored.payload)
            if said is not None:
                day = dt.date.fromisoformat(stored.effective_on)
                _round(self.tournaments[said.tournament], stored.seq, said, day)
                continue
            event = CATALOGUE.decode(stored.type, stored.version, stored.payload)
            self.take(stored.seq, event, dt.date.fromisoformat(stored.effective_on))
        return self

    def take(self, seq: int, event: AnyEvent, effective_on: dt.date) -> None:
        """Takes one event that has happened."""
        match event:
            case PlayerEvent():
                self._player(event, effective_on)
            case TournamentEvent():
                self._tournament(seq, event, effective_on)
            case ListEvent():
                self._list(event, effective_on)
            case LadderEvent():
                self._ladder(seq, event, effective_on)
            case _:
                assert_never(event)

    def _player(self, event: pl.AnyPlayerEvent, effective_on: dt.date) -> None:
        if isinstance(event, pl.PlayerRegistered):
            self.players[event.player] = PlayerRecord(event)
            return
        record = self.players[event.player]
        match event:
            case pl.PlayerIdentityCorrected():
                record.version = event
            case pl.PlayersMerged():
                record.merged_into = event.into
                self.survivors.merge(event.player, event.into)
                for tournament in self.tournaments.values():
                    tournament.rename(event.player, event.into)
            case pl.KAssigned():
                record.ks.append((effective_on, event))
            case pl.RatingSeeded():
                record.seeds.append((effective_on, event))
            case pl.RatingAdjusted():
                record.steps.append((effective_on, event))
            case pl.TitleAwarded():
                record.titles.add(event.title)
            case _:
                assert_never(event)

    def _tournament(self, seq: int, event: to.AnyTournamentEvent, effective_on: dt.date) -> None:
        if isinstance(event, to.TournamentOpened):
            self.tournaments[event.tournament] = TournamentRecord(event, self.survivors)
            return
        record = self.tournaments[event.tournament]
        match event:
            case to.TournamentCorrected():
                record.version = event
            case to.PlayerWithdrew():
                record.withdrawn[self.survivors(event.player)] = event.from_round
            case to.TournamentClosed():
                record.closed = True
            case to.TournamentAccepted():
                record.rejected = False
                if event.list is not None and event.period is not None:
                    record.rated_in[event.list] = event.period
            case to.TournamentRejected():
                record.rejected = True
            case to.TournamentAnnulled():
                record.annulled = True
            case _:
                _round(record, seq, fast.of(event), effective_on)

    def _list(self, event: adm.AnyListEvent, effective_on: dt.date) -> None:
        if isinstance(event, adm.ListDefined):
            first = CalendarSegment(event.first_on, event.calendar, event.closes_days_before)
            self.lists[event.list] = ListRecord(event, [first])
            return
        record = self.lists[event.list]
        match event:
            case adm.CalendarSet():
                segment = CalendarSegment(effective_on, event.calendar, event.closes_days_before)
                record.segments.append(segment)
            case adm.RegulationAdopted():
                record.adoptions.append((effective_on, event))
            case adm.ListAdjusted():
                record.adjustments.append(event)
            case adm.ListPublished():
                record.published.setdefault(event.period, []).append(event)
            case _:
                assert_never(event)

    def _ladder(self, seq: int, event: la.AnyLadderEvent, effective_on: dt.date) -> None:
        if isinstance(event, la.LadderOpened):
            self.ladders[event.ladder] = LadderFacts(seq, effective_on, event)
        else:
            self.ladders[event.ladder].entries.append(LadderEntry(seq, effective_on, event))


def _round(record: TournamentRecord, seq: int, said: fast.FastEvent, day: dt.date) -> None:
    """Takes what an event says of a round, or of who plays it, into the tournament's record."""
    white = record.survivors(said.white)
    black = None if said.black is None else record.survivors(said.black)
    if isinstance(said, fast.FastEntry):
        record.entries[white] = said.starting_number
        return
    assert isinstance(said, fast.FastPairing)
    match said.MODEL:
        case to.ByeGiven:
            record.put(PairingRecord(seq, said.round, white, None, Bye(said.result or "")))
        case to.GameAdjourned:
            record.put(PairingRecord(seq, said.round, white, black, None, "adjourned"))
        case to.RatingResultCorrected:
            old = record.pairings[said.round, white]
            rating_result = _result(said.result) if said.result else ()
            record.put(
                PairingRecord(
                    seq, old.round, old.white, old.black, old.result, old.status, rating_result
                )
            )
        case to.ResultAnnulled:
            record.strike(record.pairings[said.round, white])
        case to.GameAdjudicated:
            status: Status = "temporary" if said.ruling == "temporary" else "recorded"
            result = _result(said.result)
            record.put(PairingRecord(seq, said.round, white, black, result, status))
        case _:
            assert said.MODEL in {to.ResultRecorded, to.ForfeitRecorded, to.ResultCorrected}
            record.days.setdefault(said.round, day)
            record.put(PairingRecord(seq, said.round, white, black, _result(said.result)))
