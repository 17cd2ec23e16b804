"""Tables that lose nothing on a narrow screen: names give way, then columns fold.

Figures, ids, dates and periods are never cut. Where all columns do not fit beside each other, names
are shortened, then columns move closer together; where that is not enough, the columns are dealt to
several lines, and every row is written on as many lines, one under the other. A cell that is longer
than the screen goes on in the next line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from itertools import zip_longest

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.console import Console
from rich.text import Text

from ledger.rating.decimal_text import decimal, exact
from ledger.rating.rounding import half_away_from_zero

_GAP = 2
_NARROW_GAP = 1
_INDENT = 2  # of what is written under the first line of a row
_SHORT_NAME = 10  # a name does not give way further
_LEAST_DECIMALS, _MOST_DECIMALS = 2, 4


class Kind(Enum):
    """What a column holds, and how it is written."""

    TEXT = auto()  # ids, dates, periods, words: to the left
    NAME = auto()  # to the left, and may be shortened
    FIGURE = auto()  # to the right
    DECIMAL = auto()  # one point under the other


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its heading."""

    title: str
    kind: Kind = Kind.TEXT

    @property
    def is_figure(self) -> bool:
        """Whether it is written to the right."""
        return self.kind in (Kind.FIGURE, Kind.DECIMAL)


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    style: str
    after_line: bool


class Sheet:
    """A table under construction: rows of as many cells as there are columns."""

    def __init__(self, *columns: Column, title: str = "", heading: bool = True) -> None:
        self._columns = columns
        self._title = title
        self._heading = heading
        self._rows: list[_Row] = []
        self._line = False

    def add(self, *cells: str, style: str = "") -> None:
        """Adds a row."""
        assert len(cells) == len(self._columns), "a row has a cell for every column"
        self._rows.append(_Row(cells, style, self._line))
        self._line = False

    def section(self) -> None:
        """Has a line drawn before the next row."""
        self._line = True

    def write(self, out: Console) -> None:
        """Writes the table as wide as the console is."""
        for text, style in self.lines(out.width):
            out.print(Text(text, style=style), soft_wrap=True)

    def lines(self, width: int) -> Iterator[tuple[str, str]]:
        """Yields the lines of the table, with their style, none wider than ``width``."""
        rows = self._aligned()
        heading = tuple(column.title for column in self._columns)
        longest = [
            max(cell_len(cells[place]) for cells in (heading, *rows))
            for place in range(len(self._columns))
        ]
        decks = _decks(self._columns, longest, width)
        rule = "─" * max((deck.width for deck in decks), default=0)
        if self._title:
            yield from ((part, "italic") for part in _wrapped(self._title, width))
        if self._heading:
            yield from ((line, "bold") for line in self._written(decks, heading))
            yield rule, "dim"
        for row, cells in zip(self._rows, rows, strict=True):
            if row.after_line:
                yield rule, "dim"
            yield from ((line, row.style) for line in self._written(decks, cells))
        yield "", ""

    def _aligned(self) -> list[tuple[str, ...]]:
        """Returns the cells of all rows, those of decimal columns with as much behind the point."""
        columns = [
            _on_the_point(cells) if column.kind is Kind.DECIMAL else cells
            for column, *cells in zip(
                self._columns, *(row.cells for row in self._rows), strict=True
            )
        ]
        return list(zip(*columns, strict=True))

    def _written(self, decks: Sequence[_Deck], cells: Sequence[str]) -> Iterator[str]:
        """Yields the lines of one row; a line with nothing in it is left out."""
        for deck in decks:
            parts = [
                _fitted(cells[place], self._columns[place], width)
                for place, width in zip(deck.places, deck.widths, strict=True)
            ]
            for line in zip_longest(*parts):
                blanks = zip(line, deck.widths, strict=True)
                text = (" " * deck.gap).join(part or " " * width for part, width in blanks)
                if text.strip():
                    yield (" " * deck.indent + text).rstrip()


