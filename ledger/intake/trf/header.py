"""Reads the tournament's own records: TRF16 012-132, TRF26 142, 192 and 222, and XXR."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.dates import Course
from ledger.intake.trf.guesses import rate_of_play_of, system_of
from ledger.intake.trf.layout import ONCE, Rest
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import Tournament

MOST_ROUNDS: Final = 999
_NOTHING: Final = Cell(text="", line=0, column=0)


def read_tournament(records: Iterable[Record], course: Course, notes: Notes) -> Tournament:
    """Reads the tournament from a file's records; what is wrong or odd is noted.

    Args:
        records: all of the file.
        course: what its dates mean.
        notes: takes what is found.
    """
    found: dict[str, Record] = {}
    deputies: list[Cell] = []
    for record in records:
        if record.code == "112":
            deputies.append(record.cell(Rest.TEXT))
        if record.code in ONCE and record.code in found:
            cell = Cell(text=record.code, line=record.line, column=1)
            notes.refuse(cell, "trf.record_twice", first=found[record.code].line)
        elif record.code in ONCE:
            found[record.code] = record
    of = {code: record.cell(Rest.TEXT) for code, record in found.items() if code != "132"}
    if course.start and course.end and course.end < course.start and "052" in of:
        notes.refuse(of["052"], "trf.ends_before_start", start=course.start.isoformat())
    type_ = notes.text(of.get("092", _NOTHING))
    time_control = notes.text(of.get("122", _NOTHING))
    return Tournament(
        name=notes.text(of.get("012", _NOTHING)),
        city=notes.text(of.get("022", _NOTHING)),
        federation=notes.federation(of.get("032", _NOTHING)),
        starts_on=course.start,
        ends_on=course.end,
        players=_declared_players(of.get("062", _NOTHING)),
        type=type_,
        system=system_of(type_, of.get("192", _NOTHING).text),
        time_control=time_control,
        rate_of_play=rate_of_play_of(time_control, of.get("222", _NOTHING).text, type_),
        chief_arbiter=notes.text(of.get("102", _NOTHING)),
        deputies=tuple(filter(None, map(notes.text, deputies))),
        rounds=_rounds(of.get("142", _NOTHING), of.get("XXR", _NOTHING), notes),
        round_dates=course.rounds,
    )


def _rounds(standard: Cell, extension: Cell, notes: Notes) -> int | None:
    """Returns the rounds announced by 142, or by XXR; two that differ are a fault."""
    announced = notes.number(standard, least=1, most=MOST_ROUNDS)
    extended = notes.number(extension, least=1, most=MOST_ROUNDS)
    if announced and extended and announced != extended:
        notes.refuse(extension, "trf.rounds_contradict", announced=announced, line=standard.line)
    return announced or extended


def _declared_players(cell: Cell) -> int | None:
    """Returns the number of players of 062; other texts (``52 (41)``) say nothing."""
    text = cell.text.strip(" ")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("9999") else None
