"""Reports that are no reports: long lines take no longer than short ones, absurd ones are refused.

What is wrong is said up to a thousand times, what is odd of each kind as often.
"""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from ledger.errors import InputRefused
from ledger.intake.documents import Supplied
from ledger.intake.problems import MOST_PROBLEMS
from ledger.intake.trf.check import adjustments, check
from ledger.intake.trf.document import read_trf
from ledger.intake.trf.header import MOST_ROUNDS
from ledger.intake.trf.layout import LAYOUTS, PlayerField
from ledger.intake.trf.parse import LONGEST_LINE, MOST_LINES, parse
from ledger.intake.trf.players import MOST_PLAYERS
from ledger.intake.trf.records import read_records
from tests.growth import LARGER, MOST_GROWTH, growth
from tests.intake.trf.writing import file, player

SMALL = 30_000  # characters
UNENDING = {
    "rounds": ("001    1 m    Ana".ljust(91), "   2 w 1  "),
    "no player": ("001 ", "1"),
    "team": ("013 Norte".ljust(36), "   1 "),
    "byes": ("240 F   1 ", "   1 "),
    "dates": ("132 ".ljust(91), "10/07/01  "),
    "federation": ("CHI ", " 1"),
}


@pytest.mark.parametrize("line", UNENDING)
def test_a_long_line_takes_as_long_as_it_is(line: str) -> None:
    begun, group = UNENDING[line]
    small, large = (begun + group * (length // len(group)) for length in (SMALL, LARGER * SMALL))
    assert growth(read_records, small, large) < MOST_GROWTH
    (record,) = read_records(large)
    assert record.written() == large


@pytest.mark.parametrize(
    ("begun", "group", "end"),
    [("", "1234567890", "x"), ("XXS ", "A", ""), ("162 ", "W ", ""), ("222 ", "40/", "")],
    ids=["ruler", "XXS", "162", "222"],
)
def test_a_text_of_one_pattern_takes_as_long_as_it_is(begun: str, group: str, end: str) -> None:
    good = file(player(1)).decode()
    length = LONGEST_LINE // LARGER // 2
    small, large = (
        f"{good}{begun}{group * (each // len(group))}{end}\n" for each in (length, LARGER * length)
    )

    def read(text: str) -> None:
        adjustments(parse(text))

    assert growth(read, small, large) < MOST_GROWTH


def refusal_of(text: str) -> InputRefused:
    with pytest.raises(InputRefused) as refused:
        read_trf(text, Supplied(tournament="T"))
    return refused.value


def test_no_record_is_as_long_as_a_line_may_be() -> None:
    """The longest lists all players, or all rounds."""
    for layout in LAYOUTS.values():
        first = max((each.last for each in layout.group), default=0)
        groups = MOST_ROUNDS if layout.step == 10 else MOST_PLAYERS
        assert first + layout.step * groups < LONGEST_LINE
    assert PlayerField.RANK.last < LONGEST_LINE


def test_absurd_lines_are_named_with_what_to_do() -> None:
    good = file(player(1)).decode()
    for code in ("001", "###", "XXS", "qqq"):
        long = f"{code} " + "1" * LONGEST_LINE
        refusal = refusal_of(f"{good}{long}\n{good}{long}\n")
        lines = good.count("\n")
        assert refusal.message.key == "import.refused"
        assert [(each.line, each.column) for each in refusal.details] == [
            (lines + 1, 1), (2 * lines + 2, 1),
        ]  # fmt: skip
        said = str(refusal.details[0].message)
        assert f"the line has {len(long)} characters, and a record at most {LONGEST_LINE}" in said
        assert "Give each record its own line" in said
        assert len(said) < 300
    assert parse(f"{good}### {'1' * (LONGEST_LINE - 4)}\n").players


def test_a_file_of_too_many_lines_is_refused_before_it_is_read() -> None:
    good = file(player(1)).decode()
    blank = "\n" * (MOST_LINES - good.count("\n"))
    read_trf(good + blank, Supplied(tournament="T"))
    text = good + blank + "\n" * 1_000_000
    tracemalloc.start()
    refusal = refusal_of(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(each.line, each.message.key) for each in refusal.details] == [
        (MOST_LINES + 1, "trf.many_lines")
    ]
    assert peak < 1_000_000


def wrong_in_cells(count: int) -> Iterator[str]:
    """Yields players whose federation numbers are none."""
    return (player(number, fide="abc") for number in range(1, count + 1))


def wrong_between_lines(count: int) -> Iterator[str]:
    """Yields players who name nobody."""
    return (player(number, "Ana", "9999 w 1") for number in range(1, count + 1))


@pytest.mark.parametrize("wrong", [wrong_in_cells, wrong_between_lines])
def test_after_a_thousand_problems_reading_stops_and_says_so(
    wrong: Callable[[int], Iterator[str]],
) -> None:
    some = refusal_of(file(*wrong(MOST_PROBLEMS)).decode())
    assert (some.message.key, len(some.details)) == ("import.refused", MOST_PROBLEMS)
    many = refusal_of(file(*wrong(3 * MOST_PROBLEMS)).decode())
    assert (many.message.key, len(many.details)) == ("import.stopped", MOST_PROBLEMS)
    assert f"down to line {many.details[-1].line}, where reading stopped" in str(many.message)
    assert [each.line for each in many.details] == sorted(each.line for each in many.details)


def test_of_what_is_odd_a_thousand_of_each_kind_are_kept() -> None:
    lines = [
        player(number, "Ana", points="3.5", sex="f")
        for number in range(1, 2 * MOST_PROBLEMS + 1)
    ]  # fmt: skip
    report = parse(file(*lines).decode())
    assert check(report) == []
    found = adjustments(report)
    kinds = {
        key: len(list(each))
        for key, each in itertools.groupby(sorted(each.message.key for each in found))
    }
    assert kinds == {"trf.points_differ": MOST_PROBLEMS, "trf.sex_f": MOST_PROBLEMS,
                     "import.more_notes": 2}  # fmt: skip
    assert {dict(each.message.values).get("count") for each in found} == {None, MOST_PROBLEMS}
