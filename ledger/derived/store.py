"""The store of what is made of a journal to answer fast: whatever is in it can be thrown away.

What holds of every entry, whatever its kind (``EntryKind``):

1. **Nothing of its own.** An entry says what the events say, in another form. Deleted at any
   moment, before it is looked for or while it is in use, it is made again, and no answer changes.
2. **A key says what it follows from** (``EntryKey``): kind and format, what settles its basis (the
   root of the tree there), and all that was asked. So an entry is there or not, and never outdated.
3. **A name in a private folder is the mark of trust.** The folder is one user's own: where somebody
   else owns it or can write to it, nothing in it is believed and nothing is kept. A file there is
   named by its key and the digest of its content, so a torn one is none. What lies in a database,
   where others write, has a *voucher* there instead: a file named by a key in which the digest of
   the content is. Whoever made an entry elsewhere made it for others: here it is made again.
   And what can be held against a recorded root is, whatever its mark: hashes of the tree, rows.
4. **No name outlives its person.** Entries that hold names are in a folder for each number of
   erased documents. None is found that was made before the last erasure; all of them are thrown
   away with the first question after it, and by who makes one as of before.
5. **Few are kept.** Of more than a folder may have, those that were used least recently go; so do
   parts of files that nobody goes on writing.
6. **Nobody waits for the store.** Who needs an entry makes it; one that cannot be kept is no
   failure. Who may not write makes it for the one question, or in a temporary folder
   (``private_folders``). What many would wait for is made by processes beside (``builder``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Final, TypeVar

from ledger.derived.private_folders import PRIVATE, state_of_user, trouble_with
from ledger.errors import DatabaseError

MOST_VOUCHERS: Final = 5_000
MOST_FILES: Final = 24
_COUNTED_AT: Final = "00"
"""How every 256th digest begins: whoever keeps its voucher looks how many there are."""
_LONGEST: Final = 1 << 20  # bytes of a note
_LEFT_BEHIND: Final = 3600 * 10**9
"""Nanoseconds after the last word in it, a part of a file is of a process that was killed."""
_SUFFIX: Final = ".entry"

Row = TypeVar("Row")


class EntryPlace(Enum):
    """Where the content of an entry lies."""

    DATABASE = auto()
    """Beside the events, for all users; in the store is its voucher."""
    FILE = auto()
    FILE_WITH_NAMES = auto()


class EntryKind(Enum):
    """All kinds of entries: the word for it, its format, its place.

    Entries of another format are not looked for. What lies in a database says its own: the format
    here is that of the voucher.
    """

    SEGMENT = "segment", 1, EntryPlace.DATABASE
    SNAPSHOT = "snapshot", 1, EntryPlace.DATABASE
    TREE = "tree", 1, EntryPlace.FILE
    LIST = "list", 8, EntryPlace.FILE_WITH_NAMES
    STATEMENTS = "statements", 6, EntryPlace.FILE_WITH_NAMES
    ROWS = "rows", 6, EntryPlace.FILE_WITH_NAMES
    PEOPLE = "people", 6, EntryPlace.FILE_WITH_NAMES
    CAREERS = "careers", 8, EntryPlace.FILE_WITH_NAMES

    def __init__(self, word: str, format_: int, place: EntryPlace) -> None:
        self.word = word
        self.format = format_
        self.place = place


@dataclass(frozen=True, slots=True)
class EntryKey:
    """What an entry follows from: the same key, the same content.

    Attributes:
        kind: what it is.
        basis: the root of the tree there, or what settles as much, as the digest of an edition.
        parameters: what was asked; of what lies in a database also the digest of its content.
        is_settled: whether it stays, whatever is recorded later that does not concern it.
    """

    kind: EntryKind
    basis: str
    parameters: tuple[str | int | None, ...] = ()
    is_settled: bool = field(default=True, compare=False)

    @property
    def digest(self) -> str:
        """The SHA-256 of it, in hexadecimal."""
        text = json.dumps([self.kind.word, self.kind.format, self.basis, *self.parameters])
        return hashlib.sha256(text.encode()).hexdigest()


class NotWritten(Exception):
    """An entry could not be written: the disk is full, or may not be written to.

    Its text is the word of the system, or of SQLite, for what is wrong; it names nothing.
    """


class DerivedStore:
    """Entries of one user; several processes may share them.

    Args:
        root: the folder of their folders, which are made with the first entry. None: vouchers are
            those of this process, and no file is kept.
        erased: how many documents about people are gone.
    """

    def __init__(self, root: Path | None = None, erased: int = 0) -> None:
        self.root = root
        self.erased = erased
        self._notes: dict[str, str] = {}

    def folder(self, place: EntryPlace) -> Path | None:
        """Returns where the entries of a place are; None: nowhere."""
        if self.root is None:
            return None
        names = {EntryPlace.DATABASE: "vouchers", EntryPlace.FILE: "trees"}
        return self.root / names.get(place, str(self.erased))

    @property
    def trouble(self) -> str | None:
        """Why files with names are not believed where they are kept; None, if they are."""
        folder = self.folder(EntryPlace.FILE_WITH_NAMES)
        with suppress(OSError):  # it is made with the first entry
            return None if folder is None else trouble_with(folder)
        return None

    # Vouchers

    def note(self, key: EntryKey) -> str | None:
        """Returns the note of a voucher; None, if there is no voucher."""
        folder = self.folder(key.kind.place)
        if folder is None:
            return self._notes.get(key.digest)
        path = folder / key.digest
        try:
            if trouble_with(folder) is not None:
                return None
            with path.open("rb") as file:
                note = file.read(_LONGEST).decode()
        except (OSError, ValueError):
            return None
        _used(path)
        return note

    def vouch(self, key: EntryKey, note: str = "") -> None:
        """Keeps a voucher, if that can be done."""
        folder = self.folder(key.kind.place)
        if folder is None:
            self._notes[key.digest] = note
            return
        with suppress(OSError, NotWritten), _part_in(folder) as part:
            if key.digest.startswith(_COUNTED_AT):
                _prune(folder, MOST_VOUCHERS)
            part.write_bytes(note.encode())
            part.replace(folder / key.digest)

    # Files

    def find(self, key: EntryKey) -> Path | None:
        """Returns the file of an entry; damaged ones are thrown away."""
        for path in self._files(key):
            if _is_whole(path):
                return path
            discard(path)
        return None

    def first(self, keys: Iterable[EntryKey]) -> tuple[EntryKey, Path] | None:
        """Returns the first of some entries of one place that is kept, and its file.

        They may be many: the folder is looked through once.
        """
        kept: set[str] | None = None
        for key in keys:
            if kept is None:
                kept = set(map(_digest_in, self._all_in(key.kind.place)))
            if key.digest in kept and (path := self.find(key)) is not None:
                return key, path
        return None

    def read(self, key: EntryKey) -> bytes | None:
        """Returns the content of an entry; None without one."""
        path = self.find(key)
        with suppress(OSError):  # another process threw it away
            return None if path is None else path.read_bytes()
        return None

    def keep(self, key: EntryKey, write: Callable[[Path], object]) -> Path:
        """Writes an entry and returns where it is; what others wrote is replaced.

        It appears under its name when it is complete, so readers see all of it or none.

        Args:
            key: that of the entry.
            write: is given the path of an empty file; what it raises leaves nothing behind.

        Raises:
            NotWritten: it cannot be.
        """
        folder = self.folder(key.kind.place)
        if folder is None:
            raise NotWritten("no folder")
        try:
            with _part_in(folder) as part:
                write(part)
                path = folder / f"{key.digest}.{_digest(part)}{_SUFFIX}"
                part.replace(path)
        except OSError as error:
            raise NotWritten(error.strerror) from error
        for other in self._files(key):
            if other != path:
                discard(other)
        _prune(folder, MOST_FILES)
        if any(int(later.name) > self.erased for later in self._folders_of_names()):
            shutil.rmtree(folder, ignore_errors=True)  # somebody was erased meanwhile
        return path

    def forget(self, key: EntryKey) -> None:
        """Throws an entry away."""
        for path in self._files(key):
            discard(path)

    def forget_names(self) -> None:
        """Throws away what holds names and was made when other documents were gone."""
        folder = self.folder(EntryPlace.FILE_WITH_NAMES)
        if folder is None:
            return
        with suppress(OSError):  # who goes on as of before sees by it that somebody was erased
            folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        for other in self._folders_of_names():
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)

    def _folders_of_names(self) -> list[Path]:
        found = [] if self.root is None else self.root.glob("*")
        return [each for each in found if each.name.isdecimal()]

    def _files(self, key: EntryKey) -> list[Path]:
        return [each for each in self._all_in(key.kind.place) if _digest_in(each) == key.digest]

    def _all_in(self, place: EntryPlace) -> list[Path]:
        folder = self.folder(place)
        with suppress(OSError):
            if folder is not None and trouble_with(folder) is None:
                return sorted(each for each in folder.iterdir() if each.suffix == _SUFFIX)
        return []


def store_of_user() -> DerivedStore:
    """Returns this user's store; one of this process alone where there is no folder."""
    return DerivedStore(state_of_user())


