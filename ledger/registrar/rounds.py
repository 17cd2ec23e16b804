"""Commands about published rounds and standings.

What is calculated is calculated before: a round comes with its boards and the digest of what they
were paired from, and is refused if that is not what is recorded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from ledger.registrar.desk import check_exists, check_rounds_open
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.results import Bye


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound(Command):
    """Publish a round: its boards by id, in order, and what they were paired from."""

    NAMES = ("tournament",)

    tournament: str
    round: int
    boards: tuple[tuple[str, str], ...]
    bye: str | None = None
    engine: str
    input_sha256: str
    by_hand: bool | None = None

    @property
    def needs_reason(self) -> bool:
        """Where the arbiter paired it."""
        return bool(self.by_hand)

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a round out of order, of other facts than recorded, or without somebody."""
        record = register.known_tournament(self.tournament)
        rules = announced(record)
        check_next(record, self.round)
        to_pair = round_to_pair(record, self.round)
        if input_sha256(to_pair) != self.input_sha256:
            raise Conflict("desk.paired_from_other", tournament=self.tournament, round=self.round)
        broken = self._broken(record, to_pair)
        away = not_paired(record, self.round)
        event = self.said(
            de.RoundPublished,
            pairing=rules.pairing,
            deviations=tuple(dict.fromkeys(broken)) or None,
            not_paired=tuple(away.items()) or None,
        )
        day = record.version.ends_on
        return [Dated(day, event), *(Dated(day, bye) for bye in self._byes(record, rules, away))]

    def _broken(self, record: TournamentRecord, to_pair: RoundToPair) -> list[str]:
        """Returns the codes of the rules that the boards break; only by hand they may."""
        numbers = participants_of(record).entries
        for player in sorted({one for board in self.boards for one in board} - numbers.keys()):
            raise self.refused("tournament.not_entered", player=player)
        boards = tuple(Board(numbers[white], numbers[black]) for white, black in self.boards)
        bye = None if self.bye is None else numbers.get(self.bye)
        broken = deviations(to_pair, Proposal(boards, bye))
        if broken and not self.by_hand:
            first, *others = broken
            raise InputRefused("desk.against_rules", *map(Problem, others), why=first)
        return [each.key.rpartition(".")[2].replace("_", "-") for each in broken]

    def _byes(
        self, record: TournamentRecord, rules: de.RulesAnnounced, away: Mapping[str, str]
    ) -> Iterator[to.ByeGiven]:
        """Yields the byes of the round: that of the pairing, and those that were announced.

        Those of teams follow from the published round.
        """
        if record.desk.teams:
            return
        if self.bye is not None:
            yield self._bye(self.bye, bye_of(rules))
        for (round_, player), kind in sorted(record.desk.absences.items()):
            given = (round_, player) in record.pairings
            if round_ == self.round and away.get(player) == "announced" and not given:
                yield self._bye(player, kind)

    def _bye(self, player: str, kind: Bye) -> to.ByeGiven:
        return to.ByeGiven(kind=kind, player=player, round=self.round, tournament=self.tournament)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRound(Command):
    """Take back a published round of which nothing was recorded yet."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    round: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a round that is not the last one, or on which somebody relies: a result."""
        record = register.known_tournament(self.tournament)
        published = record.desk.rounds.get(self.round)
        check_rounds_open(record)
        if published is None:
            raise self.refused("desk.not_published")
        if self.round < record.desk.last_round:
            raise self.refused("desk.round_relied_on", later=record.desk.last_round)
        day = record.version.ends_on
        struck = [Dated(day, event) for event in _byes_struck(record, self.round, published)]
        event = self.said(de.RoundWithdrawn, supersedes=published.seq)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishStandings(Command):
    """Record that standings went out, and by which rows."""

    NAMES = ("tournament",)

    tournament: str
    after: int
    tie_breaks: tuple[str, ...]
    rows_sha256: str

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses the same standings again."""
        record = register.known_tournament(self.tournament)
        event = self.said(de.StandingsPublished)
        if any(event == said for _, said in record.desk.standings[-1:]):
            raise self.refused("desk.standings_out")
        return [Dated(record.version.ends_on, event)]
