"""A command that is killed at each of its writing statements, each time in a copy of its folder."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, event

from cli import main
from tests.forked import CONTEXT, forked

MOST: Final = 200  # statements


def driven(folder: Path, copies: Path, when: str, *words: str) -> list[int]:
    """Kills a command at each of its writing statements.

    Args:
        folder: which the command would work in.
        copies: where the copies go; a copy is called by the number of the statement, from 1.
        when: the event of the statement, as SQLAlchemy calls it.
        words: the command.

    Returns:
        The exit codes; the last is 0.
    """
    copies.mkdir()
    reading, writing = CONTEXT.Pipe(duplex=False)
    driver = forked(_drive, folder, copies, when, words, writing)
    writing.close()
    codes: list[int] = []
    with reading, suppress(EOFError):
        while True:
            codes.append(reading.recv())
    driver.join()
    assert driver.exitcode == 0
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0]
    return codes


def _drive(folder: Path, copies: Path, when: str, words: tuple[str, ...], told: Connection) -> None:
    """Kills children; it did the whole once: what that loads is loaded for all of them."""
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until it ends
    os.chdir(shutil.copytree(folder, copies / "whole"))
    assert main._run([*words]) == 0, "the command fails, whoever kills it"
    gc.freeze()  # what a collector looks at is copied for each child
    for step in range(1, MOST):
        copy = shutil.copytree(folder, copies / str(step))
        child = os.fork()
        if not child:
            os.chdir(copy)
            kill_at(step, when)
            os._exit(main._run([*words]))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told.send(code)
        if code != -signal.SIGKILL:
            return


def kill_at(last: int, when: str) -> None:
    """The statement that writes and has a number is the last thing that this process does."""
    seen = count(1)

    @event.listens_for(Engine, when)
    def kill(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        writes = not statement.lstrip().startswith(("SELECT", "PRAGMA"))
        if writes and next(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)
