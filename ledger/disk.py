"""Files that are there whole or not at all, and on the disk when they are said to be."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from ledger.errors import DatabaseError

UNFINISHED: Final = ".*.partial"
"""The names (a pattern) of what somebody left who was killed while a file was written."""


@contextmanager
def whole_file(path: Path, *, mode: int = 0o666, synced: bool = True) -> Iterator[IO[bytes]]:
    """Gives a file that takes the place of the one named when all of it is written.

    Until then, and if writing fails, the one that was there before stays. After a loss of power
    either the old or the new one is there whole; which, is certain when its folder is ``on_disk``.

    Args:
        path: its name; the folder is there.
        mode: its permissions, before the user's mask.
        synced: whether its content is on the disk first. False is for what can be made anew: then a
            loss of power may leave a damaged file.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = path.with_name(f".{os.urandom(8).hex()}.partial")
    try:
        unfinished.touch(mode, exist_ok=False)
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def on_disk(path: Path) -> str:
    """Waits until a file or folder is on the disk; returns a file's SHA-256, "" for a folder."""
    if path.is_dir():
        if os.name != "nt":  # Windows does it by itself, and lets nobody ask for it
            folder = os.open(path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return ""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def disk_errors_told(folder: Path) -> Iterator[None]:
    """Turns what a disk says into what it means for the user.

    Raises:
        DatabaseError: the folder cannot be written, or there is no space.
    """
    try:
        yield
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        key = "archive.full" if full else "archive.cannot_write"
        why = error.strerror or os.strerror(error.errno or errno.EIO)
        raise DatabaseError(key, archive=folder, why=why) from error
