"""Processes that begin at once: forked from one that has imported the program and opened nothing.

A Python of one's own takes a second or two to import it. Who needs another environment of the
interpreter, or tests how the program starts, pays for that: ``start`` in ``tests/cli/running.py``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import chdir
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CONTEXT: Final = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.web.killing", "tests.journal.crasher", "web.server"])


def forked(
    work: Callable[..., None], *given: object, environment: Mapping[str, str] | None = None
) -> ForkServerProcess:
    """Begins a work, a function of a module, in a process of its own in the current folder.

    Args:
        work: ends the process with 0 by returning.
        given: what it is given; it can be pickled.
        environment: that of the process, by default this one's.
    """
    asked = (work, given, str(Path.cwd()), dict(os.environ if environment is None else environment))
    process = CONTEXT.Process(target=_do, args=asked)
    with chdir(ROOT):  # the first one starts the process that all are forked from
        process.start()
    return process


def _do(
    work: Callable[..., None], given: tuple[object, ...], folder: str, environment: dict[str, str]
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    work(*given)
