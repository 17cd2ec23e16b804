"""Commands about tournaments and who takes part, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, assert_never

from ledger.calendar import Period
from ledger.desk.teams import participants_of
from ledger.errors import InputRefused
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated, Event
from ledger.facts.ids import Stays
from ledger.facts.tournament import TournamentRecord
from ledger.registrar.register import ListRecord, Register
from ledger.registrar.registrar import Command
from ledger.results import Result, Termination
from ledger.terms import Rate, System

# Before the first tournament of the game, and beyond any calendar: a slip of the keyboard.
_FIRST_YEAR, _LAST_YEAR = 1800, 2199


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutTournament(Command):
    """What is known of a tournament itself."""

    NAMES = ("tournament",)

    tournament: str
    name: str
    starts_on: dt.date
    ends_on: dt.date
    system: System
    rate_of_play: Rate
    merit_hundredths: int | None = None
    rounds: int | None = None
    place: str | None = None
    federation: str | None = None
    report: to.ReportDetails | None = None

    def _check_dates(self) -> None:
        for day in (self.starts_on, self.ends_on):
            if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
                raise self.refused("tournament.no_such_year", on=day)
        if self.ends_on < self.starts_on:
            raise self.refused(
                "tournament.ends_before_start", start=self.starts_on, end=self.ends_on
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(AboutTournament):
    """Open a tournament."""

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses an id that is taken, if only by one that was annulled, and impossible dates."""
        if self.tournament in register.tournaments:
            register.known_tournament(self.tournament)
            raise self.refused("tournament.open_already")
        self._check_dates()
        return [Dated(self.starts_on, self.said(to.TournamentOpened))]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectTournament(AboutTournament):
    """Replace what is known of the tournament itself."""

    NEEDS_REASON = True

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses what is recorded already, impossible dates, and what published rounds are of."""
        record = register.known_tournament(self.tournament)
        self._check_dates()
        event = self.said(to.TournamentCorrected)
        if event.model_dump() == record.version.model_dump():
            raise self.refused("tournament.nothing_changes")
        last = record.desk.last_round
        if last and self.system is not record.version.system:
            raise self.refused("desk.system_in_use", system=record.version.system.value)
        if self.rounds is not None and self.rounds < last:
            raise self.refused("desk.rounds_in_use", rounds=self.rounds, last=last)
        return [Dated(self.starts_on, event)]


@dataclass(frozen=True, slots=True)
class RatedIn:
    """The period of a list in which a tournament is rated, whenever it ended."""

    list: str
    period: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnTournament(Command):
    """Close, accept, reject or annul a tournament; accepted, it may be ``rated_in`` a period."""

    tournament: str
    ruling: Literal["close", "accept", "reject", "annul"]
    on: dt.date
    rated_in: RatedIn | None = None
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and the list of a period."""
        its = f"tournament:{self.tournament}"
        return (its, f"list:{self.rated_in.list}") if self.rated_in else (its,)

    @property
    def needs_reason(self) -> bool:
        """For a rejection, an annulment and a correction."""
        return self.ruling in ("reject", "annul") or self.as_correction

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a ruling that holds already, and a period that cannot rate the tournament."""
        record = register.known_tournament(self.tournament)
        match self.ruling:
            case "close":
                if record.closed:
                    raise self.refused("tournament.closed_already")
                event: type[Event] = to.TournamentClosed
            case "accept" if self.rated_in is not None:
                return [self._put_into(register.known_list(self.rated_in.list), record)]
            case "accept" if self.as_correction:
                raise self.refused("tournament.corrects_no_period")
            case "accept":
                if not record.rejected:
                    raise self.refused("tournament.accepted_already")
                event = to.TournamentAccepted
            case "reject":
                if record.rejected:
                    raise self.refused("tournament.rejected_already")
                event = to.TournamentRejected
            case "annul":
                event = to.TournamentAnnulled
            case _:
                assert_never(self.ruling)
        return [Dated(self.on, self.said(event))]

    def _put_into(self, list_: ListRecord, record: TournamentRecord) -> Dated:
        """Puts a tournament into a period of a list, one that can rate it.

        Neither that period nor the one that rated it till now may be out, unless it is a
        correction.
        """
        assert self.rated_in is not None
        said = self.rated_in
        period = list_.known_period(said.period)
        rate = list_.defined.rate_of_play
        if rate not in (None, record.version.rate_of_play):
            its = record.version.rate_of_play.value
            raise self.refused("tournament.not_of_list", list=said.list, rate=its, rates=rate)
        if period.closes_on < record.version.ends_on:
            days = {"closes": period.closes_on, "ends": record.version.ends_on}
            raise self.refused("tournament.rated_before_end", period=period.name, **days)
        if record.rated_in.get(said.list) == period.name and not record.rejected:
            raise self.refused("tournament.rated_in_already", list=said.list, period=period.name)
        first = min(period, _left(list_, record) or period, key=lambda changed: changed.index)
        list_.check_open(first.starts_on, as_correction=self.as_correction)
        event = self.said(to.TournamentAccepted, list=said.list, period=period.name)
        return Dated(self.on, event)


def _left(list_: ListRecord, record: TournamentRecord) -> Period | None:
    """Returns the period that a tournament is taken out of, if a list went out that rated it."""
    rated = None if record.rejected else list_.rates(record)
    return rated if rated is not None and list_.knew(record, rated) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagTournament(Command):
    """Record the words by which a list's rules know a kind of tournament; replaces all of them."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    flags: tuple[str, ...]

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses the flags that it has."""
        record = register.known_tournament(self.tournament)
        flags = tuple(sorted(set(self.flags)))
        if flags == record.flags:
            raise self.refused("tournament.flagged", flags=", ".join(flags) or "-")
        return [Dated(record.version.ends_on, self.said(to.TournamentFlagged, flags=flags))]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfParticipant(Command):
    """About one player of a tournament."""

    NAMES = ("tournament", "player")

    tournament: str
    player: str

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the player's id that stays."""
        return replace(self, player=stays(self.player))


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayer(OfParticipant):
    """Let a player take part; without a starting number, with the next one."""

    starting_number: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is in or too late for the tables, and a number that is taken.

        Who enters after a round was published plays from the next one on. A closed event of the
        desk takes nobody.
        """
        record = register.known_tournament(self.tournament)
        register.known_player(self.player)
        last = record.desk.last_round
        if last and record.closed:
            raise self.refused("desk.closed")
        if self.player in record.entries:
            raise self.refused("tournament.entered")
        if record.version.system is System.ROUND_ROBIN and record.desk.rounds:
            raise self.refused("desk.table_in_use")
        taken = {number: player for player, number in record.entries.items()}
        number = self.starting_number or max(taken, default=0) + 1
        if number in taken:
            raise self.refused("tournament.number_taken", number=number, player=taken[number])
        day = record.version.starts_on
        entered = Dated(day, self.said(to.PlayerEntered, starting_number=number))
        if not last:
            return [entered]
        return [entered, Dated(day, self.said(de.EntryDescribed, from_round=last + 1))]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawPlayer(OfParticipant):
    """Record that a player leaves from a round on."""

    from_round: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a player who has withdrawn, and one who played later."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        if self.player in record.withdrawn:
            raise self.refused("tournament.withdrawn", round=record.withdrawn[self.player])
        known = participants_of(record) if self.player in record.desk.teams else record
        for pairing in known.rounds_of(self.player):
            result = pairing.result
            played = isinstance(result, Result) and result.termination is Termination.PLAYED
            if played and pairing.round >= self.from_round:
                raise self.refused("tournament.played_after_withdrawal", round=pairing.round)
        return [Dated(record.version.ends_on, self.said(to.PlayerWithdrew))]


def check_participant(register: Register, record: TournamentRecord, participant: str) -> None:
    """Raises ``InputRefused`` for who takes no part: no team of the event, and no player in it."""
    if participant not in record.desk.teams:
        check_entered(register, record, participant)


def check_entered(register: Register, record: TournamentRecord, player: str) -> None:
    """Raises ``InputRefused`` for a player who is unknown, or was not entered."""
    register.known_player(player)
    if player not in record.entries:
        raise InputRefused(
            "tournament.not_entered", player=player, tournament=record.version.tournament
        )
