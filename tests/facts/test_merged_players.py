"""Which id a person goes by, of several that were merged."""

from __future__ import annotations

import pytest

from ledger.facts.ids import Survivors


def test_a_merge_may_be_said_again() -> None:
    survivors = Survivors({"1": "2", "2": "3"})
    survivors.merge("1", "2")
    assert [survivors(player) for player in "1234"] == ["3", "3", "3", "4"]
    assert survivors.same_person("2") == {"1", "2", "3"}


@pytest.mark.parametrize(("player", "into"), [("4", "4"), ("3", "2"), ("3", "1"), ("2", "1")])
def test_nobody_is_given_up_for_himself(player: str, into: str) -> None:
    survivors = Survivors({"1": "2", "2": "3"})
    with pytest.raises(ValueError, match="are one already"):
        survivors.merge(player, into)
    assert survivors("1") == "3"


def test_a_circle_is_never_begun_with() -> None:
    with pytest.raises(ValueError, match="are one already"):
        Survivors({"1": "2", "2": "1"})
