"""Commands of the tournament desk: rules, entries, numbers, absences, expulsions.

Those of published rounds stand in ``rounds``, those of teams in ``teams``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from ledger.desk.acceleration import baku
from ledger.desk.rounds import (
    MANUAL,
    announced,
    needs_rounds,
    next_round,
    not_paired,
)
from ledger.desk.score_sheet import WIN, rounds_of_table, score_sheet
from ledger.desk.starting_order import NUMBERS_UNTIL, numbered_by_report, rounds_begun
from ledger.desk.teams import BOARDS, participants_of
from ledger.desk.tie_breaks.registry import of_rules
from ledger.errors import InputRefused
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.ids import Stays
from ledger.facts.tournament import TournamentRecord
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.registrar.tournaments import OfParticipant, check_participant
from ledger.results import Bye
from ledger.terms import PairingMethod, System

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
class AnnounceRounds(Command):
    """Say how many rounds an event has, before its first one."""

    NAMES = ("tournament",)

    tournament: str
    rounds: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses the number that it has, and one that does not fit what is recorded of it."""
        record = register.known_tournament(self.tournament)
        if self.rounds == record.version.rounds:
            raise self.refused("desk.rounds_unchanged")
        return _rounds_announced(record, self.rounds, for_reason=self.NEEDS_REASON)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRounds(AnnounceRounds):
    """Shorten or extend an event that has begun: for a reason."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRules(Command):
    """Announce the rules of an event, before its first round.

    ``rounds`` None leaves their number as it is.
    """

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
    rounds: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses rules that are in force, do not fit the system, or come after the first round."""
        record = register.known_tournament(self.tournament)
        if record.desk.rounds:
            raise self.refused("desk.rules_in_use")
        rounds = self.rounds or record.version.rounds
        if rounds is not None and next_round(record) > rounds:
            raise self.refused("desk.rules_too_late")
        return self._announced(record)

    def _announced(self, record: TournamentRecord) -> Sequence[Dated]:
        check_rounds_open(record)
        system = record.version.system
        if _PAIRED_BY.get(system, self.pairing) is not self.pairing or (
            self.pairing in _PAIRED_BY.values() and system not in _PAIRED_BY
        ):
            raise self.refused("desk.other_system", pairing=self.pairing.value, system=system.value)
        self._check_bye_lots()
        rounds = self.rounds or record.version.rounds
        if rounds is None and needs_rounds(self.pairing, self.acceleration):
            raise self.refused("desk.rounds_not_announced", pairing=self.pairing.value)
        entries = participants_of(record).entries
        for player in sorted({player for pair in self.forbidden or () for player in pair}):
            if player not in entries:
                raise self.refused("tournament.not_entered", player=player)
        event = self.said(de.RulesAnnounced)
        of_rules(event, record.version.starts_on, system)  # refuses unknown codes
        changed = self._rounds_changed(record)
        if event != record.desk.rules:
            return [*changed, Dated(record.version.starts_on, event)]
        if not changed:
            raise self.refused("desk.rules_unchanged")
        return changed

    def _rounds_changed(self, record: TournamentRecord) -> list[Dated]:
        """Returns what changes the number of rounds; nothing where it stays."""
        if self.rounds in (None, record.version.rounds):
            return []
        return _rounds_announced(record, self.rounds, for_reason=self.NEEDS_REASON)

    def _check_bye_lots(self) -> None:
        """Refuses a bye by lot without a seed, and in a system that draws none (R III)."""
        if self.bye_by_lot and self.pairing not in MANUAL:
            raise self.refused("desk.no_bye_by_lot", pairing=self.pairing.value)
        if self.bye_by_lot and not self.lot_seed:
            raise self.refused("desk.bye_lot_without_seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules(AnnounceRules):
    """Change the rules of an event after they were relied on: for a reason, shown for ever."""

    NEEDS_REASON = True

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses another pairing system and other scoring once a round is published."""
        record = register.known_tournament(self.tournament)
        rules = record.desk.rules
        if record.desk.rounds and rules is not None and rules.pairing is not self.pairing:
            raise self.refused("desk.pairing_in_use", pairing=rules.pairing.value)
        if record.desk.rounds and rules is not None:
            self._check_scoring(rules)
        return self._announced(record)

    def _check_scoring(self, before: de.RulesAnnounced) -> None:
        """Refuses what would change what published rounds were worth."""
        of_table = {"bye_halves": 0} if self.pairing is PairingMethod.BERGER else {}
        for name, usual in (_SCORING_RULES | of_table).items():
            old, new = (getattr(rules, name) for rules in (before, self))
            if (usual if old is None else old) != (usual if new is None else new):
                value = "-" if old is None else str(old)
                raise self.refused("desk.scoring_in_use", rule=name.replace("_", "-"), value=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeEntry(OfParticipant):
    """Say what the pairing needs of an entry: its rating for pairing, its first round.

    None leaves what was said before.
    """

    pairing_rating: int | None = None
    from_round: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is not in, and a first round that is published or after a game."""
        record = register.known_tournament(self.tournament)
        check_participant(register, record, self.player)
        if self.from_round is not None:
            _check_not_out(record, self.from_round)
            self._check_not_begun(record, self.from_round)
        return [Dated(record.version.starts_on, self._described(record))]

    def _check_not_begun(self, record: TournamentRecord, from_round: int) -> None:
        """Refuses a first round after one in which the participant had an opponent or the bye."""
        paired = [
            pairing.round
            for pairing in participants_of(record).rounds_of(self.player)
            if pairing.black is not None
        ]
        paired += [
            round_
            for round_, published in record.desk.rounds.items()
            if published.board_of(self.player) or published.bye == self.player
        ]
        if paired and min(paired) < from_round:
            raise self.refused("desk.played_before", from_round=from_round, round=min(paired))

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
        rounds = rounds_begun(record)
        if rounds > NUMBERS_UNTIL[rules.pairing]:
            raise self.refused("desk.numbers_fixed", rounds=rounds, pairing=rules.pairing.value)
        self._check_basis(record, rounds)
        if numbered_by_report(record):
            raise self.refused("desk.numbers_of_report")
        entries = participants_of(record).entries
        if sorted(self.participants) != sorted(entries):
            odd = sorted(set(self.participants) ^ entries.keys())
            raise self.refused("desk.not_all_numbered", players=", ".join(odd[:10]))
        return [Dated(record.version.starts_on, self.said(de.NumbersAssigned))]

    def _check_basis(self, record: TournamentRecord, rounds: int) -> None:
        """Refuses the Varma tables but for an all-play-all, and new ratings but after round 1."""
        pairing = announced(record).pairing
        if self.basis == "varma" and pairing is not PairingMethod.BERGER:
            raise self.refused("desk.varma_of_tables", pairing=pairing.value)
        if self.basis != "first-round":
            return
        if pairing not in _RATED_ANEW:
            raise self.refused("desk.not_rated_anew", pairing=pairing.value)
        if rounds != 1:
            raise self.refused("desk.before_first_round")
        if record.desk.rated_anew:
            raise self.refused("desk.rated_anew")


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
            raise self.refused("desk.absence_of_table")
        if self.round <= record.desk.last_round:
            raise self.refused("desk.absence_too_late")
        check_exists(record, self.round)
        _check_not_gone(record, self.player, self.round)
        if record.desk.absences.get((self.round, self.player)) is self.kind:
            key = "desk.absence_known" if self.kind else "desk.absence_unknown"
            raise self.refused(key)
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
            raise self.refused("desk.nothing_to_excuse", round=self.from_round)
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
            raise self.refused("desk.expelled", round=record.desk.expelled[self.player])
        _check_not_out(record, self.from_round)
        check_exists(record, self.from_round)
        return [Dated(record.version.ends_on, self.said(de.PlayerExpelled))]


def _rounds_announced(
    record: TournamentRecord, rounds: int | None, *, for_reason: bool
) -> list[Dated]:
    """Returns what gives an event another number of rounds.

    Refuses fewer than are published or recorded, and another number than was announced once the
    event has begun, but for a reason; in an all-play-all also what its tables have no room for, and
    what would accelerate published rounds otherwise.
    """
    about = record.version
    values = {"tournament": about.tournament, "rounds": rounds}
    check_rounds_open(record)
    last = record.known_rounds
    if last and about.rounds is not None and not for_reason:
        raise InputRefused("desk.rounds_need_reason", **values | {"rounds": about.rounds})
    event = to.TournamentCorrected.model_validate(dict(about) | {"rounds": rounds})
    assert event.rounds is not None, "a number is announced"
    if event.rounds < last:
        raise InputRefused("desk.rounds_in_use", last=last, **values)
    if record.desk.rounds:
        tables = rounds_of_table(record)
        if tables != rounds_of_table(replace(record, version=event)) or 0 < tables < event.rounds:
            raise InputRefused("desk.rounds_of_table", tables=tables, **values)
        rules = record.desk.rules
        if rules and rules.acceleration and _accelerates_otherwise(record, event.rounds):
            raise InputRefused("desk.rounds_accelerated", last=record.desk.last_round, **values)
    return [Dated(about.starts_on, event)]


def _accelerates_otherwise(record: TournamentRecord, rounds: int) -> bool:
    """Whether published rounds would be accelerated in another way by a number of rounds."""
    cards = score_sheet(participants_of(record)).cards.values()
    before, after = baku(cards, record.version.rounds or 0), baku(cards, rounds)
    return any(before.get(round_) != after.get(round_) for round_ in record.desk.rounds)


def _check_not_out(record: TournamentRecord, round_: int) -> None:
    if round_ <= record.desk.last_round:
        raise InputRefused(
            "desk.round_is_out", tournament=record.version.tournament, round=round_,
            next=record.desk.last_round + 1,
        )  # fmt: skip


def check_rounds_open(record: TournamentRecord) -> None:
    """Refuses a tournament that is closed: its report was handed in, its rounds are frozen."""
    if record.closed:
        raise InputRefused("desk.closed", tournament=record.version.tournament)


def check_exists(record: TournamentRecord, round_: int) -> None:
    """Refuses a round beyond the last one of the event."""
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
