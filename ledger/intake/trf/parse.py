"""Reads a file: text to a ``TrfReport``, with everything that is wrong or odd in single lines.

A file is never half read: records that the format does not know are kept and reported, and lines
that are no records, or that look like a mistyped player, are faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from itertools import chain
from typing import Final, TypeVar

from ledger.intake.documents import Supplied
from ledger.intake.problems import refused
from ledger.intake.trf.cells import Notes
from ledger.intake.trf.days import read_days
from ledger.intake.trf.dummies import without_dummies
from ledger.intake.trf.header import read_tournament
from ledger.intake.trf.layout import LAYOUTS, PLAYER, TEXT, PlayerField
from ledger.intake.trf.players import (
    national_duplicates,
    read_abnormal_points,
    read_forfeited_match,
    read_granted_byes,
    read_national_rating,
    read_player,
    read_team,
    read_team26,
)
from ledger.intake.trf.records import (
    Cell,
    Record,
    as_player,
    line_ends,
    read_records,
    strays,
)
from ledger.intake.trf.report import NationalRating, TrfReport

_PLAYER: Final = "001"
_CODE: Final = re.compile(r"[A-Za-z0-9]{3}")
LONGEST_LINE: Final = 60_000
"""Characters of a line; the longest record, a team of 9,999 players, has about 50,000."""
MOST_LINES: Final = 100_000
"""Of a file: ten for each of 9,999 players."""
NOTHING: Final = Supplied()
Value = TypeVar("Value")


def parse(text: str, supplied: Supplied = NOTHING, people: Collection[str] = ()) -> TrfReport:
    """Reads a tournament report file.

    ``supplied`` is what is said of the tournament besides; ``people`` are starting numbers of
    players who are people although they are called as a bye is (see ``dummies``).

    Returns:
        The report, whatever is wrong with it: ask ``check`` before using it. Its ``written`` is
        the same text again.

    Raises:
        InputRefused: it is no report (see ``check_lines``), or so much is wrong with it that it is
            not read further.
    """
    notes = Notes()
    check_lines(text, notes)
    records = tuple(read_records(text))
    _note_form(records, notes)
    broken = {record.line for record in records if not _look_at(record, notes)}

    def each(code: str, read: Callable[[Record, Notes], Value | None]) -> tuple[Value, ...]:
        # Of a record that is not in its columns nothing more is said.
        mine = (each for each in records if each.code == code and each.line not in broken)
        values = (read(record, notes) for record in mine)
        return tuple(value for value in values if value is not None)

    days = read_days((record for record in records if record.line not in broken), supplied, notes)
    players = each(_PLAYER, lambda record, notes: read_player(record, days, notes))
    report = TrfReport(
        records=records,
        tournament=read_tournament(records, days.course, notes),
        players=players,
        complete=sum(_player_or_like(record) for record in records) == len(players),
        national_ratings=_national_ratings(records, notes),
        teams=each("013", read_team) + each("310", read_team26),
        granted_byes=each("240", read_granted_byes),
        abnormal_points=each("299", read_abnormal_points),
        forfeited_matches=each("330", read_forfeited_match),
        # Last: everything above notes what it finds.
        faults=tuple(notes.faults.found),
        tolerated=tuple(notes.adjustments()),
    )
    return without_dummies(report, people)


def check_lines(text: str, notes: Notes) -> None:
    """Refuses a text with lines that are longer than a record can be, or with too many lines.

    Raises:
        InputRefused: with the lines.
    """

    def begun(line: int) -> Cell:
        return Cell(text=text[start : min(end, start + LONGEST_LINE)], line=line, column=1)

    start = 0
    ends = chain(line_ends(text), [(len(text), len(text))])
    for line, (end, after) in enumerate(ends, start=1):
        if end - start > LONGEST_LINE:
            notes.refuse(begun(line), "trf.long_line", length=end - start, most=LONGEST_LINE)
        if line > MOST_LINES and start < len(text):
            notes.refuse(begun(line), "trf.many_lines", most=MOST_LINES)
            break
        start = after
    if notes.faults.found:
        raise refused("", notes.faults.found)


def _look_at(record: Record, notes: Notes) -> bool:
    """Returns whether a line is a record in its columns; notes what it is otherwise.

    Of texts outside the columns only the first is noted: they have one cause, a shifted line.
    """
    if record.layout != TEXT or record.code in LAYOUTS or record.code.startswith("XX"):
        if record.is_ruler:
            return True
        # The dates of 132 may stand freely.
        stray = next(strays(record), None) if record.code != "132" else None
        if stray is not None:
            notes.refuse(stray, "trf.outside_columns", code=record.code)
        return stray is None
    code = Cell(text=record.code, line=record.line, column=1)
    if not _CODE.fullmatch(record.code) or any(strays(record)):
        notes.refuse(replace(code, text=record.written().strip()), "trf.no_record")
    elif _player_or_like(record):
        notes.refuse(code, "trf.like_player")
    else:
        notes.tolerate(code, "trf.unknown_record")
    return True


def _note_form(records: Iterable[Record], notes: Notes) -> None:
    """Notes, once for the file, what all its lines have: a shift, a ruler, tabs at their ends."""
    found = {
        "trf.shifted": (each.shift is not None for each in records),
        "trf.ruler": (each.is_ruler for each in records),
        "trf.tabs_at_end": ("\t" in each.tail for each in records),
    }
    for key, marks in found.items():
        record = next((each for each, mark in zip(records, marks, strict=True) if mark), None)
        if record is not None:
            column = record.shift.column if record.shift and key == "trf.shifted" else 1
            cell = Cell(text=record.written().strip(), line=record.line, column=column)
            notes.tolerate(cell, key)


def _player_or_like(record: Record) -> bool:
    """Whether a record is a player's, or has a number and a name where a player has them.

    An unknown record of that form is taken for a mistyped 001: left out, its games would be lost.
    """
    if record.layout != TEXT or record.code in LAYOUTS or record.code.startswith("XX"):
        return record.code == _PLAYER
    read = as_player(record)
    number, name = read.cell(PlayerField.NUMBER).text, read.cell(PlayerField.NAME).text
    return number.isdigit() and bool(name) and not any(strays(read))


def _national_ratings(records: Iterable[Record], notes: Notes) -> tuple[NationalRating, ...]:
    of_federations = (each for each in records if each.layout == PLAYER and each.code != _PLAYER)
    found = (read_national_rating(record, notes) for record in of_federations)
    ratings = tuple(rating for rating in found if rating is not None)
    national_duplicates(ratings, notes)
    return ratings
