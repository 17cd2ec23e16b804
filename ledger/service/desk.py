"""The tournament desk: rounds that are paired and published, and the results of their boards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from importlib.metadata import version

from ledger.answers.rounds import BoardNumber, round_sheet, seats_at
from ledger.answers.tournaments import pairing_ratings, require_tournament
from ledger.desk.pairing import gacrux
from ledger.desk.pairing.proposal import Board, NoPairing, Proposal
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.rounds import announced, input_sha256, next_round, round_to_pair
from ledger.desk.teams import (
    participants_of,
    participants_ratings,
)
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.events.model import Dated
from ledger.facts.tournament import TournamentRecord
from ledger.operations.commands import (
    PairRound,
    PublishRound,
    RecordGame,
)
from ledger.registrar.registrar import Registrar
from ledger.registrar.rounds import check_next
from ledger.reports.round_sheet import RoundSheet, published_round
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.starting_numbers import numbers_due
from ledger.terms import PairingMethod
from ledger.views.view import LedgerView


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


def board_results(
    view: LedgerView, tournament: str, round_: int, results: Sequence[tuple[BoardNumber, Result]]
) -> list[RecordGame]:
    """Returns the commands that record the results of boards of a published round.

    While an event is on, they were played today.

    Raises:
        NotFound: no such tournament, no such round, or no such board in it.
        InputRefused: a match is not named or there is none, somebody is missing at the board, or a
            board is named twice.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    published = record.desk.rounds.get(round_)
    if published is None:
        raise NotFound("desk.not_published", tournament=tournament, round=round_)
    about, today = record.version, view.today
    played_on = today if about.starts_on <= today < about.ends_on else None
    boards = [board for board, _ in results]
    for board in boards:
        if boards.count(board) > 1:
            named = board if isinstance(board, int) else ".".join(map(str, board))
            raise InputRefused("desk.board_twice", round=round_, board=named)
    return [
        RecordGame(
            tournament=tournament, round=round_, white=white, black=black, result=result,
            played_on=played_on, anyway=False,
        )
        for board, result in results
        for white, black in [seats_at(record, round_, board)]
    ]  # fmt: skip
