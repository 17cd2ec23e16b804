"""The ledger's tree as tiles, for whoever wants to follow it without this program.

In a folder the checkpoint is written last: until then whoever reads it sees the tree of the one
before, and an export that was interrupted is finished by the next.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ledger.disk import UNFINISHED, disk_errors_told, on_disk, whole_file
from ledger.errors import DatabaseError, InputRefused, NotFound
from ledger.journal.checkpoint import Checkpoint
from ledger.journal.envelope import envelope, header_digest
from ledger.journal.merkle import HASH_BYTES
from ledger.journal.records import StoredEvent
from ledger.json_form import JsonForm
from ledger.proofs.lines import signed_page
from ledger.proofs.tiles import WIDTH, Tile, bundle, tiles_since
from ledger.trust.proofs import require_own
from ledger.views.view import LedgerView

CHECKPOINT: Final = "checkpoint"
_LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class ExportedTiles(JsonForm):
    """What was written: the checkpoint's tree, how many files are new, and what has no bundle.

    ``left_out`` are the paths of bundles with an entry that is too long for any.
    """

    size: int
    root: str
    written: int
    left_out: tuple[str, ...]


def tile_bytes(
    view: LedgerView, tile: Tile, require: Callable[[StoredEvent], None] = lambda _: None
) -> bytes | None:
    """Returns the bytes of a tile; None for a bundle that cannot be (see ``bundle``).

    ``require`` raises what it likes for an event that must not stand in a bundle.

    Raises:
        NotFound: the tree is not so large.
        VerificationFailed: what is stored is not what was recorded.
    """
    last = view.journal.head().seq
    if tile.leaves > last:
        raise NotFound("database.no_such_seq", seq=tile.leaves, last=last)
    if tile.level is not None:
        return b"".join(view.tree.tile(tile.level, tile.index, tile.width))
    return _Entries(view, require).bundle(tile)


class _Entries:
    """The envelopes of events, each checked against its leaf."""

    def __init__(self, view: LedgerView, require: Callable[[StoredEvent], None]) -> None:
        self._view = view
        self._require = require
        self._check = view.event_check()
        self._digests: dict[int, str] = {}

    def bundle(self, tile: Tile) -> bytes | None:
        first = tile.index * WIDTH
        return bundle(self._envelopes(first, first + tile.width))

    def _envelopes(self, after: int, upto: int) -> Iterator[bytes]:
        for event in self._check.checked(self._view.journal.events(after=after, upto=upto)):
            self._require(event)
            if event.commit_id not in self._digests:
                commit = self._check.commit(event.commit_id, event.seq)
                self._digests[event.commit_id] = header_digest(commit)
            yield envelope(event, self._digests[event.commit_id])


def export_tiles(view: LedgerView, folder: Path, page: Checkpoint) -> ExportedTiles:
    """Writes the tiles of a signed checkpoint into a folder, and the checkpoint after them.

    What a checkpoint in the folder has already is not written again, unless a file is missing or
    has another length than it must have: to find other damage would take as long as all. Partial
    tiles stay until the whole one is there: whoever read an earlier checkpoint asks for them.

    Raises:
        VerificationFailed: the checkpoint, or the one in the folder, is of another history.
        InputRefused: the checkpoint is not signed, or the folder has a later one, or one of another
            ledger.
        DatabaseError: the folder cannot be written, or somebody else writes to it.
    """
    if not page.signatures:
        raise InputRefused("export.tiles_unsigned")
    require_own(view, page)
    folder = folder.expanduser().absolute()
    with _open(folder):
        before = _size_before(view, folder, page)
        entries, left_out, written = _Entries(view, lambda _: None), list[str](), 0
        missing = list(_to_make(folder, before, page.size))
        for done, tile in enumerate(missing, 1):
            is_bundle = tile.level is None
            data = entries.bundle(tile) if is_bundle else tile_bytes(view, tile)
            if data is None:
                left_out.append(tile.path)
            else:
                written += _put(folder / tile.path, data)
            view.progress("tiles", done, len(missing))
        above = {place for tile in missing for place in (folder / tile.path).parents}
        for place in above.difference(folder.parents):
            if place.is_dir():
                for left in place.glob(UNFINISHED):
                    left.unlink()
                on_disk(place)
        written += _put(folder / CHECKPOINT, page.note().encode())
        on_disk(folder)
        for tile in missing:
            if tile.is_whole:
                shutil.rmtree(folder / f"{tile.whole_path}.p", ignore_errors=True)
    return ExportedTiles(page.size, page.root.hex(), written, tuple(left_out))


@contextmanager
def _open(folder: Path) -> Iterator[None]:
    """Makes the folder where it is missing, and lets nobody else write to it meanwhile."""
    with disk_errors_told(folder):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / _LOCK, timeout=0):
                yield
        except Timeout as error:
            raise DatabaseError("export.tiles_busy", folder=folder) from error


def _size_before(view: LedgerView, folder: Path, page: Checkpoint) -> int:
    """Returns the size of the tree that the folder has; 0, where it has none."""
    file = folder / CHECKPOINT
    if not file.exists():
        return 0
    found = signed_page(file.read_text(encoding="utf-8", errors="replace"))
    if found.origin != page.origin:
        raise InputRefused("proof.other_log", origin=found.origin, other=page.origin)
    if found.size > page.size:
        raise InputRefused("proof.shrunk", size=found.size, later=page.size)
    require_own(view, found)
    return found.size


def _to_make(folder: Path, before: int, size: int) -> Iterator[Tile]:
    """Yields the tiles that a folder lacks; of those it should have, by a look at each file."""
    new = {*tiles_since(before, size)}
    return (each for each in tiles_since(0, size) if each in new or not _is_there(folder, each))


def _is_there(folder: Path, tile: Tile) -> bool:
    """Whether the file of a tile is there, as long as it must be; a bundle is of any length."""
    try:
        length = (folder / tile.path).stat().st_size
    except FileNotFoundError:
        return False
    return length > 0 if tile.level is None else length == tile.width * HASH_BYTES


def _put(path: Path, data: bytes) -> bool:
    """Puts a file into its place, whole; returns whether another one, or none, was there."""
    if path.is_file() and sha256(path.read_bytes()).digest() == sha256(data).digest():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as out:
        out.write(data)
    return True
