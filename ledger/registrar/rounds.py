"""Commands about published rounds and standings.

What is calculated is calculated before: a round comes with its boards and the digest of what they
were paired from, and is refused if that is not what is recorded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from ledger.desk.pairing.proposal import Board, Proposal, RoundToPair
from ledger.desk.rounds import (
    announced,
    deviations,
    input_sha256,
    needs_rounds,
    next_round,
    not_paired,
    round_to_pair,
)
from ledger.desk.score_sheet import bye_of
from ledger.desk.teams import participants_of
from ledger.errors import Conflict, InputRefused, Problem
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.desk import PublishedRound
from ledger.facts.tournament import TournamentRecord
from ledger.operations.tournaments import PublishRound, PublishStandings, WithdrawRound
from ledger.registrar.deciders import decides
from ledger.registrar.desk import check_exists, check_rounds_open
from ledger.registrar.register import Register
from ledger.results import Bye


@decides(PublishRound)
def publish_round(command: PublishRound, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a round out of order, of other facts than recorded, or without somebody."""
    record = register.known_tournament(command.tournament)
    rules = announced(record)
    check_next(record, command.round)
    to_pair = round_to_pair(record, command.round)
    if input_sha256(to_pair) != command.input_sha256:
        raise Conflict("desk.paired_from_other", tournament=command.tournament, round=command.round)
    broken = _broken(command, record, to_pair)
    away = not_paired(record, command.round)
    event = command.event(
        de.RoundPublished,
        pairing=rules.pairing,
        deviations=tuple(dict.fromkeys(broken)) or None,
        not_paired=tuple(away.items()) or None,
    )
    day = record.version.ends_on
    return [Dated(day, event), *(Dated(day, bye) for bye in _byes(command, record, rules, away))]


def _broken(command: PublishRound, record: TournamentRecord, to_pair: RoundToPair) -> list[str]:
    """Returns the codes of the rules that the boards break; only by hand they may."""
    numbers = participants_of(record).entries
    for player in sorted({one for board in command.boards for one in board} - numbers.keys()):
        raise command.refused("tournament.not_entered", player=player)
    boards = tuple(Board(numbers[white], numbers[black]) for white, black in command.boards)
    bye = None if command.bye is None else numbers.get(command.bye)
    broken = deviations(to_pair, Proposal(boards, bye))
    if broken and not command.by_hand:
        first, *others = broken
        raise InputRefused("desk.against_rules", *map(Problem, others), why=first)
    return [each.key.rpartition(".")[2].replace("_", "-") for each in broken]


def _byes(
    command: PublishRound,
    record: TournamentRecord,
    rules: de.RulesAnnounced,
    away: Mapping[str, str],
) -> Iterator[to.ByeGiven]:
    """Yields the byes of the round: that of the pairing, and those that were announced.

    Those of teams follow from the published round.
    """
    if record.desk.teams:
        return
    if command.bye is not None:
        yield _bye(command, command.bye, bye_of(rules))
    for (round_, player), kind in sorted(record.desk.absences.items()):
        given = (round_, player) in record.pairings
        if round_ == command.round and away.get(player) == "announced" and not given:
            yield _bye(command, player, kind)


def _bye(command: PublishRound, player: str, kind: Bye) -> to.ByeGiven:
    return to.ByeGiven(kind=kind, player=player, round=command.round, tournament=command.tournament)


def check_next(record: TournamentRecord, round_: int) -> None:
    """Refuses a round that is not the next one to be published, or beyond the last.

    And any round of an event whose system pairs by the number of rounds, while that is not known.
    """
    name = record.version.tournament
    check_rounds_open(record)
    rules = announced(record)
    if record.version.rounds is None and needs_rounds(rules.pairing, rules.acceleration):
        raise InputRefused("desk.rounds_unknown", tournament=name, pairing=rules.pairing.value)
    check_exists(record, round_)
    if round_ in record.desk.rounds:
        raise InputRefused("desk.published_already", tournament=name, round=round_)
    if round_ != (due := next_round(record)):
        raise InputRefused("desk.not_next", tournament=name, round=round_, next=due)


@decides(WithdrawRound)
def withdraw_round(command: WithdrawRound, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a round that is not the last one, or on which somebody relies: a result."""
    record = register.known_tournament(command.tournament)
    published = record.desk.rounds.get(command.round)
    check_rounds_open(record)
    if published is None:
        raise command.refused("desk.not_published")
    if command.round < record.desk.last_round:
        raise command.refused("desk.round_relied_on", later=record.desk.last_round)
    day = record.version.ends_on
    struck = [Dated(day, event) for event in _byes_struck(record, command.round, published)]
    event = command.event(de.RoundWithdrawn, supersedes=published.seq)
    return [*struck, Dated(day, event)]


def _byes_struck(
    record: TournamentRecord, round_: int, published: PublishedRound
) -> Iterator[to.ResultAnnulled]:
    """Yields what takes back the byes that came with a round; refuses one with a game."""
    given = {published.bye, *(player for of, player in record.desk.absences if of == round_)}
    there = {p.seq: p for (of, _), p in record.pairings.items() if of == round_}
    for seq, pairing in sorted(there.items()):
        if pairing.black is not None:
            raise InputRefused(
                "desk.results_there", tournament=record.version.tournament, round=round_,
                pairing=pairing.described(), seq=published.seq,
            )  # fmt: skip
        if pairing.white in given and seq > published.seq:
            yield to.ResultAnnulled(
                round=round_,
                supersedes=seq,
                tournament=record.version.tournament,
                white=pairing.white,
            )


@decides(PublishStandings)
def publish_standings(
    command: PublishStandings, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses the same standings again."""
    record = register.known_tournament(command.tournament)
    event = command.event(de.StandingsPublished)
    if any(event == said for _, said in record.desk.standings[-1:]):
        raise command.refused("desk.standings_out")
    return [Dated(record.version.ends_on, event)]
