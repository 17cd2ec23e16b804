"""The nine printed tables of EL ROUND ROBIN (Chavarría 1975), pair by pair and in order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.desk.pairing.berger import BergerTables

PRINTED = json.loads(
    (Path(__file__).parent / "data" / "round_robin_tables.json").read_text("utf-8")
)


def test_all_nine_tables_are_here() -> None:
    assert sorted(map(int, PRINTED)) == list(range(4, 21, 2))


@pytest.mark.parametrize("players", sorted(map(int, PRINTED)))
def test_a_printed_table(players: int) -> None:
    event = BergerTables(players)
    made = [[list(pair) for pair in event.pairs(r)] for r in range(1, event.rounds + 1)]
    assert made == PRINTED[str(players)]


def test_who_rests_of_seven() -> None:
    event = BergerTables(7)
    assert [event.resting(r) for r in range(1, 8)] == [1, 5, 2, 6, 3, 7, 4]
