"""The registrar, which decides a series of commands: all or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from pydantic import ValidationError

from ledger.desk.rounds import is_second_absence, unfinished
from ledger.desk.starting_order import renumbering_due
from ledger.desk.teams import participants_of
from ledger.events.catalogue import AnyEvent
from ledger.events.desk import AbsenceAnnounced, TeamEntered
from ledger.events.model import Dated, bad_value
from ledger.events.tournaments import (
    ByeGiven,
    PlayerEntered,
    Recorded,
    ReportDetails,
    TournamentAnnounced,
    TournamentClosed,
    TournamentFlagged,
    TournamentVersion,
)
from ledger.facts.ids import Stays
from ledger.identifiers import Seq
from ledger.journal.records import PersonalDocument
from ledger.operations.kinds import labels_of
from ledger.operations.operation import Command, kinds_of
from ledger.operations.tournaments import OpenTournament
from ledger.registrar import (  # noqa: F401 - each registers how its commands are decided
    accounts,
    desk,
    ladders,
    lists,
    pairings,
    players,
    rounds,
    teams,
    tournaments,
)
from ledger.registrar.deciders import decided
from ledger.registrar.register import Register
from ledger.registrar.swiss import Broken, broken_by
from ledger.regulations.registry import regulations
from ledger.time_control import coded_time_control, rate_of_play_of
from ledger.titles.fide_1972_stages import QUALIFYING, Stage
from ledger.wording import Message


def unannounced(tournament: str) -> Message:
    """Returns the note of a tournament that is opened without an announcement."""
    return Message.of("tournament.not_announced_note", tournament=tournament)


class Registrar:
    """Decides commands at a head, each seeing the events of the one before.

    ``today`` is the day on which it decides: nothing is recorded of a later one. After ``take``
    has accepted all commands, ``events`` and ``personal`` are what is to be appended.
    ``tied_to_head`` says that at another head they would be others though nothing were recorded of
    their streams in between: they name that head, or the seq that one of them will have.
    ``unannounced`` notes the tournaments that are opened without an announcement, where the
    federation wants that.
    """

    def __init__(self, register: Register, head_seq: Seq, today: dt.date) -> None:
        self.register = register
        self.events: list[Dated] = []
        self.personal: list[PersonalDocument] = []
        self.unannounced: list[Message] = []
        self.tied_to_head = False
        self._head_seq = head_seq
        self._today = today

    @property
    def first_seq(self) -> Seq:
        """The seq of the first event that it decides."""
        return Seq(self._head_seq + 1)

    @property
    def warnings(self) -> list[Message]:
        """What the events record by hand against the rules of a Swiss, because it was so.

        And who is out by the manual's rules, with a second absence that is announced; what is not
        finished in a tournament that is closed; who entered an event that is to be numbered
        anew for it; a rate of play that the time control contradicts; and unknown flags.
        """
        broken = [
            Message.of("pairing.despite", why=rule.message)
            for dated in self.events
            if isinstance(dated.event, Recorded) and dated.event.despite
            for rule in self._broken_by(dated.event)
        ]
        closed = [
            message
            for dated in self.events
            if isinstance(dated.event, TournamentClosed)
            for message in self._left_open(dated.event.tournament)
        ]
        noted = [
            *self._late_numbers(),
            *self._other_rates(),
            *self._unknown_flags(),
            *self.unannounced,
        ]
        return [*broken, *closed, *noted] + [
            Message.of("desk.second_absence", player=event.player, tournament=event.tournament)
            for event in (dated.event for dated in self.events)
            if isinstance(event, AbsenceAnnounced)
            and is_second_absence(self.register.tournaments[event.tournament], event.player)
        ]

    def _late_numbers(self) -> Iterator[Message]:
        """Yields who has a number only until the next round, when all get theirs by rating."""
        for event in (dated.event for dated in self.events):
            if not isinstance(event, PlayerEntered | TeamEntered):
                continue
            record = self.register.tournaments[event.tournament]
            late = event.player if isinstance(event, PlayerEntered) else event.team
            number = participants_of(record).entries.get(late)
            if number is not None and record.desk.rounds and renumbering_due(record):
                values = {"player": late, "number": number, "tournament": event.tournament}
                yield Message.of("desk.numbers_due", **values)

    def _other_rates(self) -> Iterator[Message]:
        """Yield a sentence for each event whose time control reads as another rate of play."""
        for event in (dated.event for dated in self.events):
            match event:
                case TournamentVersion():
                    report = event.report or ReportDetails()
                    words, coded = report.time_control, coded_time_control(report.records)
                case TournamentAnnounced():
                    words, coded = event.time_control, None
                case _:
                    continue
            rate = rate_of_play_of(words, coded)
            if rate not in (None, event.rate_of_play):
                names = {"recorded": event.rate_of_play, "read": rate}
                values = {name: Message.of(f"rate.{of}") for name, of in names.items()}
                text = coded or words
                yield Message.of(
                    "tournament.other_rate", tournament=event.tournament, text=text, **values
                )

    def _unknown_flags(self) -> Iterator[Message]:
        """Yield a sentence for each flag that no rules, of ratings or of titles, ask for."""
        flags = {
            flag
            for event in (dated.event for dated in self.events)
            if isinstance(event, TournamentFlagged)
            for flag in event.flags
        }
        if flags:
            known = {*Stage, *(flag for rules in regulations().values() for flag in rules.FLAGS)}
            listed = ", ".join((*sorted(known), f"{QUALIFYING}6"))
            for flag in sorted(flags - known):
                if not flag.removeprefix(QUALIFYING).isdecimal():
                    yield Message.of("tournament.unknown_flag", flag=flag, known=listed)

    def _left_open(self, tournament: str) -> Iterator[Message]:
        """Yields a sentence for games without a result, and one for temporary adjudications."""
        open_, temporary = unfinished(self.register.tournaments[tournament])
        for key, games in (
            ("tournament.closed_open", open_),
            ("tournament.closed_temporary", temporary),
        ):
            if games:
                round_, white, black = games[0]
                values = {"white": white, "black": black, "round": round_, "count": len(games)}
                yield Message.of(key, tournament=tournament, **values)

    def _broken_by(self, event: Recorded) -> Iterator[Broken]:
        record = self.register.tournaments[event.tournament]
        player = event.player if isinstance(event, ByeGiven) else event.white
        there = record.pairings.get((event.round, player))
        return broken_by(record, there) if there else iter(())

    def _stays(self, command: Command) -> Stays:
        """Returns the ids that stay for a command: those of its tournament's teams all do."""
        record = self.register.tournaments.get(getattr(command, "tournament", ""))
        return self.register.survivors if record is None else record.stays

    def _is_to_be_noted(self, tournament: str) -> bool:
        register = self.register
        return register.unannounced == "note" and register.announced(tournament) is None

    def take(self, command: Command) -> None:
        """Decides one more command.

        Raises:
            InputRefused: it cannot be recorded; the message says what to do.
            Conflict: it was recorded before, differently.
        """
        named = command.of_survivors(self._stays(command))
        # Who was merged into whom, of those the command does not name, others may record.
        self.tied_to_head |= named.names_head(self._head_seq) or named != command
        try:
            dated_events = decided(named, self.register, self._today)
        except ValidationError as error:
            raise bad_value(error, labels_of(kinds_of(type(command)))) from error
        if isinstance(command, OpenTournament) and self._is_to_be_noted(command.tournament):
            self.unannounced.append(unannounced(command.tournament))
        if (document := command.personal()) is not None:
            self.personal.append(document)
        for dated in dated_events:
            self.events.append(dated)
            event: AnyEvent = dated.event  # type: ignore[assignment]  # deciders make no others
            self.tied_to_head |= any(seq > self._head_seq for seq in event.named_seqs)
            self.register.take(Seq(self._head_seq + len(self.events)), event, dated.effective_on)
