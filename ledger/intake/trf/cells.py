"""Reads single cells: numbers, dates, points, texts; what is wrong or odd is noted with its place.

A cell that cannot be read gives None and a problem; a cell in a layout of other programs is read,
and gives an adjustment besides.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from ledger.errors import Problem
from ledger.intake.tabular import integer_in
from ledger.intake.trf.records import Cell
from ledger.wording import Message

_POINTS: Final = re.compile(r"-?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)
_DATE: Final = re.compile(r"(\d{4})([/.-])(\d{1,2})\2(\d{1,2})", re.ASCII)
_DAY_FIRST: Final = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})", re.ASCII)
_SHORT_DATE: Final = re.compile(r"(\d\d)/(\d\d)/(\d\d)", re.ASCII)
_STANDARD_DATE: Final = re.compile(r"\d{4}/\d\d/\d\d", re.ASCII)
_YEAR: Final = re.compile(r"\d{4}", re.ASCII)
_FEDERATION: Final = re.compile(r"[A-Za-z]{3}")
_CENTURY_ENDS: Final = 70
"""Years of two digits from here on are of the twentieth century; no report is older."""
_QUOTED: Final = 60
"""Characters of a text that a message quotes."""
LONGEST: Final = 300
"""Characters of a name or place; the ledger keeps no longer ones."""


@dataclass(slots=True)
class Notes:
    """What was found while reading: ``faults`` refuse the file, ``tolerated`` are adjustments."""

    faults: list[Problem] = field(default_factory=list)
    tolerated: list[Problem] = field(default_factory=list)

    def refuse(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes a fault at the cell, quoting it as ``{found}``."""
        self.faults.append(problem(key, cell.line, cell.column, found=quoted(cell.text), **values))

    def tolerate(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes an adjustment at the cell, quoting it as ``{found}``."""
        noted = problem(key, cell.line, cell.column, found=quoted(cell.text), **values)
        self.tolerated.append(noted)

    def text(self, cell: Cell) -> str | None:
        """Returns the text of a name or place: one printable line; None where it is blank."""
        text = cell.text.strip()
        if any(unicodedata.category(character).startswith("C") for character in text):
            self.refuse(cell, "trf.control_character")
            return None
        if len(text) > LONGEST:
            self.refuse(cell, "trf.too_long", most=LONGEST)
            return None
        return text or None

    def number(self, cell: Cell, *, least: int = 0, most: int = 9999) -> int | None:
        """Returns a whole number within bounds (inclusive); None where it is blank or none."""
        text = cell.text.strip(" ")
        if not text:
            return None
        number = integer_in(text, least=least, most=most)
        if number is None:
            self.refuse(cell, "trf.no_number", least=least, most=most)
        return number

    def points(self, cell: Cell) -> Decimal | None:
        """Returns points, ``11.5``; ``11,5`` is tolerated."""
        if not cell.text:
            return None
        if not _POINTS.fullmatch(cell.text):
            self.refuse(cell, "trf.no_points")
            return None
        if "," in cell.text:
            self.tolerate(cell, "trf.decimal_comma")
        return Decimal(cell.text.replace(",", "."))

    def federation(self, cell: Cell) -> str | None:
        """Returns the code of a federation, three capital letters; any other text is left out."""
        text = cell.text.strip()
        if not text:
            return None
        if not _FEDERATION.fullmatch(text):
            self.tolerate(cell, "trf.no_federation")
            return None
        if not text.isupper():
            self.tolerate(cell, "trf.federation_in_small_letters", read=text.upper())
        return text.upper()

    def date(self, cell: Cell) -> dt.date | None:
        """Returns a date, ``YYYY/MM/DD``; day first, points and hyphens are tolerated."""
        text = cell.text.strip()
        if not text:
            return None
        date = _day(text)
        if date is None:
            self.refuse(cell, "trf.no_date")
        elif not _STANDARD_DATE.fullmatch(text):
            self.tolerate(cell, "trf.foreign_date", read=date.isoformat())
        return date

    def short_date(self, cell: Cell) -> dt.date | None:
        """Returns the date of a round, ``YY/MM/DD``."""
        found = _SHORT_DATE.fullmatch(cell.text)
        if found:
            year = int(found[1])
            year += 1900 if year >= _CENTURY_ENDS else 2000
            date = _calendar_day(year, int(found[2]), int(found[3]))
            if date is not None:
                return date
        if cell.text:
            self.refuse(cell, "trf.no_short_date")
        return None

    def birth(self, cell: Cell) -> str | None:
        """Returns a date of birth, ``YYYY-MM-DD``, or ``YYYY`` where month and day are 00.

        ``1978/00/00`` and ``0000/00/00`` are the customary way to say that only the year, or
        nothing, is known. A month without a day is tolerated and left out.
        """
        text = cell.text.strip()
        if not text:
            return None
        parts = _DATE.fullmatch(text)
        year = parts[1] if parts else text
        if _YEAR.fullmatch(year) and (not parts or int(parts[4]) == 0):
            known = year if int(year) else None
            if text != f"{year}/00/00":
                self.tolerate(cell, "trf.birth_without_day", read=known or "-")
            return known
        date = _day(text)
        if date is None:
            self.refuse(cell, "trf.no_date")
            return None
        if not _STANDARD_DATE.fullmatch(text):
            self.tolerate(cell, "trf.foreign_date", read=date.isoformat())
        return date.isoformat()


def problem(key: str, line: int, column: int, /, **values: object) -> Problem:
    """Returns a problem with a keyed message at a place."""
    return Problem(Message.of(key, **values), line, column)


def quoted(text: str) -> str:
    r"""Returns a text of a file as a message may quote it: printable, and not long.

    >>> quoted("a\tb")
    'a\\tb'
    """
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in short
    )


def in_order(found: Iterable[Problem]) -> list[Problem]:
    """Returns problems by line and column."""
    return sorted(found, key=lambda each: (each.line, each.column))


def _day(text: str) -> dt.date | None:
    found = _DATE.fullmatch(text)
    if found:
        return _calendar_day(int(found[1]), int(found[3]), int(found[4]))
    found = _DAY_FIRST.fullmatch(text)
    if found:
        return _calendar_day(int(found[4]), int(found[3]), int(found[1]))
    return None


def _calendar_day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