@dataclass(frozen=True, slots=True)
class _Deck:
    """The columns that are written beside each other, by their places, and how wide each is."""

    places: tuple[int, ...]
    widths: tuple[int, ...]
    indent: int
    gap: int

    @property
    def width(self) -> int:
        """How wide they are together."""
        return self.indent + sum(self.widths) + self.gap * (len(self.widths) - 1)


def _decks(columns: Sequence[Column], longest: Sequence[int], width: int) -> list[_Deck]:
    """Deals columns to lines: one, if they fit with short names, else as many as they need."""
    least = [
        min(each, _SHORT_NAME) if column.kind is Kind.NAME else each
        for column, each in zip(columns, longest, strict=True)
    ]
    for gap in (_GAP, _NARROW_GAP):
        if sum(least) + gap * (len(least) - 1) <= width:
            return [_deck(range(len(least)), longest, least, width, 0, gap)]
    dealt: list[list[int]] = []
    left = 0
    for place, each in enumerate(least):
        if dealt and left >= _GAP + each:
            dealt[-1].append(place)
            left -= _GAP + each
        else:
            dealt.append([place])
            left = width - (_INDENT if len(dealt) > 1 else 0) - each
    return [
        _deck(places, longest, least, width, _INDENT if number else 0, _GAP)
        for number, places in enumerate(dealt)
    ]


def _deck(
    places: Sequence[int],
    longest: Sequence[int],
    least: Sequence[int],
    width: int,
    indent: int,
    gap: int,
) -> _Deck:
    """Gives the names of a line what room the other columns leave."""
    room = max(1, width - indent)
    left = room - sum(least[place] for place in places) - gap * (len(places) - 1)
    widths = []
    for place in places:
        more = min(max(0, left), longest[place] - least[place])
        left -= more
        widths.append(min(least[place] + more, room))
    return _Deck(tuple(places), tuple(widths), indent, gap)


def _fitted(cell: str, column: Column, width: int) -> list[str]:
    """Returns a cell in lines of a width: a name shortened, anything else going on below."""
    if cell_len(cell) <= width:
        blank = " " * (width - cell_len(cell))
        return [blank + cell if column.is_figure else cell + blank]
    if column.kind is Kind.NAME and width > 1:
        return [set_cell_size(cell, width - 1).rstrip() + "…"]
    return [set_cell_size(part, width) for part in chop_cells(cell, width)]


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yields a sentence in lines, broken between words where that is possible."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            yield line
        *whole, line = chop_cells(word, width)
        yield from whole
    yield line


def sentence(out: Console, text: str, style: str = "") -> None:
    """Writes a sentence, broken between words; nothing of it is lost."""
    for line in _wrapped(text, out.width):
        out.print(Text(line, style=style), soft_wrap=True)


def _on_the_point(cells: Sequence[str]) -> list[str]:
    """Returns figures with blanks behind them so that their points are in one column."""
    behind = [len(cell) - cell.index(".") if "." in cell else 0 for cell in cells]
    most = max(behind, default=0)
    return [cell + " " * (most - each) for cell, each in zip(cells, behind, strict=True)]


class Figures:
    """Writes quantities: exactly, or as people read them."""

    def __init__(self, *, exactly: bool) -> None:
        self._exactly = exactly

    def __call__(self, value: Fraction | int) -> str:
        """Writes a quantity with two decimals, or as many as it has; at most four, rounded."""
        if self._exactly:
            return exact(value)
        scaled = half_away_from_zero(Fraction(value) * 10**_MOST_DECIMALS)
        whole, _, behind = decimal(scaled, _MOST_DECIMALS).partition(".")
        return f"{whole}.{behind[:_LEAST_DECIMALS]}{behind[_LEAST_DECIMALS:].rstrip('0')}"

    def mean(self, value: Fraction) -> str:
        """Writes a mean or a performance: with two decimals at most."""
        if self._exactly:
            return exact(value)
        return exact(Fraction(half_away_from_zero(value * 100), 100))

    def change(self, value: Fraction | int) -> str:
        """Writes a change of a rating, with its sign."""
        text = self(value)
        return text if value < 0 else f"+{text}" if value else "0"
