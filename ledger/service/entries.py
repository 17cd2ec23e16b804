"""Entries of a tournament: who is meant by a list, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ledger.answers.directory import person_named
from ledger.errors import InputRefused, LedgerError, Problem
from ledger.events.desk import EntryDescribed
from ledger.events.tournaments import PlayerEntered
from ledger.facts.as_of import AsOf
from ledger.identifiers import Seq
from ledger.journal.records import Head
from ledger.operations.commands import (
    Command,
    DescribeEntry,
    EnterPlayer,
)
from ledger.reports.directory import Person
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.retractions import retraction
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry: who, as written, and what the pairing needs; the line of a file, 0 for none."""

    player: str
    pairing_rating: int | None
    from_round: int | None
    line: int = 0


@dataclass(frozen=True, slots=True)
class EntriesMeant:
    """Entries with the players' ids, and whom a name meant: the name as written, the person."""

    rows: tuple[EntryRow, ...]
    taken: tuple[tuple[str, Person], ...]


def entries_meant(view: LedgerView, entries: Iterable[EntryRow], file: str) -> EntriesMeant:
    """Finds the players of an entry list.

    Raises:
        InputRefused: with every name that means nobody or several.
    """
    rows: list[EntryRow] = []
    taken: list[tuple[str, Person]] = []
    problems: list[Problem] = []
    refused = 0  # candidates for a name are told, and are no problems
    for entry in entries:
        try:
            person = person_named(view, entry.player)
        except LedgerError as error:
            refused += 1
            problems += [Problem(error.message, entry.line, file=file), *error.details]
            continue
        if person is not None:
            taken.append((entry.player, person))
        rows.append(entry if person is None else replace(entry, player=person.id))
    if problems:
        raise entries_refused(problems, file, refused)
    return EntriesMeant(tuple(rows), tuple(taken))


def entry_commands(tournament: str, rows: Iterable[EntryRow]) -> list[Command]:
    """Returns what enters players, in their order, and then says what the pairing needs of them."""
    entered: list[Command] = []
    described: list[Command] = []
    for row in rows:
        entered.append(EnterPlayer(tournament=tournament, player=row.player))
        if row.from_round is not None or row.pairing_rating is not None:
            described.append(
                DescribeEntry(
                    tournament=tournament,
                    player=row.player,
                    from_round=row.from_round,
                    pairing_rating=row.pairing_rating,
                )
            )
    return entered + described


def entries_refused(problems: Sequence[Problem], name: str, count: int) -> InputRefused:
    """Returns the refusal of a document with problems; ``name`` is empty for a typed list.

    ``count`` is how many there are: what is told of one may take several lines.
    """
    key = "import.refused" if name else "desk.list_refused"
    return InputRefused(key, *problems, file=name, count=count)


def entry_seqs(view: LedgerView, tournament: str, player: str) -> tuple[Seq, ...]:
    """Returns the seqs of an entry that nothing came of; none where it cannot be taken back.

    Nothing was recorded of the player since: no round, no number, no absence.
    """
    stream, facts = f"tournament:{tournament}", view.facts()
    known = AsOf(facts, facts.seq)
    events = [
        event
        for event in view.event_check().checked(view.journal.streams([stream], upto=facts.seq))
        if known.holds(event.seq) and f'"{player}"' in event.payload
    ]
    is_alone = len({event.commit_id for event in events}) == 1
    is_entry = {event.type for event in events} <= {PlayerEntered.TYPE, EntryDescribed.TYPE}
    return tuple(event.seq for event in events) if is_alone and is_entry else ()


def take_entry_back(ledger: Ledger, tournament: str, player: str, request: Request) -> Receipt:
    """Takes an entry back that was a mistake, as if it had never been; see ``entry_seqs``.

    Raises:
        InputRefused: something came of it.
    """

    def decide(head: Head) -> Decided:
        if not (seqs := entry_seqs(ledger, tournament, player)):
            raise InputRefused("desk.entry_stands", tournament=tournament, player=player)
        return Decided(retraction(ledger, head, *seqs))

    return ledger.append_decided(decide, request)
