"""Runs the command line in this process: what ``running`` does, without a start of the program."""

from __future__ import annotations

import io
import sys
from unittest.mock import patch

from cli import main, settings
from tests.cli.running import Ran


def run_here(*words: str, stdin: bytes = b"") -> Ran:
    """Runs the command in the current folder and environment."""
    out, err = _stream(b""), _stream(b"")
    settings.FLAGS.db = settings.FLAGS.lang = None
    settings._file.cache_clear()
    with patch.multiple(sys, stdin=_stream(stdin), stdout=out, stderr=err):
        code = main._run(list(words))
    return Ran(code, _written(out), _written(err))


def _stream(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
