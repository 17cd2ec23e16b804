"""What a child process may import (no folder that its starter merely stands in), and its turn.

Python searches the current folder for the modules of ``python -c``, and the folders of PYTHONPATH
and of the user site for every program's: a ``pickle.py`` there would be run. A child of this
program searches what the interpreter itself came with, what is installed there, and the folder
that this program was loaded from.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_HOME = Path(__file__).parent.parent
"""The folder that this package was loaded from."""
_POLITE = 5  # who waits for an answer comes first
_LAST_SECONDS = 5  # of computing, for who does not end by SIGXCPU


def interpreter() -> list[str]:
    """Returns the program and the options that start this Python, isolated from its caller."""
    return [sys.executable, "-I", "-X", f"utf8={sys.flags.utf8_mode}"]


def environment() -> dict[str, str]:
    """Returns this process's environment, with what isolates a Python that is started without -I.

    A Python that is told to ignore its environment (``-E``) ignores this too.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1"}


def give_way() -> None:
    """Has this process come after others, where the system knows such an order."""
    if hasattr(os, "nice"):
        os.nice(_POLITE)


def limit_process(
    *,
    cpu_seconds: int,
    data: int | None = None,
    address_space: int | None = None,
    file_size: int | None = None,
) -> None:
    """Limits what this process may use, where the system can; None leaves it as it is.

    Args:
        cpu_seconds: of computing; then the system ends it, by SIGXCPU.
        data: bytes that it has for itself; whatever needs more is a ``MemoryError``, or ends it.
        address_space: bytes of everything that it maps, what is only reserved too; the same.
        file_size: bytes of a file that it writes.
    """
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    wanted = (
        (resource.RLIMIT_CPU, cpu_seconds, _LAST_SECONDS),
        (resource.RLIMIT_DATA, data, 0),
        (resource.RLIMIT_AS, address_space, 0),
        (resource.RLIMIT_FSIZE, file_size, 0),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for kind, most, more in wanted:
        if most is not None:
            _, before = resource.getrlimit(kind)  # what whoever started it set is never raised
            hard = most + more if before == resource.RLIM_INFINITY else min(most + more, before)
            resource.setrlimit(kind, (min(most, hard), hard))


def search_path() -> list[str]:
    """Returns this process's ``sys.path`` without what a child is not to search.

    Left out are relative entries, the current folder, the folders of PYTHONPATH and the user site;
    the interpreter's own folders and this program's stay, wherever they are.
    """
    own = {os.path.realpath(folder) for folder in (*_installed(), str(_HOME))}
    foreign = {os.path.realpath(folder) for folder in _foreign()} - own
    return [
        folder
        for folder in sys.path
        if Path(folder).is_absolute() and os.path.realpath(folder) not in foreign
    ]


def _installed() -> list[str]:
    paths = sysconfig.get_paths()
    return [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]


def _foreign() -> list[str]:
    folders = [site.getusersitepackages()]
    folders += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    with suppress(OSError):  # the current folder was deleted
        folders.append(str(Path.cwd()))
    return folders


@contextmanager
def isolated() -> Iterator[None]:
    """Isolates the children that other packages start, for as long as it lasts.

    This process's environment and ``sys.path``, which they take over, are those of
    ``environment()`` and ``search_path()`` until then, and what they were before afterwards.
    """
    variables, path = dict(os.environ), list(sys.path)
    changed = environment()
    sys.path[:] = search_path()
    os.environ.pop("PYTHONPATH", None)
    os.environ.update(changed)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in ("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONNOUSERSITE"):
            os.environ.pop(name, None)
            if name in variables:
                os.environ[name] = variables[name]
