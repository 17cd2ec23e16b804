"""Lines as records: cut into cells by their layout, and written back from the cells.

A record that its layout would write otherwise than it was found (a foreign alignment, a text
outside the columns) keeps the line as found, so that nothing of a file is ever lost.

Some programs write a field one character wider or narrower than the format, in every line. Where
no player's line fits its columns, and one shift (a column too many, or one missing, at the
beginning of a field) makes all of them fit, the file is read with it; of several the one that moves
least. A single line that is off is a mistake, and left to be refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from ledger.intake.trf.layout import (
    BLANK,
    COMMENT,
    END,
    LAYOUTS,
    PLAYER,
    TEXT,
    Columns,
    Layout,
    PlayerField,
    RoundField,
)

_PLAYER: Final = "001"
_FEWEST: Final = 2
"""Players' lines from which "every line" says something."""
_LINE_OFF: Final = re.compile(r" (\d{3}|XX[A-Z]|#.*)( .*)?|\s*")
_FORMS: Final = {
    PlayerField.NUMBER: r"[0-9]+",
    PlayerField.SEX: r"[mwf]?",
    PlayerField.TITLE: r"[a-z]{0,3}",
    PlayerField.NAME: r"[^\W\d_].*",
    PlayerField.RATING: r"[0-9]*",
    PlayerField.FEDERATION: r"([a-z]{3})?",
    PlayerField.FIDE_NUMBER: r"[0-9]*",
    PlayerField.BIRTH: r"[0-9/. -]*",
    PlayerField.POINTS: r"([0-9]+[.,][0-9])?",
    PlayerField.RANK: r"[0-9]*",
    RoundField.OPPONENT: r"[0-9]*",
    RoundField.COLOUR: r"[wb-]?",
    RoundField.RESULT: r"[10=+wdlhfuz-]?",
}
_FORM_OF: Final = {field: re.compile(form, re.IGNORECASE) for field, form in _FORMS.items()}
_STEP: Final = 10


@dataclass(frozen=True, slots=True)
class ColumnShift:
    """From ``column`` on (1-based), lines have ``extra`` columns: 1 too many, or -1.

    ``players_only`` says that the other records stand where they should.
    """

    column: int
    extra: int
    players_only: bool = True

    def mended(self, line: str) -> str:
        """Returns a line as the format wants it; one that the shift does not concern as it is."""
        if self.players_only and not line.startswith(_PLAYER):
            return line
        before, after = line[: self.column - 1], line[self.column - 1 :]
        return before + (after[1:] if self.extra > 0 else " " + after if after else "")

    def found(self, column: int) -> int:
        """Returns where something of a mended line stands in the line as found."""
        return column + self.extra if column >= self.column else column


def shift_of(lines: Iterable[str]) -> ColumnShift | None:
    """Returns the shift of a file's lines; None where there is none."""
    lines = [line.rstrip(" \t") for line in lines]
    if any(line.startswith(" 001 ") for line in lines) and all(map(_LINE_OFF.fullmatch, lines)):
        return ColumnShift(1, 1, players_only=False)
    players = [line for line in lines if line.startswith(_PLAYER + " ")]
    if len(players) < _FEWEST or any(map(_is_player, players)):
        return None
    columns = [RoundField.OPPONENT.first, *(field.first for field in reversed(PlayerField))]
    shifts = (ColumnShift(column, extra) for column, extra in product(columns, (1, -1)))
    return next((shift for shift in shifts if _fits(players, shift)), None)


def _fits(players: Iterable[str], shift: ColumnShift) -> bool:
    """Whether all players' lines fit their columns with the shift."""
    return all(
        (shift.extra < 0 or line[shift.column - 1 : shift.column] in ("", " "))
        and _is_player(shift.mended(line))
        for line in players
    )


