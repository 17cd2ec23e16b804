from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.report import GOALS, PAGE, PICTURE, RESULTS, Results, drawn, goals, page, summary

RUN = {"kind": "run", "seed": 1}


def _line(name: str, size: str, seconds: float, games: int, **more: Any) -> dict[str, Any]:
    regulation = {} if name == "riix" else {"regulation": "enf-2010"}
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
        _line("publish-next", "small", 0.5, 100),
        {"kind": "work", "name": "explain", "regulation": "enf-2010", "size": "small",
         "not_measured": "why"},
    ]  # fmt: skip
    results = Results(lines)
    assert results.to_riix("replay-cold", "small", "enf-2010") == pytest.approx(2)
    assert results.share("publish-next", "replay-cold", "small", "enf-2010") == pytest.approx(0.5)
    told = {row[0]: row[1:] for row in goals(results)}
    assert told["the next month after ten years, of a full replay"] == ["≤ 2.0%", "50%", "not yet"]
    assert "why" in summary(lines)
