"""A player's ratings by list: the official ones, what stood there first, and how the next stands.

The official line is drawn through the last edition of each list. What another edition had is a
ghost, tied to the point that stands now. What is known now and was not published is a thin line
to an open point. Long histories are drawn twice: all lists, and the last twelve at their own scale.
Beside all lists stand the official ratings in other lists, thin and with their name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from ledger.calendar import last_month
from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, Scale, curve, cut, dot, line, picture, ruled, spread, text
from ledger.reports.histories import HistoryLine
from ledger.wording.dates import edition_in_words, period_in_words, short_period

_LETTERS: Final = 14
_ANSWER: Final = 20  # the figure that answers
_ROOM: Final = 5  # rating points
_LAST: Final = 12  # lists, drawn at their own scale where there are twice as many
_MARKED: Final = 80  # so many lists have room for a point each
_LABEL: Final = 76  # the width of the name of a list
_APART: Final = 20  # between the two words at the right edge
_PHONE: Final = 358  # its width
_LETTER: Final = 7.5  # the width of one, at the right edge
_BESIDE: Final = (Hue.OTHER, Hue.THIRD)  # other lists: more would not be told apart
_SAID_OFTEN: Final = 8_192  # words of points: both sizes of a chart have the same, and many players


@dataclass(frozen=True)
class NamedHistory:
    """A player's ratings in another list, by period in order, and what people call the list."""

    name: str
    lines: Sequence[HistoryLine]

    @cached_property
    def official(self) -> list[tuple[int, int]]:
        """The months of its periods, as ``last_month`` counts, each with the official rating."""
        rated = ((each.period, _official(each)) for each in self.lines)
        return [(last_month(period), rating) for period, rating in rated if rating is not None]


@dataclass(frozen=True)
class _Panel:
    """Some lists in a part of the picture; words stand above it, and the newest at its right.

    ``edge`` is where its words end.
    """

    lines: Sequence[HistoryLine]
    heading: str
    left: float
    right: float
    top: float
    bottom: float
    edge: float
    others: Sequence[NamedHistory] = ()

    @cached_property
    def beside(self) -> list[tuple[str, Hue, list[tuple[float, int]]]]:
        """Other lists by name and colour, each by place and rating, while these lists last."""
        found = list[tuple[str, Hue, list[tuple[float, int]]]]()
        if not self.others:
            return found
        months = [last_month(each.period) for each in self.lines]
        for other, hue in zip(self.others, _BESIDE, strict=False):
            shown = [each for each in other.official if months[0] <= each[0] <= months[-1]]
            across = np.interp([month for month, _ in shown], months, self.across).tolist()
            ratings = (rating for _, rating in shown)
            if shown:
                found.append((other.name, hue, list(zip(across, ratings, strict=True))))
        return found

    @cached_property
    def up(self) -> Scale:
        """Ratings on the upright axis; one alone gets room on both sides."""
        ratings = [rating for each in self.lines for rating in _ratings(each)]
        ratings += [rating for _, _, points in self.beside for _, rating in points]
        least, most = min(ratings) - _ROOM, max(ratings) + _ROOM
        return Scale.over([least, *ratings, most], self.bottom, self.top)

    @cached_property
    def across(self) -> list[float]:
        """The places of the lists."""
        count, left, right = len(self.lines), self.left + 8, self.right - 8
        return [spread(place, count, left, right) for place in range(count)]

    @cached_property
    def official(self) -> list[int | None]:
        """The official ratings of the lists."""
        return [_official(each) for each in self.lines]


def history_picture(
    lines: Sequence[HistoryLine],
    *,
    player: str,
    name: str,
    language: str,
    others: Sequence[NamedHistory] = (),
    is_past: bool = False,
    is_narrow: bool = False,
) -> str | None:
    """Draws a player's history; None where there is no rating to be drawn.

    ``lines`` are the periods in order, ``is_past`` whether they are as known at an earlier seq. Of
    the ``others`` two are drawn beside them, those that come first. A narrow one is for a phone.
    """
    say = saying(language)
    if not any(any(_ratings(each)) for each in lines):
        return None
    words = _Words(language, "picture.restated_then" if is_past else "picture.restated_now")
    known = say(words.known)
    is_long = len(lines) > 2 * _LAST and any(any(_ratings(each)) for each in lines[-_LAST:])
    drawn = [each for each in others if each.official][: len(_BESIDE)]
    size, panels = (_narrow if is_narrow else _wide)(lines, drawn, say, is_long=is_long)
    shapes = [shape for panel in panels for shape in _drawn(panel, words)]
    title = say("picture.history", player=player, list=name, known=known)
    described = [_description(lines, language)]
    if drawn:
        ends = ", ".join(f"{each.name} {each.official[-1][1]}" for each in drawn)
        described.append(say("picture.history_beside", lists=ends))
    return picture(size, title, " ".join(described), shapes)


