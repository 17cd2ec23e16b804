"""Commands of the tournament desk: rules, entries, numbers, absences, expulsions.

Those of published rounds stand in ``rounds``, those of teams in ``teams``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ledger.desk.rounds import (
    MANUAL,
    announced,
    baku,
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
from ledger.facts.tournament import TournamentRecord
from ledger.operations.participants import (
    AnnounceAbsence,
    DescribeEntry,
    ExcuseAbsence,
    ExpelPlayer,
    ReturnPlayer,
)
from ledger.operations.tournaments import (
    AnnouncePrizes,
    AnnounceRounds,
    AnnounceRules,
    AssignNumbers,
    ChangeRounds,
    ChangeRules,
)
from ledger.registrar.conflicts import pairs_system
from ledger.registrar.deciders import decides
from ledger.registrar.register import Register
from ledger.registrar.tournaments import check_participant
from ledger.terms import PairingMethod, System
from ledger.typed_values import require_falling

_RATED_ANEW: Final = (PairingMethod.FENAMAC_1975, PairingMethod.PRACTICAL_1975)
"""Whose players may be given new ratings for the pairing after round 1 (manual, cards)."""

_SCORING_RULES: Final[dict[str, object]] = {
    "bye_halves": WIN,
    "cycles": None,
    "exchange_last_rounds": False,
    "team_boards": BOARDS,
}
"""The rules by which published rounds count, with what holds where nothing is announced."""


@decides(AnnounceRounds, ChangeRounds)
def announce_rounds(
    command: AnnounceRounds, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses the number that it has, and one that does not fit what is recorded of it."""
    record = register.known_tournament(command.tournament)
    if command.rounds == record.version.rounds:
        raise command.refused("desk.rounds_unchanged")
    return _rounds_announced(record, command.rounds, for_reason=command.NEEDS_REASON)


