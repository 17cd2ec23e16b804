"""Reads one sheet of a workbook (XLSX) as the text that it would be if it were saved with tabs.

Every row of the sheet is a line of the text, so that the places in messages are those of the sheet.
A cell becomes what it means: a date ``2010-07-23``, a number in as few digits as say the same to 15
places, a truth value ``TRUE`` or ``FALSE``, a formula the value that was last calculated. A cell
in error (``#N/A``) is empty.

A workbook from a stranger may be small and unfold to anything. It is read by a child process whose
memory, time and output are limited by the system, whatever the file does to the reader.
"""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from ledger.children import environment, interpreter, limit_process
from ledger.errors import DocumentRefused

MEMORY_MB: Final = 1024
"""Of address space for the child."""
SECONDS: Final = 60
"""Of processor time for the child."""
MOST_COLUMNS: Final = 200
MOST_CELLS: Final = 5_000_000
"""Of a sheet, from its first cell to its last row and column: empty ones are read, too."""
_PATIENCE: Final = 5 * SECONDS
_MOST_BYTES: Final = 4
"""Of a character in UTF-8."""
SIGNATURE: Final = b"PK\x03\x04"
"""How a zip file begins, which a workbook is."""

_WORKBOOK: Final = "xl/workbook.xml"
_MACROS: Final = "xl/vbaProject.bin"
_DIGITS: Final = ".15g"
"""As many digits as a spreadsheet keeps of a number."""
_ONE_LINE: Final = str.maketrans("\t\r\n\0", "    ")
_PROGRAM: Final = "from ledger.intake import workbook; workbook.work()"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Which sheet was read; ``others`` are the visible ones that were not."""

    name: str
    others: tuple[str, ...]


def read_sheet(source: IO[bytes], text: IO[bytes], wanted: str | None, most_text: int) -> Sheet:
    """Writes a sheet as text: UTF-8, a line for each row, fields divided by tabs.

    Both are files of the system, the workbook at its beginning. Without a ``wanted`` sheet it is
    the first that is visible. ``most_text`` is how many characters it may have.

    Raises:
        InputRefused: it is no workbook, has macros, is damaged, needs more than a workbook may, or
            has no such sheet.
    """
    too_much = DocumentRefused("workbook.too_much", memory=MEMORY_MB, seconds=SECONDS)
    try:
        child = subprocess.run(  # noqa: S603 - this Python, on a program of this module
            [*interpreter(), "-c", _PROGRAM, wanted or "", str(most_text)],
            stdin=source,
            stdout=text,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise too_much from error
    answer = _answer(child.stderr)
    if answer is None:
        raise too_much
    if answer.get("refused") == "workbook.too_long":
        raise DocumentRefused("workbook.too_long", most=most_text // 1_000_000)
    if "refused" in answer:
        raise DocumentRefused(answer["refused"], **answer["values"])
    return Sheet(answer["sheet"], tuple(answer["others"]))


def _answer(said: bytes) -> dict[str, Any] | None:
    """Returns what the child answered last; None where it ended without an answer."""
    last = said.splitlines()[-1] if said.strip() else b""
    with contextlib.suppress(ValueError):
        answer = json.loads(last)
        if isinstance(answer, dict):
            return answer
    return None


# In the child


def work() -> None:
    """Reads the workbook on stdin, writes the sheet to stdout and the answer to stderr."""
    _, wanted, most_text = sys.argv
    _limit(int(most_text))
    try:
        sheet = _unfolded(sys.stdin.buffer, wanted or None, int(most_text))
        answer: dict[str, Any] = {"sheet": sheet.name, "others": sheet.others}
    except DocumentRefused as refusal:
        values = {name: str(value) for name, value in refusal.message.values}
        answer = {"refused": refusal.message.key, "values": values}
    sys.stderr.write("\n" + json.dumps(answer))


def _limit(most_text: int) -> None:
    """Limits what this process may use, where the system can."""
    limit_process(
        cpu_seconds=SECONDS, address_space=MEMORY_MB << 20, file_size=_MOST_BYTES * most_text
    )


def _unfolded(source: IO[bytes], wanted: str | None, most_text: int) -> Sheet:
    import python_calamine as calamine  # noqa: PLC0415 - only the child needs it

    _require_workbook(source)
    source.seek(0)
    try:
        book = calamine.CalamineWorkbook.from_filelike(source)
        sheet = _chosen(book.sheets_metadata, wanted)
        rows = book.get_sheet_by_name(sheet.name)
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise DocumentRefused("workbook.damaged", why=error) from error
    _require_near(rows.end)
    before = [""] * (rows.start[1] if rows.start else 0)
    _write(([*before, *row] for row in rows.iter_rows()), sys.stdout.buffer, most_text)
    return sheet


def _require_near(end: tuple[int, int] | None) -> None:
    """Refuses a sheet whose last row and column, counted from 0, are too far off."""
    height, width = (0, 0) if end is None else (end[0] + 1, end[1] + 1)
    if width > MOST_COLUMNS or height * width > MOST_CELLS:
        raise DocumentRefused(
            "workbook.too_wide", rows=height, columns=width, most_columns=MOST_COLUMNS,
            most=MOST_CELLS,
        )  # fmt: skip


def _require_workbook(source: IO[bytes]) -> None:
    """Refuses what is no workbook, or one with macros."""
    try:
        names = set(zipfile.ZipFile(source).namelist())
    except zipfile.BadZipFile as error:
        raise DocumentRefused("workbook.no_zip") from error
    except (NotImplementedError, ValueError, OSError) as error:
        raise DocumentRefused("workbook.damaged", why=error) from error
    if _WORKBOOK not in names:
        raise DocumentRefused("workbook.not_one")
    if _MACROS in names:
        raise DocumentRefused("workbook.macros")


def _chosen(sheets: list[Any], wanted: str | None) -> Sheet:
    """Returns the sheet that is wanted, or the first visible one."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum  # noqa: PLC0415 - as above

    tables = [sheet for sheet in sheets if sheet.typ == SheetTypeEnum.WorkSheet]
    known = [sheet.name for sheet in tables]
    visible = [sheet.name for sheet in tables if sheet.visible == SheetVisibleEnum.Visible]
    if wanted is None and not visible:
        raise DocumentRefused("workbook.no_sheet", known=", ".join(known) or "-")
    name = visible[0] if wanted is None else wanted
    if name not in known:
        raise DocumentRefused("workbook.no_such_sheet", sheet=name, known=", ".join(known) or "-")
    return Sheet(name, tuple(other for other in visible if other != name))


def _write(rows: Iterator[list[Any]], out: IO[bytes], most: int) -> None:
    """Writes rows as text, of so many characters; one without anything in it is a blank line."""
    text = io.TextIOWrapper(out, "utf-8", newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    for row in rows:
        fields = [text_of(cell) for cell in row]
        most -= sum(map(len, fields)) + len(fields)
        if most < 0:
            raise DocumentRefused("workbook.too_long")
        writer.writerow(fields if any(fields) else ())
    text.flush()
    text.detach()


def text_of(cell: object) -> str:
    """Returns what a cell means.

    >>> text_of(2105.0), text_of(0.1 + 0.2), text_of(dt.datetime(2010, 7, 23)), text_of(True)
    ('2105', '0.3', '2010-07-23', 'TRUE')
    """
    match cell:
        case bool():
            return str(cell).upper()
        case float():
            return format(cell, _DIGITS)
        case dt.datetime() if cell.time() == dt.time():
            return cell.date().isoformat()
        case dt.datetime():
            return cell.isoformat(" ")
        case dt.date() | dt.time():
            return cell.isoformat()
        case _:
            return str(cell).translate(_ONE_LINE)
