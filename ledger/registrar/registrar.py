"""Takes a series of commands, each seeing the events of the one before; all of them or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import assert_never

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ledger.errors import Conflict, InputRefused
from ledger.events.catalogue import AnyEvent
from ledger.events.model import Dated
from ledger.events.tournaments import ByeGiven, Recorded
from ledger.journal.records import PersonalDocument
from ledger.registrar import commands as c
from ledger.registrar import ladders, lists, players, tournaments
from ledger.registrar.merged_players import Survivors
from ledger.registrar.register import Register
from ledger.registrar.swiss import Broken, broken_by
from ledger.wording import Message

_SHOWN = 60


class Registrar:
    """Decides commands at a head.

    ``today`` is the day on which it decides: nothing is recorded of a later one. After ``take``
    has accepted all commands, ``events`` and ``personal`` are what is to be appended.
    ``tied_to_head`` says that at another head they would be others though nothing were recorded of
    their streams in between: they name that head, or the seq that one of them will have.
    """

    def __init__(self, register: Register, head_seq: int, today: dt.date) -> None:
        self.register = register
        self.events: list[Dated] = []
        self.personal: list[PersonalDocument] = []
        self.tied_to_head = False
        self._head_seq = head_seq
        self._today = today

    @property
    def first_seq(self) -> int:
        """The seq of the first event that it decides."""
        return self._head_seq + 1

    @property
    def warnings(self) -> list[Message]:
        """What the events record by hand against the rules of a Swiss, because it was so."""
        return [
            Message.of("pairing.despite", why=rule.message)
            for dated in self.events
            if isinstance(dated.event, Recorded) and dated.event.despite
            for rule in self._broken_by(dated.event)
        ]

    def _broken_by(self, event: Recorded) -> Iterator[Broken]:
        record = self.register.tournaments[event.tournament]
        player = event.player if isinstance(event, ByeGiven) else event.white
        there = record.pairings.get((event.round, player))
        return broken_by(record, there) if there else iter(())

    def take(self, command: c.Command) -> None:
        """Decides one more command.

        Raises:
            InputRefused: it cannot be recorded; the message says what to do.
            Conflict: it was recorded before, differently.
        """
        named = of_survivors(command, self.register.survivors)
        # Who was merged into whom, of those the command does not name, others may record.
        self.tied_to_head |= named != command
        try:
            decided = self._decide(named)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise InputRefused(
                "registrar.bad_value",
                field=field,
                value=str(first["input"])[:_SHOWN],
                why=allowed(first),
            ) from error
        if isinstance(command, c.AboutPlayer):
            document = players.sealed(command).document()
            digest = sha256(document.encode()).hexdigest()
            self.personal.append(PersonalDocument(digest, command.player, document))
        for dated in decided:
            self.events.append(dated)
            event: AnyEvent = dated.event  # type: ignore[assignment]  # deciders make no others
            self.tied_to_head |= any(seq > self._head_seq for seq in event.named_seqs)
            self.register.take(self._head_seq + len(self.events), event, dated.effective_on)

    def _check_basis(self, command: c.PublishList) -> None:
        """A list goes out of everything that is known, not of what was known a moment ago."""
        self.tied_to_head = True
        if command.basis_seq != self._head_seq:
            raise Conflict("list.overtaken", list=command.list, period=command.period)

    def _decide(self, command: c.Command) -> list[Dated]:
        match command:
            case (
                c.RegisterPlayer()
                | c.CorrectIdentity()
                | c.MergePlayers()
                | c.AssignK()
                | c.SeedRating()
                | c.AdjustRating()
                | c.AwardTitle()
            ):
                return players.decide(self.register, command)
            case (
                c.OpenTournament()
                | c.CorrectTournament()
                | c.EnterPlayer()
                | c.RecordGame()
                | c.AdjournGame()
                | c.AdjudicateGame()
                | c.CorrectResult()
                | c.AnnulResult()
                | c.GiveBye()
                | c.WithdrawPlayer()
                | c.RuleOnTournament()
            ):
                return tournaments.decide(self.register, command, self._today)
            case (
                c.DefineList()
                | c.SetCalendar()
                | c.AdoptRegulation()
                | c.AdjustList()
                | c.PublishList()
            ):
                if isinstance(command, c.PublishList):
                    self._check_basis(command)
                return lists.decide(self.register, command, self._today)
            case (
                c.OpenLadder()
                | c.JoinLadder()
                | c.LeaveLadder()
                | c.MakeChallenge()
                | c.RecordChallengeGame()
                | c.SettleChallenge()
                | c.WithdrawChallenge()
            ):
                return ladders.decide(self.register, command, self._today)
            case _:
                assert_never(command)


def of_survivors(command: c.Command, survivors: Survivors) -> c.Command:
    """Returns a command about a tournament with the ids under which its players take part."""
    match command:
        case c.EnterPlayer() | c.GiveBye() | c.WithdrawPlayer():
            return replace(command, player=survivors(command.player))
        case c.RecordGame() | c.AdjournGame() | c.AdjudicateGame() | c.CorrectResult():
            return replace(command, white=survivors(command.white), black=survivors(command.black))
        case c.AnnulResult():
            black = None if command.black is None else survivors(command.black)
            return replace(command, white=survivors(command.white), black=black)
        case _:
            return command


def allowed(error: ErrorDetails) -> Message | str:
    """Returns what a value may be, from what Pydantic found wrong with it."""
    context = error.get("ctx", {})
    match error["type"]:
        case "string_pattern_mismatch":
            return Message.of("value.pattern")
        case "string_too_long":
            return Message.of("value.too_long", most=context["max_length"])
        case "less_than_equal":
            return Message.of("value.too_large", most=context["le"])
        case "greater_than_equal":
            return Message.of("value.too_small", least=context["ge"])
        case "literal_error":
            return Message.of("value.not_one_of", allowed=context["expected"])
        case _:
            return error["msg"]
