"""Reads CSV documents: header by name, comma or semicolon, every problem with line and column.

Columns of a problem count fields (1-based), because that is what a spreadsheet shows.
"""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, chain, islice
from typing import TypeVar

from ledger.errors import DocumentRefused, Problem
from ledger.intake.documents import SourcePlace
from ledger.intake.headings import Headings
from ledger.intake.problems import Problems
from ledger.intake.table_forms import ORDERS, TableForms, days_in
from ledger.typed_values import integer_in, number_in
from ledger.wording import Message

Value = TypeVar("Value")
_LINE_END = re.compile(r"\r\n|\r|\n")
_AMBIGUOUS = "csv.ambiguous_date"
_YEAR = re.compile(r"\d{4}", re.ASCII)
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", re.ASCII)


class DocumentRow:
    """One line of a document, by column name; reading a bad field notes a problem, gives None."""

    def __init__(
        self,
        line: int,
        fields: list[str],
        table: DocumentTable,
        problems: Problems,
    ) -> None:
        self.line = line
        self._fields = fields
        self._table = table
        self._columns = table.columns
        self._problems = problems
        self.forms = table.forms

    def reading(self, values: dict[str, str]) -> DocumentRow:
        """Returns a row at the same line whose fields are these values instead."""
        fields = [""] * (max(self._columns.values()) + 1)
        for name, value in values.items():
            fields[self._columns[name]] = value
        return DocumentRow(self.line, fields, self._table, self._problems)

    def place(self, name: str = "") -> SourcePlace:
        """Returns where the field stands (the line, when no column has the name)."""
        return SourcePlace(line=self.line, column=self._columns.get(name, 0) + 1)

    def has(self, name: str) -> bool:
        """Whether the document has the column."""
        return name in self._columns

    def refuse(self, name: str, key: str, **values: object) -> None:
        """Notes a problem with the field; its sentence may name the ``column``."""
        values["column"] = self._table.names[name]
        self._problems.add(self.place(name), key, **values)

    def text(self, name: str) -> str | None:
        """Returns the field without blanks around it; None when it is empty or missing."""
        at = self._columns.get(name)
        value = "" if at is None or at >= len(self._fields) else self._fields[at].strip()
        return value or None

    def required(self, name: str) -> str | None:
        """Returns the field; notes a problem when it is empty."""
        value = self.text(name)
        if value is None:
            self.refuse(name, "csv.missing")
        return value

    def integer(self, name: str, *, least: int, most: int) -> int | None:
        """Returns a whole number within bounds (inclusive)."""
        bounds = {"least": least, "most": most}
        return self._value(
            name, lambda text: integer_in(text, **bounds), "csv.no_integer", **bounds
        )

    def hundredths(self, name: str) -> int | None:
        """Returns a number with at most two decimals, in hundredths; ``0.5``, ``0,50``, ``½``."""
        return self._value(name, hundredths_in, "csv.no_hundredths")

    def date(self, name: str) -> dt.date | None:
        """Returns a date, ``2010-07-23`` (or with slashes), or as the document writes dates."""
        text = self.text(name)
        day = None if text is None else date_in(text) or self.forms.day(text)
        if text is None or day is not None:
            return day
        possible = days_in(text).values()
        if possible and self.forms.order is not None:
            order = ORDERS[self.forms.order]
            self.refuse(name, "csv.other_order", value=text, order=order)
        elif possible and any(each.message.key == _AMBIGUOUS for each in self._problems.found):
            pass  # one cause: it was said where it was first
        elif possible:
            days = " / ".join(each.isoformat() for each in possible)
            self.refuse(name, _AMBIGUOUS, value=text, possible=days)
        else:
            self.refuse(name, "csv.no_date", value=text)
        return None

    def choice(self, name: str, choices: Mapping[str, Value]) -> Value | None:
        """Returns what the field stands for among the choices, which are in small letters."""
        allowed = ", ".join(choices)
        return self._value(
            name, lambda text: choices.get(text.lower()), "csv.no_choice", allowed=allowed
        )

    def date_or_year(self, name: str) -> str | None:
        """Returns a date in ISO form, or the year alone where only that is given."""
        value = self.text(name)
        if value is not None and _YEAR.fullmatch(value):
            return value
        date = self.date(name)
        return date.isoformat() if date else None

    def _value(
        self, name: str, read: Callable[[str], Value | None], key: str, **values: object
    ) -> Value | None:
        """Returns what a field says; notes a problem, which quotes it, when it cannot be read."""
        text = self.text(name)
        found = None if text is None else read(text)
        if text is not None and found is None:
            self.refuse(name, key, value=text, **values)
        return found


def date_in(text: str) -> dt.date | None:
    """Reads a date, ``2010-07-23`` (or with slashes); None when it is none."""
    found = _DATE.fullmatch(text)
    if found:
        with contextlib.suppress(ValueError):
            return dt.date(int(found[1]), int(found[2]), int(found[3]))
    return None


