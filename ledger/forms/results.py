"""The results of an event on a screen: its days and lists in words, the crosstable by places."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import IO, Final

from ledger.exports.columns import ColumnType, ExportColumn, as_text
from ledger.exports.files import FileFormat, Workbook
from ledger.forms.page import Say, saying
from ledger.forms.standings import code_name
from ledger.rating.decimal_text import exact
from ledger.reports.crosstable import Crosstable, CrosstableRow
from ledger.reports.event_results import EventResults, ListOfEvent, ResultRow
from ledger.reports.standings import Standings
from ledger.wording import Message
from ledger.wording.dates import day_in_words, period_in_words, short_day


def list_sentence(of: ListOfEvent, games: int, language: str) -> str:
    """Returns which list the games of an event wait for, or were counted in, or that none does."""
    if of.late_report is not None:
        return of.late_report.message.within(language)
    key = {
        "counted": "standings.list_counted",
        "waiting": "standings.list_waiting",
        "later": "standings.list_later",
    }[of.state]
    period = period_in_words(of.period, language)
    on = day_in_words(of.in_force_on, language)
    return Message.of(key, games=games, list=of.list, period=period, on=on).within(language)


def days_in_words(first: dt.date, last: dt.date, language: str) -> str:
    """Returns the days of an event as people say them.

    >>> days_in_words(dt.date(2026, 11, 14), dt.date(2026, 11, 16), "en")
    '14–16 November 2026'
    >>> days_in_words(dt.date(2026, 10, 30), dt.date(2026, 11, 1), "es")
    '30 de octubre de 2026 – 1 de noviembre de 2026'
    """
    whole = day_in_words(last, language)
    if first == last:
        return whole
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{whole}"
    return f"{day_in_words(first, language)} – {whole}"


def short_days(first: dt.date, last: dt.date, language: str) -> str:
    """Returns the days of an event where there is little room, as in a row of a table.

    >>> short_days(dt.date(2026, 10, 24), dt.date(2026, 10, 28), "en")
    '24–28 Oct 2026'
    >>> short_days(dt.date(2026, 12, 30), dt.date(2027, 1, 2), "es")
    '30 dic 2026 – 2 ene 2027'
    """
    whole = f"{short_day(last, language)} {last.year}"
    if first == last:
        return whole
    if first.year != last.year:
        return f"{short_day(first, language)} {first.year} – {whole}"
    if first.month != last.month:
        return f"{short_day(first, language)} – {whole}"
    return f"{first.day}–{whole}"


def standings_heading(standings: Standings, say: Say) -> str:
    """Returns the heading of standings below the name of the event."""
    if standings.final and not standings.annulled:
        return say("standings.final_heading")
    return say("standings.after_heading", after=standings.after, rounds=standings.rounds)


# The results as a file

_COLUMNS: Final = {
    "rank": ColumnType.WHOLE,
    "title": ColumnType.WORD,
    "name": ColumnType.TEXT,
    "id": ColumnType.WORD,
    "club": ColumnType.TEXT,
    "federation": ColumnType.WORD,
    "rating": ColumnType.WHOLE,
    "points": ColumnType.WHOLE,
}
_LAST_COLUMNS: Final = ("performance", "gain", "prize")


def write_results(results: EventResults, out: IO[bytes], form: FileFormat, language: str) -> None:
    """Writes the results of an event as CSV or XLSX, with headings in a language.

    Numbers are numbers: in CSV as ``exact`` writes them, in XLSX as a sheet calculates with them.
    """
    say = saying(language)
    codes = list(results.rows[0].tie_breaks) if results.rows else []
    kinds = _COLUMNS | dict.fromkeys((*codes, *_LAST_COLUMNS), ColumnType.WHOLE)
    columns = [ExportColumn(name, kind, "") for name, kind in kinds.items()]
    headings = [code_name(name, say) if name in codes else say(f"column.{name}") for name in kinds]
    rows = (list(_cells(row, codes)) for row in results.rows)
    if form is FileFormat.XLSX:
        with Workbook(out, say("page.standings"), columns, headings) as book:
            book.add(rows)
        return
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(as_text, headings))
    for cells in rows:
        writer.writerow(map(_csv_cell, cells))
    out.write(text.getvalue().encode())


def _cells(row: ResultRow, codes: Sequence[str]) -> Iterator[object]:
    yield from (None if row.cancelled else row.rank, row.title, row.name, row.id, row.club)
    yield from (row.federation, row.rating, row.points)
    yield from map(row.tie_breaks.get, codes)
    yield from (row.performance, row.gain, row.prize)


def _csv_cell(cell: object) -> str:
    if cell is None:
        return ""
    return exact(cell) if isinstance(cell, int | Fraction) else as_text(str(cell))


# The crosstable, to be read from afar


@dataclass(frozen=True, slots=True)
class CrossResult:
    """A result in a square: what it was, and against whom, as a place and the colour's letter.

    ``tint`` is ``w1`` for a point, ``w5`` for a half, empty for none.
    """

    result: str
    against: str
    tint: str


@dataclass(frozen=True, slots=True)
class CrossSquare:
    """A square: its results, two where two met twice, and the seqs that corrected them."""

    results: tuple[CrossResult, ...]
    corrected: tuple[int, ...] = ()
    is_own: bool = False

    @property
    def tint(self) -> str:
        """The tint of the square: that of its best result."""
        return min((each.tint for each in self.results if each.tint), default="")


_WORD: Final = re.compile(r"(?:(\d+)([wb]))?(.*)")
_TINTS: Final = {"1": "w1", "+": "w1", "F": "w1", "U": "w1", "½": "w5", "H": "w5"}


def cross_rows(
    crosstable: Crosstable, say: Say
) -> Iterator[tuple[str, CrosstableRow, list[CrossSquare]]]:
    """Yields the rows as they stand, each with its place and its squares.

    Opponents are told by their places, of which no two are equal; who is cancelled has the starting
    number in parentheses.
    """
    rows = _as_they_stand(crosstable)
    places = {str(row.place.number): place for place, row in rows}
    columns = list(places) if crosstable.is_square else crosstable.columns
    for place, row in rows:
        own = str(row.place.number) if crosstable.is_square else ""
        squares = [
            CrossSquare(
                tuple(_result(word, places, say) for word in row.squares.get(column, ())),
                row.corrected.get(column, ()),
                is_own=column == own,
            )
            for column in columns
        ]
        yield place, row, squares


def cross_columns(crosstable: Crosstable) -> list[str]:
    """Returns the headings of the squares: rounds, or in an all-play-all the places."""
    if not crosstable.is_square:
        return list(crosstable.columns)
    return [place for place, _ in _as_they_stand(crosstable)]


def _as_they_stand(crosstable: Crosstable) -> list[tuple[str, CrosstableRow]]:
    rows = {row.place.id: row for row in crosstable.rows}
    return [
        (f"({line.number})" if line.cancelled else str(place), rows[line.id])
        for place, line in enumerate(crosstable.standings.rows, start=1)
    ]


def _result(word: str, places: Mapping[str, str], say: Say) -> CrossResult:
    """Returns a result of ``CrosstableRow.squares``: ``14w1``, ``½``, ``U``."""
    found = _WORD.fullmatch(word)
    assert found is not None, "whatever stands there"
    number, colour, result = found.groups()
    letter = say("page.white_letter" if colour == "w" else "page.black_letter") if colour else ""
    return CrossResult(
        result=result.replace("-", "−"),
        against=f"{places.get(number, number)}{letter}" if number else "",
        tint=_TINTS.get(result.strip("()")[:1], "") if not result.startswith("(") else "",
    )
