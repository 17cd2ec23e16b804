"""Starting numbers of a tournament: by rating, by lot, by hand, by the Varma tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ledger.answers.tournaments import first_day_ratings, pairing_ratings, require_tournament
from ledger.desk.lots import drawn
from ledger.desk.pairing.varma import Drawer, varma_numbers
from ledger.desk.rounds import announced, round_to_pair
from ledger.desk.starting_order import (
    Entrant,
    after_the_first_round,
    fide_order,
    numbered_by_report,
    renumbering_due,
    rounds_begun,
    starting_order,
)
from ledger.desk.teams import participants_of, participants_ratings, strengths
from ledger.errors import InputRefused, Problem
from ledger.events.desk import HIGHEST_PAIRING_RATING
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.operations.commands import AssignNumbers, DescribeEntry, NumberParticipants
from ledger.registrar.registrar import Registrar
from ledger.reports.title_event import titles_on
from ledger.reports.tournaments import Participants
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import PairingMethod
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class NumberGiven:
    """A participant's number, and the rating for the pairing where there is one."""

    number: int
    id: str
    name: str
    rating: int | Fraction | None


def give_numbers(
    ledger: Ledger, command_: NumberParticipants, request: Request
) -> tuple[Receipt, list[NumberGiven]]:
    """Gives all participants their numbers; with a dry run, they are shown only.

    Returns:
        What was appended, and the numbers.

    Raises:
        InputRefused: it comes too late, or not all are numbered.
        NotFound: no such tournament or list.
    """
    _check_one_way(command_)
    given: list[NumberGiven] = []

    def plan(registrar: Registrar) -> Sequence[Problem]:
        facts = ledger.facts()
        record = registrar.register.known_tournament(command_.tournament)
        ratings = pairing_ratings(ledger, facts, record, command_.list)
        people = Participants(record, facts, ledger.people(facts))
        notes: Sequence[Problem] = ()
        if command_.varma is not None:
            numbers, notes = _by_varma(people, command_.varma)
        elif command_.after_first_round:
            anew = _rated_anew(ledger, facts, record, ratings, command_)
            ratings |= anew
            numbers = replace(_by_rating(ledger, facts, record, ratings), basis="first-round")
        elif command_.order:
            numbers = AssignNumbers(
                tournament=command_.tournament, participants=tuple(command_.order), basis="hand"
            )
        elif command_.lot is not None:
            numbers = _by_lot(record, command_.lot)
        else:
            numbers = _by_rating(ledger, facts, record, ratings)
        registrar.take(numbers)
        if command_.after_first_round:
            for command in _described(command_.tournament, anew):
                registrar.take(command)
        strength = participants_ratings(record, ratings)
        given[:] = [
            NumberGiven(number, one, people.name(one), strength.get(one))
            for number, one in enumerate(numbers.participants, start=1)
        ]
        return (*notes, *map(Problem, registrar.warnings))

    receipt = ledger.append(_streams(ledger, command_), plan, request)
    return receipt, given


def _check_one_way(command: NumberParticipants) -> None:
    """Refuses more than one way to number."""
    ways = (bool(command.order), command.lot is not None, command.varma is not None)
    if sum((*ways, command.after_first_round)) > 1:
        raise InputRefused("desk.one_numbering")


def _streams(view: LedgerView, command: NumberParticipants) -> list[str]:
    """Returns what numbering must know: players too, where something is said of them."""
    record = require_tournament(view, command.tournament, view.journal.head().seq)
    players = record.entries if command.after_first_round else ()
    return [f"tournament:{command.tournament}", *(f"player:{player}" for player in players)]


def numbers_due(
    view: LedgerView, facts: Facts, record: TournamentRecord, ratings: Mapping[str, int]
) -> AssignNumbers | None:
    """Returns what numbers the participants before a round; None where they have their numbers.

    Before round 1 by rating; in an all-play-all by the lot that was announced, else as they were
    entered. Numbers by rating are given again where somebody was entered since, as long as numbers
    may change.
    """
    if record.desk.numbers is not None:
        return _by_rating(view, facts, record, ratings) if renumbering_due(record) else None
    if rounds_begun(record) or numbered_by_report(record):
        return None
    rules = announced(record)
    if rules.pairing is not PairingMethod.BERGER:
        return _by_rating(view, facts, record, ratings)
    return None if rules.lot_seed is None else _by_lot(record, rules.lot_seed)


def _by_lot(record: TournamentRecord, seed: str) -> AssignNumbers:
    """Numbers the participants by lots that are drawn from a seed."""
    return AssignNumbers(
        tournament=record.version.tournament,
        participants=tuple(drawn(seed, participants_of(record).entries)),
        basis="lot",
        seed=seed,
    )


def _by_rating(
    view: LedgerView, facts: Facts, record: TournamentRecord, ratings: Mapping[str, int]
) -> AssignNumbers:
    """Numbers the participants by rating, as the rules of the event have it."""
    if record.desk.teams:
        return _by_strength(record, ratings)
    people = view.people(facts)
    people.read(facts.player_index.of(record.entries))
    titles = titles_on(AsOf(facts, facts.seq), record.version.starts_on)
    entrants = [
        Entrant(
            player=player,
            name=people.name(facts.player_index[player]) or "",
            rating=ratings.get(player),
            titles=tuple(titles.get(facts.player_index[player], ())),
        )
        for player, _ in record.by_number
    ]
    of_fide = announced(record).pairing is PairingMethod.DUTCH
    order = fide_order(entrants) if of_fide else starting_order(entrants)
    return AssignNumbers(
        tournament=record.version.tournament, participants=tuple(order), basis="rating"
    )


def _by_strength(record: TournamentRecord, ratings: Mapping[str, int]) -> AssignNumbers:
    """Numbers the teams by their strength (D16)."""
    strength = strengths(record, ratings)
    teams = sorted(record.desk.teams.items(), key=lambda item: item[1].number)
    entrants = [Entrant(player=id_, name=t.name, rating=strength.get(id_)) for id_, t in teams]
    return AssignNumbers(
        tournament=record.version.tournament,
        participants=tuple(starting_order(entrants)),
        basis="rating",
    )


def _by_varma(people: Participants, seed: str) -> tuple[AssignNumbers, Sequence[Problem]]:
    """Draws numbers by the Varma tables; who of one federation meets at the end is told."""
    record = people.record
    drawers = [
        Drawer(player, people.name(player), people.federation(player)) for player in record.entries
    ]
    numbers, meetings = varma_numbers(drawers, seed)
    numbers_ = AssignNumbers(
        tournament=record.version.tournament,
        participants=tuple(sorted(numbers, key=numbers.__getitem__)),
        basis="varma",
        seed=seed,
    )
    return numbers_, tuple(map(Problem, meetings))


def _rated_anew(
    view: LedgerView,
    facts: Facts,
    record: TournamentRecord,
    ratings: Mapping[str, int],
    command: NumberParticipants,
) -> dict[str, int]:
    """Returns the ratings after round 1 of who is in no official list, by id (D2)."""
    found = first_day_ratings(view, facts, record, command.list)
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