@decides(AnnounceRules)
def announce_rules(command: AnnounceRules, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses rules that are in force, do not fit the system, or come after the first round."""
    record = register.known_tournament(command.tournament)
    if record.desk.rounds:
        raise command.refused("desk.rules_in_use")
    rounds = command.rounds or record.version.rounds
    if rounds is not None and next_round(record) > rounds:
        raise command.refused("desk.rules_too_late")
    return _announced(command, record)


def _announced(command: AnnounceRules, record: TournamentRecord) -> Sequence[Dated]:
    check_rounds_open(record)
    system = record.version.system
    if not pairs_system(command.pairing, system):
        raise command.refused(
            "desk.other_system", pairing=command.pairing.value, system=system.value
        )
    _check_bye_lots(command)
    require_falling(command.prizes or ())
    rounds = command.rounds or record.version.rounds
    if rounds is None and needs_rounds(command.pairing, command.acceleration):
        raise command.refused("desk.rounds_not_announced", pairing=command.pairing.value)
    entries = participants_of(record).entries
    for player in sorted({player for pair in command.forbidden or () for player in pair}):
        if player not in entries:
            raise command.refused("tournament.not_entered", player=player)
    event = command.event(de.RulesAnnounced)
    of_rules(event, record.version.starts_on, system)  # refuses unknown codes
    changed = _rounds_changed(command, record)
    if event != record.desk.rules:
        return [*changed, Dated(record.version.starts_on, event)]
    if not changed:
        raise command.refused("desk.rules_unchanged")
    return changed


@decides(AnnouncePrizes)
def announce_prizes(
    command: AnnouncePrizes, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses prizes that rise, those that are announced, and late ones but as a correction."""
    record = register.known_tournament(command.tournament)
    check_rounds_open(record)
    for _, amounts in command.prizes:
        require_falling(amounts)
    prizes = tuple(
        de.CategoryPrizes(category=category, amounts=amounts)
        for category, amounts in command.prizes
    )
    event = command.event(de.PrizesAnnounced, prizes=prizes)
    if event.prizes == tuple(record.desk.category_prizes):
        raise command.refused("desk.prizes_unchanged")
    if record.known_rounds and not command.as_correction:
        raise command.refused("desk.prizes_too_late")
    return [Dated(record.version.starts_on, event)]


def _rounds_changed(command: AnnounceRules, record: TournamentRecord) -> list[Dated]:
    """Returns what changes the number of rounds; nothing where it stays."""
    if command.rounds in (None, record.version.rounds):
        return []
    return _rounds_announced(record, command.rounds, for_reason=command.NEEDS_REASON)


def _check_bye_lots(command: AnnounceRules) -> None:
    """Refuses a bye by lot without a seed, and in a system that draws none (R III)."""
    if command.bye_by_lot and command.pairing not in MANUAL:
        raise command.refused("desk.no_bye_by_lot", pairing=command.pairing.value)
    if command.bye_by_lot and not command.lot_seed:
        raise command.refused("desk.bye_lot_without_seed")


@decides(ChangeRules)
def change_rules(command: ChangeRules, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses another pairing system and other scoring once a round is published."""
    record = register.known_tournament(command.tournament)
    rules = record.desk.rules
    if record.desk.rounds and rules is not None and rules.pairing is not command.pairing:
        raise command.refused("desk.pairing_in_use", pairing=rules.pairing.value)
    if record.desk.rounds and rules is not None:
        _check_scoring(command, rules)
    return _announced(command, record)


def _check_scoring(command: ChangeRules, before: de.RulesAnnounced) -> None:
    """Refuses what would change what published rounds were worth."""
    of_table = {"bye_halves": 0} if command.pairing is PairingMethod.BERGER else {}
    for name, usual in (_SCORING_RULES | of_table).items():
        old, new = (getattr(rules, name) for rules in (before, command))
        if (usual if old is None else old) != (usual if new is None else new):
            value = "-" if old is None else str(old)
            raise command.refused("desk.scoring_in_use", rule=name.replace("_", "-"), value=value)


@decides(DescribeEntry)
def describe_entry(command: DescribeEntry, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a player who is not in, and a first round that is published or after a game."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    if command.from_round is not None:
        _check_not_out(record, command.from_round)
        _check_not_begun(command, record, command.from_round)
    return [Dated(record.version.starts_on, _described(command, record))]


def _check_not_begun(command: DescribeEntry, record: TournamentRecord, from_round: int) -> None:
    """Refuses a first round after one in which the participant had an opponent or the bye."""
    paired = [
        pairing.round
        for pairing in participants_of(record).rounds_of(command.player)
        if pairing.black is not None
    ]
    paired += [
        round_
        for round_, published in record.desk.rounds.items()
        if published.board_of(command.player) or published.bye == command.player
    ]
    if paired and min(paired) < from_round:
        raise command.refused("desk.played_before", from_round=from_round, round=min(paired))


def _described(command: DescribeEntry, record: TournamentRecord) -> de.EntryDescribed:
    """Returns it whole: an event replaces what was said before."""
    described = record.desk.descriptions.get(command.player)
    if described is None:
        return command.event(de.EntryDescribed)
    before, rating = described.said, command.pairing_rating
    return command.event(
        de.EntryDescribed,
        from_round=command.from_round or before.from_round,
        pairing_rating=before.pairing_rating if rating is None else rating,
    )


@decides(AssignNumbers)
def assign_numbers(command: AssignNumbers, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses an order that is not one of all, and one that comes too late."""
    record = register.known_tournament(command.tournament)
    check_rounds_open(record)
    rules = announced(record)
    rounds = rounds_begun(record)
    if rounds > NUMBERS_UNTIL[rules.pairing]:
        raise command.refused("desk.numbers_fixed", rounds=rounds, pairing=rules.pairing.value)
    _check_basis(command, record, rounds)
    if numbered_by_report(record):
        raise command.refused("desk.numbers_of_report")
    entries = participants_of(record).entries
    if sorted(command.participants) != sorted(entries):
        odd = sorted(set(command.participants) ^ entries.keys())
        raise command.refused("desk.not_all_numbered", players=", ".join(odd[:10]))
    return [Dated(record.version.starts_on, command.event(de.NumbersAssigned))]


def _check_basis(command: AssignNumbers, record: TournamentRecord, rounds: int) -> None:
    """Refuses the Varma tables but for an all-play-all, and new ratings but after round 1."""
    pairing = announced(record).pairing
    if command.basis == "varma" and pairing is not PairingMethod.BERGER:
        raise command.refused("desk.varma_of_tables", pairing=pairing.value)
    if command.basis != "first-round":
        return
    if pairing not in _RATED_ANEW:
        raise command.refused("desk.not_rated_anew", pairing=pairing.value)
    if rounds != 1:
        raise command.refused("desk.before_first_round")
    if record.desk.rated_anew:
        raise command.refused("desk.rated_anew")


@decides(AnnounceAbsence)
def announce_absence(
    command: AnnounceAbsence, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a round of an all-play-all or one that is published, and the same again."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    if record.version.system is System.ROUND_ROBIN:
        raise command.refused("desk.absence_of_table")
    if command.round <= record.desk.last_round:
        raise command.refused("desk.absence_too_late")
    check_exists(record, command.round)
    _check_not_gone(record, command.player, command.round)
    if record.desk.absences.get((command.round, command.player)) is command.kind:
        key = "desk.absence_known" if command.kind else "desk.absence_unknown"
        raise command.refused(key)
    return [Dated(record.version.starts_on, command.event(de.AbsenceAnnounced))]


@decides(ExcuseAbsence)
def excuse_absence(command: ExcuseAbsence, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a participant who is to be paired anyway, and a round that is published."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    why = not_paired(record, command.from_round).get(command.player)
    by_the_arbiter = command.player in record.desk.expelled
    if why not in ("absent-before", "expelled") or by_the_arbiter:
        raise command.refused("desk.nothing_to_excuse", round=command.from_round)
    _check_not_out(record, command.from_round)
    return [Dated(record.version.starts_on, command.event(de.AbsenceExcused))]


@decides(ExpelPlayer)
def expel_player(command: ExpelPlayer, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a participant who is expelled, and a round that is published."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    if command.player in record.desk.expelled:
        raise command.refused("desk.expelled", round=record.desk.expelled[command.player])
    _check_not_out(record, command.from_round)
    check_exists(record, command.from_round)
    return [Dated(record.version.ends_on, command.event(de.PlayerExpelled))]


@decides(ReturnPlayer)
def return_player(command: ReturnPlayer, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a participant who has not left, and a round that was paired without him."""
    record = register.known_tournament(command.tournament)
    check_participant(register, record, command.player)
    check_rounds_open(record)
    left, last = record.left_from(command.player), record.desk.last_round
    if left is None:
        raise command.refused("desk.has_not_left")
    from_round = command.from_round or (left if left > last else last + 1)
    if left <= last:
        _check_not_out(record, from_round)
    check_exists(record, from_round)
    event = command.event(to.PlayerReturned, from_round=from_round)
    return [Dated(record.version.ends_on, event)]


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
