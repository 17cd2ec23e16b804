"""The folder of an archive: it appears whole, and goes from one state to the next at once.

New files are written beside (in a new folder, or in ``.partial`` within an archive), then put into
their place, then the manifest that names them takes the place of the one before. Whoever is killed
on the way leaves an archive that opens, and files that it does not name: the next to write removes
them. In a new folder's own place nobody but its owner can look.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ledger.archive.files import ArchiveTable
from ledger.archive.manifest import NAME, Manifest, read_manifest
from ledger.disk import disk_errors_told, on_disk
from ledger.errors import DatabaseError, InputRefused

_PARTIAL = ".partial"
_LOCK = ".lock"
_OURS = re.compile(rf"({'|'.join(ArchiveTable)})(/[0-9]+)?\.parquet")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Gives a folder that takes the place of the one named at the end; or nothing is left of it.

    Raises:
        InputRefused: there is something already.
        DatabaseError: it cannot be written.
    """
    target = folder.expanduser().absolute()
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise InputRefused("archive.not_empty", archive=folder)
    with disk_errors_told(folder):
        _sweep(target)
        beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_PARTIAL}")
        beside.mkdir(mode=0o700)
        lock = FileLock(beside / _LOCK, timeout=0)
        lock.acquire()
        place = beside / target.name
        try:
            place.mkdir()
            yield place
            on_disk(place / NAME)
            for made in (*(each for each in place.rglob("*") if each.is_dir()), place):
                on_disk(made)
            if target.exists():
                target.rmdir()
            place.rename(target)
            on_disk(target.parent)
        finally:
            lock.release()
            shutil.rmtree(beside, ignore_errors=True)


def _sweep(target: Path) -> None:
    """Removes what those have left who were killed while they made the folder."""
    named = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}{re.escape(_PARTIAL)}")
    for left in target.parent.glob(f".{glob.escape(target.name)}.*{_PARTIAL}"):
        if not named.fullmatch(left.name) or left.is_symlink() or not left.is_dir():
            continue
        lock = FileLock(left / _LOCK, timeout=0)
        with suppress(Timeout, OSError), lock:
            shutil.rmtree(left)


class OpenFolder:
    """An archive that is written on, by nobody else.

    Attributes:
        place: where its new files are written, by the names that they will have.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = folder / _PARTIAL

    def take(self, manifest: Manifest) -> None:
        """Puts the new files into their places, then the manifest, and removes what it leaves."""
        new = [path for path in self.place.rglob("*.parquet") if path.is_file()]
        for path in new:
            target = self._folder / path.relative_to(self.place)
            if target.parent.is_symlink():
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            target.parent.mkdir(exist_ok=True)
            path.replace(target)
        for table in ArchiveTable:
            if (self._folder / table).is_dir():
                on_disk(self._folder / table)
        on_disk(self.place / NAME)
        (self.place / NAME).replace(self._folder / NAME)
        on_disk(self._folder)
        self.clear(manifest)

    def clear(self, manifest: Manifest) -> None:
        """Removes what nobody finished, and files that the manifest does not name any more.

        Only those whose names this software gives; others stay where somebody has put them.
        """
        shutil.rmtree(self.place, ignore_errors=True)
        named = {part.file for _, part in manifest.parts}
        for path in (*self._folder.glob("*.parquet"), *self._folder.glob("*/*.parquet")):
            name = path.relative_to(self._folder).as_posix()
            ours = _OURS.fullmatch(name) and not path.parent.is_symlink()
            if ours and name not in named:
                path.unlink()


@contextmanager
def open_folder(folder: Path) -> Iterator[OpenFolder]:
    """Gives an archive to be written on.

    Raises:
        DatabaseError: it cannot be written, or somebody else is writing it.
        VerificationFailed: its manifest was changed, or a file is missing.
    """
    lock = FileLock(folder / _LOCK, timeout=0)
    with disk_errors_told(folder):
        try:
            lock.acquire()
        except Timeout as error:
            raise DatabaseError("archive.busy", archive=folder) from error
        try:
            opened = OpenFolder(folder)
            opened.clear(read_manifest(folder))
            opened.place.mkdir(mode=0o700)
            try:
                yield opened
            finally:
                shutil.rmtree(opened.place, ignore_errors=True)
        finally:
            lock.release()
