"""The tree in a folder: read back by the specification's words, grown, interrupted, damaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from filelock import FileLock

from ledger.derived.store import DerivedStore
from ledger.derived.tree_hashes import TreeHashes
from ledger.errors import DatabaseError, LedgerError, NotFound, VerificationFailed
from ledger.journal.checkpoint import Checkpoint, Signer, parse
from ledger.journal.merkle import leaf_hash, root_of
from ledger.journal.stores.memory import MemoryJournal
from ledger.proofs.tiles import Tile
from ledger.service.ledger import Ledger
from ledger.trust import tiles
from ledger.trust.proofs import signed_now
from ledger.trust.tiles import ExportedTiles, export_tiles, tile_bytes
from tests.journal.drafts import append, draft, game
from tests.ledgers import empty_ledger

SIGNER = Signer("chess.example/ratings", bytes(32))


def grown(journal: MemoryJournal, events: int) -> Ledger:
    """A ledger with so many events more, of which nothing is kept in the user's folder."""
    last = journal.head().seq
    append(journal, draft(*(game(number) for number in range(last + 1, last + events + 1))))
    ledger = empty_ledger(journal)
    ledger.tree = TreeHashes(journal, DerivedStore())
    return ledger


def export(ledger: Ledger, folder: Path) -> ExportedTiles:
    return export_tiles(ledger, folder, signed_now(ledger, SIGNER, None))


def path_of(level: str, index: int, count: int) -> str:
    """Where a tile stands, of a level with so many hashes, as the specification says it."""
    digits = f"{index:03d}"
    width = min(256, count - index * 256)
    return f"tile/{level}/{digits}" + (f".p/{width}" if width < 256 else "")


