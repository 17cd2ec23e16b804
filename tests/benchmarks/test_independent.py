from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import independent
from benchmarks.independent import compared


def test_knock_outs_of_some_years_come_to_the_same_ratings_elsewhere(tmp_path: Path) -> None:
    found = compared(tmp_path / "cups.db", players=700, games=9_000, years=5)
    assert found.games >= 9_000
    assert found.years == 5
    assert found.ratings > 1_000


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent, "_K", 16)
    with pytest.raises(AssertionError, match="ratings, player"):
        compared(tmp_path / "cups.db", players=700, games=9_000, years=5)
