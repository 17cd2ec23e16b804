"""Where the site keeps what it can make again at any time: a folder of the user's own."""

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

_PRIVATE: Final = 0o700
_OTHERS_MAY_WRITE: Final = 0o022


@contextmanager
def cache_to_write(
    folder_: Path | None, notice: Callable[[Path, Message | str], None]
) -> Iterator[Path]:
    """Gives the folder of ``cache_of``; where it cannot be written, a temporary one in its place.

    Args:
        folder_: as for ``cache_of``.
        notice: is called with the folder that cannot be written, and why.

    Raises:
        InputRefused: as ``cache_of``; or no temporary one can be made either.
    """
    folder = cache_of(folder_)
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        notice(folder, system_said(error))
    else:
        yield folder
        return
    try:
        instead = TemporaryDirectory(prefix="rating-ledger-cache-", ignore_cleanup_errors=True)
    except OSError as error:
        raise InputRefused("serve.no_cache", folder=folder, why=system_said(error)) from error
    with instead as name:
        yield Path(name)


def cache_of(folder_: Path | None) -> Path:
    """Returns the folder, which is made for this user alone.

    Args:
        folder_: where it is to be; by default below the user's folder for such things, or below
            ``$RATING_LEDGER_STATE``.

    Raises:
        InputRefused: it cannot be made, or others may write there.
    """
    folder = folder_ or _of_user()
    try:
        folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError as error:
        raise InputRefused("serve.no_cache", folder=folder, why=system_said(error)) from error
    if os.name != "nt":
        is_own = found.st_uid == os.geteuid() and stat.S_ISDIR(found.st_mode)
        if not is_own or found.st_mode & _OTHERS_MAY_WRITE:
            raise InputRefused("serve.cache_of_others", folder=folder)
    return folder.resolve()


def _of_user() -> Path:
    state = os.environ.get("RATING_LEDGER_STATE")
    if state:
        return Path(state) / "web"
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA")
    else:
        place = os.environ.get("XDG_CACHE_HOME")
    try:
        base = Path(place) if place and Path(place).is_absolute() else Path.home() / ".cache"
    except RuntimeError as error:
        raise InputRefused("serve.no_cache", folder="~", why=error) from error
    return base / "rating-ledger" / "web"
