"""Long tables page by page: on a terminal, with the user's own pager."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress

from cli import settings
from ledger.children import environment

_DEFAULT = "less"
# Colours as they are, the screen left as it was, no waiting where all fits: as git has it.
_LESS = "FRX"


def command() -> list[str]:
    """Returns the pager as words of a command line; empty where none is wanted or there is none.

    None is wanted with ``--no-pager``, with ``NO_PAGER``, where ``PAGER`` is empty or ``cat``, and
    where nobody sits before a terminal.
    """
    if not settings.FLAGS.pager or os.environ.get("NO_PAGER") or not sys.stdout.isatty():
        return []
    try:
        words = shlex.split(os.environ.get("PAGER", _DEFAULT))
    except ValueError:  # a quotation that does not end
        return []
    usable = words and words[0] != "cat" and shutil.which(words[0])
    return words if usable else []


def show(text: str, pager: list[str]) -> None:
    """Shows a text in a pager, until the reader leaves it; without one that starts, plainly."""
    sys.stdout.flush()
    variables = {"LESS": _LESS} | environment()
    try:
        process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=variables)  # noqa: S603
    except OSError:
        sys.stdout.write(text)
        return
    with suppress(BrokenPipeError, KeyboardInterrupt):  # the reader has seen enough
        process.communicate(text.encode())
    while process.poll() is None:
        with suppress(KeyboardInterrupt):  # it is the pager's to answer
            process.wait()
