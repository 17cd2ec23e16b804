"""Runs the command line: in this process, or as a person would, as a process of its own.

``run`` is enough for what a command says and does. ``start`` is for what needs a process: another
user or environment of Python, memory, signals, and that the installed command ends as it says.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cli import main, settings

COMMAND = str(Path(sys.executable).with_name("rating-ledger"))


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Reads stdout as JSON."""
        return json.loads(self.out)


def run(*words: str, cwd: Path, **environment: str) -> Ran:
    """Runs a command in a folder, with English messages unless the environment says otherwise."""
    with contextlib.chdir(cwd), patch.dict(os.environ, _environment(environment), clear=True):
        return run_here(*words)


def begin_ledger(folder: Path, *commands: tuple[str, ...], **environment: str) -> Path:
    """Makes a ledger with a monthly list of the players in ``players.csv``, and runs what follows.

    Every command ends well. Returns the folder.
    """
    define = ("list", "define", "ENF", "--regulation", "enf-2010", "--calendar", "monthly")
    for words in (
        ("init",),
        (*define, "--first", "2010-07-01"),
        ("import", "players.csv", "--list", "ENF"),
        *commands,
    ):
        done = run(*words, cwd=folder, **environment)
        assert done.code == 0, done.err
    return folder


def run_here(*words: str, stdin: bytes = b"", terminal: bool = False) -> Ran:
    """Runs a command in the current folder and environment; it may believe in a terminal."""
    out = _Terminal(io.BytesIO(), encoding="utf-8") if terminal else _stream(b"")
    err = _Terminal(io.BytesIO(), encoding="utf-8") if terminal else _stream(b"")
    settings.FLAGS.db = settings.FLAGS.lang = None
    settings._file.cache_clear()
    with patch.multiple(sys, stdin=_stream(stdin), stdout=out, stderr=err):
        code = main._run(list(words))
    return Ran(code, _written(out), _written(err))


def start(*words: str, cwd: Path, **environment: str) -> Ran:
    """Does what ``run`` does with the installed command, in a process."""
    done = subprocess.run(
        [COMMAND, *words],
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=_environment(environment),
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def _environment(more: dict[str, str]) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("RATING_LEDGER") or name == "RATING_LEDGER_STATE"
    }
    return {**inherited, "LC_ALL": "C.UTF-8", **more}


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def _stream(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
