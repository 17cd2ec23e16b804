"""Who may read and write the files of a ledger: their owner, or also a group.

Files are made with exactly their mode, whatever the umask; what is there already keeps its own.
Where the system has no such modes (Windows) the folder decides.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600
SHARED = 0o660

_READ_AND_WRITE = 0o666
_GROUP_OF_FILE = 0o060
_GROUP_OF_FOLDER = 0o070


def open_new(path: Path, mode: int) -> int:
    """Makes a file with a mode and returns its descriptor, open for writing.

    Raises:
        FileExistsError: something of that name is there, be it a link to nothing.
        OSError: it cannot be made.
    """
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    _set_mode(made, mode)
    return made


def make_beside(path: Path, model: Path) -> int:
    """Makes an empty file, unless it is there, with the permissions, owner and group of another.

    Another's owner can be given by the superuser only, and a group by its members; without that
    the file is the caller's. Returns the mode that it was to have: the owner always reads and
    writes.

    Raises:
        OSError: the model cannot be looked at, or the file cannot be made.
    """
    wanted = model.stat()
    mode = stat.S_IMODE(wanted.st_mode) & _READ_AND_WRITE | PRIVATE
    if not path.exists():
        with suppress(FileExistsError):
            made = open_new(path, mode)
            try:
                _give(made, wanted)
                _set_mode(made, mode)  # a change of owner may have taken bits away
            finally:
                os.close(made)
    return mode


def _give(descriptor: int, wanted: os.stat_result) -> None:
    """Gives a file to an owner and a group, as far as the caller may."""
    if hasattr(os, "fchown"):
        owner = wanted.st_uid if os.geteuid() == 0 else -1
        with suppress(PermissionError):
            os.fchown(descriptor, owner, wanted.st_gid)


def _set_mode(descriptor: int, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)


def share(folder: Path) -> None:
    """Lets the group of a folder read and write it and all that is in it."""
    for path in (folder, *folder.rglob("*")):
        more = _GROUP_OF_FOLDER if path.is_dir() else _GROUP_OF_FILE
        path.chmod(stat.S_IMODE(path.stat().st_mode) | more)


def is_writable(path: Path) -> bool:
    """Whether this process, with its effective user, may write a file or folder that is there."""
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective)


def owner_of(path: Path) -> str:
    """Returns the name of a file's owner, or the number where nobody has a name."""
    try:
        return path.owner()
    except (KeyError, NotImplementedError):
        return str(path.stat().st_uid)


def described(paths: Iterable[Path]) -> dict[str, str]:
    """Returns facts about files that belong together in a folder, for ``doctor``.

    ``permissions`` is the mode of the first, in octal digits; ``others_may`` what others than
    owner and group can do with any of them ("-", "read", "write" or "read, write"), which is
    nothing where they cannot get into the folder. Files that are not there are passed over.
    """
    modes = []
    folders: Sequence[Path] = ()
    for path in paths:
        with suppress(OSError):
            modes.append(stat.S_IMODE(path.stat().st_mode))
            folders = path.resolve().parents
    if not modes:
        return {}
    may = []
    if os.name != "nt" and all(folder.stat().st_mode & stat.S_IXOTH for folder in folders):
        words = (("read", stat.S_IROTH), ("write", stat.S_IWOTH))
        may = [word for word, bit in words if any(mode & bit for mode in modes)]
    return {"permissions": f"{modes[0]:04o}", "others_may": ", ".join(may) or "-"}
