"""Real commands on shipped files, in a new folder, each shown before it runs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from io import BytesIO, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import Final

from cli import settings
from cli.command_line import commands
from cli.files import not_written
from cli.output import console, note, say
from ledger.errors import InputRefused, Interrupted, LedgerError
from ledger.examples.steps import DemoStep

_DATABASE: Final = "rating-ledger.db"
FEDERATION_KEY: Final = "federation.key"
"""The public key of the made-up federation, beside its ledger."""
SCREEN: Final = 80
"""Columns into which a command is broken where it is shown."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The steps on files of ``ledger.examples``, and what to try after them.

    ``folder`` is the name of the new folder where none is asked for. ``next`` are the commands to
    try, without the program's name; ``{folder}`` and ``{db}`` stand for the folder and the option.
    """

    example: str
    files: tuple[str, ...]
    folder: str
    steps: Sequence[DemoStep]
    next: Sequence[str]

    def made(self, folder: Path) -> Path:
        """Returns the database in a folder; where it is missing it is run there, and says nothing.

        Raises:
            InputRefused: the folder has something else in it.
        """
        database = folder / _DATABASE
        if not database.exists():
            unseen = TextIOWrapper(BytesIO(), encoding="utf-8")
            with redirect_stdout(unseen), redirect_stderr(unseen):
                self.run(folder)
        return database

    def run(self, folder: Path | None) -> None:
        """Runs it in a new folder.

        Raises:
            InputRefused: the folder was named and has something in it.
        """
        place = _new_folder(folder, self.folder)
        write_files(place, self.example, self.files)
        database = place / _DATABASE
        out = console()
        headings = count(1)
        for step in self.steps:
            if step.heading:
                out.print(f"\n{next(headings)}. {say(step.heading)}", style="bold cyan")
            for line in _as_typed("$ rating-ledger", map(_quoted, step.words)):
                out.print(line, style="dim")
            words = [str(place / w) if w in self.files else w for w in step.words]
            refusal = _refusal(words, database)
            assert step.refused == (refusal is not None), refusal
            if refusal is not None:
                out.print(refusal, style="red")
        out.print(f"\n{say('demo.next')}", style="bold cyan")
        program, pieces = _program(), shlex.quote(str(place))
        values = {"folder": pieces, "db": f"--db {pieces}/{_DATABASE}"}
        for words in map(str.split, self.next):
            for line in _as_typed(f"  {program}", (word.format(**values) for word in words)):
                out.print(line, soft_wrap=True)


FEDERATION_PAGE: Final = "checkpoint"
"""Its signed page: the site's proofs lead to it."""
FEDERATION_FOLDER: Final = "rating-ledger-federation"
"""Where the ledger of the made-up federation is kept, below the current folder."""


def made_federation(folder: Path) -> Path:
    """Returns the database of the made-up federation; it is made where the folder is missing.

    A folder that is there is whole: it is made elsewhere and then given its name.

    Raises:
        InputRefused: the folder has something else in it, or cannot be written.
    """
    from ledger.examples.federation import record_federation, sign_federation
    from ledger.service.archives import make_ledger, open_ledger

    database = folder / _DATABASE
    if database.exists():
        return database
    _refuse_full(folder)
    note("demo.federation_begins")
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{folder.name}-") as unfinished:
            place = Path(unfinished) / folder.name
            place.mkdir()
            make_ledger(str(place / _DATABASE))
            with closing(open_ledger(str(place / _DATABASE))) as journal:
                record_federation(journal)
                sign_federation(journal, place / FEDERATION_PAGE, place / FEDERATION_KEY)
            place.replace(folder)
    except OSError as error:
        raise not_written(folder, error, "cli.cannot_write") from error
    return database


def write_files(folder: Path, example: str, files: Sequence[str]) -> None:
    """Writes files of an example into a folder, which is made where it is missing.

    Raises:
        InputRefused: one of them is there already, or the folder cannot be written.
        DatabaseError: the disk is full.
    """
    shipped = resources.files("ledger.examples").joinpath(example)
    try:
        if present := [name for name in files if (folder / name).exists()]:
            raise InputRefused("cli.example_there", folder=folder, files=", ".join(present))
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            (folder / name).write_bytes(shipped.joinpath(name).read_bytes())
    except OSError as error:
        raise not_written(folder, error, "cli.cannot_write") from error


def _as_typed(line: str, words: Iterable[str]) -> Iterator[str]:
    """Yields the lines of a command as it can be typed, none longer than a screen."""
    for word in words:
        if len(line) + len(word) + len(" \\") >= SCREEN:
            yield f"{line} \\"
            line = f"    {word}"
        else:
            line = f"{line} {word}"
    yield line


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else shlex.quote(word)


def _refusal(words: list[str], database: Path) -> str | None:
    """Runs a command; returns the sentence with which it was refused, None where it was not."""
    try:
        ended = commands(settings.language())(
            ["--db", str(database), *words], standalone_mode=False
        )
        if ended == Interrupted.exit_code:  # Typer makes it of the exception
            raise KeyboardInterrupt
    except LedgerError as error:
        return error.message.within(settings.language())
    return None


def _new_folder(folder: Path | None, default: str) -> Path:
    if folder is None:
        names = (Path(f"{default}-{n}" if n > 1 else default) for n in count(1))
        folder = next(path for path in names if not path.exists())
    else:
        _refuse_full(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _refuse_full(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputRefused("cli.demo_folder", folder=folder)


def _program() -> str:
    """Returns how this command can be typed again here, installed on the path or not."""
    if shutil.which("rating-ledger"):
        return "rating-ledger"
    program, here = Path(sys.argv[0]).absolute(), Path.cwd()
    if program.is_relative_to(here):
        return shlex.quote(f"{os.curdir}{os.sep}{program.relative_to(here)}")
    return shlex.quote(str(program))
