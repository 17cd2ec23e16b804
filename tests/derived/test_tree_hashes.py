"""Paths made of kept hashes are those made of all leaves, and what is kept is never believed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.derived.store import DerivedStore
from ledger.derived.tree_hashes import BLOCK, TreeHashes
from ledger.journal.interface import Journal
from ledger.journal.merkle import consistency_proof, inclusion_proof, leaf_hash, root_of
from ledger.journal.stores.memory import MemoryJournal
from tests.journal.drafts import append, draft, game

EVENTS = 3 * BLOCK + 7


def filled(events: int = EVENTS) -> MemoryJournal:
    journal = MemoryJournal()
    append(journal, draft(*(game(number) for number in range(1, events + 1))))
    return journal


JOURNAL = filled()
LEAVES = [bytes.fromhex(event.leaf_hash) for event in JOURNAL.events()]


class Counting:
    """A journal that counts the leaves that are read."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.read = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._journal, name)

    def pages(self, *, after: int = 0, upto: int | None = None) -> object:
        for page in self._journal.pages(after=after, upto=upto):
            self.read += len(page)
            yield page


@given(st.data())
def test_a_path_is_the_one_from_all_leaves(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, EVENTS))
    index = data.draw(st.integers(0, size - 1))
    earlier = data.draw(st.integers(1, size))
    tree = TreeHashes(JOURNAL, DerivedStore())
    assert tree.inclusion(index, size) == inclusion_proof(LEAVES[:size], index)
    assert tree.consistency(earlier, size) == consistency_proof(LEAVES[:size], earlier)
    assert tree.root(size) == root_of(LEAVES[:size])


def test_the_next_path_reads_two_blocks_of_leaves(tmp_path: Path) -> None:
    TreeHashes(JOURNAL, DerivedStore(tmp_path)).inclusion(5, EVENTS)
    counting = Counting(JOURNAL)
    TreeHashes(counting, DerivedStore(tmp_path)).inclusion(5, EVENTS)  # type: ignore[arg-type]
    assert counting.read <= 2 * BLOCK


def test_a_journal_that_grew_is_read_from_where_the_file_ends(tmp_path: Path) -> None:
    journal = filled(BLOCK)
    TreeHashes(journal, DerivedStore(tmp_path)).root(BLOCK)
    append(journal, draft(*(game(number) for number in range(1, 2 * BLOCK + 1))))
    counting = Counting(journal)
    leaves = [bytes.fromhex(event.leaf_hash) for event in journal.events()]
    assert TreeHashes(counting, DerivedStore(tmp_path)).root(3 * BLOCK) == root_of(leaves)  # type: ignore[arg-type]
    assert counting.read == 2 * BLOCK


@pytest.mark.parametrize("content", [b"\x00" * 96, b"\x00" * 5, b""])
def test_a_file_that_says_something_else_is_made_again(tmp_path: Path, content: bytes) -> None:
    TreeHashes(JOURNAL, DerivedStore(tmp_path)).root(EVENTS)
    (file,) = tmp_path.glob("trees/*")
    right = file.read_bytes()
    file.write_bytes(content)
    root = root_of(LEAVES)
    path = TreeHashes(JOURNAL, DerivedStore(tmp_path)).proved(EVENTS - 1, EVENTS, root, LEAVES[-1])
    assert path == inclusion_proof(LEAVES, EVENTS - 1)
    assert file.read_bytes() == right


def test_leaves_that_lead_elsewhere_have_no_path(tmp_path: Path) -> None:
    tree = TreeHashes(JOURNAL, DerivedStore(tmp_path))
    assert tree.proved(3, EVENTS, leaf_hash(b"root"), LEAVES[3]) is None


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees").chmod(0o777)
    TreeHashes(JOURNAL, DerivedStore(tmp_path)).root(EVENTS)
    assert not list(tmp_path.glob("trees/*"))


class Exclusive(Counting):
    """A journal that says how many read leaves at the same time, at most."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.readers = self.most = 0

    def pages(self, *, after: int = 0, upto: int | None = None) -> object:
        self.readers += 1
        self.most = max(self.most, self.readers)
        for page in self._journal.pages(after=after, upto=upto):
            sleep(0)  # others have their turn
            yield page
        self.readers -= 1


def test_threads_that_ask_for_paths_are_answered_one_after_the_other() -> None:
    journal = filled(20 * BLOCK)  # more blocks than are held in memory
    leaves = [bytes.fromhex(event.leaf_hash) for event in journal.events()]
    exclusive, root = Exclusive(journal), root_of(leaves)
    tree = TreeHashes(exclusive, DerivedStore())  # type: ignore[arg-type]
    together = Barrier(4)

    def ask(first: int) -> list[int]:
        together.wait(30)
        places = range(first, len(leaves), BLOCK)
        return [at for at in places if tree.proved(at, len(leaves), root, leaves[at]) is None]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, (0, 9, 99, 200))) == [[]] * 4
    assert exclusive.most == 1
