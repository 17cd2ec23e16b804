"""Registers are read by the index of the streams, and held against the facts."""

from __future__ import annotations

import pytest

from ledger.answers.directory import player_recorded
from ledger.facts.ids import Index
from tests.ledgers import ledger_of


def test_who_is_in_the_register_is_not_looked_up_among_all_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = ledger_of("7,,,")
    ledger.facts()

    def looked_up(_self: Index[int], id_: str) -> int:
        raise AssertionError(id_)

    monkeypatch.setattr(Index, "__getitem__", looked_up)  # it is made of all ids, at first
    assert player_recorded(ledger, "7").name == "7"
