"""Newcomers: people who are registered where they play, under an id by the federation's rule.

An arbiter's registration is a proposal until an officer says who the newcomer is: it is confirmed,
corrected or merged.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ledger.answers.directory import candidates, directory_of
from ledger.answers.people_pages import people_with_ids
from ledger.dummies import is_dummy
from ledger.errors import Conflict, Problem
from ledger.facts.as_of import AsOf
from ledger.journal.records import Head
from ledger.json_form import JsonForm
from ledger.operations.operation import Command
from ledger.operations.participants import RegisterNewcomer
from ledger.operations.players import ConfirmPlayer, RegisterPlayer
from ledger.registrar.registrar import Registrar
from ledger.reports.directory import Person
from ledger.service.decisions import Decided, Dependencies
from ledger.service.entries import EntryRow, entry_commands
from ledger.service.identities import identified
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Role
from ledger.views.id_rule import unused_ids
from ledger.views.view import LedgerView
from ledger.wording import Message

_SHOWN: Final = 5  # members of a like name
_SEQS: Final = ("first_seq", "last_seq")


def register_newcomer(ledger: Ledger, newcomer: RegisterNewcomer, request: Request) -> Receipt:
    """Registers somebody at a tournament, and enters him there.

    Raises:
        Conflict: the name fits members, or is that of a bye, and nobody said that it is somebody
            else.
        NotFound: there is no such tournament.
    """
    if not newcomer.anyway:
        _refuse_members(ledger, newcomer)

    def decide(head: Head) -> Decided:
        id_ = next(unused_ids(ledger))
        streams = (f"player:{id_}", f"tournament:{newcomer.tournament}")
        registrar = Registrar(ledger.register(streams, head.seq), head.seq, ledger.today)
        for command in _commands(newcomer, id_):
            registrar.take(command)
        note = Problem(Message.of("player.newcomer", id=id_, name=newcomer.identity.name))
        return Decided.by(registrar, Dependencies.on(streams), [note])

    body = request.body or f"newcomer {newcomer.tournament} {newcomer.federation}"
    return ledger.append_decided(decide, replace(request, body=body))


def _commands(newcomer: RegisterNewcomer, id_: str) -> Iterator[Command]:
    yield RegisterPlayer(
        player=id_,
        identity=newcomer.identity,
        salt=newcomer.salt,
        federation=newcomer.federation,
        on=newcomer.on,
    )
    yield from entry_commands(newcomer.tournament, [EntryRow(id_, None, newcomer.from_round)])


def _refuse_members(view: LedgerView, newcomer: RegisterNewcomer) -> None:
    """Raises ``Conflict`` where the newcomer may be a member, with those."""
    from ledger.reports.candidates import (  # noqa: PLC0415 - it takes time to load
        Candidates,
        PersonDescription,
    )

    identity = newcomer.identity
    if is_dummy(identity.name, identity.birth_date, identity.ids):
        raise Conflict("player.newcomer_dummy", name=identity.name)
    directory = directory_of(view)
    people = [directory[place] for place in range(len(directory))]
    known = Candidates(
        [
            PersonDescription(each.name or "", each.birth_date, each.federation, each.sex)
            for each in people
        ]
    )
    person = PersonDescription(
        identity.name, identity.birth_date, newcomer.federation, identity.sex
    )
    fitting = [people[each.place] for each in known.of(person)[:_SHOWN]]
    if fitting:
        raise Conflict("player.newcomer_known", *candidates(fitting), name=identity.name)


# Until an officer says who it is


@dataclass(frozen=True, slots=True)
class Unconfirmed(JsonForm):
    """Somebody of whom no officer said who it is; ``by`` is the account that registered."""

    player: Person
    by: str
    commit: int


@dataclass(frozen=True, slots=True)
class UnconfirmedPlayers(JsonForm):
    """The players who wait for an officer, the first registered first."""

    players: Sequence[Unconfirmed]


def unconfirmed_players(view: LedgerView) -> UnconfirmedPlayers:
    """Returns those of whom the last word came from an account that is no officer's."""
    facts = view.facts()
    officers = {name for name, each in facts.accounts.items() if Role.OFFICER in each.roles}
    others = facts.accounts.keys() - officers
    if not others:
        return UnconfirmedPlayers([])
    commits = [each for each in view.journal.commits() if each.actor in others]
    if not commits:
        return UnconfirmedPlayers([])
    seqs = AsOf(facts, facts.seq).identity_seqs
    first, last = (np.array([getattr(each, name) for each in commits]) for name in _SEQS)
    at = np.searchsorted(first, seqs, side="right") - 1
    waiting = np.flatnonzero((at >= 0) & (seqs <= last[at]) & (seqs > 0)).tolist()
    by = {facts.player_ids[index]: commits[int(at[index])] for index in waiting}
    people = people_with_ids(view, [*by])
    found = [Unconfirmed(each, by[each.id].actor, by[each.id].commit_id) for each in people]
    return UnconfirmedPlayers([each for each in found if each.player.name is not None])


def confirm_player(ledger: Ledger, command: ConfirmPlayer, request: Request) -> Receipt:
    """Says that a newcomer is who he was said to be."""
    return ledger.execute(
        [identified(ledger, command.player, secrets.token_hex(16))],
        replace(request, body=request.body or f"confirm {command.player}"),
    )