def hundredths_in(text: str) -> int | None:
    """Reads a number with at most two decimals, in hundredths; None when it is none.

    >>> hundredths_in("0,5"), hundredths_in("0.125")
    (50, None)
    """
    number = number_in(text)
    return None if number is None or (number * 100).denominator != 1 else int(number * 100)


def rows(
    lines: Iterable[str],
    headings: Headings,
    problems: Problems,
    forms: TableForms | None = None,
) -> Iterator[DocumentRow]:
    """Yields the rows below the header; blank lines are passed over.

    ``forms`` is what the document was looked at for before: how it writes dates.

    ``lines`` come with their ends. A column that ``headings`` does not have is a problem, so that a
    misspelt one is not lost.

    Raises:
        InputRefused: the header itself cannot be used.
    """
    table = DocumentTable(lines, headings, problems, forms)
    yield from table.rows(table.records(), problems)


class DocumentTable:
    """The rows of a document below its header, which is its first line that is not blank.

    ``lines`` come with their ends; ``problems`` takes what is wrong with it as CSV.

    Raises:
        InputRefused: the header itself cannot be used.
    """

    def __init__(
        self,
        lines: Iterable[str],
        headings: Headings,
        problems: Problems,
        forms: TableForms | None = None,
    ) -> None:
        lines = iter(lines)
        first = list(_down_to_text(lines))
        delimiter = delimiter_of(first[-1]) if first else ","
        self._problems = problems
        self._reader = csv.reader(chain(first, lines), delimiter=delimiter, strict=True)
        self.forms = forms or TableForms()
        self.columns: dict[str, int] = {}
        self.names = headings.wordings
        self.left_out: tuple[str, ...] = ()
        self.header_line = 0
        self.width = 0
        self.header: list[str] = []
        self._broken = False
        header = next(filter(_says_anything, self._read()), None)
        if not self._broken:
            if header is None:
                raise DocumentRefused("csv.empty")
            self.header_line = self._reader.line_num
            self.columns = headings.columns(header, self.header_line)
            self.left_out = headings.left_out(header)
            self.header = header
            self.width = len(header)

    def notes(self, file: str) -> Iterator[Problem]:
        """Yields the notes of usual columns that are not read, and of dates in two orders."""
        if self.left_out:
            message = Message.of(
                "csv.left_out", count=len(self.left_out), columns=", ".join(self.left_out)
            )
            yield Problem(message, self.header_line, 0, file)
        yield from self.forms.notes(file)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yields the number and the fields of every line that is not blank."""
        reader = self._reader
        return ((reader.line_num, fields) for fields in self._read() if _says_anything(fields))

    def pages(self, size: int) -> Iterator[list[tuple[int, list[str]]]]:
        """Yields the same some at a time."""
        before = self._reader.line_num
        while page := list(islice(self._read(), size)):
            numbers: Iterable[int] = range(before + 1, before + 1 + len(page))
            if self._reader.line_num != before + len(page):  # a field goes over several lines
                numbers = accumulate(map(_lines, page), initial=before)
                next(numbers)
            before = self._reader.line_num
            numbered = zip(numbers, page, strict=True)
            if rows_ := [row for row in numbered if _says_anything(row[1])]:
                yield rows_

    def rows(
        self, records: Iterable[tuple[int, list[str]]], problems: Problems
    ) -> Iterator[DocumentRow]:
        """Yields lines as rows; notes a problem when one is too long."""
        for line, fields in records:
            if len(fields) > self.width:
                extra = SourcePlace(line=line, column=self.width + 1)
                problems.add(extra, "csv.too_many_fields", count=len(fields), most=self.width)
            yield DocumentRow(line, fields, self, problems)

    def _read(self) -> Iterator[list[str]]:
        """Yields what the reader reads, as far as it is CSV; nothing can be read behind it."""
        if self._broken:
            return
        try:
            yield from self._reader
        except csv.Error as error:
            self._broken = True
            self._problems.add(
                SourcePlace(line=self._reader.line_num), "csv.malformed", why=str(error)
            )


def fields_of(line: str) -> list[str]:
    """Returns the fields of a header's line; none where it is no CSV."""
    try:
        return next(csv.reader([line], delimiter=delimiter_of(line)), [])
    except csv.Error:
        return []


def delimiter_of(line: str) -> str:
    """Returns what a header's line is divided by: comma, semicolon or tab."""
    return max(",;\t", key=line.count)


def _down_to_text(lines: Iterator[str]) -> Iterator[str]:
    """Yields the lines down to the first that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _says_anything(fields: list[str]) -> bool:
    return bool(fields and fields[0].strip()) or bool("".join(fields).strip())


def _lines(fields: list[str]) -> int:
    """Returns how many lines the fields of a row stand on."""
    return 1 + sum(len(_LINE_END.findall(field)) for field in fields)
