"""Empty documents to be filled in: the header of players or of games, in a language."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from ledger.errors import InputRefused
from ledger.exports.columns import ColumnType, ExportColumn
from ledger.exports.workbook import Workbook
from ledger.intake.headings import GAMES, PLAYERS, Heading

_HEADINGS: Final = {"players": PLAYERS.known, "games": GAMES.known}
_DAYS: Final = {"start", "end", "date"}
_WHOLE: Final = {"rating", "k", "games", "round"}


def empty_document(kind: str, file: str, language: str) -> bytes:
    """Returns an empty document.

    Args:
        kind: ``players`` or ``games``.
        file: what it is to be called: ``.csv`` or ``.xlsx``.
        language: of its header, ``en`` or ``es``.

    Raises:
        InputRefused: the file is to be something else.
    """
    headings = _HEADINGS[kind]
    match PurePath(file).suffix.lower():
        case ".csv":
            return _csv(headings, language)
        case ".xlsx":
            return _workbook(kind, headings, language)
        case _:
            raise InputRefused("export.no_template", file=file)


def _csv(headings: Sequence[Heading], language: str) -> bytes:
    """Returns the header as CSV: UTF-8 with a byte order mark, which spreadsheets want."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(each.within(language) for each in headings)
    return text.getvalue().encode("utf-8-sig")


def _workbook(sheet: str, headings: Sequence[Heading], language: str) -> bytes:
    """Returns the header as a workbook.

    Columns of texts are formatted as such, so that a spreadsheet leaves ``1-0`` and ``007`` as they
    are typed.
    """
    out = io.BytesIO()
    columns = [ExportColumn(each.english, _kind(each.english), each.says) for each in headings]
    with Workbook(out, sheet, columns, [each.within(language) for each in headings]):
        pass
    return out.getvalue()


def _kind(column: str) -> ColumnType:
    if column in _DAYS:
        return ColumnType.DAY
    return ColumnType.WHOLE if column in _WHOLE else ColumnType.TEXT
