"""Commands of the tournament desk: rules, numbers, absences, rounds, standings, teams.

What is calculated is calculated before: a round comes with its boards and the digest of what they
were paired from, and is refused if that is not what is recorded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from ledger.desk.pairing.proposal import Board, Proposal, RoundToPair
from ledger.desk.rounds import (
    MANUAL,
    announced,
    deviations,
    input_sha256,
    last_with_game,
    next_round,
    not_paired,
    round_to_pair,
)
from ledger.desk.score_sheet import WIN, bye_of
from ledger.desk.teams import BOARDS, participants_of
from ledger.desk.tie_breaks.registry import of_rules
from ledger.errors import Conflict, InputRefused, Problem
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.desk import PublishedRound
from ledger.facts.ids import Stays
from ledger.facts.tournament import TournamentRecord
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.registrar.tournaments import OfParticipant, check_participant
from ledger.results import Bye
from ledger.terms import PairingMethod, System

_NUMBERS_UNTIL: Final = {
    PairingMethod.FENAMAC_1975: 1,
    PairingMethod.PRACTICAL_1975: 1,
    PairingMethod.TEAM_1975: 1,
    PairingMethod.BERGER: 0,
    PairingMethod.DUTCH: 3,
}
"""After how many published rounds numbers may still change: before round 2 (manual, cards), before
the first of a table, before the fourth (FIDE C.04.2)."""

_RATED_ANEW: Final = (PairingMethod.FENAMAC_1975, PairingMethod.PRACTICAL_1975)
"""Whose players may be given new ratings for the pairing after round 1 (manual, cards)."""

_PAIRED_BY: Final = {
    System.ROUND_ROBIN: PairingMethod.BERGER,
    System.TEAM_SWISS: PairingMethod.TEAM_1975,
}
"""What pairs an event of a system that one method alone pairs."""

_SCORING_RULES: Final[dict[str, object]] = {
    "bye_halves": WIN,
    "cycles": None,
    "exchange_last_rounds": False,
    "team_boards": BOARDS,
}
"""The rules by which published rounds count, with what holds where nothing is announced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRules(Command):
    """Announce the rules of an event, before its first round."""

    NAMES = ("tournament",)

    tournament: str
    pairing: PairingMethod
    tie_breaks: tuple[str, ...] = ()
    first_colour: Literal["white", "black"] = "white"
    lot_seed: str | None = None
    acceleration: Literal["baku"] | None = None
    bye_by_lot: bool | None = None
    bye_halves: int | None = None
    cycles: int | None = None
    exchange_last_rounds: bool | None = None
    forbidden: tuple[tuple[str, str], ...] | None = None
    prizes: tuple[int, ...] | None = None
    team_boards: int | None = None
    team_reserves: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses rules that are in force, do not fit the system, or come after the first round."""
        record = register.known_tournament(self.tournament)
        if record.desk.rounds:
            raise InputRefused("desk.rules_in_use", tournament=self.tournament)
        rounds = record.version.rounds
        if rounds is not None and next_round(record) > rounds:
            raise InputRefused("desk.rules_too_late", tournament=self.tournament)
        return self._announced(record)

    def _announced(self, record: TournamentRecord) -> Sequence[Dated]:
        check_rounds_open(record)
        system = record.version.system
        if _PAIRED_BY.get(system, self.pairing) is not self.pairing or (
            self.pairing in _PAIRED_BY.values() and system not in _PAIRED_BY
        ):
            raise InputRefused(
                "desk.other_system", tournament=self.tournament, pairing=self.pairing.value,
                system=system.value,
            )  # fmt: skip
        self._check_bye_lots()
        entries = participants_of(record).entries
        for player in sorted({player for pair in self.forbidden or () for player in pair}):
            if player not in entries:
                raise InputRefused(
                    "tournament.not_entered", player=player, tournament=self.tournament
                )
        event = self.said(de.RulesAnnounced)
        of_rules(event, record.version.starts_on, system)  # refuses unknown codes
        if event == record.desk.rules:
            raise InputRefused("desk.rules_unchanged", tournament=self.tournament)
        return [Dated(record.version.starts_on, event)]

    def _check_bye_lots(self) -> None:
        """Refuses a bye by lot without a seed, and in a system that draws none (R III)."""
        if self.bye_by_lot and self.pairing not in MANUAL:
            raise InputRefused("desk.no_bye_by_lot", pairing=self.pairing.value)
        if self.bye_by_lot and not self.lot_seed:
            raise InputRefused("desk.bye_lot_without_seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules(AnnounceRules):
    """Change the rules of an event after they were relied on: for a reason, shown for ever."""

    NEEDS_REASON = True

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses another pairing system and other scoring once a round is published."""
        record = register.known_tournament(self.tournament)
        rules = record.desk.rules
        if record.desk.rounds and rules is not None and rules.pairing is not self.pairing:
            raise InputRefused(
                "desk.pairing_in_use", tournament=self.tournament, pairing=rules.pairing.value
            )
        if record.desk.rounds and rules is not None:
            self._check_scoring(rules)
        return self._announced(record)

    def _check_scoring(self, before: de.RulesAnnounced) -> None:
        """Refuses what would change what published rounds were worth."""
        of_table = {"bye_halves": 0} if self.pairing is PairingMethod.BERGER else {}
        for name, usual in (_SCORING_RULES | of_table).items():
            old, new = (getattr(rules, name) for rules in (before, self))
            if (usual if old is None else old) != (usual if new is None else new):
                raise InputRefused(
                    "desk.scoring_in_use", tournament=self.tournament,
                    rule=name.replace("_", "-"), value="-" if old is None else str(old),
                )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeEntry(OfParticipant):
    """Say what the pairing needs of an entry: its rating for pairing, its first round.

    None leaves what was said before.
    """

    pairing_rating: int | None = None
    from_round: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is not in, and a first round that is published already."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        first = self.from_round
        if first is not None and first <= record.desk.last_round:
            raise InputRefused(
                "desk.round_is_out", tournament=self.tournament, round=first,
                next=record.desk.last_round + 1,
            )  # fmt: skip
        return [Dated(record.version.starts_on, self._described(record))]

    def _described(self, record: TournamentRecord) -> de.EntryDescribed:
        """Returns it whole: an event replaces what was said before."""
        described = record.desk.descriptions.get(self.player)
        if described is None:
            return self.said(de.EntryDescribed)
        before, rating = described.said, self.pairing_rating
        return self.said(
            de.EntryDescribed,
            from_round=self.from_round or before.from_round,
            pairing_rating=before.pairing_rating if rating is None else rating,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignNumbers(Command):
    """Give all participants starting numbers anew: 1, 2, … in this order."""

    NAMES = ("tournament",)

    tournament: str
    participants: tuple[str, ...]
    basis: Literal["rating", "lot", "hand", "varma", "first-round"]
    seed: str | None = None

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses an order that is not one of all, and one that comes too late."""
        record = register.known_tournament(self.tournament)
        check_rounds_open(record)
        rules = announced(record)
        rounds = max(record.desk.last_round, last_with_game(record))
        if rounds > _NUMBERS_UNTIL[rules.pairing]:
            raise InputRefused(
                "desk.numbers_fixed", tournament=self.tournament, rounds=rounds,
                pairing=rules.pairing.value,
            )  # fmt: skip
        self._check_basis(record, rounds)
        report = record.version.report
        if report is not None and (report.ranks or report.ratings or report.titles):
            raise InputRefused("desk.numbers_of_report", tournament=self.tournament)
        entries = participants_of(record).entries
        if sorted(self.participants) != sorted(entries):
            odd = sorted(set(self.participants) ^ entries.keys())
            raise InputRefused(
                "desk.not_all_numbered", tournament=self.tournament, players=", ".join(odd[:10])
            )
        return [Dated(record.version.starts_on, self.said(de.NumbersAssigned))]

    def _check_basis(self, record: TournamentRecord, rounds: int) -> None:
        """Refuses the Varma tables but for an all-play-all, and new ratings but after round 1."""
        pairing = announced(record).pairing
        if self.basis == "varma" and pairing is not PairingMethod.BERGER:
            raise InputRefused("desk.varma_of_tables", pairing=pairing.value)
        if self.basis != "first-round":
            return
        if pairing not in _RATED_ANEW:
            raise InputRefused("desk.not_rated_anew", pairing=pairing.value)
        if rounds != 1:
            raise InputRefused("desk.before_first_round", tournament=self.tournament)
        if record.desk.rated_anew:
            raise InputRefused("desk.rated_anew", tournament=self.tournament)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceAbsence(OfParticipant):
    """Record that a participant will miss a round and said so in time; None takes it back."""

    round: int
    kind: Bye | None = Bye.ZERO

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a round of an all-play-all or one that is published, and the same again."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        if record.version.system is System.ROUND_ROBIN:
            raise InputRefused(
                "desk.absence_of_table", player=self.player, round=self.round,
                tournament=self.tournament,
            )  # fmt: skip
        if self.round <= record.desk.last_round:
            raise InputRefused(
                "desk.absence_too_late", player=self.player, round=self.round,
                tournament=self.tournament,
            )  # fmt: skip
        _check_exists(record, self.round)
        _check_not_gone(record, self.player, self.round)
        if record.desk.absences.get((self.round, self.player)) is self.kind:
            key = "desk.absence_known" if self.kind else "desk.absence_unknown"
            raise InputRefused(key, player=self.player, round=self.round)
        return [Dated(record.version.starts_on, self.said(de.AbsenceAnnounced))]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseAbsence(OfParticipant):
    """Let a participant go on, from a round on: one who missed a round unannounced, or two."""

    NEEDS_REASON = True

    from_round: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a participant who is to be paired anyway, and a round that is published."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        why = not_paired(record, self.from_round).get(self.player)
        by_the_arbiter = self.player in record.desk.expelled
        if why not in ("absent-before", "expelled") or by_the_arbiter:
            raise InputRefused(
                "desk.nothing_to_excuse", player=self.player, round=self.from_round,
                tournament=self.tournament,
            )  # fmt: skip
        _check_not_out(record, self.from_round)
        return [Dated(record.version.starts_on, self.said(de.AbsenceExcused))]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpelPlayer(OfParticipant):
    """Expel a participant from a round on."""

    NEEDS_REASON = True

    from_round: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a participant who is expelled, and a round that is published."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        if self.player in record.desk.expelled:
            raise InputRefused(
                "desk.expelled", player=self.player, round=record.desk.expelled[self.player]
            )
        _check_not_out(record, self.from_round)
        _check_exists(record, self.from_round)
        return [Dated(record.version.ends_on, self.said(de.PlayerExpelled))]


def _check_not_out(record: TournamentRecord, round_: int) -> None:
    if round_ <= record.desk.last_round:
        raise InputRefused(
            "desk.round_is_out", tournament=record.version.tournament, round=round_,
            next=record.desk.last_round + 1,
        )  # fmt: skip


def _check_exists(record: TournamentRecord, round_: int) -> None:
    rounds = record.version.rounds
    if rounds is not None and round_ > rounds:
        raise InputRefused(
            "pairing.no_such_round", round=round_, rounds=rounds,
            tournament=record.version.tournament,
        )  # fmt: skip


def _check_not_gone(record: TournamentRecord, participant: str, round_: int) -> None:
    """Refuses a round of who has withdrawn by then, or is expelled."""
    left, expelled = record.withdrawn.get(participant), record.desk.expelled.get(participant)
    if left is not None and left <= round_:
        raise InputRefused("pairing.withdrawn", player=participant, from_round=left, round=round_)
    if expelled is not None and expelled <= round_:
        raise InputRefused("desk.expelled", player=participant, round=expelled)


# Rounds


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

    def _broken(self, record: TournamentRecord, to_pair: RoundToPair) -> Iterator[str]:
        """Yields the codes of the rules that the boards break; only by hand they may."""
        numbers = participants_of(record).entries
        for player in sorted({one for board in self.boards for one in board} - numbers.keys()):
            raise InputRefused("tournament.not_entered", player=player, tournament=self.tournament)
        boards = tuple(Board(numbers[white], numbers[black]) for white, black in self.boards)
        bye = None if self.bye is None else numbers.get(self.bye)
        broken = deviations(to_pair, Proposal(boards, bye))
        if broken and not self.by_hand:
            first, *others = broken
            raise InputRefused("desk.against_rules", *map(Problem, others), why=first)
        return iter(each.key.rpartition(".")[2].replace("_", "-") for each in broken)

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


def check_rounds_open(record: TournamentRecord) -> None:
    """Refuses a tournament that is closed: its report was handed in, its rounds are frozen."""
    if record.closed:
        raise InputRefused("desk.closed", tournament=record.version.tournament)


def check_next(record: TournamentRecord, round_: int) -> None:
    """Refuses a round that is not the next one to be published, or beyond the last."""
    name = record.version.tournament
    check_rounds_open(record)
    _check_exists(record, round_)
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
            raise InputRefused("desk.not_published", tournament=self.tournament, round=self.round)
        if self.round < record.desk.last_round:
            raise InputRefused(
                "desk.round_relied_on", tournament=self.tournament, round=self.round,
                later=record.desk.last_round,
            )  # fmt: skip
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
            raise InputRefused("desk.standings_out", tournament=self.tournament, after=self.after)
        return [Dated(record.version.ends_on, event)]
