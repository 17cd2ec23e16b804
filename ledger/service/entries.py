"""Entries of a tournament: who is meant by a list, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ledger.answers.directory import person_named
from ledger.errors import InputRefused, LedgerError, Problem
from ledger.operations.commands import (
    Command,
    DescribeEntry,
    EnterPlayer,
)
from ledger.reports.directory import Person
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
