"""What the desk knows of an event as records of a report file, beside its rounds.

TRF26: 152 (first colour), 162 (points), 192 (system), 202 and 212 (tie-breaks), 240 (requested
byes), 250 (acceleration), 260 (forbidden pairs), 299 (points out of order). TRF16 has extensions
for the first colour (XXC), points (XXS), acceleration (XXA) and forbidden pairs (XXP), and none for
the rest. The number of rounds (142, XXR) is of the tournament itself.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from ledger.desk.pairing import dutch
from ledger.desk.rounds import pairing_rules
from ledger.desk.score_sheet import ScoreSheet, score_sheet
from ledger.desk.tie_breaks.fide.descriptors import is_of_fide
from ledger.desk.trf_text import FileNotes, points_text, rule_lines
from ledger.events.desk import RulesAnnounced
from ledger.facts.tournament import TournamentRecord
from ledger.results import Bye
from ledger.terms import PairingMethod, TrfVersion

DESK_RECORDS: Final = frozenset((
    "152", "162", "192", "202", "212", "250", "260", "299", "XXC", "XXS", "XXA", "XXP",
))  # fmt: skip
"""The codes of the records that the desk writes and a reader keeps as they stand."""

_ROUNDS: Final = ("142", "XXR")
_BERGER: Final = "BERGER_ROUNDROBIN"
_OTHER: Final = "CUSTOM_SWISS"
_BYES: Final = {Bye.HALF: "H", Bye.ZERO: "Z"}


def system_code(pairing: PairingMethod, starts_on: dt.date, *, baku: bool = False) -> str:
    """Returns a pairing system as record 192 names it, for an event that begins on a day.

    The Dutch system has the code that readers have always known, where that day makes it mean the
    edition that was paired by.
    """
    match pairing:
        case PairingMethod.DUTCH:
            code = dutch.CODE_BY_DATE if starts_on >= dutch.IN_FORCE_FROM else dutch.CODE
            return f"{code}_BAKU" if baku else code
        case PairingMethod.BERGER:
            return _BERGER
        case _:
            return _OTHER


def event_records(
    record: TournamentRecord, written: Mapping[int, int], version: TrfVersion
) -> list[str]:
    """Returns the records of an event whose rules were announced; none for others, or of teams.

    ``written`` are the half points by starting number, as the results in the file add up.
    ``version`` is the edition of the file.
    """
    rules = record.desk.rules
    if rules is None or record.desk.teams:
        return []
    sheet = score_sheet(record)
    baku = rules.acceleration == "baku"
    notes = FileNotes(code=system_code(rules.pairing, record.version.starts_on, baku=baku))
    lines = rule_lines(sheet, pairing_rules(record, rules, sheet), notes, version)
    found = [line for line in lines if not line.startswith(_ROUNDS)]
    if version is TrfVersion.TRF26:
        found += [*_tie_breaks(rules), *_byes(record), *_points(sheet, written)]
    return found


def unwritten_tie_breaks(record: TournamentRecord) -> tuple[str, ...]:
    """Returns the announced tie-breaks where the format has no codes for all of them."""
    rules = record.desk.rules
    return () if rules is None or _coded(rules) else rules.tie_breaks


def _coded(rules: RulesAnnounced) -> bool:
    return all(map(is_of_fide, rules.tie_breaks))


def _tie_breaks(rules: RulesAnnounced) -> Iterator[str]:
    """Yields 202 and 212: tie-breaks, and what standings go by; of FIDE's codes only."""
    if rules.tie_breaks and _coded(rules):
        codes = ",".join(rules.tie_breaks)
        yield f"202 {codes}"
        yield f"212 PTS,{codes}"


def _byes(record: TournamentRecord) -> Iterator[str]:
    """Yields 240: the byes that were asked for, of the rounds that are published."""
    asked = sorted(
        (round_, _BYES[kind], record.entries[player])
        for (round_, player), kind in record.desk.absences.items()
        if (there := record.pairings.get((round_, player))) is not None and there.result is kind
    )
    for (round_, kind), each in groupby(asked, key=lambda bye: bye[:2]):
        yield f"240 {kind} {round_:>3}" + "".join(f" {number:>4}" for *_, number in each)


def _points(sheet: ScoreSheet, written: Mapping[int, int]) -> Iterator[str]:
    """Yields 299: what standings count and no result says (awarded, cancelled, temporary)."""
    for number, card in sheet.cards.items():
        more = card.halves - written.get(number, 0)
        if more:
            points = ("-" if more < 0 else "") + points_text(abs(more))
            yield f"299{'':9}{points:>5}    0 {number:>4}"