def readable(look: Callable[[], Iterable[Row]]) -> list[Row]:
    """Returns what lies in a database; nothing, where its table is not what it should be.

    ``verify`` names such a table.
    """
    try:
        return list(look())
    except DatabaseError:
        return []


def discard(path: Path) -> None:
    """Throws a file away, if it is still there and can be; who reads it may go on."""
    with suppress(OSError):
        path.unlink()


@contextmanager
def _part_in(folder: Path) -> Iterator[Path]:
    """Gives an empty file in a private folder, for what is renamed when it is complete."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    trouble = trouble_with(folder)
    if trouble is not None:
        raise NotWritten(trouble)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    os.close(handle)
    part = Path(name)
    try:
        yield part
    finally:
        discard(part)


def _is_whole(path: Path) -> bool:
    try:
        whole = _digest(path) == path.name.split(".")[1]
    except OSError:  # another process threw it away, or the disk fails
        return False
    _used(path)
    return whole


def _used(path: Path) -> None:
    with suppress(OSError):  # the disk may only be read by now
        os.utime(path)


def _digest_in(path: Path) -> str:
    """Returns the digest of the key that a file is named by."""
    return path.name.partition(".")[0]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _prune(folder: Path, most: int) -> None:
    """Throws away what was used least recently, where there is too much, and old parts."""
    ages: list[tuple[int, Path]] = []
    for path in folder.glob("*"):
        with suppress(OSError):  # somebody else has thrown it away
            age = path.stat().st_mtime_ns
            if path.name.startswith("."):
                if age < time.time_ns() - _LEFT_BEHIND:
                    discard(path)
            else:
                ages.append((age, path))
    for _, path in sorted(ages)[:-most]:
        discard(path)
