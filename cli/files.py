"""Files that are given by name."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ledger.disk import whole_file
from ledger.errors import DatabaseError, InputRefused, LedgerError


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
    with data:
        yield data


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
    return InputRefused("cli.no_file", file=file, why=getattr(error, "strerror", None) or error)


def not_written(file: Path, error: OSError) -> LedgerError:
    """Returns what it means that a file cannot be written: nobody named a full disk wrongly."""
    is_full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    kind = DatabaseError if is_full else InputRefused
    return kind("cli.not_written", file=file, why=error.strerror or error)
