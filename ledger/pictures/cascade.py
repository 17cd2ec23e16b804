"""What a correction moves: periods across, players down, each cell with before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, bar, cut, line, picture, text
from ledger.rating.decimal_text import with_sign
from ledger.reports.cascade import Cascade, CascadeCell, CascadeOfList
from ledger.wording.dates import period_in_words, short_period

_NAMES, _WIDE, _TALL = 204, 96, 40
_LEFT, _HEAD, _BELOW = 14, 92, 44
_LETTERS: Final = 27
_LIST: Final = 18  # letters of a list's name
MOST_PERIODS: Final = 12
"""So many periods have room: the first ones and the last."""
# From how many points on a cell is stronger.
_STRENGTHS: Final = ((16, "0.5"), (6, "0.33"), (0, "0.18"))


def cascade_picture(made: Cascade, language: str) -> str:
    """Draws the lists one below the other; see ``reports.cascade`` for whom it shows."""
    say = saying(language)
    shapes: list[str] = []
    y, columns = 0, 1
    for each in made.lists:
        shown = _shown(each)
        columns = max(columns, len(shown))
        shapes += _of_list(each, shown, y, language)
        y += _HEAD + _TALL * len(each.rows) + _BELOW
    if not made.lists:
        shapes.append(text(_LEFT, 30, say("picture.nothing_moves"), anchor="start"))
        y = 50
    width = _LEFT + _NAMES + _WIDE * columns + 14
    return picture((max(width, 320), y), say("picture.cascade"), _said(made, language), shapes)


def _said(made: Cascade, language: str) -> str:
    say = saying(language)
    if not made.lists:
        return say("picture.nothing_moves")
    return " ".join(
        say(
            "picture.cascade_said",
            list=each.list,
            players=each.players,
            periods=len(each.periods),
            first=period_in_words(each.periods[0].period, language),
            last=period_in_words(each.periods[-1].period, language),
        )
        for each in made.lists
    )


def _shown(of: CascadeOfList) -> list[int]:
    """Returns the places of the periods that are drawn."""
    places = list(range(len(of.periods)))
    return places if len(places) <= MOST_PERIODS else [*places[: MOST_PERIODS - 1], places[-1]]


def _of_list(of: CascadeOfList, shown: list[int], top: int, language: str) -> Iterator[str]:
    say = saying(language)
    right = _LEFT + _NAMES + _WIDE * len(shown)
    yield text(_LEFT, top + 14, cut(of.list, _LIST), anchor="start", size=16, bold=True)
    counted = say("picture.moved", players=of.players, periods=len(of.periods))
    yield text(_LEFT, top + 31, counted, anchor="start", hue=Hue.SOFT)
    yield from _headings(of, shown, top, language)
    y = top + _HEAD
    yield line(_LEFT, y - 4, right, y - 4, hue=Hue.SOFT)
    for place, row in enumerate(of.rows):
        middle = y + _TALL * place + _TALL / 2
        yield text(_LEFT, middle - 1, cut(row.name or row.id, _LETTERS), anchor="start")
        yield text(_LEFT, middle + 13, row.id, anchor="start", size=10, hue=Hue.SOFT)
        yield line(_LEFT, middle + _TALL / 2, right, middle + _TALL / 2, hue=Hue.FAINT)
        for column, period in enumerate(shown):
            yield from _cell(row.cells[period], _LEFT + _NAMES + _WIDE * column, middle, say)
    left_out = [
        say("picture.more_players", count=of.players - len(of.rows))
        if of.players > len(of.rows) else "",
        say("picture.more_periods", count=len(of.periods) - len(shown))
        if len(of.periods) > len(shown) else "",
    ]  # fmt: skip
    y += _TALL * len(of.rows)
    yield text(_LEFT, y + 20, " ".join(filter(None, left_out)), anchor="start", hue=Hue.SOFT)


def _headings(of: CascadeOfList, shown: list[int], top: int, language: str) -> Iterator[str]:
    """Yields the periods with how many are moved in each, as a bar; published ones are said so."""
    most, say = max(each.players for each in of.periods), saying(language)
    for column, place in enumerate(shown):
        each = of.periods[place]
        x = _LEFT + _NAMES + _WIDE * column
        wide = (_WIDE - 12) * each.players / most
        yield text(x + 6, top + 52, short_period(each.period, language), anchor="start", bold=True)
        state = say("picture.is_published") if each.published else say("picture.is_open")
        yield text(x + 6, top + 66, state, anchor="start", size=10, hue=Hue.SOFT)
        told = say(
            "picture.moved_in", players=each.players,
            period=period_in_words(each.period, language),
        )  # fmt: skip
        yield bar((x + 6, top + 73), (max(wide, 2), 8), hue=Hue.OWN, told=told, rounded=2)


def _cell(cell: CascadeCell | None, x: float, middle: float, say: Say) -> Iterator[str]:
    if cell is None:
        yield text(x + _WIDE / 2, middle + 4, "·", hue=Hue.SOFT)
        return
    points = cell.points
    gone = cell.after is None
    hue = Hue.BAD if gone or (points or 0) < 0 else Hue.GOOD
    size = abs(points) if points is not None else _STRENGTHS[0][0]
    strength = next(opacity for least, opacity in _STRENGTHS if size >= least)
    between = f"{cell.before or '–'} → {cell.after or '–'}"
    said = with_sign(points) or say("picture.gone" if gone else "picture.first_rating")
    corner, sides = (x + 3, middle - _TALL / 2 + 3), (_WIDE - 6, _TALL - 6)
    told = f"{said} ({between})"
    yield bar(corner, sides, hue=hue, told=told, opacity=strength, rounded=4)
    yield text(x + _WIDE / 2, middle - 2, said, size=13, bold=True)
    yield text(x + _WIDE / 2, middle + 12, between, size=10)
