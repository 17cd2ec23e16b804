"""What mutated input once broke, one test each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.errors import Problem
from ledger.events.model import Dated
from ledger.events.players import PlayersMerged
from ledger.registrar.registrar import Registrar
from tests.hostile.ledgers import example, federation, hold
from tests.ledgers import empty_ledger, request


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


@pytest.mark.parametrize(
    "merges",
    [
        (("3404510", "3404510"),),
        (("3404510", "3405958"), ("3405958", "3404510")),
        (("3404510", "3405958"), ("3404510", "3400190")),
        (("3404510", "3405958"), ("3400190", "3404510")),
    ],
    ids=["itself", "a circle", "given up twice", "into one given up"],
)
def test_merges_that_make_no_sense_are_named_and_followed_nowhere(
    merges: Sequence[tuple[str, str]],
) -> None:
    """The registrar refuses them; another program may have recorded them."""
    with federation() as journal:
        ledger = empty_ledger(journal)

        def plan(registrar: Registrar) -> Sequence[Problem]:
            said = (PlayersMerged(player=player, into=into) for player, into in merges)
            registrar.events += [Dated(dt.date(2010, 9, 1), event) for event in said]
            return ()

        ledger.append([], plan, request())
        named = f"event {journal.head().seq} merges {merges[-1][0]} into {merges[-1][1]}"
        for words in (
            ("verify",),
            ("player", "show", "3404510"),
            ("log", "--player", "3404510"),
            ("list", "show", "ENF", "2010-07"),
        ):
            done = hold(journal, *words)
            assert done.code == 3, words
            assert named in done.out + done.err, words
