"""Puts the commands together and turns every failure into its exit code.

0 ok · 1 our bug · 2 usage · 3 verification failed · 4 input refused · 5 conflict · 6 database or
full disk · 7 not found · 8 nothing was checked · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TextIO

import typer

from cli import interruption, output, settings
from cli.command_line import commands_for
from cli.interruption import INTERRUPTION, interrupted
from ledger.disk import system_said
from ledger.errors import Interrupted, LedgerError
from ledger.wording import LANGUAGES
from ledger.wording.masking import masked

INTERRUPTED = Interrupted.exit_code
BUG = 1
USAGE = 2
# What Typer raises for a command line that cannot be read; its name is not Typer's own everywhere.
_Usage: type[Exception] = next(
    each for each in typer.BadParameter.__mro__ if each.__name__ == "UsageError"
)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    interruption.heed()
    try:
        code = _run(arguments)
    except KeyboardInterrupt:  # once more, while it was told what became of the first
        code = INTERRUPTED
    interruption.end()
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """Runs the command line; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Names have accents wherever the ledger runs, also where the locale knows only ASCII.
        if stream is not None:
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    INTERRUPTION.begin()
    try:
        code = _ended(arguments)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - every one has its exit code
        code = INTERRUPTED if INTERRUPTION.is_noted else _failed(error, arguments)
    if INTERRUPTION.is_noted or code == INTERRUPTED:
        code = INTERRUPTED
        _tell(partial(output.failed, interrupted(), as_json=_wants_json(arguments)))
    return code


def _ended(arguments: list[str]) -> int:
    """Carries out the command line; returns the exit code with which it ended."""
    try:
        settings.FLAGS.lang = _language_named(arguments)
        ended = commands_for(arguments)(arguments, standalone_mode=False)
    except SystemExit as done:
        _flush()
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    _flush()
    return ended if isinstance(ended, int) else 0  # a number is that of typer.Exit


def _failed(error: Exception, arguments: list[str]) -> int:
    """Says what is wrong; returns the exit code."""
    match error:
        case _Usage():
            _tell(partial(output.misused, error))
            return USAGE
        case LedgerError():
            _tell(partial(output.failed, error, as_json=_wants_json(arguments)))
            return error.exit_code
        case BrokenPipeError():
            _nobody_reads(sys.stdout)
            return 0
        case OSError():
            output.note("cli.cannot_write", file="stdout", why=system_said(error))
            _nobody_reads(sys.stdout)
            return BUG
        case _:
            return _faulted(error, where="--debug" in arguments)


def _language_named(arguments: list[str]) -> str | None:
    """Takes the language off a command line, wherever it stands, before anything is said."""
    named = None
    for place, word in reversed(list(enumerate(arguments))):
        option, is_one, value = word.partition("=")
        if option != "--lang" or "--" in arguments[:place]:
            continue
        if is_one:
            del arguments[place]
        elif arguments[place + 1 :]:
            value = arguments[place + 1]
            del arguments[place : place + 2]
        else:
            continue  # Typer says that it needs a value
        if value not in LANGUAGES:
            raise typer.BadParameter(
                f"'{value}' is not one of {', '.join(LANGUAGES)}", param_hint="--lang"
            )
        named = named or value
    return named


def _faulted(error: Exception, *, where: bool) -> int:
    """Says that it is our fault and how to see where, or where it is; returns the exit code."""
    output.note("cli.bug", kind=type(error).__name__, why=error)
    if where:
        sys.stderr.write(masked("".join(traceback.format_exception(error))))
    return BUG


def _tell(say: Callable[[], None]) -> None:
    """Says something on stderr; that nobody reads it changes no exit code."""
    try:
        say()
    except BrokenPipeError:
        _nobody_reads(sys.stderr)


def _nobody_reads(stream: TextIO) -> None:
    """Lets what is left for a reader who has seen enough, or cannot be written to, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _wants_json(arguments: list[str]) -> bool:
    return "--format=json" in arguments or any(
        pair == ("--format", "json") for pair in pairwise(arguments)
    )


if __name__ == "__main__":
    main()
