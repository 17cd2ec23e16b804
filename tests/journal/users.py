"""Other users of the machine, for tests of permissions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

NOBODY = 65534


@contextmanager
def without_privileges() -> Iterator[None]:
    """Takes the superuser's rights away, for whom no file is read-only."""
    if os.geteuid():
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Sets what is taken from the mode of every file that is made."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)
