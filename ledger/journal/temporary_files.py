"""Private files in the temporary folder: their failures are told as what the user can act on."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import IO

from ledger.errors import DatabaseError


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """Surrounds what makes or writes a private file; it must be flushed within.

    Raises:
        DatabaseError: the temporary folder is full, or no file can be made in it.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise DatabaseError("database.no_scratch", folder=_folder(), why=why) from error


def discard(file: IO[bytes]) -> None:
    """Closes a private file; what of it could not be written is not told again."""
    with contextlib.suppress(OSError):
        file.close()


def _folder() -> str:
    """Returns the temporary folder's name, or a dash where no folder can be used at all."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return "-"
