"""Opens the files of an archive: plain files only, and only those within its folder."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

# What is no file is opened without waiting for somebody at its other end; Windows has no such.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class NoPlainFile(OSError):
    """A link, a folder, a pipe, a device: nothing that an archive is made of."""


def size_of(folder: Path, file: str) -> int:
    """Returns how many bytes a file within a folder has, without opening it.

    Raises:
        NoPlainFile: it, or a folder on the way to it, is no plain one.
        OSError: it is not there.
    """
    *between, _ = Path(file).parts
    at = folder
    for name in between:
        at /= name
        if not stat.S_ISDIR(at.lstat().st_mode):
            raise NoPlainFile(f"{at} is no folder")
    status = (folder / file).lstat()
    if not stat.S_ISREG(status.st_mode):
        raise NoPlainFile(f"{folder / file} is no plain file")
    return status.st_size


def opened(folder: Path, file: str) -> BufferedReader:
    """Opens a file within a folder for reading, and never waits for one that is none.

    Raises:
        NoPlainFile: it, or a folder on the way to it, is no plain one.
        OSError: it is not there, or cannot be read.
    """
    size_of(folder, file)
    made = os.fdopen(os.open(folder / file, _FLAGS), "rb")
    if not stat.S_ISREG(os.fstat(made.fileno()).st_mode):  # it was put there just now
        made.close()
        raise NoPlainFile(f"{folder / file} is no plain file")
    return made
