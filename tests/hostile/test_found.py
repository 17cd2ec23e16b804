"""What mutated input once broke, one test each."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from tests.hostile.ledgers import example, federation, hold


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("day", ["9999-12-31", "2200-01-01", "2199-12-02"])
@pytest.mark.parametrize(
    "words",
    [
        ("list", "adopt", "ENF", "--regulation", "enf-2010", "--param", "k_others=20"),
        ("player", "seed", "3404510", "1500", "--list", "ENF"),
        ("k", "assign", "3404510", "20", "--list", "ENF"),
        ("import", "-", "--list", "ENF"),
    ],
    ids=" ".join,
)
def test_a_day_after_the_last_period_is_refused_before_anything_is_stored(
    words: tuple[str, ...], day: str
) -> None:
    with federation() as journal:
        done = hold(journal, *words, "--on", day, stdin=example("players.csv"))
    assert done.code in (4, 5)
    assert day in done.err or "9999" in done.err


def test_the_last_day_with_a_period_is_taken() -> None:
    with federation() as journal:
        on = dt.date(2199, 12, 1).isoformat()
        assert hold(journal, "player", "seed", "3404510", "1500", "--list", "ENF",
                    "--on", on).code == 0  # fmt: skip


def test_a_list_is_not_known_before_its_regulation_was_adopted() -> None:
    with federation() as journal:
        done = hold(journal, "list", "show", "ENF", "2010-07", "--as-known-at", "1")
    assert done.code == 7
    assert "from seq 2 to" in done.err


def test_a_word_that_is_no_text_is_refused() -> None:
    with federation() as journal:
        done = hold(journal, "import", "-", "--list", "\udcff", stdin=example("players.csv"))
    assert done.code == 7


@pytest.mark.parametrize("word", ["\x1b[31m", "\u202egnp", "\u2028", "x\rError: none"])
def test_a_usage_error_steers_no_terminal(word: str) -> None:
    with federation() as journal:
        done = hold(journal, "log", "--since", "1", word)
        assert hold(journal, word).code == 2
    assert done.code == 2
    assert "Usage:" in done.err
    assert word not in done.err
