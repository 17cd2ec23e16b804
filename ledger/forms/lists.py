"""A rating list, or a part of it, as a page to print, and as a table to take along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from html import escape
from typing import IO, Final

from ledger.exports.columns import ColumnType, ExportColumn
from ledger.exports.files import Workbook
from ledger.forms.page import PageCell, change_text, rating_text, row, saying
from ledger.lists.rating_list import ListHeading, ListRow, ListRows
from ledger.rating.decimal_text import true_minus
from ledger.reports.list_marks import RowMark

_COLUMNS: Final = ("rank", "title", "name", "club", "birth_date", "games", "change", "rating")
_KINDS: Final = ("figure", "name", "name", "name", "figure", "figure", "figure", "figure")


_KINDS_OF_COLUMNS: Final = {
    "id": ColumnType.WORD, "name": ColumnType.TEXT, "federation": ColumnType.WORD,
    "title": ColumnType.WORD, "club": ColumnType.TEXT,
}  # fmt: skip
SHEET: Final = tuple(
    ExportColumn(name, _KINDS_OF_COLUMNS.get(name, ColumnType.WHOLE), "")
    for name in (*(field.name for field in fields(ListRow)), "title", "club", "birth_date")
)
"""The columns of a list in every table to take along, in their order: its rows, then the marks."""


def sheet_columns(rows: ListRows, marks: Sequence[RowMark]) -> dict[str, Sequence[object]]:
    """Returns the columns of rows and their marks, in the order of ``SHEET``."""
    beside = ((mark.title, mark.club, mark.born) for mark in marks)
    cells = list(zip(*beside, strict=True)) or [()] * 3
    columns = (*map(rows.column, rows.names), *cells)
    return {each.name: column for each, column in zip(SHEET, columns, strict=True)}


def write_list_workbook(
    out: IO[bytes],
    heading: ListHeading,
    pages: Iterable[dict[str, Sequence[object]]],
    language: str,
) -> None:
    """Writes pages of ``sheet_columns`` as a workbook; who has no rating has an empty cell.

    Every sheet and printed page of a list that was not published says so.

    Raises:
        InputRefused: a sheet has no room for as many rows.
    """
    say = saying(language)
    titles = [say(f"column.{each.name}") for each in SHEET]
    notice = state_notice(heading, language)
    with Workbook(out, heading.list, SHEET, titles, notice=notice) as book:
        for page in pages:
            ratings = [rating or None for rating in page["rating"]]
            book.add(zip(*(page | {"rating": ratings}).values(), strict=True))


def state_notice(heading: ListHeading, language: str) -> str:
    """Return what stands on every page of a list that was not published; else nothing."""
    return "" if heading.edition else saying(language)(f"player.state_{heading.state}")


def list_table(
    heading: ListHeading,
    rows: Iterable[tuple[ListRow, RowMark]],
    lost: AbstractSet[str],
    language: str,
) -> Iterator[str]:
    """Yields the lines of a table, its head first; ``lost`` are ids of who has no rating more.

    The head stands on every printed page; that of a list that was not published says so.
    """
    say = saying(language)
    notice = state_notice(heading, language)
    cell = f'<th class="name" colspan="{len(_COLUMNS)}">{escape(notice)}</th>'
    first = f"<tr>{cell}</tr>" if notice else ""
    heads = (
        PageCell(say(f"column.{name}"), kind=kind)
        for name, kind in zip(_COLUMNS, _KINDS, strict=True)
    )
    yield f"<table><thead>{first}{row(heads, tag='th')}</thead><tbody>"
    for each, mark in rows:
        cells: tuple[object, ...] = (
            each.rank,
            mark.title,
            each.name or each.id,
            mark.club,
            mark.born,
            each.games,
            true_minus(change_text(each.rating, each.change, say)),
            rating_text(each.rating, say, lost=each.id in lost),
        )
        yield row(PageCell(cell, kind=kind) for cell, kind in zip(cells, _KINDS, strict=True))
    yield "</tbody></table>"
