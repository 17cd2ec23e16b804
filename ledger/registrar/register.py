"""What the registrar knows: the players, tournaments, lists, ladders and accounts of a command."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Final, TypeAlias, assert_never

from ledger.calendar import (
    CalendarSegment,
    Period,
    has_period_from,
    period_around,
    period_named,
    periods,
)
from ledger.errors import InputRefused, NotFound
from ledger.events import accounts as ac
from ledger.events import fast
from ledger.events import ladders as la
from ledger.events import lists as adm
from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, UNDOING, AnyEvent, FactUndone, undone_of
from ledger.events.desk import AnyDeskEvent
from ledger.events.model import AccountEvent, LadderEvent, ListEvent, PlayerEvent, TournamentEvent
from ledger.facts.accounts import AccountFacts
from ledger.facts.columns import ListFacts
from ledger.facts.ids import Survivors
from ledger.facts.ladder import Ladder, LadderFacts
from ledger.facts.tables import RecordedEvent
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.journal.records import StoredEvent

_KEPT_WHEN_VOID: Final = frozenset(
    model.TYPE
    for model in CATALOGUE.models()
    if issubclass(model, pl.PlayerVersion | to.TournamentOpened)
)
"""The types of events of which something is kept though they are taken back."""

Affiliated: TypeAlias = tuple[dt.date, int, pl.PlayerAffiliated]
"""What was said of a club, region or licence: from which day on it holds, and by which seq."""
Affiliation: TypeAlias = dict[str, str | dt.date | None]
"""Club, region and end of the licence by the names of ``pl.AFFILIATION``."""


@dataclass(slots=True)
class PlayerRecord:
    """One player as registered."""

    version: pl.PlayerRegistered | pl.PlayerIdentityCorrected
    merged_into: str | None = None
    ks: list[tuple[dt.date, pl.KAssigned]] = field(default_factory=list)
    seeds: list[tuple[dt.date, pl.RatingSeeded]] = field(default_factory=list)
    seed_seqs: list[Seq] = field(default_factory=list)
    steps: list[tuple[dt.date, pl.RatingAdjusted]] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)
    description: pl.PlayerDescribed | None = None
    affiliations: list[Affiliated] = field(default_factory=list)
    erased_on: dt.date | None = None

    @property
    def is_erased(self) -> bool:
        """Whether the person was erased."""
        return self.erased_on is not None

    def k_on(self, list_: str | None, day: dt.date) -> int | None:
        """Returns the K in force on the day: in the list, or (None) as assigned for all lists."""
        fitting = [k for k in self.ks if k[1].list in (None, list_) and k[0] <= day]
        return max(reversed(fitting), key=lambda k: k[0])[1].k if fitting else None

    def affiliated_on(self, day: dt.date) -> Affiliation:
        """Returns the club, region and end of the licence that hold on a day; None: nobody said."""
        return affiliation_on(self.affiliations, day)

    def seed_on(self, list_: str, day: dt.date) -> pl.RatingSeeded | None:
        """Returns the rating brought into the list for exactly this day; the last word."""
        fitting = [seed for on, seed in self.seeds if seed.list == list_ and on == day]
        return fitting[-1] if fitting else None


def affiliation_on(affiliations: Iterable[Affiliated], day: dt.date) -> Affiliation:
    """Returns the club, region and end of the licence that hold on a day; None: nobody said.

    ``affiliations`` are those of one person, also under several ids. Of two with one day the later
    recorded one holds.
    """
    found: Affiliation = dict.fromkeys(pl.AFFILIATION)
    for from_on, _, event in sorted(affiliations, key=itemgetter(0, 1)):
        if from_on <= day:
            values = ((name, getattr(event, name)) for name in pl.AFFILIATION)
            found |= {name: value for name, value in values if value is not None}
    return found


@dataclass(frozen=True, slots=True)
class AnnouncedTournament:
    """What was last announced of a tournament; ``seq`` is that of the event."""

    seq: Seq
    event: to.TournamentAnnounced
    is_cancelled: bool = False


@dataclass(slots=True)
class ListRecord(ListFacts):
    """One rating list as defined and published so far, and what may be done with it."""

    @property
    def published(self) -> dict[str, list[adm.ListPublished]]:
        """The editions of each period that went out, by its name."""
        found: dict[str, list[adm.ListPublished]] = {}
        for _, event in self.publications:
            found.setdefault(event.period, []).append(event)
        return found

    @property
    def calendar(self) -> list[CalendarSegment]:
        """The segments of its calendar, in their order."""
        return sorted((segment for _, segment in self.segments), key=lambda each: each.from_on)

    def period(self, name: str) -> Period | None:
        """Returns the list's period of that name."""
        return period_named(self.calendar, name)

    def known_period(self, name: str) -> Period:
        """Returns the list's period of that name; raises ``NotFound`` where there is none."""
        period = self.period(name)
        if period is None:
            raise NotFound("list.no_period", list=self.defined.list, period=name)
        return period

    def in_force_since(self, day: dt.date) -> dt.date:
        """Returns since when the list of the day is in force (of the first list at the least)."""
        return period_around(self.calendar, day).starts_on

    def adoption_on(self, day: dt.date) -> adm.RegulationAdopted | None:
        """Returns the adoption in force on a day; None before the first."""
        in_order = sorted(self.adoptions, key=lambda adoption: adoption.from_on)
        in_force = [adoption.event for adoption in in_order if adoption.from_on <= day]
        return in_force[-1] if in_force else None

    def rates(self, tournament: TournamentRecord) -> Period | None:
        """Returns the period that rates a tournament, by its end or as ordered."""
        *_, own = [None, *periods(self.calendar, tournament.version.ends_on)]
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

    def check_begun(self, on: dt.date) -> None:
        """Raises ``InputRefused`` for a day before the list begins."""
        if on < self.defined.first_on:
            raise InputRefused("list.before_first", on=on, first=self.defined.first_on)

    def check_open(self, on: dt.date, *, as_correction: bool) -> None:
        """Refuses what would change the rules of a list that is out, unless it is meant to.

        Raises:
            InputRefused: a published period starts on the day or later, or no period ever does.
        """
        if not has_period_from(self.calendar, on):
            raise InputRefused("list.no_such_year", on=on)
        closed = self.last_closed()
        if closed and on <= closed.starts_on and not as_correction:
            raise InputRefused(
                "list.closed",
                on=on,
                list=self.defined.list,
                period=closed.name,
                open_on=closed.in_force_on,
            )


