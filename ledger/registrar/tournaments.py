"""Commands about tournaments and who takes part, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, assert_never

from ledger.calendar import Period
from ledger.desk.rounds import unfinished
from ledger.desk.teams import participants_of
from ledger.errors import InputRefused, Problem
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated, Event
from ledger.facts.tournament import TournamentRecord
from ledger.operations.operation import Command
from ledger.operations.participants import EnterPlayer, WithdrawPlayer
from ledger.operations.retractions import RestoreTournament
from ledger.operations.tournaments import (
    AnnounceTournament,
    CancelTournament,
    CloseTournament,
    CorrectTournament,
    FlagTournament,
    OpenTournament,
    RuleOnTournament,
)
from ledger.registrar.conflicts import tournament_conflicts
from ledger.registrar.deciders import decides
from ledger.registrar.register import ListRecord, Register
from ledger.results import Result, Termination
from ledger.terms import System
from ledger.typed_values import YEARS
from ledger.wording import Message

NEEDED: Final = {
    "name": "name",
    "start": "starts_on",
    "end": "ends_on",
    "system": "system",
    "rate_of_play": "rate_of_play",
}
"""What a tournament cannot be opened without: the column, and the field."""


def _check_dates(command: Command, start: dt.date, end: dt.date) -> None:
    for day in (start, end):
        if day.year not in YEARS:
            raise command.refused("tournament.no_such_year", on=day)
    if end < start:
        raise command.refused("tournament.ends_before_start", start=start, end=end)


def _check_unopened(command: Command, tournament: str, register: Register) -> None:
    """Refuses an id that is taken, if only by a tournament that was annulled or taken back."""
    if tournament in register.tournaments:
        register.known_tournament(tournament)
        raise command.refused("tournament.open_already")
    if tournament in register.voided_tournaments:
        raise command.refused("tournament.undone")


@decides(AnnounceTournament)
def announce_tournament(
    command: AnnounceTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a tournament that is open, what is announced already, and impossible dates."""
    _check_unopened(command, command.tournament, register)
    _check_dates(command, command.starts_on, command.ends_on)
    event = command.event(to.TournamentAnnounced)
    known = register.announced(command.tournament)
    if known is not None and known.event == event:
        raise command.refused("tournament.announced_so")
    return [Dated(command.starts_on, event)]


@decides(CancelTournament)
def cancel_tournament(
    command: CancelTournament, register: Register, today: dt.date
) -> Sequence[Dated]:
    """Refuses a tournament that is open, one that was not announced, and one that is cancelled."""
    if command.tournament in register.tournaments:
        register.known_tournament(command.tournament)
        raise command.refused("tournament.cancels_open")
    known = register.announcements.get(command.tournament)
    if known is None:
        raise command.refused("tournament.not_announced")
    if known.is_cancelled:
        raise command.refused("tournament.cancelled_already")
    return [Dated(today, command.event(to.TournamentCancelled, announcement=known.seq))]


