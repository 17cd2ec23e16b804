"""The collector rests while somebody wants it to, and no longer."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from ledger.journal.gc_pause import collector_resting


@pytest.fixture(autouse=True)
def _as_python_has_it() -> Iterator[None]:
    """Whatever the tests or the program set for the process before."""
    before = gc.get_threshold()
    gc.set_threshold(700, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def test_it_rests_until_the_last_one_is_done() -> None:
    before = gc.get_threshold()
    with collector_resting():
        with collector_resting():
            assert gc.get_threshold()[0] > before[0]
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before


def test_it_wakes_after_a_failure() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="x"), collector_resting():
        raise ValueError("x")
    assert gc.get_threshold() == before


@pytest.mark.parametrize("set_by_the_program", [0, 1_000_000])
def test_what_the_program_set_stays(set_by_the_program: int) -> None:
    before = gc.get_threshold()
    gc.set_threshold(set_by_the_program, *before[1:])
    try:
        with collector_resting():
            assert gc.get_threshold()[0] == set_by_the_program
        assert gc.get_threshold()[0] == set_by_the_program
    finally:
        gc.set_threshold(*before)
