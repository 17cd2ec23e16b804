"""The course of an event: a line for everybody, and the first six named where theirs ends."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from ledger.pictures.progress import progress_picture
from ledger.reports.event_results import EventProgress, ProgressRow
from tests.pictures.test_pictures import SVG, drawn, words


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


def test_of_a_large_event_the_first_lines_are_drawn() -> None:
    assert len(lines(drawn(progress_picture(event(500, 9), language="en")))) == 40


@pytest.mark.parametrize(("count", "rounds"), [(0, 3), (1, 3), (10, 0)])
def test_where_nothing_changed_there_is_no_picture(count: int, rounds: int) -> None:
    assert progress_picture(event(count, rounds), language="en") is None
