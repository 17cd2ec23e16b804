"""Pictures: every figure of the report stands in its picture; names are words and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.corrections import correction_report, corrections
from ledger.answers.list_figures import compare_regulations, monitor_of
from ledger.answers.player_questions import history_of, why_of
from ledger.identifiers import PlayerId
from ledger.operations.commands import CorrectResult
from ledger.pictures.cascade import MOST_PERIODS, cascade_picture
from ledger.pictures.comparison import comparison_picture
from ledger.pictures.history import NamedHistory, history_picture
from ledger.pictures.monitor import monitor_picture
from ledger.pictures.ripple import ripple_picture
from ledger.pictures.svg import Hue, Scale
from ledger.pictures.why import why_picture
from ledger.rating.decimal_text import with_sign
from ledger.reports.balance import AS_READ
from ledger.reports.cascade import Cascade, CascadeCell, CascadeOfList, CascadePeriod, CascadeRow
from ledger.reports.cascade import cascade as cascade_of
from ledger.reports.histories import EditionRating, HistoryLine
from ledger.reports.why import Cause, CausePart, Why
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.wording import Message
from ledger.wording.dates import edition_in_words, period_in_words, short_period
from tests.ledgers import do, games, import_text, ledger_of, publish_period

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str | None) -> ET.Element:
    assert svg is not None
    return ET.fromstring(svg)  # noqa: S314 - our own


def words(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def tips(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}title")][1:]


@pytest.fixture
def corrected() -> Ledger:
    """A chain: A beats B in July, B meets C in August, C meets D in September; then A lost."""
    ledger = ledger_of("A,1800,,50", "B,1800,,50", "C,1800,,50", "D,1800,,50")
    for number, (month, pair) in enumerate((("07", "A,B"), ("08", "B,C"), ("09", "C,D"))):
        import_text(ledger, games(f"T{number}", f"1,,{pair},1-0", day=f"2010-{month}-10"))
        publish_period(ledger, f"2010-{month}")
    return ledger


def turned(ledger: Ledger, *, dry_run: bool) -> Cascade:
    command = CorrectResult(
        tournament="T0", round=1, white="A", black="B", result=Result.parse("0-1"),
    )  # fmt: skip
    receipt = do(ledger, command, dry_run=True)
    if not dry_run:
        do(ledger, command)
    assert receipt.shifts is not None
    return cascade_of(receipt.shifts)


def test_a_history_has_every_edition_and_what_is_known_now(corrected: Ledger) -> None:
    command = CorrectResult(
        tournament="T0", round=1, white="A", black="B", result=Result.parse("0-1"),
    )  # fmt: skip
    do(corrected, command)
    publish_period(corrected, "2010-07")
    lines = history_of(corrected, "A", "ENF")
    root = drawn(history_picture(lines, player="A", name="ENF", language="en"))
    told = tips(root)
    for line in lines:
        period = period_in_words(line.period, "en")
        official = line.published[-1].rating if line.published else None
        if line.restated and line.restated != official:
            said = {"period": period, "rating": line.restated, "known": "as known now"}
            assert str(Message.of("picture.restated", **said)) in told
        for edition, rating in line.published:
            assert f"{period}, {edition_in_words(edition, 'en')}: {rating or 0}" in told
    assert any("July 2010, 2nd edition" in each for each in told)
    assert {"Jul 2010", "Aug 2010", "Sep 2010"} <= set(words(root)), "its axis"
    ghosts = [each for each in root.iter(f"{SVG}circle") if each.get("stroke-dasharray")]
    assert len(ghosts) == 1, "of the first edition of July"
    (official,) = [line.published[-1].rating for line in lines if line.period == "2010-09"]
    assert words(root).count(str(official)) == 1, "the newest official one stands at the edge"


def test_a_long_history_is_drawn_twice_and_on_a_phone_the_last_lists_come_first() -> None:
    lines = [
        HistoryLine(
            f"{2000 + n // 12}-{n % 12 + 1:02}", (EditionRating(1, 1500 + n),), 1500 + n, 1, 2
        )
        for n in range(60)
    ]
    for is_narrow, first in ((False, "All lists since 2000"), (True, "The last 12 lists")):
        root = drawn(
            history_picture(lines, player="A", name="ENF", language="en", is_narrow=is_narrow)
        )
        headings = [each.text for each in root.iter(f"{SVG}text") if each.get("font-weight")]
        assert (headings[0], headings.count("1559")) == (first, 2)
        assert all(float(each.get("x", 0)) < float(root.get("width", 0)) for each in root)


def test_other_lists_stand_beside_all_lists_by_their_months() -> None:
    lines = [
        HistoryLine(f"2010-{month:02}", (EditionRating(1, 1600),), 1600, 0, 1)
        for month in range(1, 13)
    ]
    rapid = [
        HistoryLine("2009-Q4", (EditionRating(1, 2900),), 2900, 0, 1),
        HistoryLine("2010-Q1", (EditionRating(1, 1500),), 1500, 0, 1),
        HistoryLine("2010-H2", (EditionRating(1, 1598),), 1598, 98, 1),
    ]
    blitz = [HistoryLine("2010", (EditionRating(1, 1590),), 1590, 0, 1)]
    unrated = [HistoryLine("2010", (EditionRating(1, 0),), 0, None, 1)]
    others = [
        NamedHistory("Rapid", rapid), NamedHistory("None", unrated), NamedHistory("Blitz", blitz),
        NamedHistory("A fourth", blitz),
    ]  # fmt: skip
    for is_narrow in (False, True):
        made = history_picture(
            lines, player="A", name="ENF", language="en", others=others, is_narrow=is_narrow
        )
        root = drawn(made)
        written = words(root)
        assert written[-2:] == ["1598 Rapid", "1590 Blitz"], "the first two that have ratings"
        assert "Beside it, by their official ratings: Rapid 1598, Blitz 1590." in (made or "")
        beside, own = (
            [float(point.split(",")[0]) for point in each.get("points", "").split()]
            for each in root.iter(f"{SVG}polyline")
        )
        assert beside == [own[2], own[11]]
        assert max(int(each) for each in written if each.isdigit()) < 2900, "of an earlier year"
        heights = sorted(
            float(each.get("y", 0)) for each in root.iter(f"{SVG}text")
            if each.text in ("1600", "official", "1598 Rapid", "1590 Blitz")
            and each.get("text-anchor") == "start"
        )  # fmt: skip
        assert all(later - earlier >= 18 for earlier, later in pairwise(heights)), heights


def test_a_rating_that_stands_is_said_where_there_is_room() -> None:
    lines = [
        HistoryLine("2010-07", (EditionRating(1, 1662),), 1662, 0, 3),
        HistoryLine("2010-08", (), 1662, 0, 0),
    ]
    for is_narrow, word in ((False, "official, and so far"), (True, "official")):
        root = drawn(
            history_picture(lines, player="A", name="ENF", language="en", is_narrow=is_narrow)
        )
        assert words(root)[-1] == word


def test_a_history_of_an_earlier_state_says_which() -> None:
    line = HistoryLine("2010-07", (EditionRating(1, 1662),), 1662, 0, 3)
    made = history_picture([line], player="A", name="ENF", language="en", is_past=True)
    assert made is not None
    assert "as known then" in made
    assert "as known now" not in made


def test_nobody_without_a_rating_has_a_history_to_be_drawn() -> None:
    lines = [HistoryLine("2010-07", (EditionRating(1, 0),), 0, None, 2)]
    assert history_picture(lines, player="N", name="ENF", language="en") is None


def test_one_rating_alone_stands_in_the_middle_of_its_axis() -> None:
    line = HistoryLine("2010-07", (EditionRating(1, 1662),), 1662, 0, 3)
    root = drawn(history_picture([line], player="A", name="ENF", language="en"))
    ticks = [int(each) for each in words(root) if each.isdigit()]
    assert min(ticks) < 1662 < max(ticks)


def test_a_waterfall_shows_every_cause_and_sums(corrected: Ledger) -> None:
    turned(corrected, dry_run=True)
    made = why_of(corrected, "B", "ENF", ("2010-07", None), ("2010-08", None))
    said = words(drawn(why_picture(made, title="why", language="es")))
    assert {str(made.before), str(made.after)} <= set(said)
    for cause, points in made.totals().items():
        assert Message.of(f"cause.{cause.value}").within("es") in said
        assert AS_READ.gain(points) in said
    assert sum(made.totals().values()) == made.after - made.before


@given(st.lists(st.tuples(st.sampled_from(Cause), st.fractions(-900, 900, max_denominator=40))))
def test_the_bars_of_a_waterfall_are_as_long_as_their_points(
    parts: Sequence[tuple[Cause, Fraction]],
) -> None:
    whole = sum((points for _, points in parts), Fraction(0))
    rest = Fraction(-whole.numerator % whole.denominator, whole.denominator)
    causes = [CausePart(cause, "2010-07", None, points) for cause, points in parts]
    causes.append(CausePart(Cause.ROUNDING, "2010-07", None, rest))
    made = Why(1800, 1800 + int(whole + rest), tuple(causes))
    root = drawn(why_picture(made, title="why", language="en", is_narrow=True))
    lengths = [
        float(bar.get("width", ""))
        for bar in root.iter(f"{SVG}rect")
        if bar.get("class") in {Hue.GOOD.name_of_class, Hue.BAD.name_of_class}
    ]
    points = [abs(float(each)) for each in made.totals().values() if each]
    assert len(lengths) == len(points)
    long = [(length, size) for length, size in zip(lengths, points, strict=True) if length > 20]
    for length, size in long:
        assert length / long[0][0] == pytest.approx(size / long[0][1], rel=0.02)


@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_monitor_names_both_means_at_the_ends_of_their_lines(
    corrected: Ledger,
    is_narrow: bool,  # noqa: FBT001 - a case
) -> None:
    made = monitor_of(corrected, "ENF", since=None, until=None)
    root = drawn(monitor_picture(made, "en", is_narrow=is_narrow))
    lines = made.data()["periods"]
    newest = lines[-1]
    assert {"control group", "all rated", newest["mean"], newest["control_mean"]} <= {*words(root)}
    for line in lines if not is_narrow else lines[-1:]:
        period = period_in_words(line["period"], "en")
        assert f"{period}: {line['control_mean']}" in tips(root)
        assert f"{period}: {line['mean']}" in tips(root)
    assert any(each.endswith(" 2010") and len(each) == len("Sep 2010") for each in words(root))
    assert all(float(each.get("x", 0)) < float(root.get("width", 0)) for each in root)


def test_a_comparison_is_drawn_in_both_languages(corrected: Ledger) -> None:
    made = compare_regulations(
        corrected, "ENF", regulation="enf-2010", parameters={"k_others": 30},
        since="2010-07", until="2010-09",
    )  # fmt: skip
    told = tips(drawn(comparison_picture(made, "en")))
    assert all(any(each.endswith(f": {b.players}") for each in told) for b in made.distribution)
    assert "diferencias" in " ".join(words(drawn(comparison_picture(made, "es"))))


def test_a_cascade_is_what_the_impact_says(corrected: Ledger) -> None:
    made = turned(corrected, dry_run=True)
    (of_list,) = made.lists
    # It reaches A and B in July and through B also C in August, by one point: too little for D.
    # October is open, and nothing is played in it yet.
    months = [period.period for period in of_list.periods]
    assert months == ["2010-07", "2010-08", "2010-09", "2010-10"]
    assert [row.id for row in of_list.rows] == ["A", "B", "C"]
    assert [period.players for period in of_list.periods] == [2, 3, 3, 3]
    assert [period.published for period in of_list.periods] == [True, True, True, False]
    said = words(drawn(cascade_picture(made, "en")))
    for row in of_list.rows:
        assert row.id in said
        for cell in row.cells:
            if cell is not None:
                assert with_sign(cell.points) in said
                assert f"{cell.before} → {cell.after}" in said


def test_a_cascade_agrees_with_every_shift(corrected: Ledger) -> None:
    command = CorrectResult(
        tournament="T0", round=1, white="A", black="B", result=Result.parse("0-1"),
    )  # fmt: skip
    shifts = do(corrected, command, dry_run=True).shifts
    assert shifts is not None
    (of_list,) = cascade_of(shifts).lists
    cells = {
        (period.period, row.id): (cell.before, cell.after)
        for row in of_list.rows
        for period, cell in zip(of_list.periods, row.cells, strict=True)
        if cell is not None
    }
    assert cells == {(each.period, each.id): (each.before, each.after) for each in shifts}
    for period in of_list.periods:
        points = [each.points for each in shifts if each.period == period.period]
        assert period.up == sum(each for each in points if each > 0)
        assert period.down == sum(each for each in points if each < 0)
    (few,) = cascade_of(shifts, 1).lists
    assert (len(few.rows), few.players) == (1, 3)
    assert "2 players" in " ".join(words(drawn(cascade_picture(cascade_of(shifts, 1), "en"))))


def long_cascade(periods: int, *cells: CascadeCell | None, name: str = "Ana") -> Cascade:
    made = tuple(CascadePeriod(f"p{n}", n % 2 == 0, 1, 1, 0) for n in range(periods))
    row = CascadeRow(PlayerId("1"), name, cells or (CascadeCell(1500, 1501),) * periods)
    return Cascade(periods, (CascadeOfList("ENF", 1, made, (row,)),))


def test_of_a_long_cascade_the_first_periods_and_the_last_are_drawn() -> None:
    said = words(drawn(cascade_picture(long_cascade(40), "en")))
    shown = [each for each in said if each.startswith("p") and each[1:].isdigit()]
    assert shown == [*(f"p{n}" for n in range(MOST_PERIODS - 1)), "p39"]
    assert "28 periods" in " ".join(said)


def test_who_gets_a_rating_or_loses_it_is_not_moved_by_points() -> None:
    made = long_cascade(3, CascadeCell(None, 1500), CascadeCell(1500, None), None)
    said = words(drawn(cascade_picture(made, "en")))
    assert {"first", "– → 1500", "none", "1500 → –"} <= set(said)


@pytest.mark.parametrize("language", ["en", "es"])
def test_nothing_stands_where_the_periods_do(corrected: Ledger, language: str) -> None:
    root = drawn(cascade_picture(turned(corrected, dry_run=True), language))
    texts = list(root.iter(f"{SVG}text"))
    (first,) = (each for each in texts if each.text == short_period("2010-07", language))
    left, line = float(first.get("x", "")), float(first.get("y", ""))
    before = [each for each in texts if float(each.get("x", "")) < left]
    assert all(abs(float(each.get("y", "")) - line) > 20 for each in before)


def test_what_moves_nothing_says_so() -> None:
    assert "no rating" in " ".join(words(drawn(cascade_picture(Cascade(0, ()), "en"))))


@pytest.mark.parametrize(
    "name",
    ['<script>alert("1")</script>', "O'Neill & Söhne", "محمد علي", "a\x00b\x1b[31m", "\udcff"],
)
def test_names_are_words_and_nothing_else(name: str) -> None:
    line = HistoryLine("2010-07", (EditionRating(1, 1500),), 1500, 3, 2)
    pictures: Mapping[str, str | None] = {
        "history": history_picture([line], player=name, name=name, language="en"),
        "waterfall": why_picture(Why(1, 1, ()), title=name, language="en"),
        "cascade": cascade_picture(long_cascade(1, name=name), "en"),
    }
    for svg in pictures.values():
        root = drawn(svg)
        assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
            "svg", "title", "desc", "rect", "text", "line", "circle", "polyline",
        }  # fmt: skip


def test_a_picture_says_what_it_is_and_what_is_to_be_seen(corrected: Ledger) -> None:
    root = drawn(cascade_picture(turned(corrected, dry_run=True), "en"))
    assert root.get("role") == "img"
    assert [each.tag for each in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert "3 players are moved in 4 periods, from July 2010 to October 2010" in (
        root[1].text or ""
    )
    assert not [each for each in root.iter() if each.get("style")]


def rippled(ledger: Ledger, *, is_narrow: bool = False) -> ET.Element:
    report = correction_report(ledger, corrections(ledger)[0].seq)
    return drawn(ripple_picture(report, "en", is_narrow=is_narrow))


def test_a_circle_is_as_large_as_the_points(corrected: Ledger) -> None:
    turned(corrected, dry_run=False)
    report = correction_report(corrected, corrections(corrected)[0].seq)
    sizes = [
        abs(cell.points or 0)
        for row in report.cascade.lists[0].rows
        for place in (0, 1, 3)
        if (cell := row.cells[place]) is not None
    ]
    root = rippled(corrected)
    areas = [float(each.get("r", 0)) ** 2 for each in root.iter(f"{SVG}circle")]
    most = max(sizes)
    assert [round(area / max(areas), 2) for area in areas] == pytest.approx(
        [max(size / most, (2 / 18.5) ** 2) for size in sizes], abs=0.02
    )


def test_of_many_periods_that_is_drawn_in_which_others_are_reached(corrected: Ledger) -> None:
    turned(corrected, dry_run=False)
    report = correction_report(corrected, corrections(corrected)[0].seq)
    (of,) = report.cascade.lists
    late = [replace(row, cells=(None, None, row.cells[2], row.cells[3])) for row in of.rows[2:]]
    rows = (*of.rows[:2], *late)
    changed = replace(report, cascade=replace(report.cascade, lists=(replace(of, rows=rows),)))
    root = drawn(ripple_picture(changed, "en"))
    assert {"July 2010", "September 2010", "October 2010"} <= set(words(root))
    assert "August 2010" not in words(root)
    assert any(each.get("stroke-dasharray") for each in root.iter(f"{SVG}polyline"))


def test_a_ripple_begins_with_its_cause_and_leads_to_who_is_moved_through_it(
    corrected: Ledger,
) -> None:
    turned(corrected, dry_run=False)
    root = rippled(corrected)
    assert {"Round 1", "10 July 2010", "1–0 → 0–1"} <= set(words(root))
    dotted = [each for each in root.iter(f"{SVG}polyline") if each.get("stroke-dasharray")]
    assert len(dotted) == 1, "to C, through B"
    narrow = rippled(corrected, is_narrow=True)
    assert float(narrow.get("width", 0)) < 390
    assert not list(narrow.iter(f"{SVG}polyline"))
    assert {"Jul 2010", "Aug 2010"} <= set(words(narrow)), "whole months run into each other"
    assert all(float(each.get("x", 0)) < 358 for each in narrow.iter(f"{SVG}text"))


@given(st.lists(st.integers(-4000, 4000), min_size=1))
def test_a_scale_holds_its_values(values: Sequence[int]) -> None:
    scale = Scale.over(values, 0, 100)
    assert scale.ticks[0] <= min(values)
    assert max(values) <= scale.ticks[-1]
    assert all(0 <= scale.at(value) <= 100 for value in values)
    assert 2 <= len(scale.ticks) <= 8
