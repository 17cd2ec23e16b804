"""Folders in which what can be made again is kept for one user alone.

One that somebody else owns or can write to is not used. Vouchers and hashes of the tree are in
``$RATING_LEDGER_STATE``, else ``rating-ledger`` in the user's folder for state
(``$XDG_STATE_HOME``, ``~/.local/state``); read models of the site are in a cache of its own.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final

from ledger.disk import system_said
from ledger.errors import InputRefused
from ledger.wording import Message

PRIVATE: Final = 0o700
"""The mode of such a folder."""
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def trouble_with(folder: Path) -> str | None:
    """Returns why what is in a folder is not believed; None, if it is.

    Raises:
        OSError: there is no such folder.
    """
    if os.name == "nt":  # a user's folder is the user's own there, and modes say nothing
        return None
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return "no folder"
    if found.st_uid != os.geteuid():
        return "another owner"
    return "others may write" if found.st_mode & _OTHERS_MAY_WRITE else None


def state_of_user() -> Path | None:
    """Returns this user's folder for state; None for a user without a folder."""
    named = os.environ.get("RATING_LEDGER_STATE")
    if named:
        return Path(named)
    base = _base("XDG_STATE_HOME", ".local/state")
    return None if base is None else base / "rating-ledger"


def _base(variable: str, below_home: str) -> Path | None:
    named = os.environ.get(variable)
    if named and Path(named).is_absolute():
        return Path(named)
    try:
        return Path.home() / below_home
    except RuntimeError:
        return None


@contextmanager
def cache_to_write(
    folder_: Path | None, notice: Callable[[Path, Message | str], None]
) -> Iterator[Path]:
    """Gives the folder of a site's cache; where it cannot be written, a temporary one instead.

    Args:
        folder_: where it is to be, made for this user alone; by default below the user's folder for
            such things, or below ``$RATING_LEDGER_STATE``.
        notice: is called with the folder that cannot be written, and why.

    Raises:
        InputRefused: it cannot be made, others may write there, or no temporary one can be made.
    """
    folder = folder_ or _cache_of_user()
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        place = folder.resolve()
        trouble = trouble_with(place)
    except OSError as error:
        raise InputRefused("serve.no_cache", folder=folder, why=system_said(error)) from error
    if trouble is not None:
        raise InputRefused("serve.cache_of_others", folder=folder)
    try:
        with TemporaryFile(dir=place):
            pass
    except OSError as error:
        notice(place, system_said(error))
    else:
        yield place
        return
    try:
        instead = TemporaryDirectory(prefix="rating-ledger-cache-", ignore_cleanup_errors=True)
    except OSError as error:
        raise InputRefused("serve.no_cache", folder=folder, why=system_said(error)) from error
    with instead as name:
        yield Path(name)


def _cache_of_user() -> Path:
    named = os.environ.get("RATING_LEDGER_STATE")
    if named:
        return Path(named) / "web"
    base = _base("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", ".cache")
    if base is None:
        raise InputRefused("serve.no_cache", folder="~", why=Message.of("disk.missing"))
    return base / "rating-ledger" / "web"
