"""Files that are there whole or not at all, and on the disk when they are said to be.

And what the operating system says of a file, in our sentences: it speaks its own language.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from ledger.errors import DatabaseError
from ledger.wording import Message

UNFINISHED: Final = ".*.partial"
"""The names (a pattern) of what somebody left who was killed while a file was written."""
_SENTENCES: Final[Mapping[int, str]] = {
    errno.EACCES: "disk.not_permitted",
    errno.ECONNREFUSED: "disk.nobody_answers",
    errno.EDQUOT: "disk.full",
    errno.EEXIST: "disk.exists",
    errno.EISDIR: "disk.folder",
    errno.ENAMETOOLONG: "disk.long_name",
    errno.ENOENT: "disk.missing",
    errno.ENOSPC: "disk.full",
    errno.ENOTDIR: "disk.no_folder",
    errno.EPERM: "disk.not_permitted",
    errno.EROFS: "disk.read_only",
}


def system_said(error: OSError | UnicodeDecodeError) -> Message | str:
    """Returns why the system refused a file, or why a file is no text; what is rare, as it said it.

    >>> str(system_said(FileNotFoundError(errno.ENOENT, "No such file")))
    'there is no such file or folder'
    >>> system_said(OSError(errno.EIO, "Input/output error"))
    'Input/output error'
    """
    if isinstance(error, UnicodeDecodeError):
        return Message.of("disk.no_text")
    key = _SENTENCES.get(error.errno or 0)
    return Message.of(key) if key else error.strerror or os.fsdecode(str(error))


def is_disk_full(error: OSError) -> bool:
    """Whether a file could not be written since there is no space for it."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Gives a file that takes the place of the one named when all of it is written.

    Until then, and if writing fails, the one that was there before stays. After a loss of power
    either the old or the new one is there whole; which, is certain when its folder is ``on_disk``.

    Args:
        path: its name; the folder is there.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = path.with_name(f".{os.urandom(8).hex()}.partial")
    try:
        unfinished.touch(exist_ok=False)
        with unfinished.open("wb") as file:
            yield file
            file.flush()
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
        key = "archive.full" if is_disk_full(error) else "archive.cannot_write"
        raise DatabaseError(key, archive=folder, why=system_said(error)) from error
