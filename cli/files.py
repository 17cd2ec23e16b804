"""Files that are given by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ledger.disk import is_disk_full, system_said, whole_file
from ledger.errors import DatabaseError, DocumentRefused, InputRefused, LedgerError


@contextmanager
def reading(file: str) -> Iterator[IO[bytes]]:
    """Opens a file; ``-`` is standard input. Raises ``InputRefused``, and names it in refusals."""
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        data = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise not_read(file, error) from error
    try:
        with data:
            yield data
    except DocumentRefused as error:
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


def not_written(file: Path, error: OSError, key: str = "cli.not_written") -> LedgerError:
    """Returns what it means that a file cannot be written: nobody named a full disk wrongly.

    Two commands have always answered with a ``key`` of their own.
    """
    kind = DatabaseError if is_disk_full(error) else InputRefused
    return kind(key, file=file, why=system_said(error))
