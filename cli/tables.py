"""Tables for people: nothing but names gives way, and columns fold before anything is cut.

A column is at least as wide as its longest word: ids, dates, periods and figures have no blanks and
are never broken. Where that is too wide for the screen, or would make the rows very tall, the
columns of a row stand under each other, in lines that take the least room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_BETWEEN = 3  # the blanks between two columns
_AROUND = 2
_SAMPLE = 100  # so many rows tell how tall a table gets


class FittingTable:
    """A table whose headings are known and whose rows are added one by one.

    Args:
        headings: of the columns.
        right: whether each column is of figures, which stand to the right and are never broken.
        title: stands above it.
    """

    def __init__(
        self, headings: Sequence[str], right: Sequence[bool], title: str | None = None
    ) -> None:
        self.title = title
        self._headings = [Text(heading) for heading in headings]
        self._right = list(right)
        # A row, its style, and whether a line follows.
        self._rows: list[tuple[list[Text], str | None, bool]] = []

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def add_column(self, heading: str, *, right: bool = False) -> None:
        """Adds a column, before there are rows."""
        self._headings.append(Text(heading))
        self._right.append(right)

    def add_row(self, *cells: str | Text | None, style: str | None = None) -> None:
        """Adds a row; an absent cell is empty. Nothing in it is markup."""
        row = [cell if isinstance(cell, Text) else Text(cell or "") for cell in cells]
        row += [Text() for _ in self._headings[len(row) :]]
        self._rows.append((row, style, False))

    def add_section(self) -> None:
        """Ends a group of rows with a line."""
        if self._rows:
            row, style, _ = self._rows[-1]
            self._rows[-1] = row, style, True

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the title and the table, folded where the screen is narrow."""
        if self.title:
            yield Text(self.title, style="table.title")
        columns = list(zip(self._headings, *(row for row, _, _ in self._rows), strict=True))
        wanted = [max(cell.cell_len for cell in column) for column in columns]
        needed = [
            width if right else max(_longest_word(cell) for cell in column)
            for width, right, column in zip(wanted, self._right, columns, strict=True)
        ]
        yield self._table(*self._layout(wanted, needed, options.max_width))

    def _layout(
        self, wanted: Sequence[int], needed: Sequence[int], width: int
    ) -> tuple[list[list[int]], list[int]]:
        """Returns the columns of each lane and its width; of those that fit, the least tall.

        With n lanes the first n columns make a row's first line, the next n its second.
        """
        columns = range(len(needed))
        found = []
        for count in range(len(needed), 0, -1):
            lanes = [list(columns[first::count]) for first in range(count)]
            least = sum(_of_lanes(lanes, needed)) + _BETWEEN * (count - 1) + _AROUND
            if least <= width or count == 1:
                widths = _widths(lanes, wanted, needed, width)
                found.append((self._height(lanes, widths), -count, lanes, widths))
        _, _, lanes, widths = min(found)
        return lanes, widths

    def _height(self, lanes: Sequence[Sequence[int]], widths: Sequence[int]) -> int:
        """Returns about how many lines the first rows take."""
        depth, height = max(map(len, lanes)), 0
        for row, _, _ in self._rows[:_SAMPLE]:
            for line in range(depth):
                height += max(
                    -(-row[lane[line]].cell_len // width) or 1
                    for lane, width in zip(lanes, widths, strict=True)
                    if line < len(lane)
                )
            height += depth > 1
        return height

    def _table(self, lanes: Sequence[Sequence[int]], widths: Sequence[int]) -> Table:
        """Returns the table with the columns of each lane under each other."""
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        depth = max(map(len, lanes))
        for lane, width in zip(lanes, widths, strict=True):
            headings = [self._headings[column] for column in lane]
            heading = Text("\n").join(headings + [Text()] * (depth - len(lane)))
            right = all(self._right[column] for column in lane)
            made.add_column(
                heading, justify="right" if right else "left", width=width, overflow="fold"
            )
        for row, style, ends in self._rows:
            for line in range(depth):
                cells = [row[lane[line]] if line < len(lane) else Text() for lane in lanes]
                made.add_row(*cells, style=style)
            if ends or depth > 1:
                made.add_section()
        return made


def _longest_word(cell: Text) -> int:
    return max((Text(word).cell_len for word in cell.plain.split()), default=0)


def _of_lanes(lanes: Sequence[Sequence[int]], widths: Sequence[int]) -> Iterator[int]:
    yield from (max(widths[column] for column in lane) for lane in lanes)


def _widths(
    lanes: Sequence[Sequence[int]], wanted: Sequence[int], needed: Sequence[int], width: int
) -> list[int]:
    """Returns how wide each lane is: what it needs, and of what is left a fair part."""
    least, most = list(_of_lanes(lanes, needed)), list(_of_lanes(lanes, wanted))
    left = width - sum(least) - _BETWEEN * (len(lanes) - 1) - _AROUND
    made = [min(each, width - _AROUND) for each in least]
    # The narrowest wish first, so that what it leaves goes to the others.
    open_ = sorted(range(len(lanes)), key=lambda lane: most[lane] - least[lane])
    for place, lane in enumerate(open_):
        share = max(0, left) // (len(open_) - place)
        more = min(most[lane] - least[lane], share)
        made[lane] += max(0, more)
        left -= max(0, more)
    return made
