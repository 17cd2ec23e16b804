"""Ids and texts that are read while others are added."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.facts.ids import Ids

IDS = [f"P{number}" for number in range(4_000)]
PATIENCE = 30  # seconds


@pytest.fixture
def _often_in_turn() -> Iterator[None]:
    """Has threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_often_in_turn")
def test_ids_are_found_by_all_threads_while_one_adds_more() -> None:
    ids, together = Ids[int](), Barrier(4)

    def read() -> list[str]:
        together.wait(PATIENCE)
        wrong: list[str] = []
        known = 0
        while known < len(IDS):
            known = len(ids)
            index, texts = ids.index, ids.read()
            wrong += [id_ for id_ in IDS[:known:97] if texts[index[id_]] != id_]
        return wrong

    def add() -> None:
        together.wait(PATIENCE)
        for start in range(0, len(IDS), 8):
            some = IDS[start : start + 8]
            if start % 16:
                ids.extend("\n".join(some).encode(), len(some))
            else:
                for id_ in some:
                    ids.append(id_)

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(3)]
        threads.submit(add).result(PATIENCE)
        assert [each.result(PATIENCE) for each in readers] == [[]] * 3
    assert (ids.read(), len(ids.index)) == (IDS, len(IDS))
