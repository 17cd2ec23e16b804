"""The course of an event: a line for everybody, and the first six named where theirs ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from ledger.pictures.progress import progress_picture
from ledger.reports.event_results import EventProgress, ProgressRow
from tests.pictures.test_pictures import SVG, drawn, words

LETTER = 9.0  # pixels: a bold one of 14 in a wide typeface, on the average


def event(count: int, rounds: int) -> EventProgress:
    """Everybody starts where the mirror image stands, and keeps the place after the first round."""
    rows = tuple(
        ProgressRow(
            place, place, f"p{place}", f"Surname{place}, Given {place}", Fraction(9, 2),
            (count + 1 - place, *[place] * rounds),
        )
        for place in range(1, count + 1)
    )  # fmt: skip
    return EventProgress("t", "Open", rounds, rows)  # type: ignore[arg-type]  # an id


def lines(root: ET.Element) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in (point.split(",") for point in each.split())]
        for each in (one.attrib["points"] for one in root.iter(f"{SVG}polyline"))
    ]


@pytest.mark.parametrize("count", [2, 8, 16, 17, 40])
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_places_lie_in_their_order_within_the_picture(count: int, size: str) -> None:
    root = drawn(progress_picture(event(count, 3), language="en", is_narrow=size == "narrow"))
    drawn_lines = lines(root)
    assert len(drawn_lines) == count
    ends = [line[-1][1] for line in reversed(drawn_lines)]
    assert ends == sorted(set(ends))
    starts = [line[0][1] for line in drawn_lines]
    assert starts == sorted(set(starts))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(0 < x < width and 0 < y < height for line in drawn_lines for x, y in line)


def test_the_first_six_are_named_with_points_at_the_end_of_their_lines() -> None:
    said = words(drawn(progress_picture(event(40, 3), language="en")))
    assert [each for each in said if "Surname" in each] == [
        f"Given Surname{place} 4½" for place in range(1, 7)
    ]
    assert {"start", "1", "2", "3", "8", "20", "40"} <= set(said)
    narrow = words(drawn(progress_picture(event(40, 3), language="es", is_narrow=True)))
    assert "Given Surname1 4½" in narrow
    assert "inicio" in narrow


@pytest.mark.parametrize("rounds", [3, 7, 11])
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_words_have_room_within_the_picture_and_beside_each_other(rounds: int, size: str) -> None:
    made = event(120, rounds)
    long = tuple(
        replace(each, name=f"Villanueva Bascuñán, María {each.number}", points=Fraction(21, 2))
        for each in made.rows
    )
    root = drawn(
        progress_picture(replace(made, rows=long), language="es", is_narrow=size == "narrow")
    )
    spans = []
    for each in root.iter(f"{SVG}text"):
        x, wide = float(each.attrib["x"]), LETTER * len(each.text or "")
        left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[each.attrib["text-anchor"]]
        assert left >= 0, each.text
        assert left + wide <= float(root.attrib["width"]), each.text
        spans.append((float(each.attrib["y"]), left, left + wide))
    for (line, _, end), (next_line, begin, _) in pairwise(sorted(spans)):
        assert line != next_line or end <= begin


def test_of_a_large_event_the_first_lines_are_drawn() -> None:
    assert len(lines(drawn(progress_picture(event(500, 9), language="en")))) == 40


@pytest.mark.parametrize(("count", "rounds"), [(0, 3), (1, 3), (10, 0)])
def test_where_nothing_changed_there_is_no_picture(count: int, rounds: int) -> None:
    assert progress_picture(event(count, rounds), language="en") is None
