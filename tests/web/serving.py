"""``rating-ledger serve`` for tests, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import IO

import uvicorn
from fastapi import FastAPI

from cli import main
from tests.cli.running import COMMAND
from tests.forked import CONTEXT, forked

_ORIGIN = re.compile(r"https?://[^\s;]+")
_LONGEST = 120  # seconds until a process must have ended: its workers may still begin


@dataclass(frozen=True, slots=True)
class Served:
    """A site that runs: how browsers call it, the address it listens on, and its process.

    ``ended`` waits until the process has ended and returns its exit code.
    """

    origin: str
    here: str
    pid: int
    ended: Callable[[], int | None]

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int | None:
        """Ends the process by a signal; returns its exit code, or None where it goes on."""
        os.kill(self.pid, by)
        return self.ended()


@contextmanager
def served(db: Path | str | None, *options: str, log: Path) -> Iterator[Served]:
    """Serves a ledger (a file, a URL, an archive), or the default one, on a free port.

    What it writes goes to ``log``. It is stopped at the end, whatever became of it.
    """
    log.touch()
    told = log.stat().st_size
    reading, writing = CONTEXT.Pipe(duplex=False)
    process = forked(_serve, _words(db, options), log, writing, environment=_isolated())
    writing.close()

    def ended() -> int | None:
        process.join(_LONGEST)
        return process.exitcode

    try:
        assert process.pid is not None
        with open(reading.fileno(), encoding="utf-8", closefd=False) as out:
            yield Served(*_places(out, log, told), process.pid, ended)
    finally:
        process.terminate()
        process.join(_LONGEST)
        process.kill()
        process.join()
        process.close()
        reading.close()


@contextmanager
def in_thread(application: Callable[[str], FastAPI], port: int = 0) -> Iterator[str]:
    """Serves in this process what is made for an origin; gives the origin.

    On a port of before, as after an interruption, or on a free one.
    """
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", port))
        origin = f"http://127.0.0.1:{door.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(application(origin), log_level="error"))
        thread = Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        try:
            yield origin
        finally:
            server.should_exit = True
            thread.join()


def _serve(words: tuple[str, ...], log: Path, out: Connection) -> None:
    """Is the command, as it is when somebody starts it."""
    with log.open("a", encoding="utf-8") as err:
        os.dup2(err.fileno(), 2)
    os.dup2(out.fileno(), 1)
    out.close()
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")  # those it had were of files
    sys.stdin = None  # else uvicorn hands its number on to workers, who have no such file
    main.main([*words])


def _words(db: Path | str | None, options: tuple[str, ...]) -> tuple[str, ...]:
    return ("serve", "--port", "0", *(() if db is None else ("--db", str(db))), *options)


@contextmanager
def started(db: Path | str | None, *options: str, log: Path) -> Iterator[Served]:
    """Does what ``served`` does by the installed command, for what concerns its process."""
    with log.open("a", encoding="utf-8") as err:
        told = log.stat().st_size
        process = subprocess.Popen(
            [COMMAND, *_words(db, options)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, text=True,
            env=_isolated(),
        )  # fmt: skip
        try:
            assert process.stdout is not None
            places = _places(process.stdout, log, told)
            yield Served(*places, process.pid, partial(process.wait, _LONGEST))
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(_LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            process.stdout.close()


def _places(out: IO[str], log: Path, told: int) -> tuple[str, str]:
    """Returns the origin and the address that a site says it is at, as soon as it listens."""
    said = out.readline()
    found = _ORIGIN.findall(said)
    assert found, (said, log.read_text("utf-8")[told:])
    return found[0], found[-1]


def _isolated() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("RATING_LEDGER") or name == "RATING_LEDGER_STATE"
    }
    return {**kept, "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
