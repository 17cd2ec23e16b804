"""The process gives back what it does not use, where the C library can be told to."""

from __future__ import annotations

import pytest

from web import memory


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
