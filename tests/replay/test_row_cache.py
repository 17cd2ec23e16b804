"""A replay keeps no more rows in memory than this period and later ones need."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from ledger.derived import segments
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.replay.timeline import Timeline
from ledger.service.ledger import Ledger
from tests.ledgers import GAMES_HEADER, define, empty_ledger, import_text

MONTHS = 24
PLAYERS = [f"P{number}" for number in range(8)]


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 10)
    monkeypatch.setattr(segments, "MOST_EVENTS", 30)


def recorded(months: list[int]) -> Facts:
    """A tournament of 28 games a month, recorded in some order, and read from segments."""
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, "id,name\n" + "".join(f"{p},Name {p}\n" for p in PLAYERS))
    for month in months:
        first = dt.date(2010 + (month + 6) // 12, (month + 6) % 12 + 1, 1)
        about = f"T{month},T{month},{first},{first},round-robin,classical,"
        pairs = [(a, b) for i, a in enumerate(PLAYERS) for b in PLAYERS[:i]]
        rows = [f"{about},{n},,{a},{b},1-0\n" for n, (a, b) in enumerate(pairs, 1)]
        import_text(ledger, GAMES_HEADER + "".join(rows))
    ledger.facts()
    return Ledger(ledger.journal, clock=ledger.clock).facts()


def most_kept(facts: Facts) -> tuple[int, int]:
    """Returns the games found, and the most blocks kept after any period."""
    timeline = Timeline(AsOf(facts, facts.seq), "ENF")
    found, most = 0, 0
    for period in timeline.periods(timeline.last_day):
        found += len(timeline.games(period))
        most = max(most, len(timeline._rows))
    assert len(timeline._rows) == 0
    return found, most


def test_of_a_history_in_order_few_blocks_are_kept() -> None:
    facts = recorded(list(range(MONTHS)))
    assert len([block for block in facts.blocks if block.sealed]) > MONTHS
    assert most_kept(facts) == (28 * MONTHS, 1)


def test_a_history_in_any_order_is_the_same() -> None:
    months = list(range(MONTHS))
    random.Random(1).shuffle(months)  # noqa: S311 - no secret
    found, _ = most_kept(recorded(months))
    assert found == 28 * MONTHS


def test_two_that_look_at_once_share_the_rows() -> None:
    facts = recorded([1, 0])
    timelines = [Timeline(AsOf(facts, facts.seq), "ENF") for _ in range(2)]
    first = timelines[0].periods(timelines[0].last_day)[0]
    for timeline in timelines:
        timeline.games(first)
    one, other = (timeline._rows._rows for timeline in timelines)
    assert one.keys() == other.keys()
    assert all(one[block] is other[block] for block in one)
