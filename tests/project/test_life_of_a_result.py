"""A result's life as ``docs/architecture.md`` tells it: it passes the functions named there."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.cli.running import run_here
from tests.ledgers import PLAYERS_HEADER

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
MOST = 12  # stations
WHY = ("--reason", "test")
LIST = ("--regulation", "enf-2010", "--first", "2010-07-01", "--calendar", "monthly")


def stations() -> list[str]:
    """Returns the functions of the stations, as the page names them."""
    section = ARCHITECTURE.read_text("utf-8").split("## The life of a result")[1].split("\n## ")[0]
    named = re.findall(r"^\| \d+ \| `([\w/]+)\.py ([\w.]+)` \|", section, re.MULTILINE)
    return [f"{module.replace('/', '.')}:{name}" for module, name in named]


def code_of(station: str) -> CodeType:
    """Returns the code of a station; fails where there is no such function."""
    module, _, name = station.partition(":")
    found: Any = importlib.import_module(f"ledger.{module}")
    for part in name.split("."):
        found = getattr(found, part)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    code: CodeType = getattr(found, "__func__", found).__code__
    return code


@contextmanager
def passed(codes: dict[CodeType, str]) -> Iterator[list[str]]:
    """Gives the stations in the order in which they are passed, as often as they are."""
    found: list[str] = []

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and (station := codes.get(frame.f_code)):
            found.append(station)

    before: Callable[..., Any] | None = sys.getprofile()
    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(before)


@pytest.fixture
def event(tmp_path: Path) -> Iterator[None]:
    """A list, and a tournament of four whose first round is published, in the current folder."""
    rows = (f"P{n},Player {n},CHI,m,1990,{1500 + n * 50},0,100\n" for n in range(4))
    (tmp_path / "p.csv").write_text(PLAYERS_HEADER + "".join(rows), encoding="utf-8")
    about = ("--name", "Torneo", "--start", "2010-07-02", "--end", "2010-07-03")
    with chdir(tmp_path):
        for words in (
            ("init",),
            ("list", "define", "ENF", *LIST, *WHY),
            ("import", "p.csv", "--list", "ENF", *WHY),
            ("tournament", "open", "T", *about, "--system", "swiss", "--rate-of-play", "classical"),
            ("tournament", "rules", "T", "--pairing", "fenamac-1975", "--tie-breaks", "median"),
            *(("tournament", "enter", "T", f"P{n}") for n in range(4)),
            ("tournament", "pair", "T"),
        ):
            done = run_here(*words)
            assert done.code == 0, (words, done.err)
        yield


@pytest.mark.usefixtures("event")
def test_a_result_passes_every_station_in_turn() -> None:
    named = stations()
    assert 8 <= len(named) == len(set(named)) <= MOST
    codes = {code_of(station): station for station in named}
    assert len(codes) == len(named)
    with passed(codes) as found:
        for words in (
            ("tournament", "result", "T", "1", "1", "1-0"),
            ("publish", "ENF", "2010-07", "--anyway", *WHY),
            ("explain", "P3", "--period", "2010-07", "--list", "ENF"),
        ):
            done = run_here(*words)
            assert done.code == 0, (words, done.err)
    left = iter(found)
    missing = [station for station in named if station not in left]
    assert missing == [], "no station, or not in this order"
