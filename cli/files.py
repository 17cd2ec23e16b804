"""Files that are given by name."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ledger.errors import InputRefused


@contextmanager
def reading(file: str) -> Iterator[IO[bytes]]:
    """Opens a file; ``-`` is standard input. Raises ``InputRefused``."""
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        data = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputRefused("cli.no_file", file=file, why=error.strerror) from error
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
        with tempfile.NamedTemporaryFile(
            dir=output.parent, prefix=f".{output.name}.", delete=False
        ) as out:
            try:
                yield out
                out.flush()
                _readable(out)
                Path(out.name).replace(output)
            except BaseException:
                Path(out.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        why = error.strerror or error
        raise InputRefused("cli.not_written", file=output, why=why) from error


def _readable(file: IO[bytes]) -> None:
    """Gives a private file the permissions of one that is simply written."""
    if os.name != "nt":
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(file.fileno(), 0o666 & ~mask)
