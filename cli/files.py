"""Files that are given by name."""

from __future__ import annotations

import sys
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