class Register:
    """The records of the streams it was given.

    ``unannounced`` is what the federation does about tournaments that were not announced (see
    ``views.federation``).

    Args:
        survivors: the merges that were recorded by then, of whomever a tournament names.
    """

    def __init__(self, survivors: Survivors | None = None) -> None:
        self.survivors = survivors or Survivors()
        self.unannounced = ""
        self.announcements: dict[str, AnnouncedTournament] = {}
        self.players: dict[str, PlayerRecord] = {}
        self.tournaments: dict[str, TournamentRecord] = {}
        self.lists: dict[str, ListRecord] = {}
        self.ladders: dict[str, LadderFacts] = {}
        # What never was, as long as its beginning is taken back.
        self.voided_players: dict[str, PlayerRecord] = {}
        self.voided_tournaments: dict[str, TournamentRecord] = {}
        self.voided_at: dict[str, int] = {}
        """By stream, the seq by which its beginning is taken back."""
        self.documents: dict[str, list[str]] = {}
        """By player, the digests of all identity documents, also those of events taken back."""
        self.accounts: dict[str, AccountFacts] = {}
        self.unregistered: frozenset[str] = frozenset()
        """Whose registration is taken back, where a tournament is among the void streams."""
        self.restored: set[str] = set()
        """The tournaments that were void before what is decided here brought them back."""

    def known_player(self, player: str) -> PlayerRecord:
        """Returns the record of a player who takes part under this id.

        Raises:
            NotFound: no such player.
            InputRefused: merged into another id.
        """
        record = self.players.get(player)
        if record is None:
            raise NotFound("player.unknown", player=player)
        if record.merged_into is not None:
            raise InputRefused("player.merged", player=player, into=self.survivors(player))
        return record

    def recorded_player(self, player: str) -> PlayerRecord | None:
        """Return the record of an id, also where its registration is taken back, or None."""
        return self.players.get(player) or self.voided_players.get(player)

    def known_tournament(self, tournament: str) -> TournamentRecord:
        """Returns the record of a tournament.

        Raises:
            NotFound: no such tournament.
            InputRefused: it is annulled.
        """
        record = self.tournaments.get(tournament)
        if record is None:
            raise NotFound("tournament.unknown", tournament=tournament)
        if record.annulled:
            raise InputRefused("tournament.annulled", tournament=tournament)
        return record

    def announced(self, tournament: str) -> AnnouncedTournament | None:
        """Returns what is announced of a tournament; None where nothing is, or it is cancelled."""
        known = self.announcements.get(tournament)
        return None if known is None or known.is_cancelled else known

    def known_list(self, name: str) -> ListRecord:
        """Returns the record of a list; raises ``NotFound`` where there is none."""
        record = self.lists.get(name)
        if record is None:
            raise NotFound("list.unknown", list=name)
        return record

    def known_ladder(self, name: str) -> Ladder:
        """Returns a ladder as it stands; raises ``NotFound`` where there is none."""
        facts = self.ladders.get(name)
        if facts is None:
            raise NotFound("ladder.unknown", ladder=name)
        return facts.known()

    def take_stored(
        self, events: Iterable[StoredEvent], undone: Mapping[Seq, Seq] | None = None
    ) -> Register:
        """Takes stored events in order of seq, but for those that are taken back; returns itself.

        ``undone`` says which are, each with the seq of the event that does; without it the events
        are all that is known of their streams.
        """
        if undone is None:
            events = [*events]
            undone = undone_of(_undoing(events))
        for stored in events:
            if stored.type in UNDOING:
                continue
            if stored.seq in undone:
                self._void(stored, undone[stored.seq])
                continue
            # What is stored was validated: of rounds, which are many, structs are enough.
            said = fast.read(stored.type, stored.version, stored.payload)
            if said is not None:
                day = dt.date.fromisoformat(stored.effective_on)
                record = self._tournament_of(said.tournament)
                record.take_round(stored.seq, said, day)
                if record.reported_at == stored.seq:
                    record.came_whole = record.opened_in == stored.commit_id
                continue
            event = CATALOGUE.decode(stored.type, stored.version, stored.payload)
            self.take(stored.seq, event, dt.date.fromisoformat(stored.effective_on))
            if isinstance(event, to.TournamentOpened):
                self.tournaments[event.tournament].opened_in = stored.commit_id
        return self

    def _void(self, stored: StoredEvent, by: Seq) -> None:
        """Puts aside what an event began that is taken back: it may hold again.

        Its identity document stays named, so that an erasure destroys it too.
        """
        if stored.type not in _KEPT_WHEN_VOID:
            return
        match CATALOGUE.decode(stored.type, stored.version, stored.payload):
            case pl.PlayerVersion() as version:
                self._name_document(version)
                if isinstance(version, pl.PlayerRegistered):
                    self.voided_at[stored.stream] = by
                    self.voided_players[version.player] = PlayerRecord(version)
            case to.TournamentOpened() as begun:
                self.voided_at[stored.stream] = by
                record = TournamentRecord(begun, self.survivors, opened_in=stored.commit_id)
                self.voided_tournaments[begun.tournament] = record
            case _:
                raise AssertionError("it is one of these")

    def _name_document(self, version: pl.PlayerVersion) -> None:
        self.documents.setdefault(version.player, []).append(version.identity)

    def _tournament_of(self, id_: str) -> TournamentRecord:
        record = self.tournaments.get(id_)
        return self.voided_tournaments[id_] if record is None else record

    def _undo(self, event: FactUndone) -> None:
        """Takes that an event is taken back; it is decided alone, but for what begins anew."""
        match event:
            case pl.PlayerFactUndone(player=player) if player in self.voided_players:
                self.players[player] = self.voided_players.pop(player)
            case to.TournamentFactUndone(tournament=id_) if id_ in self.voided_tournaments:
                self.tournaments[id_] = self.voided_tournaments.pop(id_)
                self.restored.add(id_)
            case _:
                pass

    def take(self, seq: Seq, event: AnyEvent, effective_on: dt.date) -> None:
        """Takes one event that has happened."""
        match event:
            case pl.PlayerFactUndone() | to.TournamentFactUndone() | adm.ListFactUndone():
                self._undo(event)
            case PlayerEvent():
                self._player(seq, event, effective_on)
            case TournamentEvent():
                self._tournament(seq, event, effective_on)
            case ListEvent():
                self._list(seq, event, effective_on)
            case LadderEvent():
                self._ladder(seq, event, effective_on)
            case AccountEvent():
                self._account(seq, event, effective_on)
            case _:
                assert_never(event)

    def _player(self, seq: Seq, event: pl.AnyPlayerEvent, effective_on: dt.date) -> None:
        if isinstance(event, pl.PlayerVersion):
            self._name_document(event)
        if isinstance(event, pl.PlayerRegistered):
            self.players[event.player] = PlayerRecord(event)
            return
        record = self.players.get(event.player) or self.voided_players[event.player]
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
                record.seed_seqs.append(seq)
            case pl.RatingAdjusted():
                record.steps.append((effective_on, event))
            case pl.TitleAwarded():
                record.titles.add(event.title)
            case pl.PlayerDescribed():
                record.description = event
            case pl.PlayerAffiliated():
                record.affiliations.append((effective_on, seq, event))
            case pl.PlayerErased():
                record.erased_on = record.erased_on or effective_on
            case pl.PlayerFactUndone():
                raise AssertionError("what takes back is taken as such")
            case _:
                assert_never(event)

    def _tournament(
        self, seq: Seq, event: to.AnyTournamentEvent | AnyDeskEvent, effective_on: dt.date
    ) -> None:
        match event:
            case to.TournamentOpened():
                self.tournaments[event.tournament] = TournamentRecord(event, self.survivors)
            case to.TournamentAnnounced():
                self.announcements[event.tournament] = AnnouncedTournament(seq, event)
            case to.TournamentCancelled():
                known = self.announcements.get(event.tournament)
                if known is not None and known.seq == event.announcement:
                    self.announcements[event.tournament] = replace(known, is_cancelled=True)
            case _:
                self._tournament_of(event.tournament).take(seq, event, effective_on)

    def _list(self, seq: Seq, event: adm.AnyListEvent, effective_on: dt.date) -> None:
        if isinstance(event, adm.ListDefined):
            self.lists[event.list] = ListRecord.of(seq, event)
        else:
            self.lists[event.list].take(seq, event, effective_on)

    def _ladder(self, seq: Seq, event: la.AnyLadderEvent, effective_on: dt.date) -> None:
        if isinstance(event, la.LadderOpened):
            self.ladders[event.ladder] = LadderFacts(seq, effective_on, event)
        else:
            self.ladders[event.ladder].entries.append(RecordedEvent(seq, effective_on, event))

    def _account(self, seq: Seq, event: ac.AnyAccountEvent, effective_on: dt.date) -> None:
        its = self.accounts.setdefault(event.account, AccountFacts(event.account))
        its.take(seq, event, effective_on)


def _undoing(events: Iterable[StoredEvent]) -> Iterator[tuple[Seq, Seq]]:
    """Yields the events that take others back, each with the seq of the other one."""
    for stored in events:
        if stored.type in UNDOING:
            event = CATALOGUE.decode(stored.type, stored.version, stored.payload)
            yield from ((stored.seq, undoes) for undoes in event.named_seqs)
