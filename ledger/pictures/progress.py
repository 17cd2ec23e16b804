"""How an event went: everybody's place at the start and after each round, the first six named.

The first eight places take half the height, so that the head of the event can be followed in a
large one. The winner's line leads, the second's and the third's are strong, all others faint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, curve, cut, dot, line, picture, spread, text
from ledger.rating.decimal_text import halves_text
from ledger.reports.event_results import EventProgress, ProgressRow

_LETTERS: Final = 14
_NAMED: Final = 6
_HEAD: Final = 8  # places that take half the height
_FAINT: Final = 34  # of a larger event no more lines than these can be told apart
_ROW: Final = 20  # between names at the right edge
_NUMBER, _START = 24, 36  # the width of a round's number, and between the start and the first one


@dataclass(frozen=True, slots=True)
class _Board:
    """Where places and rounds are drawn; ``letters`` of a name have room at the right."""

    count: int
    rounds: int
    left: float
    right: float
    top: float
    bottom: float
    letters: int

    def x(self, after: int) -> float:
        return spread(after, self.rounds + 1, self.left, self.right)

    def y(self, place: int) -> float:
        """Returns where a place is: half of the height for the first ones, the rest below."""
        if self.count <= 2 * _HEAD:
            return spread(place - 1, max(self.count, 2), self.top, self.bottom)
        middle = (self.top + self.bottom) / 2
        if place <= _HEAD:
            return self.top + (middle - self.top) * (place - 1) / (_HEAD - 1)
        return middle + (self.bottom - middle) * (place - _HEAD) / (self.count - _HEAD)


def progress_picture(
    progress: EventProgress, *, language: str, is_narrow: bool = False
) -> str | None:
    """Draws the course of an event, for a page or a phone; None before its first round."""
    if not progress.after or len(progress.rows) < 2:  # noqa: PLR2004 - one has no way
        return None
    say = saying(language)
    count, after = len(progress.rows), progress.after
    size = (358, 400) if is_narrow else (1120, 420)
    board = (
        _Board(count, after, 42, 176, 14, 366, 14)
        if is_narrow
        else _Board(count, after, 44, 870, 14, 386, 23)
    )
    shapes = [*_scale(board, say), *_lines(board, progress), *_names(board, progress)]
    first = progress.rows[0]
    description = say(
        "picture.progress_said", name=first.name or first.id, start=first.places[0], rounds=after,
        players=count,
    )  # fmt: skip
    return picture(size, say("picture.progress", name=progress.name), description, shapes)


def _scale(board: _Board, say: Say) -> Iterator[str]:
    """Yields an upright line for each round, and the places that are written at the left."""
    step = board.x(1) - board.x(0)
    every = ceil(_NUMBER / step)  # so many rounds have room for one number
    for after in range(board.rounds + 1):
        x = board.x(after)
        yield line(x, board.top, x, board.bottom, hue=Hue.FAINT)
        if after % every or 0 < after * step < _START:
            continue
        words = after or say("standings.start")
        yield text(x, board.bottom + 26, words, size=_LETTERS, hue=Hue.SOFT)
    for place in _written(board.count):
        yield text(
            board.left - 12, board.y(place) + 5, place, anchor="end", size=_LETTERS, hue=Hue.SOFT
        )


def _written(count: int) -> Iterator[int]:
    """Yields the places at the axis: all of the first, then the half and the last."""
    yield from range(1, min(count, _HEAD) + 1)
    if count > 2 * _HEAD:
        yield count // 2
    if count > _HEAD:
        yield count


def _lines(board: _Board, progress: EventProgress) -> Iterator[str]:
    """Yields the ways, the last places first, so that those of the first lie above."""
    for at, row in reversed(list(enumerate(progress.rows[: _FAINT + _NAMED]))):
        hue, width = _look(at)
        points = [(board.x(after), board.y(place)) for after, place in enumerate(row.places)]
        yield curve(points, hue=hue, width=width)
        if at < _NAMED:
            yield dot(*points[-1], hue=hue)


def _look(at: int) -> tuple[Hue, float]:
    if at == 0:
        return Hue.OWN, 2.5
    return (Hue.INK, 1.5) if at <= 2 else (Hue.SOFT, 1.5) if at < _NAMED else (Hue.FAINT, 1)  # noqa: PLR2004 - second and third


def _names(board: _Board, progress: EventProgress) -> Iterator[str]:
    """Yields the names of the first, each at the end of its line, with the points."""
    y = board.top - _ROW
    for at, row in enumerate(progress.rows[:_NAMED]):
        y = max(y + _ROW, board.y(at + 1))
        words = f"{_name(row, board.letters)} {halves_text(int(row.points * 2))}"
        hue = Hue.OWN if at == 0 else Hue.INK
        yield text(
            board.right + 12,
            y + 5,
            words,
            anchor="start",
            size=_LETTERS,
            hue=hue,
            bold=at <= 2,  # noqa: PLR2004
        )


def _name(row: ProgressRow, letters: int) -> str:
    """Returns the surname and the first given name as they are spoken; its letter, lacking room."""
    surname, _, given = (row.name or row.id).partition(", ")
    if not given.split():
        return cut(surname, letters)
    first, last = given.split()[0], surname.split()[0]
    whole = f"{first} {last}"
    return whole if len(whole) <= letters else cut(f"{first[0]}. {last}", letters)
