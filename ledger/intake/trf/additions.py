"""Reads teams (TRF16 013, TRF26 310) and what TRF26 adds: 240 byes, 299 points, 330 forfeits.

Abnormal points and forfeited matches of teams change standings, never a rating: they are read,
kept and reported. Other records of TRF26 (acceleration, prohibited pairings, …) stay as lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.header import MOST_ROUNDS
from ledger.intake.trf.layout import (
    ByeField,
    ByeNumber,
    ForfeitField,
    PointsField,
    PointsNumber,
    Team26Field,
    Team26Player,
    TeamField,
    TeamPlayer,
)
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import (
    AbnormalPoints,
    Code,
    ForfeitedMatch,
    GrantedByes,
    Member,
    Team,
)

MOST_TEAMS: Final = 999
_GRANTED: Final = {"F": Code.FULL_BYE, "H": Code.HALF_BYE, "Z": Code.ZERO_BYE}
_ABNORMAL: Final = frozenset(("", "W", "D", "L", "F", "H", "Z", "+", "-"))
_FORFEITS: Final = ("+-", "-+", "--")


def read_team(record: Record, notes: Notes) -> Team | None:
    """Reads a 013 record (TRF16); None where it has no name."""
    cell = record.cell(TeamField.NAME)
    name = _required_name(cell, notes)
    players = _members(record.repeated(TeamPlayer.NUMBER), notes)
    return Team(name=name, number=None, players=players, line=record.line) if name else None


def read_team26(record: Record, notes: Notes) -> Team | None:
    """Reads a 310 record (TRF26); None where it has no number or name."""
    number = notes.number(record.cell(Team26Field.NUMBER), least=1, most=MOST_TEAMS)
    if not record.cell(Team26Field.NUMBER).text:
        notes.refuse(record.cell(Team26Field.NUMBER), "trf.no_start_number")
    name = _required_name(record.cell(Team26Field.NAME), notes)
    players = _members(record.repeated(Team26Player.NUMBER), notes)
    if number is None or name is None:
        return None
    return Team(name=name, number=number, players=players, line=record.line)


def read_granted_byes(record: Record, notes: Notes) -> GrantedByes | None:
    """Reads a 240 record; None where its kind or round cannot be read."""
    kind = record.cell(ByeField.TYPE)
    code = _GRANTED.get(kind.text.upper())
    if code is None:
        notes.refuse(kind, "trf.no_bye_type")
    round_ = _round(record.cell(ByeField.ROUND), notes)
    numbers = _members(record.repeated(ByeNumber.NUMBER), notes)
    if code is None or round_ is None:
        return None
    return GrantedByes(code=code, round=round_, numbers=numbers, line=record.line)


def read_abnormal_points(record: Record, notes: Notes) -> AbnormalPoints | None:
    """Reads a 299 record; None where its type is none."""
    type_ = record.cell(PointsField.TYPE)
    if type_.text.upper() not in _ABNORMAL:
        notes.refuse(type_, "trf.no_points_type")
        return None
    # Round 000, or none, means all rounds.
    round_ = notes.number(record.cell(PointsField.ROUND), most=MOST_ROUNDS) or None
    return AbnormalPoints(
        type=type_.text.upper(),
        match_points=notes.points(record.cell(PointsField.MATCH_POINTS)),
        points=notes.points(record.cell(PointsField.POINTS)),
        round=round_,
        numbers=_members(record.repeated(PointsNumber.NUMBER), notes),
        line=record.line,
    )


def read_forfeited_match(record: Record, notes: Notes) -> ForfeitedMatch | None:
    """Reads a 330 record; None where any of its fields cannot be read."""
    type_ = record.cell(ForfeitField.TYPE)
    if type_.text not in _FORFEITS:
        notes.refuse(type_, "trf.no_forfeit_type")
    round_ = _round(record.cell(ForfeitField.ROUND), notes)
    white = _members([record.cell(ForfeitField.WHITE)], notes)
    black = _members([record.cell(ForfeitField.BLACK)], notes)
    if type_.text not in _FORFEITS or round_ is None or not white or not black:
        return None
    return ForfeitedMatch(
        type=type_.text, round=round_, white=white[0], black=black[0], line=record.line
    )


def _required_name(cell: Cell, notes: Notes) -> str | None:
    if not cell.text:
        notes.refuse(cell, "trf.no_name")
    return notes.text(cell)


def _round(cell: Cell, notes: Notes) -> int | None:
    if not cell.text:
        notes.refuse(cell, "trf.no_round")
    return notes.number(cell, least=1, most=MOST_ROUNDS)


def _members(cells: Iterable[Cell], notes: Notes) -> tuple[Member, ...]:
    """Returns the numbers in the cells; 0000 and blank are none."""
    numbers = ((cell, notes.number(cell)) for cell in cells)
    return tuple(
        Member(number=number, line=cell.line, column=cell.column)
        for cell, number in numbers
        if number
    )
