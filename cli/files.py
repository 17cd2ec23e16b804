"""Files that are given by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from ledger.disk import is_disk_full, system_said, whole_file
from ledger.errors import DatabaseError, InputRefused, LedgerError
from ledger.wording import places_of

_OF_CONTENT: Final = ("csv.", "text.", "workbook.")
"""What sentences begin with that say what is wrong with a document as a whole."""


@contextmanager
def reading(file: str) -> Iterator[IO[bytes]]:
    """Opens a file; ``-`` is standard input. Raises ``InputRefused``."""
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        data = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise not_read(file, error) from error
    with data, _named(file):
        yield data


@contextmanager
def _named(file: str) -> Iterator[None]:
    """Names the file in the refusal of what it holds, where that is about no place in it."""
    try:
        yield
    except InputRefused as error:
        key = error.message.key
        if key.startswith(_OF_CONTENT) and not error.details and "file" not in places_of(key):
            error.file = file
        raise


@contextmanager
def writing(output: Path | None) -> Iterator[IO[bytes]]:
    """Gives a file, which is there under its name when all of it is written, or not at all."""
    if output is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    try:
        with whole_file(output) as out:
            yield out
    except OSError as error:
        raise not_written(output, error) from error


def not_read(file: Path | str, error: OSError | UnicodeDecodeError) -> InputRefused:
    """Returns what it means that a file cannot be read, or is no text."""
    return InputRefused("cli.no_file", file=file, why=system_said(error))


def not_written(file: Path, error: OSError) -> LedgerError:
    """Returns what it means that a file cannot be written: nobody named a full disk wrongly."""
    kind = DatabaseError if is_disk_full(error) else InputRefused
    return kind("cli.not_written", file=file, why=system_said(error))
