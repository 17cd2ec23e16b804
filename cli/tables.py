"""Tables for people: nothing is cut, on a narrow screen either.

Figures, ids, dates and periods have no blanks and are never broken. Where a row is too wide, long
names give way first: they go on below, broken between words; then columns move closer together;
then headings are abbreviated, where no sentence stands in the rows; then usual names are broken
too; then sentences and digests go below their row; then headings are abbreviated there too, and
texts broken between words; then other columns fold: a row is written on several lines, and so is
the heading, each figure under its own. What is wider than the screen goes on in the next line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, chop_cells
from rich.text import Text

from ledger.rating.decimal_text import exact
from ledger.wording import visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_GAPS = (2, 1)  # blanks between two columns; the second, before columns fold
_INDENT = 2  # of the lines of a row below its first
_SHORT_TITLE = 4  # three letters and a point, where there is no room for the word


class Kind(Enum):
    """What a column holds, and how it is written."""

    TEXT = auto()  # ids, dates, periods, sentences: to the left
    NAME = auto()  # to the left, the first to be broken
    FIGURE = auto()  # to the right
    DECIMAL = auto()  # to the right, one point under the other
    LONG = auto()  # sentences and digests: to the left, or below the row


# Figures that are written as texts: with a sign, a point, or a word that stands for one.
_DECIMALS = (
    "amount", "board_points", "contribution", "credited", "difference_of_score", "expected",
    "gain", "merit", "opponents_mean", "performance", "points", "ru", "score",
)  # fmt: skip
_FIGURES = (
    "above_expectation", "after", "band", "board", "brier", "came_back", "change",
    "control_mean", "counted_difference", "difference", "draws_cost", "expected_band",
    "expected_mean", "expected_score", "k", "live", "log_loss", "log_loss_three_way", "mean",
    "median", "n_times_p", "needed", "number", "pe", "percent", "published", "rating",
    "restated", "round", "rp", "score_mean", "seconds", "spread", "went_inactive",
)  # fmt: skip
# A longer text may be broken between words; and where that is not enough, a shorter one.
_LONG_NAMES: Final = (24, 18)
_UNBROKEN: Final = {Kind.NAME: 12, Kind.TEXT: 24, Kind.LONG: 24}
_LESS_UNBROKEN: Final = {Kind.NAME: 0, Kind.TEXT: 0, Kind.LONG: 24}
KINDS: Final = {
    "name": Kind.NAME,
    **dict.fromkeys(("digest", "fails", "ratings_sha256"), Kind.LONG),
    **dict.fromkeys(_DECIMALS, Kind.DECIMAL),
    **dict.fromkeys(_FIGURES, Kind.FIGURE),
}
"""What a column holds, by its key ``column.*``; that of any other its cells say."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its heading; ``empty`` is written for an empty text, but not for None.

    Without a kind it is one of figures if a cell is a whole number, else of texts. ``explained``:
    where there is no room for the heading, it stands below the table.
    """

    title: str
    kind: Kind | None = None
    empty: str = ""
    explained: bool = False

    @property
    def is_figure(self) -> bool:
        """Whether it is written to the right, and never broken."""
        return self.kind in (Kind.FIGURE, Kind.DECIMAL)


def _written(cell: object) -> str:
    """Returns what stands in a cell; points are decimals, one point under the other."""
    return exact(cell) if isinstance(cell, Fraction) else str(cell)


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    style: str
    after_line: bool


@dataclass(frozen=True, slots=True)
class _Deck:
    """Columns that are written beside each other, by their places, and how wide each is."""

    places: Sequence[int]
    widths: Sequence[int]
    indent: int
    gap: int

    @property
    def width(self) -> int:
        """How wide they are together."""
        return self.indent + sum(self.widths) + self.gap * (len(self.widths) - 1)


class Table:
    """A table: columns that are known, rows that are added one by one."""

    def __init__(self, *columns: Column, title: str = "", heading: bool = True) -> None:
        self._columns = list(columns)
        self._title = title
        self._heading = heading
        self._rows: list[_Row] = []
        self._line = False

    def add(self, *cells: object, style: str = "") -> None:
        """Adds a row of as many cells as there are columns; None is an empty one.

        Control characters in them are escaped: a table steers no terminal.
        """
        assert len(cells) == len(self._columns), "a row has a cell for every column"
        for place, cell in enumerate(cells):
            if type(cell) is int and self._columns[place].kind is None:
                self._columns[place] = replace(self._columns[place], kind=Kind.FIGURE)
        texts = tuple(
            "" if cell is None else visible(_written(cell).replace("\n", " ")) or column.empty
            for cell, column in zip(cells, self._columns, strict=True)
        )
        self._rows.append(_Row(texts, style, self._line))
        self._line = False

    def section(self) -> None:
        """Has a line drawn before the next row."""
        self._line = True

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the lines, for ``console.print``."""
        for line, style in self.lines(options.max_width):
            yield Text(line, style=style, no_wrap=True, overflow="ignore")

    def lines(self, width: int) -> Iterator[tuple[str, str]]:
        """Yields the lines of the table with their styles, none wider than ``width``."""
        rows = self._aligned()
        heading = tuple(column.title for column in self._columns)
        decks = self._decks([heading, *rows], width)
        rule = "─" * max((deck.width for deck in decks), default=0)
        if self._title:
            yield from ((part, "italic") for part in _wrapped(self._title, width))
        shown = _shortened(heading, decks)
        if self._heading:
            yield from ((line, "bold") for line in self._written(decks, shown))
            yield rule, "dim"
        for row, cells in zip(self._rows, rows, strict=True):
            if row.after_line:
                yield rule, "dim"
            yield from ((line, row.style) for line in self._written(decks, cells))
        if legend := self._legend(shown):
            yield from ((line, "dim") for line in _wrapped(legend, width))
        yield "", ""

    def _legend(self, shown: Sequence[str]) -> str:
        """Returns what abbreviated headings stand for, of columns that are to be explained."""
        return ", ".join(
            f"{short}: {column.title}"
            for column, short in zip(self._columns, shown, strict=True)
            if column.explained and short != column.title
        )

    def _aligned(self) -> list[tuple[str, ...]]:
        """Returns the cells of all rows, those of decimal columns with as much behind the point."""
        columns = [
            _on_the_point(cells) if column.kind is Kind.DECIMAL else cells
            for column, *cells in zip(
                self._columns, *(row.cells for row in self._rows), strict=True
            )
        ]
        return list(zip(*columns, strict=True))

    def _decks(self, lines: Sequence[Sequence[str]], width: int) -> list[_Deck]:
        """Deals the columns of the heading and the rows: to one deck if they fit, else to more."""
        texts = list(zip(*lines, strict=True))
        wanted = [max(map(cell_len, each)) for each in texts]
        for places, least in self._layouts(texts):
            for gap in _GAPS:
                if places and sum(least[at] for at in places) + gap * (len(places) - 1) <= width:
                    below = [at for at in range(len(texts)) if at not in places]
                    first = _deck(places, wanted, least, width, 0, gap)
                    return [
                        first,
                        *(_deck([at], wanted, least, width, _INDENT, gap) for at in below),
                    ]
        titles = [_longest_word(title) for title, *_ in texts]
        return _folded(wanted, self._least(texts, titles, _UNBROKEN), width)

    def _layouts(
        self, texts: Sequence[Sequence[str]]
    ) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Yields which columns are to stand beside each other, and how wide each must be for it.

        The best is the first; ``texts`` are headings and cells by column.
        """
        titles = [_longest_word(title) for title, *_ in texts]
        short = [_shortest_title(title) for title, *_ in texts]
        everything = range(len(texts))
        beside = [at for at in everything if self._columns[at].kind is not Kind.LONG]
        for length in _LONG_NAMES:
            unbroken = _UNBROKEN | {Kind.NAME: length}
            yield everything, self._least(texts, titles, unbroken)
            if len(beside) == len(everything):
                yield everything, self._least(texts, short, unbroken)
        yield everything, self._least(texts, titles, _UNBROKEN)
        yield beside, self._least(texts, titles, _UNBROKEN)
        yield beside, self._least(texts, short, _UNBROKEN)
        yield beside, self._least(texts, short, _LESS_UNBROKEN)

    def _least(
        self, texts: Sequence[Sequence[str]], heads: Sequence[int], unbroken: Mapping[Kind, int]
    ) -> list[int]:
        """Returns how wide each column must be; ``unbroken`` is which texts stay whole."""
        return [
            max(head, *(_least(cell, column, unbroken) for cell in cells), 0)
            for column, head, (_, *cells) in zip(self._columns, heads, texts, strict=True)
        ]

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


def _least(cell: str, column: Column, unbroken: Mapping[Kind, int]) -> int:
    """Returns how wide a column must be for a cell; ``unbroken`` is which texts stay whole."""
    length, short = cell_len(cell), unbroken.get(column.kind or Kind.TEXT)
    return length if short is None or length <= short else max(short, _longest_word(cell))


def _shortest_title(title: str) -> int:
    """Returns how wide a column must be for a heading whose words are abbreviated."""
    return max(
        (min(len(w), _SHORT_TITLE) if w.isalpha() else len(w) for w in title.split()), default=0
    )


def _shortened(heading: Sequence[str], decks: Sequence[_Deck]) -> list[str]:
    """Returns the heading with words abbreviated that are wider than their columns."""
    widths = {
        place: width
        for deck in decks
        for place, width in zip(deck.places, deck.widths, strict=True)
    }
    return [
        " ".join(
            w if cell_len(w) <= widths[place] else f"{w[: widths[place] - 1]}."
            for w in title.split()
        )
        for place, title in enumerate(heading)
    ]


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def _folded(wanted: Sequence[int], least: Sequence[int], width: int) -> list[_Deck]:
    """Deals columns to decks, to each as many as fit beside each other."""
    dealt: list[list[int]] = []
    left = 0
    for place, each in enumerate(least):
        if dealt and left >= _GAPS[0] + each:
            dealt[-1].append(place)
            left -= _GAPS[0] + each
        else:
            dealt.append([place])
            left = width - (_INDENT if len(dealt) > 1 else 0) - each
    return [
        _deck(places, wanted, least, width, _INDENT if number else 0, _GAPS[0])
        for number, places in enumerate(dealt)
    ]


def _deck(
    places: Sequence[int],
    wanted: Sequence[int],
    least: Sequence[int],
    width: int,
    indent: int,
    gap: int,
) -> _Deck:
    """Gives each column of a deck what it needs, and of the room that is left a fair part."""
    room = max(1, width - indent)
    widths = {place: min(least[place], room) for place in places}
    left = max(0, room - sum(widths.values()) - gap * (len(places) - 1))
    # The narrowest wish first, so that what it leaves goes to the others.
    wishing = sorted(places, key=lambda place: wanted[place] - least[place])
    for served, place in enumerate(wishing):
        more = max(0, min(wanted[place] - widths[place], left // (len(wishing) - served)))
        widths[place] += more
        left -= more
    return _Deck(places, [widths[place] for place in places], indent, gap)


def _fitted(cell: str, column: Column, width: int) -> list[str]:
    """Returns a cell in lines of a width."""
    lines = [cell] if cell_len(cell) <= width else _wrapped(cell, width)
    blanks = [" " * (width - cell_len(line)) for line in lines]
    pairs = zip(lines, blanks, strict=True)
    return [blank + line if column.is_figure else line + blank for line, blank in pairs]


def _wrapped(text: str, width: int) -> list[str]:
    """Returns a text in lines, broken between words where that is possible."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = chop_cells(word, width)
        lines += whole
    return [*lines, line]


def _on_the_point(cells: Sequence[str]) -> list[str]:
    """Returns figures with blanks behind them so that their points are in one column."""
    behind = [len(cell) - cell.index(".") if "." in cell else 0 for cell in cells]
    most = max(behind, default=0)
    return [cell + " " * (most - each) for cell, each in zip(cells, behind, strict=True)]
