"""Values that are made once, for all threads that ask for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from ledger.views.outcomes import KeptValues

PATIENCE = 30  # seconds


def test_a_value_is_made_once_for_all_who_ask_for_it() -> None:
    kept = KeptValues[str, object](2)
    together, made = Barrier(4), list[object]()

    def ask() -> object:
        together.wait(PATIENCE)
        return kept.get("a", make)

    def make() -> object:
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(4) as threads:
        found = [each.result(PATIENCE) for each in [threads.submit(ask) for _ in range(4)]]
    assert found == made * 4


def test_who_asks_for_another_value_does_not_wait() -> None:
    kept = KeptValues[str, str](2)
    begun, go_on = Event(), Event()

    def slow() -> str:
        begun.set()
        assert go_on.wait(PATIENCE)
        return "slow"

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(kept.get, "a", slow)
        assert begun.wait(PATIENCE)
        assert kept.get("b", lambda: "fast") == "fast"
        go_on.set()
        assert first.result(PATIENCE) == "slow"


def test_the_values_that_were_asked_for_last_are_kept() -> None:
    kept = KeptValues[str, str](2)
    made = list[str]()

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key

        return kept.get(key, make)

    assert [get(key) for key in "abacab"] == [*"abacab"]
    assert made == [*"abcb"]
    kept.clear()
    get("a")
    assert made == [*"abcba"]


def test_what_could_not_be_made_is_made_when_it_is_asked_for_again() -> None:
    kept = KeptValues[str, str](2)

    def fail() -> str:
        raise ValueError("now")

    with pytest.raises(ValueError, match="now"):
        kept.get("a", fail)
    assert kept.get("a", lambda: "later") == "later"
