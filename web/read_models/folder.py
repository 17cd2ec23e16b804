"""The files of the read models: written whole, checked when they are opened, few at a time."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_SUFFIX = ".model"
_MOST = 24
_CHUNK = 1 << 20
_LEFT_BEHIND = 3600  # seconds after the last word in it, a part is of a process that was killed


class NotWritten(Exception):
    """A file could not be written: the disk is full, or may not be written to.

    Its text is the word of the system, or of SQLite, for what is wrong; it names nothing.
    """


class ModelFolder:
    """A private folder of files, each named by its key and by the SHA-256 of its content.

    A file appears under its name when it is complete, so readers see all of it or none. Several
    processes may share the folder.

    Args:
        path: the folder; it is made where it is missing.
        most: how many files may stand in it; the one that was looked for longest ago goes first.
    """

    def __init__(self, path: Path, most: int = _MOST) -> None:
        self.path = path
        self._most = most

    def find(self, key: str) -> Path | None:
        """Returns the file under a key; damaged ones are thrown away."""
        for path in sorted(self.path.glob(f"{key}.*{_SUFFIX}")):
            if self._is_whole(path):
                return path
            discard(path)
        return None

    def keep(self, key: str, write: Callable[[Path], None]) -> Path:
        """Writes a file under a key, and returns where it is; what others wrote is replaced.

        Args:
            key: letters and digits.
            write: is given the path of an empty file; what it raises leaves nothing behind.

        Raises:
            NotWritten: it cannot be.
        """
        try:
            path_ = self._written(key, write)
        except OSError as error:
            raise NotWritten(error.strerror) from error
        except sqlite3.Error as error:
            raise NotWritten(error.sqlite_errorname) from error
        self._forget_oldest()
        self._forget_parts()
        return path_

    def _written(self, key: str, write: Callable[[Path], None]) -> Path:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=self.path)
        os.close(handle)
        part = Path(name)
        try:
            write(part)
            path_ = self.path / f"{key}.{_digest(part)}{_SUFFIX}"
            part.replace(path_)
        finally:
            discard(part)
        return path_

    def _is_whole(self, path: Path) -> bool:
        try:
            whole = _digest(path) == path.name.split(".")[1]
        except OSError:  # another process threw it away, or the disk fails
            return False
        with suppress(OSError):  # the disk may only be read by now
            os.utime(path)
        return whole

    def _forget_oldest(self) -> None:
        ages = []
        for path in self.path.glob(f"*{_SUFFIX}"):
            with suppress(FileNotFoundError):
                ages.append((path.stat().st_mtime_ns, path))
        for _, path in sorted(ages)[: -self._most]:
            discard(path)

    def _forget_parts(self) -> None:
        for path in self.path.glob(".*.part"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _LEFT_BEHIND:
                    discard(path)


def models_of(cache: Path, url: str) -> Path:
    """Returns where the models of a ledger are, by its URL: a folder for each count of the erased.

    So none is found that was made before a person was erased.
    """
    return cache / "models" / hashlib.sha256(url.encode()).hexdigest()[:16]


def discard(path: Path) -> None:
    """Throws a file away, if it is still there and can be; who reads it may go on."""
    with suppress(OSError):
        path.unlink()


def _digest(path: Path) -> str:
    """Returns the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