def read(folder: Path) -> Checkpoint:
    """Reads a folder as somebody does who has only the specification; returns its checkpoint."""
    page = parse((folder / "checkpoint").read_text())
    entries = list[bytes]()
    for index in range(-(-page.size // 256)):
        data = (folder / path_of("entries", index, page.size)).read_bytes()
        while data:
            length = int.from_bytes(data[:2], "big")
            entries.append(data[2 : 2 + length])
            data = data[2 + length :]
    hashes = [leaf_hash(entry) for entry in entries]
    assert len(hashes) == page.size
    assert root_of(hashes) == page.root
    level = 0
    while hashes:
        stored = b"".join(
            (folder / path_of(str(level), index, len(hashes))).read_bytes()
            for index in range(-(-len(hashes) // 256))
        )
        assert stored == b"".join(hashes)
        whole = range(len(hashes) // 256)
        hashes = [root_of(hashes[at * 256 : at * 256 + 256]) for at in whole]
        level += 1
    return page


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """What the files hold, and which they are."""
    return {
        str(path.relative_to(folder)): (sha256(path.read_bytes()).digest(), path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.parametrize("events", [1, 255, 256, 257, 600])
def test_the_folder_is_the_tree_of_its_checkpoint(events: int, tmp_path: Path) -> None:
    made = export(grown(MemoryJournal(), events), tmp_path)
    assert read(tmp_path).size == made.size == events
    assert made.left_out == ()


def test_only_what_is_new_is_written(tmp_path: Path) -> None:
    journal = MemoryJournal()
    export(grown(journal, 300), tmp_path)
    before = state(tmp_path)
    assert export(grown(journal, 100), tmp_path).written == 3  # leaves, their bundle, the page
    after = state(tmp_path)
    read(tmp_path)
    kept = {name for name in before if name != "checkpoint"}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    again = export(grown(journal, 1), tmp_path)
    assert again.size == 401


@pytest.mark.parametrize(
    "name",
    [
        "tile/0/000",
        "tile/entries/000",
        "tile/0/001.p/44",
        "tile/entries/001.p/44",
        "tile/1/000.p/1",
    ],
)
def test_a_file_that_is_gone_or_cut_is_made_again(name: str, tmp_path: Path) -> None:
    ledger = grown(MemoryJournal(), 300)
    export(ledger, tmp_path)
    file = tmp_path / name
    whole = file.read_bytes()
    file.unlink()
    assert export(ledger, tmp_path).written == 1
    assert file.read_bytes() == whole
    file.write_bytes(b"")
    assert export(ledger, tmp_path).written == 1
    assert file.read_bytes() == whole
    assert export(ledger, tmp_path).written == 0
    read(tmp_path)


def test_what_is_changed_is_made_again_without_the_checkpoint(tmp_path: Path) -> None:
    ledger = grown(MemoryJournal(), 300)
    export(ledger, tmp_path)
    file = tmp_path / "tile/0/000"
    file.write_bytes(bytes(8_192))
    assert export(ledger, tmp_path).written == 0
    (tmp_path / "checkpoint").unlink()
    assert export(ledger, tmp_path).written == 2
    read(tmp_path)


def test_a_partial_tile_stays_until_the_whole_one_is_there(tmp_path: Path) -> None:
    journal = MemoryJournal()
    export(grown(journal, 10), tmp_path)
    export(grown(journal, 10), tmp_path)
    assert {path.name for path in (tmp_path / "tile/0/000.p").iterdir()} == {"10", "20"}
    export(grown(journal, 240), tmp_path)
    read(tmp_path)
    assert not (tmp_path / "tile/0/000.p").exists()
    assert not (tmp_path / "tile/entries/000.p").exists()


def test_an_export_that_was_interrupted_anywhere_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = MemoryJournal()
    export(grown(journal, 200), tmp_path)
    ledger = grown(journal, 400)
    put: Callable[[Path, bytes], bool] = tiles._put
    for writes in range(7):
        left = iter(range(writes))

        def failing(path: Path, data: bytes) -> bool:
            if next(left, None) is None:  # noqa: B023 - used within this turn
                raise OSError(28, "No space left on device")
            return put(path, data)

        monkeypatch.setattr(tiles, "_put", failing)
        with pytest.raises(DatabaseError):
            export(ledger, tmp_path)
        assert read(tmp_path).size == 200
    monkeypatch.undo()
    export(ledger, tmp_path)
    assert read(tmp_path).size == 600


def test_a_file_that_cannot_be_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DatabaseError):
        export(grown(MemoryJournal(), 5), tmp_path)
    assert state(tmp_path) == {}


def refusal(ledger: Ledger, folder: Path, page: Checkpoint) -> str:
    before = state(folder)
    with pytest.raises(LedgerError) as refused:
        export_tiles(ledger, folder, page)
    assert state(folder) == before
    return refused.value.message.key


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    ledger = grown(MemoryJournal(), 20)
    export(ledger, tmp_path)
    other = grown(MemoryJournal(), 30)
    page = signed_now(other, SIGNER, None)
    strange = MemoryJournal()
    append(strange, draft(*(game(number) for number in range(101, 131))))
    forked = empty_ledger(strange)
    forked.tree = TreeHashes(strange, DerivedStore())
    assert refusal(forked, tmp_path, signed_now(forked, SIGNER, None)) == "verify.rewritten"
    assert refusal(ledger, tmp_path, signed_now(ledger, SIGNER, None, 19)) == "proof.shrunk"
    named = signed_now(ledger, Signer("other", bytes(32)), None)
    assert refusal(ledger, tmp_path, named) == "proof.other_log"
    assert refusal(ledger, tmp_path, page) == "verify.cut"
    (tmp_path / "checkpoint").write_text("something else\n")
    assert refusal(ledger, tmp_path, signed_now(ledger, SIGNER, None)) == "proof.checkpoint"


def test_two_do_not_write_at_once(tmp_path: Path) -> None:
    with FileLock(tmp_path / ".lock"), pytest.raises(DatabaseError) as refused:
        export(grown(MemoryJournal(), 5), tmp_path)
    assert refused.value.message.key == "export.tiles_busy"


def test_a_bundle_of_an_event_that_is_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.proofs.tiles.LONGEST_ENTRY", 100)
    made = export(grown(MemoryJournal(), 300), tmp_path)
    assert made.left_out == ("tile/entries/000", "tile/entries/001.p/44")
    assert not (tmp_path / "tile/entries").exists()
    assert len((tmp_path / "tile/0/001.p/44").read_bytes()) == 44 * 32


def test_a_tile_is_only_there_when_the_tree_is_so_large() -> None:
    ledger = grown(MemoryJournal(), 300)
    assert tile_bytes(ledger, Tile(0, 1, 44)) is not None
    for tile in (Tile(0, 1, 45), Tile(1, 0, 2), Tile(2, 0, 1), Tile(None, 2), Tile(7, 10**12)):
        with pytest.raises(NotFound):
            tile_bytes(ledger, tile)


def test_damaged_leaves_are_never_given_away(tmp_path: Path) -> None:
    journal = MemoryJournal()
    ledger = grown(journal, 600)
    page = signed_now(ledger, SIGNER, None)
    journal._events[10] = replace(journal._events[10], leaf_hash="00" * 32)
    ledger.tree = TreeHashes(journal, DerivedStore())
    with pytest.raises(VerificationFailed):
        export_tiles(ledger, tmp_path, page)
    with pytest.raises(VerificationFailed):
        tile_bytes(ledger, Tile(0, 0))
    with pytest.raises(VerificationFailed):
        tile_bytes(ledger, Tile(1, 0, 1))
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.parametrize(("events", "index", "at"), [(101, 0, 50), (300, 1, 280), (300, 0, 5)])
def test_leaves_at_the_end_of_the_tree_are_held_too(events: int, index: int, at: int) -> None:
    journal = MemoryJournal()
    ledger = grown(journal, events)
    right = journal._events[at]
    asked = [Tile(0, index, width) for width in (1, min(256, events - index * 256))]
    good = [tile_bytes(ledger, tile) for tile in asked]
    journal._events[at] = replace(right, leaf_hash="00" * 32)
    ledger.tree = TreeHashes(journal, DerivedStore())
    for tile in asked:
        with pytest.raises(VerificationFailed):
            tile_bytes(ledger, tile)
    journal._events[at] = right  # mended: nothing of it was kept
    assert [tile_bytes(ledger, tile) for tile in asked] == good


def test_an_unsigned_page_is_not_given_away(tmp_path: Path) -> None:
    ledger = grown(MemoryJournal(), 3)
    page = replace(signed_now(ledger, SIGNER, None), signatures=())
    assert refusal(ledger, tmp_path, page) == "export.tiles_unsigned"
