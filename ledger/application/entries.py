"""Entries of a tournament: who is meant by a list, what is recorded, and starting numbers anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ledger.application.desk import by_lot, by_rating, pairing_ratings
from ledger.application.directory import person_named
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.tournaments import first_day_ratings, require_tournament
from ledger.desk.pairing.varma import Drawer, varma_numbers
from ledger.desk.rounds import round_to_pair
from ledger.desk.starting_order import after_the_first_round
from ledger.desk.teams import participants_of, participants_ratings
from ledger.errors import InputRefused, LedgerError, Problem
from ledger.events.desk import HIGHEST_PAIRING_RATING
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.intake.desk_csv import EntryRow, entries_refused
from ledger.registrar.commands import AssignNumbers, Command, DescribeEntry, EnterPlayer
from ledger.registrar.registrar import Registrar
from ledger.reports.directory import Person
from ledger.reports.participants import Participants


@dataclass(frozen=True, slots=True)
class EntriesMeant:
    """Entries with the players' ids, and whom a name meant: the name as written, the person."""

    rows: tuple[EntryRow, ...]
    taken: tuple[tuple[str, Person], ...]


def entries_meant(ledger: Ledger, entries: Iterable[EntryRow], file: str) -> EntriesMeant:
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
            person = person_named(ledger, entry.player)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersAsked:
    """How all participants are to be numbered: one way, by rating where none is said.

    ``order`` has all ids, from number 1. ``lot`` and ``varma`` are seeds of plain lots and of the
    Varma tables. ``after_first_round`` sets provisional ratings anew first. ``list`` has the
    ratings (default: the list that rates the tournament).
    """

    tournament: str
    order: Sequence[str] = ()
    lot: str | None = None
    varma: str | None = None
    after_first_round: bool = False
    list: str | None = None

    def check_one_way(self) -> None:
        """Refuses more than one way to number."""
        ways = (bool(self.order), self.lot is not None, self.varma is not None)
        if sum((*ways, self.after_first_round)) > 1:
            raise InputRefused("desk.one_numbering")


@dataclass(frozen=True, slots=True)
class NumberGiven:
    """A participant's number, and the rating for the pairing where there is one."""

    number: int
    id: str
    name: str
    rating: int | Fraction | None


def give_numbers(
    ledger: Ledger, asked: NumbersAsked, request: Request
) -> tuple[Receipt, list[NumberGiven]]:
    """Gives all participants their numbers; with a dry run, they are shown only.

    Returns:
        What was appended, and the numbers.

    Raises:
        InputRefused: it comes too late, or not all are numbered.
        NotFound: no such tournament or list.
    """
    asked.check_one_way()
    given: list[NumberGiven] = []

    def plan(registrar: Registrar) -> Sequence[Problem]:
        facts = ledger.facts()
        record = registrar.register.known_tournament(asked.tournament)
        ratings = pairing_ratings(ledger, facts, record, asked.list)
        people = Participants(record, facts, ledger.people(facts))
        notes: Sequence[Problem] = ()
        if asked.varma is not None:
            said, notes = _by_varma(people, asked.varma)
        elif asked.after_first_round:
            anew = _rated_anew(ledger, facts, record, ratings, asked)
            ratings |= anew
            said = replace(by_rating(ledger, facts, record, ratings), basis="first-round")
        elif asked.order:
            said = AssignNumbers(
                tournament=asked.tournament, participants=tuple(asked.order), basis="hand"
            )
        elif asked.lot is not None:
            said = by_lot(record, asked.lot)
        else:
            said = by_rating(ledger, facts, record, ratings)
        registrar.take(said)
        if asked.after_first_round:
            for command in _described(asked.tournament, anew):
                registrar.take(command)
        strength = participants_ratings(record, ratings)
        given[:] = [
            NumberGiven(number, one, people.name(one), strength.get(one))
            for number, one in enumerate(said.participants, start=1)
        ]
        return (*notes, *map(Problem, registrar.warnings))

    receipt = ledger.append(_streams(ledger, asked), plan, request)
    return receipt, given


def _streams(ledger: Ledger, asked: NumbersAsked) -> list[str]:
    """Returns what numbering must know: players too, where something is said of them."""
    record = require_tournament(ledger, asked.tournament, ledger.journal.head().seq)
    players = record.entries if asked.after_first_round else ()
    return [f"tournament:{asked.tournament}", *(f"player:{player}" for player in players)]


def _by_varma(people: Participants, seed: str) -> tuple[AssignNumbers, Sequence[Problem]]:
    """Draws numbers by the Varma tables; who of one federation meets at the end is told."""
    record = people.record
    drawers = [
        Drawer(player, people.name(player), people.federation(player)) for player in record.entries
    ]
    numbers, meetings = varma_numbers(drawers, seed)
    said = AssignNumbers(
        tournament=record.version.tournament,
        participants=tuple(sorted(numbers, key=numbers.__getitem__)),
        basis="varma",
        seed=seed,
    )
    return said, tuple(map(Problem, meetings))


def _rated_anew(
    ledger: Ledger,
    facts: Facts,
    record: TournamentRecord,
    ratings: Mapping[str, int],
    asked: NumbersAsked,
) -> dict[str, int]:
    """Returns the ratings after round 1 of who is in no official list, by id (D2)."""
    found = first_day_ratings(ledger, facts, record, asked.list, facts.seq)
    official = {} if found is None else found[1]
    entries = participants_of(record).entries
    provisional = {number for player, number in entries.items() if player not in official}
    sheet = round_to_pair(record, 2, participants_ratings(record, ratings)).sheet
    return {
        sheet.cards[number].player: min(max(rating, 0), HIGHEST_PAIRING_RATING)
        for number, rating in after_the_first_round(sheet, provisional).items()
    }


def _described(tournament: str, ratings: Mapping[str, int]) -> Iterable[DescribeEntry]:
    if not ratings:
        raise InputRefused("desk.nobody_to_rate_anew", tournament=tournament)
    for player, rating in ratings.items():
        yield DescribeEntry(tournament=tournament, player=player, pairing_rating=rating)