def _is_player(line: str) -> bool:
    """Whether every field of a player's line has its form, and nothing stands between them."""
    rest = list(line)
    rest[:3] = "   "
    rounds = max(0, -(-(len(line) - RoundField.OPPONENT.first + 1) // _STEP))
    spans = [(field, 0) for field in PlayerField]
    spans += [(field, _STEP * at) for at in range(rounds) for field in RoundField]  # type: ignore[misc]
    for field, by in spans:
        first, last = field.first - 1 + by, field.last + by
        cell = "".join(rest[first:last]).strip(" ")
        if not _FORM_OF[field].fullmatch(cell):
            return False
        rest[first:last] = " " * len(rest[first:last])
    return not "".join(rest).strip()


_EXTENSION: Final = re.compile(r"XX[A-Z0-9]")
_FEDERATION: Final = re.compile(r"[A-Z]{3}")
_RULER: Final = re.compile(r"[ 0]? {9}1[ \d]*|(1234567890|0123456789)\d*|DDD SSSS .*", re.ASCII)
"""Lines for the eye above the players: tens, ones, and the letters of the fields."""
_STRAY: Final = re.compile(r"[^ ]+")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text of a field without blanks around it, and where the field begins (1-based)."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line.

    ``cells`` are the texts of the layout's fields, ``groups`` those of the repeated ones,
    ``tail`` are the blanks and tabs at the end of the line and ``end`` is its line end. ``found``
    is the line where the layout would write it otherwise, and ``mended`` what it was read as where
    the whole file is one column off. Comments, rulers and blank lines have no
    ``code``.
    """

    line: int
    code: str
    layout: Layout
    cells: Cells
    groups: tuple[Cells, ...] = ()
    tail: str = ""
    end: str = "\n"
    found: str | None = None
    mended: str | None = None
    shift: ColumnShift | None = None

    def cell(self, field: Columns, repeat: int = 0) -> Cell:
        """Returns a cell; ``repeat`` counts repeated groups from 0, blank beyond the last."""
        if type(field) is self.layout.fields:
            text = self.cells[list(type(field)).index(field)]
            return Cell(text=text, line=self.line, column=self.place(field.first))
        at = self.layout.group.index(field)
        column = self.place(field.first + repeat * self.layout.step)
        text = self.groups[repeat][at] if repeat < len(self.groups) else ""
        return Cell(text=text, line=self.line, column=column)

    def repeated(self, field: Columns) -> list[Cell]:
        """Returns the cells of a repeated field, first group first."""
        return [self.cell(field, repeat) for repeat in range(len(self.groups))]

    def place(self, column: int) -> int:
        """Returns the column where something stands in the file."""
        return self.shift.found(column) if self.shift else column

    @property
    def is_ruler(self) -> bool:
        """Whether it is neither a record nor a comment: a ruler that shows the columns."""
        return self.layout is COMMENT and not self.cells[0].startswith("#")

    @property
    def text(self) -> str:
        """The line as it was read, without what stands at its end."""
        return self.mended or self.found or _rendered(self)

    def written(self) -> str:
        """Returns the line, with its end."""
        line = _rendered(self) if self.found is None else self.found
        return line + self.tail + self.end


def read_records(text: str) -> list[Record]:
    """Cuts a text into records; every line is one, whatever it holds."""
    lines = split_lines(text)
    shift = shift_of(line for line, _ in lines)
    return [
        _shifted(_record(number, shift.mended(line) if shift else line, end), line, shift)
        for number, (line, end) in enumerate(lines, start=1)
    ]


def split_lines(text: str) -> list[tuple[str, str]]:
    r"""Splits a text into lines with their ends: LF, CRLF or CR, and no other character.

    The last line has no end, and is left out when it is empty.

    >>> split_lines("a\r\nb\rc")
    [('a', '\r\n'), ('b', '\r'), ('c', '')]
    """
    lines: list[tuple[str, str]] = []
    start = 0
    for at, after in line_ends(text):
        lines.append((text[start:at], text[at:after]))
        start = after
    if start < len(text):
        lines.append((text[start:], ""))
    return lines


def line_ends(text: str) -> Iterator[tuple[int, int]]:
    """Yields where the end of each line begins, and where the next line does."""
    return (end.span() for end in _LINE_END.finditer(text))


def strays(record: Record) -> Iterator[Cell]:
    """Yields what stands outside the fields of a record, where the format wants blanks."""
    read = record.found if record.mended is None else record.mended
    if read is None:
        return
    rest = list(read)
    rest[:3] = "   "
    for first, last in _spans(record.layout, len(record.groups)):
        rest[first - 1 : last] = " " * len(rest[first - 1 : last])
    for stray in _STRAY.finditer("".join(rest)):
        yield Cell(text=stray.group(), line=record.line, column=record.place(stray.start() + 1))


def as_player(record: Record) -> Record:
    """Returns the same line read in the columns of a player."""
    return _cut(record.text, record.line, record.code, PLAYER, record.end)


def _record(number: int, line: str, end: str) -> Record:
    code = line[:3]
    if not line.strip(" \t"):
        return _cut(line, number, "", BLANK, end)
    if line.startswith("#") or _RULER.fullmatch(line):
        return _cut(line, number, "", COMMENT, end)
    if code in LAYOUTS:
        return _cut(line, number, code, LAYOUTS[code], end)
    if _FEDERATION.fullmatch(code) and not _EXTENSION.fullmatch(code):
        national = _cut(line, number, code, PLAYER, end)
        # Only the static part of a player's record: with rounds it is a mistyped 001.
        if national.cells[0].isdigit() and not national.groups and not any(strays(national)):
            return national
    return _cut(line, number, code, TEXT, end)


def _shifted(record: Record, line: str, shift: ColumnShift | None) -> Record:
    """Returns a record with the line as it was found, where it was mended to be read."""
    found = line.rstrip(" \t")
    if shift is None or shift.mended(line) == line:
        return record
    mended = shift.mended(found)
    return replace(record, found=found, mended=mended, tail=line[len(found) :], shift=shift)


def _cut(line: str, number: int, code: str, layout: Layout, end: str) -> Record:
    body = line.rstrip(" \t")
    cells = tuple(_slice(body, field, 0) for field in layout.fields)
    groups = tuple(
        tuple(_slice(body, field, repeat * layout.step) for field in layout.group)
        for repeat in range(_repeats(body, layout))
    )
    record = Record(
        line=number,
        code=code.rstrip(" "),
        layout=layout,
        cells=cells,
        groups=groups,
        tail=line[len(body) :],
        end=end,
    )
    return record if _rendered(record) == body else replace(record, found=body)


def _slice(line: str, field: Columns, shift: int) -> str:
    text = line[field.first - 1 + shift : field.last + shift]
    # A text to the end of the line keeps the blanks before it: they are part of what it says.
    return text if field.last == END else text.strip(" ")


def _repeats(line: str, layout: Layout) -> int:
    """Returns how many groups begin within the line."""
    starts = [field.first for field in layout.group]
    if not starts or len(line) < starts[0]:
        return 0
    return (len(line) - starts[0]) // layout.step + 1


def _rendered(record: Record) -> str:
    """Returns the line as its layout writes it, without blanks at the end."""
    pieces, width = [record.code], len(record.code)
    cells = [
        (0, field, text) for field, text in zip(record.layout.fields, record.cells, strict=True)
    ]
    for repeat, group in enumerate(record.groups):
        shift = repeat * record.layout.step
        cells += [
            (shift, field, text) for field, text in zip(record.layout.group, group, strict=True)
        ]
    for shift, field, text in cells:
        placed = field.placed(text)
        before = max(width, field.first - 1 + shift)
        pieces += (" " * (before - width), placed)
        width = before + len(placed)
    return "".join(pieces).rstrip(" ")


def _spans(layout: Layout, repeats: int) -> Iterator[tuple[int, int]]:
    yield from ((field.first, field.last) for field in layout.fields)
    for repeat in range(repeats):
        shift = repeat * layout.step
        yield from ((field.first + shift, field.last + shift) for field in layout.group)
