"""A player's ratings by period: published, with every edition, beside restated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import (
    Hue,
    Scale,
    curve,
    dot,
    legend,
    picture,
    ruled,
    spread,
    square,
    text,
)
from ledger.reports.histories import HistoryLine

_WIDTH, _HEIGHT = 720, 336
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 76, 704, 296
_LABELS: Final = 9
_ROOM: Final = 5  # rating points
# So many periods have room for a mark each.
_MARKED: Final = 80


def history_picture(
    lines: Sequence[HistoryLine],
    *,
    player: str,
    name: str,
    language: str,
    known_at: int | None = None,
) -> str | None:
    """Draws a player's history; None where there is no rating to be drawn.

    ``lines`` are the periods in order. ``known_at`` is the seq as known at which they are restated;
    None: now.
    """
    say = saying(language)
    ratings = [rating for each in lines for rating in _ratings(each)]
    if not ratings:
        return None
    title = say("picture.history", player=player, list=name)
    known = say("picture.restated_now")
    if known_at is not None:
        known = say("picture.restated_then", seq=known_at)
    # One rating alone would lie on the lower edge: it gets room on both sides.
    up = Scale.over([min(ratings) - _ROOM, *ratings, max(ratings) + _ROOM], _BOTTOM, _TOP)
    shapes = [
        *_axes(lines, up),
        *_curves(lines, up),
        *_marks(lines, up, known, say),
        *_legend(known, say),
    ]
    return picture((_WIDTH, _HEIGHT), title, _said(lines, say), shapes)


def _ratings(each: HistoryLine) -> Iterator[int]:
    """Yields the ratings of a period; while somebody is provisional there are none."""
    yield from (rating for _, rating in each.published if rating)
    if each.restated:
        yield each.restated


def _last_edition(each: HistoryLine) -> int | None:
    return (each.published[-1][1] if each.published else None) or None


def _said(lines: Sequence[HistoryLine], say: Say) -> str:
    rated = [each for each in lines if any(_ratings(each))]
    ratings = [rating for each in rated for rating in _ratings(each)]
    first, last = (next(_ratings(each)) for each in (rated[0], rated[-1]))
    differing = sum(
        1 for each in lines if each.published and (_last_edition(each) or 0) != (each.restated or 0)
    )
    return say(
        "picture.history_said", first=first, since=rated[0].period, last=last,
        until=rated[-1].period, least=min(ratings), most=max(ratings), differing=differing,
    )  # fmt: skip


def _x(place: int, count: int) -> float:
    return spread(place, count, _LEFT + 12, _RIGHT - 12)


def _axes(lines: Sequence[HistoryLine], up: Scale) -> Iterator[str]:
    yield from ruled(up, _LEFT, _RIGHT)
    every = -(-len(lines) // _LABELS)
    for place, each in enumerate(lines):
        if place % every == 0:
            yield text(_x(place, len(lines)), _BOTTOM + 20, each.period, hue=Hue.SOFT)


def _curves(lines: Sequence[HistoryLine], up: Scale) -> Iterator[str]:
    restated = [each.restated or None for each in lines]
    published = [_last_edition(each) for each in lines]
    yield from _stretches(restated, up, Hue.OTHER, "6 3")
    yield from _stretches(published, up, Hue.OWN, "")


def _stretches(ratings: Sequence[int | None], up: Scale, hue: Hue, dash: str) -> Iterator[str]:
    """Yields a line for each stretch of periods that have a rating."""
    points: list[tuple[float, float]] = []
    for place, rating in enumerate([*ratings, None]):
        if rating is not None:
            points.append((_x(place, len(ratings)), up.at(rating)))
            continue
        if len(points) > 1:
            yield curve(points, hue=hue, dash=dash)
        points = []


def _marks(lines: Sequence[HistoryLine], up: Scale, known: str, say: Say) -> Iterator[str]:
    """Yields a mark for each rating; where there are many, only for what differs."""
    everything = len(lines) <= _MARKED
    for place, each in enumerate(lines):
        differs = _last_edition(each) != (each.restated or None)
        if each.restated and (everything or differs):
            told = say("picture.restated", period=each.period, known=known, rating=each.restated)
            x, y = _x(place, len(lines)), up.at(each.restated)
            yield square(x, y, hue=Hue.OTHER, told=told)
    for place, each in enumerate(lines):
        for edition, rating in each.published:
            if rating and (everything or edition > 1):
                told = say("picture.edition", period=each.period, edition=edition, rating=rating)
                x, y = _x(place, len(lines)), up.at(rating)
                yield dot(x, y, hue=Hue.OWN, told=told, is_ring=edition > 1)


def _legend(known: str, say: Say) -> Iterator[str]:
    yield from legend(
        _LEFT,
        [
            (partial(dot, hue=Hue.OWN), say("picture.published")),
            (partial(dot, hue=Hue.OWN, is_ring=True), say("picture.later_editions")),
            (partial(square, hue=Hue.OTHER), known),
        ],
    )
