"""The tournament desk: entries, rounds paired and published, and the forms of a round.

Entries of a tournament: who is meant by a list, and what is recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TypeAlias

from ledger.application.directory import person_named
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.starting_numbers import numbers_due
from ledger.application.tournaments import (
    no_round,
    pairing_ratings,
    require_round,
    require_tournament,
)
from ledger.application.view import LedgerView
from ledger.desk.pairing import gacrux
from ledger.desk.pairing.proposal import Board, NoPairing, Proposal
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.rounds import announced, input_sha256, next_round, round_to_pair
from ledger.desk.teams import (
    matches,
    participants_of,
    participants_ratings,
    participants_sheet,
)
from ledger.errors import Conflict, InputRefused, LedgerError, NotFound, Problem
from ledger.events.model import Dated
from ledger.facts.tournament import TournamentRecord
from ledger.intake.desk_csv import EntryRow, entries_refused
from ledger.operations.commands import (
    Command,
    DescribeEntry,
    EnterPlayer,
    PairRound,
    PublishRound,
    RecordGame,
)
from ledger.registrar.registrar import Registrar
from ledger.registrar.rounds import check_next
from ledger.reports.directory import Person
from ledger.reports.pairing_cards import PairingCard, pairing_cards
from ledger.reports.participants import Participants
from ledger.reports.round_sheet import RoundResults, RoundSheet, published_round, round_results
from ledger.reports.seat_list import SeatList, seat_list
from ledger.reports.team_tables import TeamTables, team_tables
from ledger.reports.tournaments import require_entered
from ledger.results import Result
from ledger.terms import PairingMethod


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


def proposal_sha256(events: Iterable[Dated]) -> str:
    """Returns the digest of what a round would be published as, by the events of a dry run."""
    text = "\n".join(each.event.canonical() for each in events)
    return hashlib.sha256(text.encode()).hexdigest()


def publish_round(
    ledger: Ledger, command: PairRound, request: Request
) -> tuple[Receipt, RoundSheet]:
    """Pairs a round and publishes it; with a dry run, it is shown only.

    The participants are given the numbers that are due before it.

    Returns:
        What was appended, and the sheet of the round.

    Raises:
        InputRefused: no rules were announced, results are missing, or the round cannot be paired.
        Conflict: it is another round than the one that was shown.
        NotFound: no such tournament or list.
    """
    if command.boards is not None and not request.reason.strip():
        raise InputRefused("desk.by_hand_needs_reason")
    sheets: list[RoundSheet] = []

    def plan(registrar: Registrar) -> Sequence[Problem]:
        facts = ledger.facts()
        record = registrar.register.known_tournament(command.tournament)
        round_ = command.round or next_round(record)
        check_next(record, round_)
        if not participants_of(record).entries:
            raise NoPairing("desk.nobody_is_here", round=round_)
        ratings = pairing_ratings(ledger, facts, record, command.list)
        notes = []
        if (numbers := numbers_due(ledger, facts, record, ratings)) is not None:
            registrar.take(numbers)
            if round_ > 1:
                notes = [Problem.of("desk.numbered_anew", tournament=command.tournament)]
        strength = participants_ratings(record, ratings)
        to_pair = round_to_pair(record, round_, strength)
        rules = announced(record)
        by_hand = command.boards is not None
        pair = pairing_system(rules.pairing.value)
        proposal = _by_hand(record, command) if by_hand else pair(to_pair)
        players = {number: id_ for id_, number in participants_of(record).entries.items()}
        registrar.take(
            PublishRound(
                tournament=command.tournament,
                round=round_,
                boards=tuple((players[b.white], players[b.black]) for b in proposal.boards),
                bye=None if proposal.bye is None else players[proposal.bye],
                engine=_engine(rules.pairing),
                input_sha256=input_sha256(to_pair),
                by_hand=by_hand or None,
            )
        )
        if command.shown not in (None, proposal_sha256(registrar.events)):
            raise Conflict("desk.other_round", tournament=command.tournament, round=round_)
        people = ledger.people(facts)
        sheets[:] = [published_round(record, round_, ratings, facts, people, proposal.steps)]
        return notes

    receipt = ledger.append([f"tournament:{command.tournament}"], plan, request)
    if not sheets:  # the same request was carried out before
        return receipt, round_sheet(ledger, command.tournament, command.round, list_=command.list)
    return receipt, sheets[0]


def _engine(pairing: PairingMethod) -> str:
    """Returns the name and version of what pairs."""
    if pairing is PairingMethod.DUTCH:
        return gacrux.engine()
    return f"rating-ledger {version('rating-ledger')}"


def _by_hand(record: TournamentRecord, command: PairRound) -> Proposal:
    """Returns the arbiter's boards by number; refuses who is not entered."""
    named = [player for board in command.boards or () for player in board]
    named += [] if command.bye is None else [command.bye]
    numbers = participants_of(record).entries
    for player in named:
        if player not in numbers:
            raise InputRefused(
                "tournament.not_entered", player=player, tournament=command.tournament
            )
    boards = tuple(Board(numbers[white], numbers[black]) for white, black in command.boards or ())
    return Proposal(boards, None if command.bye is None else numbers[command.bye])


