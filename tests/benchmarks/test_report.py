from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.plan import PEERS
from benchmarks.report import GOALS, PAGE, PICTURE, RESULTS, Results, drawn, goals, page, summary

RUN = {"kind": "run", "seed": 1}


def _line(name: str, size: str, seconds: float, games: int, **more: Any) -> dict[str, Any]:
    regulation = {} if name in PEERS else {"regulation": "enf-2010"}
    common = {"kind": "work", "months": 1, "players": 1, "figures": {}, "parts": {}, "peak_mb": 50}
    return common | regulation | {
        "name": name, "size": size, "seconds": seconds, "games": games, **more
    }  # fmt: skip


def test_what_is_said_of_performance_is_what_was_measured() -> None:
    results = Results.read(RESULTS)
    again = "run: python3 benchmarks/run.py report"
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, results) == text, again
    assert PICTURE.read_text(encoding="utf-8") == drawn(results), again


def test_the_picture_is_well_formed() -> None:
    root = ET.fromstring(drawn(Results.read(RESULTS)))  # noqa: S314 - our own
    assert root.tag.endswith("svg")


def test_growth_is_an_exponent() -> None:
    lines = [RUN, _line("verify", "small", 1, 10_000), _line("verify", "middle", 4, 20_000)]
    assert Results(lines).growth("verify", "enf-2010") == pytest.approx(2)


def test_a_goal_is_met_only_where_it_was_measured() -> None:
    replay = next(goal for goal in GOALS if "its peak" in goal.text)
    assert replay.verdict([(300.0, "ten-million"), (390.0, "ten-million")]) == "met"
    assert replay.verdict([(300.0, "ten-million"), (401.0, "ten-million")]) == "not yet"
    assert replay.verdict([(300.0, "million"), None]) == "met here; ten-million not measured"
    assert replay.verdict([None]) == "not measured"


def test_a_goal_says_at_which_size_it_was_measured() -> None:
    lines = [
        RUN,
        _line("explain", "small", 1, 100),
        _line("verify", "middle", 1, 100, figures={"events": 9}),
    ]
    told = {row[0]: row[1:] for row in goals(Results(lines))}
    assert told["explain, cold"] == ["≤ 2 s", "1 s (small)", "met here; ten-million not measured"]


def test_ratios_are_to_riix_of_the_same_run() -> None:
    lines = [
        RUN,
        _line("riix", "small", 2, 100, figures={"games": 100}),
        _line("replay-cold", "small", 1, 100),
        _line("next-month", "small", 0.5, 100),
        {"kind": "work", "name": "explain", "regulation": "enf-2010", "size": "small",
         "not_measured": "why"},
    ]  # fmt: skip
    results = Results(lines)
    assert results.to_riix("replay-cold", "small", "enf-2010") == pytest.approx(2)
    assert results.share("next-month", "replay-cold", "small", "enf-2010") == pytest.approx(0.5)
    told = {row[0]: row[1:] for row in goals(results)}
    assert told["the next month after ten years, of a full replay"] == ["≤ 2.0%", "50%", "not yet"]
    assert "why" in summary(lines)


def test_what_is_measured_over_segments_alone_is_compared_with_what_was_imported() -> None:
    lines = [
        RUN,
        _line("replay-cold", "million", 1, 1_000, peak_mb=100),
        _line("replay-cold", "ten-million", 10, 10_000, peak_mb=350),
        _line("replay-cold", "hundred-million", 90, 100_000, peak_mb=750),
        _line("riix", "ten-million", 300, 10_000, figures={"games": 10_000}),
    ]
    results = Results(lines)
    assert results.imported == ["million", "ten-million"]
    told = {row[0]: row[1:] for row in goals(results)}
    assert told["full replay, cold, from the ledger's own storage, against riix"][1:] == [
        "30.00 x",
        "met",
    ]
    assert told["its peak memory"][1:] == ["350 MB", "met"]
    assert told["the same for 100 M games, of that for 10 M"][1:] == ["9 x", "met"]
    assert told["its peak memory, 100 M games"][1:] == ["750 MB", "not yet"]
    assert told["growth of a full replay's memory: exponent"][1:] == ["0.33", "met"]


def test_the_kernel_is_held_against_the_loop_in_c() -> None:
    lines = [RUN, _line("kernel", "small", 2, 100), _line("c-loop", "small", 1, 100)]
    told = {row[0]: row[1:] for row in goals(Results(lines))}
    assert told["the kernel alone, against a loop in C"] == ["≥ 0.30 x", "0.50 x", "met"]
