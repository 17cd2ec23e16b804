"""Reads the dates of a file: 042, 052, 132 and the births of the players.

All of them are looked at together before any is read, because one shows what another means (see
``dates``).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ledger.intake.documents import Supplied
from ledger.intake.trf.cells import Notes
from ledger.intake.trf.dates import (
    Course,
    Orders,
    Reading,
    Where,
    Written,
    course_of,
    orders_of,
    written,
    year_alone,
)
from ledger.intake.trf.layout import DateField, PlayerField, Rest
from ledger.intake.trf.records import Cell, Record, strays

_PLAYER: Final = "001"
_DATE_IN_LINE: Final = re.compile(
    r"\d{4}([/.-])\d\d?\1\d\d?(?!\d)|\d{4}([/.-])\d\d\2\d\d"
    r"|\d\d?([/.-])\s?\d\d?\3\s?(?:\d{4}|\d\d)",
    re.ASCII,
)
_BETWEEN: Final = re.compile(r"[\s;,|]*", re.ASCII)
_CUSTOMARY_YEAR: Final = re.compile(r"\d{4}/00/00", re.ASCII)


@dataclass(frozen=True, slots=True)
class Days:
    """What the dates of a file mean: the course of the tournament, and how births are written."""

    course: Course
    births: Orders

    @property
    def year(self) -> int | None:
        """The year of the tournament."""
        first = next((day for day in (self.course.start, *self.course.rounds) if day), None)
        return first.year if first else None

    def birth(self, cell: Cell, notes: Notes) -> str | None:
        """Returns a date of birth, ``YYYY-MM-DD``, or ``YYYY`` where only the year is sure.

        ``1978/00/00`` and ``0000/00/00`` are the customary way to say that only the year, or
        nothing, is known; ``1978`` alone says the same. A month without a day is left out.
        """
        text = cell.text.strip()
        if not text:
            return None
        year = year_alone(text)
        if year is None:
            return self._day_of_birth(cell, text, notes)
        if text != year and not _CUSTOMARY_YEAR.fullmatch(text):
            notes.tolerate(cell, "trf.birth_without_day", read=year or "-")
        return year or None

    def _day_of_birth(self, cell: Cell, text: str, notes: Notes) -> str | None:
        birth = written(text, Where.BIRTHS, year=self.year)
        if birth is None:
            notes.refuse(cell, "trf.no_date")
            return None
        day = birth.under(self.births)
        years = {each.year for each in birth.possible}
        if day is None and len(years) > 1:
            notes.refuse_first(cell, "trf.ambiguous_birth", possible=_shown(birth))
            return None
        if day is None:
            notes.tolerate(cell, "trf.birth_without_day", read=min(years))
            return str(min(years))
        if not birth.stands_for(day):
            notes.tolerate_all(cell, "trf.foreign_date", read=day.isoformat())
        return day.isoformat()


def read_days(records: Iterable[Record], supplied: Supplied, notes: Notes) -> Days:
    """Reads the dates from a file's records; what is wrong or odd is noted.

    A date that is given besides is not read from the file: what stands there, and is another or
    none, is no fault. A round's date outside of the tournament is left out.
    """
    found = list(records)
    births = list(_births(found))
    cells = {code: _text(found, code) for code in ("042", "052")}
    start = supplied.starts_on or _written(cells["042"])
    end = supplied.ends_on or _written(cells["052"])
    round_cells = _round_cells(found, supplied, notes)
    rounds = [written(cell.text, Where.ROUNDS) for cell in round_cells]
    reading = course_of(start, end, rounds, births)
    first, last = reading.course.start, reading.course.end
    rounds = [_within(round_, reading, first, last) for round_ in rounds]
    outside = [_is_outside(round_, reading, first, last) for round_ in rounds]
    _note_days([(cells["042"], start), (cells["052"], end)], reading, notes)
    for cell, round_, is_outside in zip(round_cells, rounds, outside, strict=True):
        if is_outside:
            event = {"start": f"{first}", "end": f"{last}"}
            notes.tolerate_all(cell, "trf.round_date_contradicts", **event)
        else:
            _note_round(cell, round_, reading, supplied, notes)
    same_form = {(Where.BIRTHS, *form[1:]): order for form, order in reading.orders.items()}
    days = [round_.under(reading.orders) if round_ else None for round_ in rounds]
    inside = tuple(
        None if is_outside else day for day, is_outside in zip(days, outside, strict=True)
    )
    return Days(replace(reading.course, rounds=inside), same_form | orders_of(births))


def _within(
    said: Written | None, reading: Reading, first: dt.date | None, last: dt.date | None
) -> Written | None:
    """Returns the date of a round as the one day that the tournament's own leave, if they do.

    Where the dates of the file do not decide in which order they are written, those of 042 and 052
    may.
    """
    if said is None or not reading.ambiguous or first is None or last is None:
        return said
    inside = {order: day for order, day in said.days.items() if first <= day <= last}
    return replace(said, days=inside) if len(set(inside.values())) == 1 else said


def _is_outside(
    said: Written | None, reading: Reading, first: dt.date | None, last: dt.date | None
) -> bool:
    """Whether the date of a round contradicts the tournament's own days, 042 and 052.

    These hold then: whoever types a year wrong does it in one record.
    """
    if said is None or first is None or last is None or last < first:
        return False
    day = said.under(reading.orders)
    if day is None and not reading.ambiguous:
        return False  # it is no day at all
    return not any(first <= each <= last for each in ([day] if day else said.possible))


def _births(records: Iterable[Record]) -> Iterator[Written]:
    for record in records:
        if record.code == _PLAYER:
            text = record.cell(PlayerField.BIRTH).text
            if year_alone(text) is None and (birth := written(text, Where.BIRTHS)):
                yield birth


def _text(records: Iterable[Record], code: str) -> Cell:
    """Returns the text of the first record of a code; of none a blank cell."""
    cells = (record.cell(Rest.TEXT) for record in records if record.code == code)
    return next(cells, Cell(text="", line=0, column=0))


def _written(cell: Cell) -> Written | None:
    return written(cell.text.strip(), Where.TOURNAMENT)


def _note_days(
    days: Sequence[tuple[Cell, Written | dt.date | None]], reading: Reading, notes: Notes
) -> None:
    """Notes how 042 and 052 were read, or that they cannot be; first what is no date at all."""
    for cell, day in sorted(days, key=lambda each: each[1] is not None):
        _note_day(cell, day, reading, notes)


def _note_day(cell: Cell, said: Written | dt.date | None, reading: Reading, notes: Notes) -> None:
    """Notes how 042 or 052 was read, or that it cannot be."""
    text = cell.text.strip()
    if not text:
        return
    if isinstance(said, dt.date):
        own = written(text, Where.TOURNAMENT)
        if own is None or said not in own.possible:
            notes.tolerate(cell, "trf.date_given", given=said.isoformat())
        return
    day = said.under(reading.orders) if said else None
    if said is None or (day is None and not reading.ambiguous):
        notes.refuse(cell, "trf.no_date")
    elif day is None:
        _refuse_ambiguous(cell, said, notes)
    elif not said.stands_for(day):
        notes.tolerate_all(cell, "trf.foreign_date", read=day.isoformat())


def _note_round(
    cell: Cell, said: Written | None, reading: Reading, supplied: Supplied, notes: Notes
) -> None:
    """Notes how the date of a round was read, or that it cannot be."""
    if not cell.text:
        return
    day = said.under(reading.orders) if said else None
    if day is not None and said is not None:
        if not said.stands_for(day):
            notes.tolerate_all(cell, "trf.foreign_round_date", read=day.isoformat())
    elif supplied.starts_on and supplied.ends_on:
        notes.tolerate(cell, "trf.round_date_left_out")
    elif said is not None and reading.ambiguous:
        _refuse_ambiguous(cell, said, notes)
    else:
        notes.refuse(cell, "trf.no_short_date")


def _refuse_ambiguous(cell: Cell, date: Written, notes: Notes) -> None:
    """Refuses a date that nothing decides: once, and not where another one is none at all."""
    if not any(each.message.key == "trf.no_date" for each in notes.faults.found):
        notes.refuse_first(cell, "trf.ambiguous_date", possible=_shown(date))


def _shown(date: Written) -> str:
    return " / ".join(day.isoformat() for day in date.possible)


def _round_cells(records: Iterable[Record], supplied: Supplied, notes: Notes) -> Sequence[Cell]:
    """Returns the dates of 132: by their columns, or one after the other where they stand freely.

    What is no list of dates stays in its columns, so that the fault is shown where it stands.
    """
    record = next((each for each in records if each.code == "132"), None)
    if record is None:
        return ()
    by_columns = record.repeated(DateField.DATE)
    outside = next(strays(record), None)
    if outside is None and all(_DATE_IN_LINE.fullmatch(c.text) for c in by_columns if c.text):
        return by_columns
    line = record.written()
    freely = list(_DATE_IN_LINE.finditer(line, len(record.code)))
    between = _DATE_IN_LINE.sub("", line[len(record.code) :])
    if freely and _BETWEEN.fullmatch(between):
        cells = [
            Cell(text=found.group(), line=record.line, column=found.start() + 1) for found in freely
        ]
        notes.tolerate(cells[0], "trf.round_dates_outside")
        return cells
    if outside is not None:
        if supplied.starts_on and supplied.ends_on:
            notes.tolerate(outside, "trf.round_date_left_out")
        else:
            notes.refuse(outside, "trf.outside_columns", code=record.code)
        return ()
    return by_columns
