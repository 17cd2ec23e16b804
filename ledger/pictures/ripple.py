"""How far a correction reaches: its cause, whom it moved at once, and who was moved through them.

A circle is as large as the points by which somebody is moved: its area is in proportion, and the
largest is always of the same size. A dotted line leads from a player to those who met them later
and were moved for that reason alone. On a phone the cause and the lines are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from ledger.forms.page import Say, saying
from ledger.identifiers import PlayerId
from ledger.pictures.svg import Hue, bar, curve, cut, dot, line, picture, text
from ledger.rating.decimal_text import with_sign
from ledger.reports.cascade import (
    CascadeCell,
    CascadeOfList,
    CascadeRow,
    CorrectedItem,
    CorrectionReport,
)
from ledger.results import result_in_words
from ledger.wording.dates import day_in_words, period_in_words, short_period

_LETTERS: Final = 14
_FIGURE: Final = 18  # what was corrected
_WIDE, _PHONE = 1120, 358
_LEFT, _NAME, _COLUMNS = 252, 32, 544  # where names begin, their letters, where periods begin
_BOX: Final = (216, 96)
_ROW, _CARD = 50, 74  # the height of a player's row, and of one on a phone
_HEAD, _HEADING, _BELOW = 60, 34, 20
_LARGEST, _SMALLEST, _ON_PHONE = 18.5, 2.0, 7.0  # radii
_ROOMY: Final = 14  # a radius of a circle that has room for words
_BESIDE: Final = 64  # from the left of a period to its figures
_LANE: Final = 6  # between lines that go down side by side
_LANES: Final = 4
_ARROW: Final = 240
MOST_ROWS: Final = 12
"""So many players of a list are drawn, those moved most."""
MOST_COLUMNS: Final = 3
"""So many periods of a list."""


def ripple_picture(report: CorrectionReport, language: str, *, is_narrow: bool = False) -> str:
    """Draws a correction; the lists stand one below the other. A narrow one is for a phone."""
    say = saying(language)
    lists = report.cascade.of_most(MOST_ROWS).lists
    drawing = _Drawing(report.correction.items[0], language, say, _largest(lists))
    shapes: list[str] = []
    y = 0.0
    for each in lists:
        if len(lists) > 1:
            shapes.append(text(0, y + 20, each.list, anchor="start", size=_FIGURE, bold=True))
            y += _HEADING
        places = _places(each)
        if is_narrow:
            shapes += drawing.cards(each, places, y)
            y += _HEADING + _CARD * len(each.rows) + _BELOW
        else:
            shapes += drawing.rows(each, places, y)
            y += _HEAD + max(_ROW * len(each.rows), _BOX[1]) + _BELOW
        for words in _left_out(each, len(places), say):
            left = 0 if is_narrow else _LEFT
            shapes.append(text(left, y, words, anchor="start", size=_LETTERS, hue=Hue.SOFT))
            y += _BELOW
    size = (_PHONE if is_narrow else _WIDE, int(y))
    return picture(size, say("picture.ripple"), _description(lists, language), shapes)


def _description(lists: Sequence[CascadeOfList], language: str) -> str:
    say = saying(language)
    return " ".join(
        say(
            "picture.cascade_said", list=each.list, players=each.players,
            periods=len(each.periods), first=period_in_words(each.periods[0].period, language),
            last=period_in_words(each.periods[-1].period, language),
        )
        for each in lists
    )  # fmt: skip


def _largest(lists: Sequence[CascadeOfList]) -> int:
    """Returns by how many points somebody is moved most; first ratings are no such points."""
    cells = (cell for each in lists for row in each.rows for cell in row.cells if cell is not None)
    return max((abs(cell.points or 0) for cell in cells), default=0) or 1


def _places(of: CascadeOfList) -> list[int]:
    """Returns the places of the periods that are drawn.

    Of many, between the first and the last stands that in which most others are reached.
    """
    last = len(of.periods) - 1
    if last < MOST_COLUMNS:
        return list(range(last + 1))
    reached = Counter(row.first for row in of.rows if 0 < row.first < last)
    return [0, max(reached, key=lambda place: (reached[place], -place), default=1), last]


def _left_out(of: CascadeOfList, periods: int, say: Say) -> Iterator[str]:
    """Yields what is not drawn of a list."""
    if of.players > len(of.rows):
        yield say("picture.more_players", count=of.players - len(of.rows))
    if len(of.periods) > periods:
        yield say("picture.more_periods", count=len(of.periods) - periods)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How lists are drawn: what was corrected, and by how many points somebody is moved most."""

    item: CorrectedItem
    language: str
    say: Say
    most: int

    # For a page

    def rows(self, of: CascadeOfList, places: Sequence[int], top: float) -> Iterator[str]:
        """Yields a list as a table, its cause before it, with lines between the players."""
        wide = (_WIDE - _COLUMNS) / max(len(places), MOST_COLUMNS - 1)
        columns = {place: _COLUMNS + wide * n for n, place in enumerate(places)}
        heights = {
            row.id: top + _HEAD + _ROW * n + _ROW / 2 for n, row in enumerate(of.rows)
        }  # fmt: skip
        for place, x in columns.items():
            each = of.periods[place]
            state = self.say("picture.is_published" if each.published else "picture.is_open")
            yield text(
                x, top + 18, self._period(each.period), anchor="start", size=_LETTERS, bold=True
            )
            yield text(x, top + 38, state, anchor="start", size=_LETTERS, hue=Hue.SOFT)
        yield line(_LEFT, top + 50, _WIDE, top + 50, hue=Hue.SOFT)
        parties = {each.id for each in self.item.players}
        yield from self._cause(top + _HEAD, [heights[id_] for id_ in heights if id_ in parties])
        yield from self._lines(of, columns, heights)
        for row in of.rows:
            y = heights[row.id]
            yield self._name(row, _LEFT, y + 5, _NAME)
            yield line(_LEFT, y + _ROW / 2, _WIDE, y + _ROW / 2, hue=Hue.FAINT)
            for place, x in columns.items():
                yield from self._cell(row.cells[place], x, y)

    def _cause(self, top: float, heights: Sequence[float]) -> Iterator[str]:
        """Yields what was corrected, in a box, with arrows to those who are moved at once."""
        item = self.item
        wide, tall = _BOX
        yield bar((0, top), _BOX, hue=Hue.FAINT, opacity="0.4", rounded=6)
        kind = self.say(f"correction.{item.type.replace('.', '_').replace('-', '_')}")
        cause = kind if item.round is None else self.say("page.round", round=item.round)
        yield text(14, top + 26, _capital(cut(cause, 20)), anchor="start", size=14, bold=True)
        if item.played_on:
            day = day_in_words(item.played_on, self.language)
            yield text(14, top + 48, day, anchor="start", size=_LETTERS, hue=Hue.SOFT)
        if item.was or item.now:
            change = f"{result_in_words(item.was)} → {result_in_words(item.now)}"
            yield text(14, top + 78, change, anchor="start", size=_FIGURE, bold=True)
        middle, bend = top + tall / 2, (wide + _ARROW) / 2
        for y in heights:
            way = [(wide, middle), (bend, middle), (bend, y), (_ARROW, y)]
            yield curve(way, hue=Hue.SOFT)
            yield curve([(_ARROW - 6, y - 4), (_ARROW, y), (_ARROW - 6, y + 4)], hue=Hue.SOFT)

    def _lines(
        self, of: CascadeOfList, columns: Mapping[int, float], heights: Mapping[PlayerId, float]
    ) -> Iterator[str]:
        """Yields a line to each player from the one through whom they are moved, if both stand."""
        by_id = {row.id: row for row in of.rows}
        sources: list[PlayerId] = []
        for row in of.rows:
            source = by_id.get(row.through.id) if row.through and row.through.id else None
            if source is None or row.first not in columns:
                continue
            earlier = [place for place in columns if place < row.first and source.cells[place]]
            if not earlier:
                continue
            if source.id not in sources:
                sources.append(source.id)
            lane = columns[earlier[-1]] - _LANE * (1 + sources.index(source.id) % _LANES)
            begins = columns[earlier[-1]] + _LARGEST - self._radius(source.cells[earlier[-1]])
            ends = columns[row.first] + _LARGEST - self._radius(row.cells[row.first])
            y, to = heights[source.id], heights[row.id]
            yield curve([(begins, y), (lane, y), (lane, to), (ends, to)], hue=Hue.SOFT, dash="2 3")

    def _cell(self, cell: CascadeCell | None, x: float, y: float) -> Iterator[str]:
        if cell is None:
            return
        radius, middle, points = self._radius(cell), x + _LARGEST, self._points(cell)
        yield dot(middle, y, hue=_hue(cell), radius=radius)
        if radius >= _ROOMY:
            yield text(middle, y + 5, points, size=13, hue=Hue.ON, bold=True)
        else:
            beside = middle + radius + 5
            yield text(
                beside, y + 5, points, anchor="start", size=_LETTERS, hue=_hue(cell), bold=True
            )
        yield text(x + _BESIDE, y + 5, _between(cell), anchor="start", size=_LETTERS)

    # For a phone

    def cards(self, of: CascadeOfList, places: Sequence[int], top: float) -> Iterator[str]:
        """Yields a list whose rows have two lines: the name, and below it the periods."""
        columns = {place: 56 + 123 * n for n, place in enumerate(places)}
        for place, x in columns.items():
            period = short_period(of.periods[place].period, self.language)
            yield text(x, top + 18, _capital(period), size=_LETTERS, hue=Hue.SOFT)
        y = top + _HEADING
        yield line(0, y - 4, _PHONE, y - 4, hue=Hue.SOFT)
        for row in of.rows:
            yield self._name(row, 0, y + 20, _NAME + 6)
            for place, x in columns.items():
                yield from self._small_cell(row.cells[place], x, y)
            y += _CARD
            yield line(0, y - 2, _PHONE, y - 2, hue=Hue.FAINT)

    def _small_cell(self, cell: CascadeCell | None, x: float, top: float) -> Iterator[str]:
        if cell is None:
            return
        radius, points = self._radius(cell) * _ON_PHONE / _LARGEST, self._points(cell)
        yield dot(x - 5 * len(points) - 6, top + 39, hue=_hue(cell), radius=round(radius, 1))
        yield text(x + 4, top + 44, points, size=_LETTERS, hue=_hue(cell), bold=True)
        yield text(x, top + 63, _between(cell), size=_LETTERS)

    # What both have

    def _name(self, row: CascadeRow, x: float, y: float, letters: int) -> str:
        name, is_direct = cut(row.name or row.id, letters), row.through is None
        return text(x, y, name, anchor="start", size=_LETTERS, bold=is_direct)

    def _period(self, period: str) -> str:
        return _capital(period_in_words(period, self.language))

    def _radius(self, cell: CascadeCell | None) -> float:
        """The radius of a circle whose area is in proportion to the points."""
        points = abs(cell.points or 0) if cell else 0
        return max(_SMALLEST, round(_LARGEST * sqrt(points / self.most), 1))

    def _points(self, cell: CascadeCell) -> str:
        is_gone = cell.after is None
        words = self.say("picture.gone" if is_gone else "picture.first_rating")
        return with_sign(cell.points) or words


def _hue(cell: CascadeCell) -> Hue:
    return Hue.BAD if cell.after is None or (cell.points or 0) < 0 else Hue.GOOD


def _between(cell: CascadeCell) -> str:
    return f"{cell.before or '–'} → {cell.after or '–'}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
