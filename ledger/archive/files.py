"""The files of an archive: the tables that they hold, and how they are opened.

A table has a column for each field of the journal's value that a row is. Only plain files within
the archive's folder are opened.
"""

from __future__ import annotations

import os
import stat
from dataclasses import Field, fields
from enum import StrEnum
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.journal.records import (
    Commit,
    CommitSignature,
    PersonalDocument,
    SealedSegment,
    StoredEvent,
)

if TYPE_CHECKING:
    import pyarrow as pa

EVENTS_IN_PART = 250_000
"""At most so many events are in a file."""

MOST_GROUPS = 10_000
"""At most so many groups of rows are read from a file: 250 million commits, 10,000 segments."""


class ArchiveTable(StrEnum):
    """What the parts hold."""

    COMMITS = "commits"
    EVENTS = "events"
    PERSONAL = "personal"
    SEGMENTS = "segments"
    SIGNATURES = "signatures"

    @property
    def made(self) -> type[Any]:
        """The value that a row is."""
        return _VALUES[self]

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order of the value's fields."""
        return [field.name for field in fields(self.made)]

    @property
    def group_rows(self) -> int:
        """At most so many rows are written, and read, at once.

        Parquet's writers would cut a table by their own counting, at about a million rows.
        """
        return 1 if self is ArchiveTable.SEGMENTS else 25_000

    def schema(self) -> pa.Schema:
        """The columns as Arrow and Parquet have them; only what may be absent is nullable."""
        import pyarrow as pa

        return pa.schema([_column(field) for field in fields(self.made)])


_VALUES: dict[ArchiveTable, type[Any]] = {
    ArchiveTable.COMMITS: Commit,
    ArchiveTable.EVENTS: StoredEvent,
    ArchiveTable.PERSONAL: PersonalDocument,
    ArchiveTable.SEGMENTS: SealedSegment,
    ArchiveTable.SIGNATURES: CommitSignature,
}
# What a field is declared as, to the name of the column's type and whether it may be absent.
_TYPES = {
    "int": ("int64", False),
    "Seq": ("int64", False),
    "str": ("string", False),
    "str | None": ("string", True),
    "bytes": ("large_binary", False),
}
# Worth a dictionary, and worth a note of the least and the greatest; all others differ in each row.
REPEATED = ("commit_id", "type", "version", "effective_on", "stream", "actor", "reason")
ORDERED = ("seq", "commit_id", "effective_on", "first_seq", "last_seq")


def _column(field: Field[Any]) -> pa.Field:
    import pyarrow as pa

    name, nullable = _TYPES[str(field.type)]
    return pa.field(field.name, getattr(pa, name)(), nullable=nullable)


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


def open_plain(folder: Path, file: str) -> BufferedReader:
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
