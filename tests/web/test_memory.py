"""The process gives back what it does not use, where the C library can be told to."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from web import memory, server
from web.settings import WebSettings


class _Library:
    """Stands for a C library; notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, ...]] = []

    def mallopt(self, which: int, value: int) -> int:
        self.told.append((which, value))
        return 1

    def malloc_trim(self, left: int) -> int:
        self.told.append((left,))
        return 1


def test_large_pieces_go_back_at_once_and_what_is_free_when_much_was_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = _Library()
    monkeypatch.setattr(memory, "_LIBRARY", library)
    memory.be_sparing()
    assert library.told == [(-3, 256 * 1024), (-8, 2)]
    memory.give_back()
    assert library.told[-1] == (0,)


@pytest.mark.parametrize("library", [None, object()])
def test_another_library_is_told_nothing(
    monkeypatch: pytest.MonkeyPatch, library: object | None
) -> None:
    monkeypatch.setattr(memory, "_LIBRARY", library)
    memory.be_sparing()
    memory.give_back()


class _Ring:
    """Holds itself, as the reader of the facts and what it has read do."""

    def __init__(self) -> None:
        self.itself = self


def test_nothing_of_a_ledger_is_left_alone_by_the_collector(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    threshold = gc.get_threshold()
    made: list[_Ring] = []

    def opened(_url: str) -> None:
        made.append(_Ring())
        raise InterruptedError

    monkeypatch.setattr(server, "open_ledger", opened)
    settings = WebSettings(ledger="", origin="http://localhost", cache=tmp_path)
    try:
        with pytest.raises(InterruptedError):
            server.site_app(settings)
        seen = weakref.ref(made.pop())
        memory.give_back()
        assert seen() is None
        assert gc.get_freeze_count() > 0
    finally:
        gc.set_threshold(*threshold)
