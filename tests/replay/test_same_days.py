"""Rated one after the other, events of the same days do not depend on what was recorded first."""

from __future__ import annotations

from itertools import permutations

from ledger.answers.lists import show
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text

PLAYERS = PLAYERS_HEADER + "A,A,,,,1500,,50\nB,B,,,,1500,,50\nC,C,,,,1900,,50\n"
DAY = "2010-07-10,2010-07-10,swiss,classical,"
EVENTS = {
    "T1": ("1,,A,B,1-0", "2,,A,C,1-0"),
    "T2": ("1,,A,B,0-1",),
    "T3": ("1,,C,B,1-0", "2,,A,B,1-0"),
}


def ratings(order: tuple[str, ...]) -> dict[str, int]:
    ledger = empty_ledger()
    define(ledger, regulation="elo-linear")
    import_text(ledger, PLAYERS, list_="ENF")
    for name in order:
        lines = [f"{name},{name},{DAY},{game}\n" for game in EVENTS[name]]
        import_text(ledger, GAMES_HEADER + "".join(lines))
    return {row.id: row.rating for row in show(ledger, "ENF", "2010-07").rows}


def test_they_follow_each_other_by_id() -> None:
    found = [ratings(order) for order in permutations(EVENTS)]
    assert all(each == found[0] for each in found)