BoardNumber: TypeAlias = int | tuple[int, int]
"""A board of a round; in an event of teams the match and its board."""


def board_results(
    view: LedgerView, tournament: str, round_: int, results: Sequence[tuple[BoardNumber, Result]]
) -> list[RecordGame]:
    """Returns the commands that record the results of boards of a published round.

    Raises:
        NotFound: no such tournament, no such round, or no such board in it.
        InputRefused: a match is not named or there is none, somebody is missing at the board, or a
            board is named twice.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    published = record.desk.rounds.get(round_)
    if published is None:
        raise NotFound("desk.not_published", tournament=tournament, round=round_)
    boards = [board for board, _ in results]
    for board in boards:
        if boards.count(board) > 1:
            named = board if isinstance(board, int) else ".".join(map(str, board))
            raise InputRefused("desk.board_twice", round=round_, board=named)
    return [
        RecordGame(
            tournament=tournament, round=round_, white=white, black=black, result=result,
            anyway=False,
        )
        for board, result in results
        for white, black in [seats_at(record, round_, board)]
    ]  # fmt: skip


def seats_at(record: TournamentRecord, round_: int, board: BoardNumber) -> tuple[str, str]:
    """Returns White and Black of a board of a published round, as they sat.

    Raises:
        NotFound: there is no such board.
        InputRefused: a match is not named or there is none, or somebody is missing at the board.
    """
    tournament, published = record.version.tournament, record.desk.rounds[round_]
    place = board if isinstance(board, int) else board[0]
    if not 1 <= place <= len(published.boards):
        raise NotFound(
            "desk.no_board", tournament=tournament, round=round_, board=place,
            boards=len(published.boards),
        )  # fmt: skip
    if isinstance(board, int):
        if record.desk.teams:
            raise InputRefused("team.no_match_named", tournament=tournament)
        return record.seated(round_, published.boards[place - 1])
    if not record.desk.teams:
        raise InputRefused("team.no_teams", tournament=tournament)
    return _seats_of_match(record, round_, place, board[1])


def _seats_of_match(
    record: TournamentRecord, round_: int, place: int, board: int
) -> tuple[str, str]:
    boards = next(each for each in matches(record, round_) if each.place == place).boards
    if not 1 <= board <= len(boards):
        raise NotFound("team.no_board", match=place, board=board, boards=len(boards))
    seat = boards[board - 1]
    if seat.white is None or seat.black is None:
        raise InputRefused("team.lost_by_default", match=place, board=board)
    return record.seated(round_, (seat.white, seat.black))


def team_players(view: LedgerView, tournament: str, team: str) -> Sequence[str]:
    """Returns the players of a team, by id; none where there is no such team.

    Raises:
        NotFound: no such tournament.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    team_ = record.desk.teams.get(team)
    return team_.players if team_ else ()


def round_sheet(
    view: LedgerView, tournament: str, round_: int | None = None, *, list_: str | None = None
) -> RoundSheet:
    """Returns the sheet of a published round, by default of the last one.

    Raises:
        NotFound: no such tournament, list or published round.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    number = record.desk.last_round if round_ is None else round_
    if number not in record.desk.rounds:
        raise NotFound("desk.not_published", tournament=tournament, round=number or 1)
    ratings = pairing_ratings(view, facts, record, list_)
    return published_round(record, number, ratings, facts, view.people(facts))


def seats_of_round(view: LedgerView, tournament: str, round_: int | None = None) -> SeatList:
    """Returns where everybody sits in a published round, by default in the last one, by name.

    Raises as ``round_sheet`` does.
    """
    return seat_list(round_sheet(view, tournament, round_))


def round_as_known(view: LedgerView, tournament: str, round_: int) -> RoundSheet | RoundResults:
    """Returns a round: its sheet where the desk published it, else what is recorded of it.

    Raises:
        NotFound: no such tournament, or nothing is known of the round.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if round_ in record.desk.rounds:
        return round_sheet(view, tournament, round_)
    results = round_results(record, round_, facts, view.people(facts))
    if not results.pairings:
        raise no_round(record, round_)
    return results


def tournament_cards(
    view: LedgerView,
    tournament: str,
    *,
    after: int | None = None,
    list_: str | None = None,
) -> list[PairingCard]:
    """Returns the pairing cards of all participants, by number.

    Raises:
        NotFound: no such tournament or list, or no such round yet.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    require_entered(record)
    require_round(record, after)
    ratings = pairing_ratings(view, facts, record, list_)
    sheet = participants_sheet(record, ratings, after=after)
    return pairing_cards(Participants(record, facts, view.people(facts)), sheet)


def team_tables_of(view: LedgerView, tournament: str, *, after: int | None = None) -> TeamTables:
    """Returns the tables of an event of teams.

    Raises:
        NotFound: no such tournament, or no such round yet.
        InputRefused: it is no event of teams.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if not record.desk.teams:
        raise InputRefused("team.none", tournament=tournament)
    require_round(record, after)
    return team_tables(Participants(record, facts, view.people(facts)), after)
