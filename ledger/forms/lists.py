"""A rating list, or a part of it, as a page to print and as a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from html import escape
from typing import IO, Final

from ledger.exports.columns import ColumnType, ExportColumn
from ledger.exports.files import Workbook
from ledger.forms.page import PageCell, change_text, rating_text, row, saying
from ledger.lists.rating_list import ListHeading, ListRow
from ledger.rating.decimal_text import true_minus
from ledger.reports.list_marks import RowMark

_COLUMNS: Final = ("rank", "title", "name", "club", "birth_date", "games", "change", "rating")
_KINDS: Final = ("figure", "name", "name", "name", "figure", "figure", "figure", "figure")


_SHEET: Final = tuple(
    ExportColumn(name, kind, "")
    for name, kind in (
        ("rank", ColumnType.WHOLE), ("title", ColumnType.WORD), ("name", ColumnType.TEXT),
        ("club", ColumnType.TEXT), ("birth_date", ColumnType.WHOLE),
        ("federation", ColumnType.WORD), ("id", ColumnType.WORD), ("games", ColumnType.WHOLE),
        ("change", ColumnType.WHOLE), ("rating", ColumnType.WHOLE),
    )
)  # fmt: skip


def write_list_workbook(
    out: IO[bytes],
    heading: ListHeading,
    rows: Iterable[tuple[ListRow, RowMark]],
    language: str,
) -> None:
    """Writes rows as a workbook; who has no rating has an empty cell.

    Every sheet and printed page of a list that was not published says so.

    Raises:
        InputRefused: a sheet has no room for as many rows.
    """
    say = saying(language)
    titles = [say(f"column.{each.name}") for each in _SHEET]
    notice = state_notice(heading, language)
    with Workbook(out, heading.list, _SHEET, titles, notice=notice) as book:
        book.add(
            (each.rank, mark.title, each.name or each.id, mark.club, mark.born, each.federation,
             each.id, each.games, each.change, each.rating or None)
            for each, mark in rows
        )  # fmt: skip


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