@decides(OpenTournament)
def open_tournament(
    command: OpenTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses as ``opened_tournament`` does, and one that had to be announced."""
    opened = opened_tournament(command, register)
    if register.unannounced == "refuse" and register.announced(command.tournament) is None:
        raise command.refused("tournament.unannounced")
    return [opened]


def opened_tournament(command: OpenTournament, register: Register) -> Dated:
    """Returns the opening of a tournament; what the command does not say is as it was announced.

    A Swiss, where nobody says what it is.

    Raises:
        InputRefused: the id is taken, it was cancelled, something is not said, or the days cannot
            be.
    """
    _check_unopened(command, command.tournament, register)
    known = register.announcements.get(command.tournament)
    if known is not None and known.is_cancelled:
        raise command.refused("tournament.was_cancelled")
    values = {name: getattr(command, name) for name in to.TournamentOpened.model_fields}
    if known is not None:
        announced = {name: getattr(known.event, name, None) for name in values}
        report = _with_announced(command.report, known.event)
        values |= {name: value for name, value in announced.items() if values[name] is None}
        values |= {"report": report}
    values["system"] = values["system"] or System.SWISS
    unsaid = [column for column, name in NEEDED.items() if values[name] is None]
    if unsaid:
        words = tuple(Message.of(f"column.{column}") for column in unsaid)
        raise command.refused("tournament.lacks", missing=words)
    event = to.TournamentOpened.model_validate(values)
    _check_dates(command, event.starts_on, event.ends_on)
    return Dated(event.starts_on, event)


def _with_announced(
    report: to.ReportDetails | None, announced: to.TournamentAnnounced
) -> to.ReportDetails | None:
    """Returns what is said for reports, with the arbiter and the time control as announced."""
    known = {"chief_arbiter": announced.chief_arbiter, "time_control": announced.time_control}
    known = {name: value for name, value in known.items() if value is not None}
    values = report.model_dump(exclude_none=True) if report is not None else {}
    return to.ReportDetails.model_construct(**known | values) if known or values else None


@decides(RestoreTournament)
def restore_tournament(
    command: RestoreTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a tournament that was not taken back, and one whose places were filled since."""
    record = register.voided_tournaments.get(command.tournament)
    if record is None:
        raise command.refused("tournament.not_undone")
    void = register.unregistered - register.players.keys()
    conflicts = tournament_conflicts(record, lambda player: player not in void)
    if problems := [Problem(conflict) for conflict in conflicts]:
        raise InputRefused("tournament.not_restored", *problems, tournament=command.tournament)
    undoes = register.voided_at[f"tournament:{command.tournament}"]
    event = command.event(to.TournamentFactUndone, undoes=undoes, what=to.TournamentFactUndone.TYPE)
    return [Dated(record.version.starts_on, event)]


@decides(CorrectTournament)
def correct_tournament(
    command: CorrectTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses what is recorded already, impossible dates, and what published rounds are of."""
    record = register.known_tournament(command.tournament)
    _check_dates(command, command.starts_on, command.ends_on)
    event = command.event(to.TournamentCorrected)
    if event.model_dump() == record.version.model_dump():
        raise command.refused("tournament.nothing_changes")
    last = record.desk.last_round
    if last and command.system is not record.version.system:
        raise command.refused("desk.system_in_use", system=record.version.system.value)
    if command.rounds is not None and command.rounds < last:
        raise command.refused("desk.rounds_in_use", rounds=command.rounds, last=last)
    return [Dated(command.starts_on, event)]


@decides(RuleOnTournament)
def rule_on_tournament(
    command: RuleOnTournament, register: Register, today: dt.date
) -> Sequence[Dated]:
    """Refuses a ruling that holds already, and a period that cannot rate the tournament."""
    record = register.known_tournament(command.tournament)
    match command.ruling:
        case "close":
            closing = CloseTournament(tournament=command.tournament, on=command.on)
            return close_tournament(closing, register, today)
        case "reopen":
            if not record.closed:
                raise command.refused("tournament.not_closed")
            event: type[Event] = to.TournamentReopened
        case "accept" if command.rated_in is not None:
            return [_put_into(command, register.known_list(command.rated_in.list), record)]
        case "accept" if command.as_correction:
            raise command.refused("tournament.corrects_no_period")
        case "accept":
            if not record.rejected:
                raise command.refused("tournament.accepted_already")
            event = to.TournamentAccepted
        case "reject":
            if record.rejected:
                raise command.refused("tournament.rejected_already")
            event = to.TournamentRejected
        case "annul":
            event = to.TournamentAnnulled
        case _:
            assert_never(command.ruling)
    return [Dated(command.on, command.event(event))]


@decides(CloseTournament)
def close_tournament(
    command: CloseTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses what is closed already, and with everything that is missing what is not over."""
    record = register.known_tournament(command.tournament)
    if record.closed:
        raise command.refused("tournament.closed_already")
    missing = [Problem(message) for message in _missing(record)]
    if missing and not command.anyway:
        raise InputRefused("tournament.unfinished", *missing, tournament=command.tournament)
    return [Dated(command.on, command.event(to.TournamentClosed))]


def _missing(record: TournamentRecord) -> Iterator[Message]:
    """Yields the rounds that have games without a result, and how many rounds are missing."""
    open_, _ = unfinished(record)
    for round_, games in groupby(open_, key=itemgetter(0)):
        (_, white, black), *more = games
        values = {"white": white, "black": black, "count": 1 + len(more)}
        yield Message.of("tournament.unfinished_round", round=round_, **values)
    announced = record.version.rounds
    if announced is not None and record.known_rounds < announced:
        yield Message.of(
            "tournament.unfinished_rounds", paired=record.known_rounds, rounds=announced
        )


def _put_into(command: RuleOnTournament, list_: ListRecord, record: TournamentRecord) -> Dated:
    """Puts a tournament into a period of a list, one that can rate it.

    Neither that period nor the one that rated it till now may be out, unless it is a
    correction.
    """
    assert command.rated_in is not None
    said = command.rated_in
    period = list_.known_period(said.period)
    rate = list_.defined.rate_of_play
    if rate not in (None, record.version.rate_of_play):
        its = record.version.rate_of_play.value
        raise command.refused("tournament.not_of_list", list=said.list, rate=its, rates=rate)
    if period.closes_on < record.version.ends_on:
        days = {"closes": period.closes_on, "ends": record.version.ends_on}
        raise command.refused("tournament.rated_before_end", period=period.name, **days)
    if record.rated_in.get(said.list) == period.name and not record.rejected:
        raise command.refused("tournament.rated_in_already", list=said.list, period=period.name)
    first = min(period, _left(list_, record) or period, key=lambda changed: changed.index)
    list_.check_open(first.starts_on, as_correction=command.as_correction)
    event = command.event(to.TournamentAccepted, list=said.list, period=period.name)
    return Dated(command.on, event)


def _left(list_: ListRecord, record: TournamentRecord) -> Period | None:
    """Returns the period that a tournament is taken out of, if a list went out that rated it."""
    rated = None if record.rejected else list_.rates(record)
    return rated if rated is not None and list_.knew(record, rated) else None


@decides(FlagTournament)
def flag_tournament(
    command: FlagTournament, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses the flags that it has."""
    record = register.known_tournament(command.tournament)
    flags = tuple(sorted(set(command.flags)))
    if flags == record.flags:
        raise command.refused("tournament.flagged", flags=", ".join(flags) or "-")
    return [Dated(record.version.ends_on, command.event(to.TournamentFlagged, flags=flags))]


@decides(EnterPlayer)
def enter_player(command: EnterPlayer, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a player who is in or too late for the tables, and a number that is taken.

    Who enters after a round was published plays from the next one on. A closed event of the
    desk takes nobody.
    """
    record = register.known_tournament(command.tournament)
    register.known_player(command.player)
    last = record.desk.last_round
    if last and record.closed:
        raise command.refused("desk.closed")
    if command.player in record.entries:
        raise command.refused("tournament.entered")
    if record.version.system is System.ROUND_ROBIN and record.desk.rounds:
        raise command.refused("desk.table_in_use")
    taken = {number: player for player, number in record.entries.items()}
    number = command.starting_number or max(taken, default=0) + 1
    if number in taken:
        raise command.refused("tournament.number_taken", number=number, player=taken[number])
    day = record.version.starts_on
    entered = Dated(day, command.event(to.PlayerEntered, starting_number=number))
    if not last:
        return [entered]
    return [entered, Dated(day, command.event(de.EntryDescribed, from_round=last + 1))]


@decides(WithdrawPlayer)
def withdraw_player(
    command: WithdrawPlayer, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a player who has withdrawn, and one who played later."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    if command.player in record.withdrawn:
        raise command.refused("tournament.withdrawn", round=record.withdrawn[command.player])
    known = participants_of(record) if command.player in record.desk.teams else record
    for pairing in known.rounds_of(command.player):
        result = pairing.result
        played = isinstance(result, Result) and result.termination is Termination.PLAYED
        if played and pairing.round >= command.from_round:
            raise command.refused("tournament.played_after_withdrawal", round=pairing.round)
    return [Dated(record.version.ends_on, command.event(to.PlayerWithdrew))]


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