def _wide(
    lines: Sequence[HistoryLine], others: Sequence[NamedHistory], say: Say, *, is_long: bool
) -> tuple[tuple[int, int], list[_Panel]]:
    every = say("picture.all_lists", since=last_month(lines[0].period) // 12)
    if not is_long:
        return (1120, 372), [_Panel(lines, every, 44, 968, 52, 330, 1120, others)]
    last = say("picture.last_lists", count=_LAST)
    return (1120, 372), [
        _Panel(lines, every, 44, 484, 52, 330, 632, others),
        _Panel(lines[-_LAST:], last, 676, 968, 52, 330, 1120),
    ]


def _narrow(
    lines: Sequence[HistoryLine], others: Sequence[NamedHistory], say: Say, *, is_long: bool
) -> tuple[tuple[int, int], list[_Panel]]:
    every = say("picture.all_lists", since=last_month(lines[0].period) // 12)
    if not is_long:
        return (_PHONE, 306), [_Panel(lines, every, 44, 226, 44, 270, _PHONE, others)]
    last = say("picture.last_lists", count=_LAST)
    return (_PHONE, 572), [
        _Panel(lines[-_LAST:], last, 44, 226, 44, 270, _PHONE),
        _Panel(lines, every, 44, 226, 360, 530, _PHONE, others),
    ]


def _ratings(each: HistoryLine) -> Iterator[int]:
    """Yields the ratings of a period; while somebody is provisional there are none."""
    yield from (rating for _, rating in each.published if rating)
    if each.restated:
        yield each.restated


def _official(each: HistoryLine) -> int | None:
    return (each.published[-1].rating if each.published else None) or None


def _description(lines: Sequence[HistoryLine], language: str) -> str:
    rated = [each for each in lines if any(_ratings(each))]
    ratings = [rating for each in rated for rating in _ratings(each)]
    first, last = (next(_ratings(each)) for each in (rated[0], rated[-1]))
    differing = sum(
        1 for each in lines if each.published and (_official(each) or 0) != (each.restated or 0)
    )
    since, until = (period_in_words(rated[place].period, language) for place in (0, -1))
    return saying(language)(
        "picture.history_said", first=first, since=since, last=last, until=until,
        least=min(ratings), most=max(ratings), differing=differing,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Words:
    """What is said at the points of a history; ``known`` is the key of how it is known."""

    language: str
    known: str

    def edition(self, of: HistoryLine, edition: int, rating: int) -> str:
        """Says a rating in an edition."""
        return _of_edition(self.language, of.period, edition, rating)

    def restated(self, of: HistoryLine) -> str:
        """Says the rating that is known."""
        return _as_known(self.language, of.period, self.known, of.restated or 0)


@lru_cache(_SAID_OFTEN)
def _of_edition(language: str, period: str, edition: int, rating: int) -> str:
    named = {"period": period_in_words(period, language), "rating": rating}
    words = edition_in_words(edition, language)
    return saying(language)("picture.edition", edition=words, **named)


@lru_cache(_SAID_OFTEN)
def _as_known(language: str, period: str, known: str, rating: int) -> str:
    say, words = saying(language), period_in_words(period, language)
    return say("picture.restated", period=words, known=say(known), rating=rating)


def _drawn(panel: _Panel, words: _Words) -> Iterator[str]:
    yield text(
        panel.left - 44, panel.top - 28, panel.heading, anchor="start", size=_LETTERS, bold=True
    )
    yield from ruled(panel.up, panel.left, panel.right, size=_LETTERS)
    room = max(1, int((panel.right - panel.left) // _LABEL))
    every = -(-len(panel.lines) // room)
    for place, each in enumerate(panel.lines):
        if place % every == 0:
            x = panel.across[place]
            period = short_period(each.period, words.language)
            yield text(x, panel.bottom + 22, period, size=_LETTERS, hue=Hue.SOFT)
    for _, hue, points in panel.beside:
        places = [(x, panel.up.at(rating)) for x, rating in points]
        yield curve(places, hue=hue) if len(places) > 1 else dot(*places[0], hue=hue)
    yield from _lines(panel)
    yield from _points(panel, words)
    yield from _newest(panel, saying(words.language))


def _lines(panel: _Panel) -> Iterator[str]:
    """Yields the official line, and a thin one where another rating is known now."""
    official = panel.official
    known: list[int | None] = [each.restated or None for each in panel.lines]
    for place, each in enumerate(panel.lines):
        is_beside = place + 1 < len(official) and official[place + 1] != known[place + 1]
        if each.published and official[place] == known[place] and not is_beside:
            known[place] = None
    yield from _stretches(panel, known, 1.5)
    yield from _stretches(panel, official, 2.5)


def _stretches(panel: _Panel, ratings: Sequence[int | None], width: float) -> Iterator[str]:
    """Yields a line for each stretch of lists that have a rating."""
    up, points = panel.up, list[tuple[float, float]]()
    for place, rating in enumerate([*ratings, None]):
        if rating is not None:
            points.append((panel.across[place], up.at(rating)))
            continue
        if len(points) > 1:
            yield curve(points, hue=Hue.OWN, width=width)
        points = []


def _points(panel: _Panel, words: _Words) -> Iterator[str]:
    """Yields a point for each rating; where there are many, only for what differs."""
    up, everything = panel.up, len(panel.lines) <= _MARKED
    for each, x, official in zip(panel.lines, panel.across, panel.official, strict=True):
        for edition, rating in each.published[:-1]:
            if rating and rating != official:
                if official is not None:
                    yield line(x, up.at(rating), x, up.at(official), hue=Hue.SOFT, dash="1 3")
                tip = words.edition(each, edition, rating)
                yield dot(x, up.at(rating), hue=Hue.SOFT, told=tip, is_ring=True, dash="2 2")
        if each.restated and each.restated != official:
            tip = words.restated(each)
            yield dot(x, up.at(each.restated), hue=Hue.OWN, told=tip, is_ring=True)
        if official is not None and (everything or len(each.published) > 1):
            tip = words.edition(each, each.published[-1].edition, official)
            yield dot(x, up.at(official), hue=Hue.OWN, told=tip)


def _newest(panel: _Panel, say: Say) -> Iterator[str]:
    """Yields the words at the right edge: the official rating, and how the next list stands.

    Other lists stand where there is room, as near to their line as can be.
    """
    x, last, taken = panel.right + 12, panel.lines[-1], list[float]()
    official = next(filter(None, map(_official, reversed(panel.lines))), None)
    y = None if official is None else panel.up.at(official)
    if y is not None:
        yield text(x, y + 7, official, anchor="start", size=_ANSWER, hue=Hue.OWN, bold=True)
        has_room = panel.right > _PHONE
        stands = has_room and not last.published and last.restated == official
        words = say("picture.official_still" if stands else "picture.official")
        yield text(x, y + 26, words, anchor="start", size=_LETTERS, hue=Hue.SOFT)
        taken += [y + 5, y + 26]
    if last.restated and not last.published and last.restated != official:
        at = panel.up.at(last.restated) + 5
        if y is not None and abs(at - y) < 2 * _APART:
            at = y - _APART if at <= y else y + 2.4 * _APART
        words = say("picture.stands", rating=last.restated)
        yield text(x, at, words, anchor="start", size=_LETTERS)
        taken.append(at)
    for name, hue, points in panel.beside:
        at = _free(panel.up.at(points[-1][1]) + 5, taken)
        taken.append(at)
        words = cut(f"{points[-1][1]} {name}", int((panel.edge - x) // _LETTER))
        yield text(x, at, words, anchor="start", size=_LETTERS, hue=hue)


def _free(wanted: float, taken: Sequence[float]) -> float:
    """Returns the height nearest to a wanted one where no other words stand."""
    edges = (each + step for each in taken for step in (-_APART, _APART))
    free = (y for y in (wanted, *edges) if all(abs(y - each) >= _APART for each in taken))
    return min(free, key=lambda y: abs(y - wanted))
