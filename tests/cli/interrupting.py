"""Commands that are interrupted at many moments, each a child of one process that has loaded all.

A moment is a number of calls and returns, of Python's functions and of C's, since the command began
to record: no clock has a say in it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from filelock import FileLock

from cli import main
from ledger.service.ledger import Ledger
from tests.forked import CONTEXT, forked

NEVER = 2**62


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, what it wrote, and how many moments it has had."""

    code: int
    out: str
    err: str
    moments: int


def interrupted(commands: Sequence[tuple[int, Sequence[str]]]) -> list[Ended]:
    """Runs commands in the current folder, one after the other, each interrupted at its moment."""
    reading, writing = CONTEXT.Pipe(duplex=False)
    driver = forked(_drive, commands, writing)
    writing.close()
    found: list[Ended] = []
    with reading, suppress(EOFError):
        while True:
            found.append(reading.recv())
    driver.join()
    assert driver.exitcode == 0
    return found


def _drive(commands: Sequence[tuple[int, Sequence[str]]], writing: Connection) -> None:
    for moment, words in commands:
        child = os.fork()
        if not child:
            _run(moment, words)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out, err, moments = (Path(name).read_text("utf-8") for name in ("out", "err", "moments"))
        writing.send(Ended(code, out, err, int(moments)))


def _run(moment: int, words: Sequence[str]) -> None:
    """Runs a command, interrupted at a moment, and ends the process as it does."""
    for name in ("out", "err"):
        stream = Path(name).open("w", encoding="utf-8")  # noqa: SIM115 - until it ends
        setattr(sys, f"std{name}", stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    FileLock("lock")  # a process's first takes a thousand moments, not all of them counted
    append = Ledger._append
    passed = [0]

    def count(_frame: FrameType, _event: str, _arg: object) -> None:
        passed[0] += 1
        if passed[0] == moment:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    def counted(*given: Any) -> object:
        sys.setprofile(count)
        return append(*given)

    ledger: Any = Ledger
    ledger._append = counted
    code: object = "it did not end"
    try:
        main.main([*words])
    except SystemExit as done:
        code = done.code
    finally:
        sys.setprofile(None)
        sys.stdout.flush()
        sys.stderr.flush()
        Path("moments").write_text(str(passed[0]), encoding="utf-8")
        os._exit(code if isinstance(code, int) else 99)
