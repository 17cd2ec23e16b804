"""A file that is one column off throughout is read; one line that is off, or a guess, is not."""

from __future__ import annotations

import pytest

from ledger.intake.trf.check import adjustments, check
from ledger.intake.trf.pairings import byes, pairings
from tests.intake.trf.writing import GOOD, IDS, file, parse, text_of

WITHOUT_TEAM = GOOD[: GOOD.index("013")]


def moved(text: str, column: int, extra: int, *, players_only: bool = True) -> bytes:
    """Returns a file with a blank put in at a column of its lines, or the one there left out."""

    def line_of(line: str) -> str:
        if players_only and not line.startswith("001"):
            return line
        before, after = line[: column - 1], line[column - 1 :]
        return before + (" " + after if extra > 0 else after[1:])

    return file(*map(line_of, text.splitlines()))


@pytest.mark.parametrize(
    ("column", "extra"),
    [(5, 1), (5, -1), (15, 1), (49, 1), (49, -1), (58, 1), (70, 1), (81, -1), (92, 1), (92, -1)],
)
def test_a_column_too_many_or_missing_in_every_line_is_noted_once(column: int, extra: int) -> None:
    data = moved(WITHOUT_TEAM, column - (extra < 0), extra)
    report, good = parse(data), parse(WITHOUT_TEAM.encode())
    assert check(report) == []
    assert [each.message.key for each in adjustments(report)] == ["trf.shifted"]
    assert [str(each.result) for each in pairings(report, IDS)] == [
        str(each.result) for each in pairings(good, IDS)
    ]
    assert [each.name for each in report.players] == [each.name for each in good.players]
    assert [each.rating for each in report.players] == [each.rating for each in good.players]
    assert [each.birth for each in report.players] == [each.birth for each in good.players]
    assert len(byes(report, IDS)) == len(byes(good, IDS))
    assert report.written() == text_of(data)


def test_a_blank_before_every_line_is_read_over() -> None:
    data = moved(GOOD, 1, 1, players_only=False)
    report = parse(data)
    assert check(report) == []
    noted = [(each.message.key, each.line, each.column) for each in adjustments(report)]
    assert noted == [("trf.shifted", 1, 1)]
    assert report.written() == text_of(data)


def test_places_are_those_of_the_file_as_it_is() -> None:
    data = moved(WITHOUT_TEAM, 49, 1).replace(b"   2 b -", b"   2 b 0")
    (problem,) = check(parse(data))
    assert (problem.line, problem.column) == (13, 110)
    assert data.decode().splitlines()[12][problem.column - 1] == "+"


def test_one_line_that_is_off_is_refused() -> None:
    lines = WITHOUT_TEAM.splitlines()
    lines[13] = lines[13][:48] + " " + lines[13][48:]
    problems = check(parse(file(*lines)))
    assert [(each.message.key, each.line) for each in problems] == [("trf.outside_columns", 14)]


def test_two_columns_off_are_refused() -> None:
    twice = moved(moved(WITHOUT_TEAM, 49, 1).decode(), 49, 1)
    assert {each.message.key for each in check(parse(twice))} == {"trf.outside_columns"}
