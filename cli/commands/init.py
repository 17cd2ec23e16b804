"""``init``, ``example`` and ``demo``: how one begins.

The demonstration runs real commands on the shipped example, each shown before it runs.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from cli import settings
from cli.command import command
from cli.options import Db
from cli.output import console, note, say, write
from ledger.errors import InputRefused


@command("init")
def init(
    shared: Annotated[
        bool, typer.Option("--shared", help="Let the group read and write a new SQLite file.")
    ] = False,
    db: Db = None,
    roles: Annotated[
        bool,
        typer.Option("--roles", help="PostgreSQL: make an owner, a writer and a reader as well."),
    ] = False,
    prefix: Annotated[
        str, typer.Option("--prefix", help="With --roles: how their names begin.")
    ] = "rating_ledger",
) -> None:
    """Create the database, or bring it up to date."""
    from ledger.application.archives import make_ledger
    from ledger.journal.stores.database import dialect_of, grant_roles, planned_roles

    url = settings.db(db)
    planned = planned_roles(url, prefix) if roles else None
    done = make_ledger(url, shared=shared)
    shown = dialect_of(url).shown
    write(say("cli.initialised" if done else "cli.up_to_date", url=shown))
    if shared and not done:
        note("cli.shared_stays", url=shown)
    if planned is not None:
        grant_roles(url, planned)
        write(say("cli.roles_made", **planned._asdict()))
        for statement in planned.grants():
            write(f"  {statement}")


@command("example")
def example(folder: Annotated[Path, typer.Argument(help="The folder; . is this one.")]) -> None:
    """Write the files of the shipped example, to try commands with."""
    write_files(folder)
    write(say("cli.example_written", folder=folder, files=", ".join(FILES)))


@command("demo")
def demo(
    folder: Annotated[
        Path | None, typer.Argument(help="A new folder (default: rating-ledger-demo).")
    ] = None,
) -> None:
    """Run the main job on the shipped example and say what to try next."""
    note("cli.demo_begins")
    run(folder)


FILES = ("players.csv", "ymca.csv", "agosto.csv")
DEFAULT_FOLDER = "rating-ledger-demo"
RUIZ, VIZAMA, NEWCOMER = "3404510", "3405958", "E-0009"
WHY = "the score sheet says 1-0"

_STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("demo.init", ("init",)),
    (
        "demo.define",
        ("list", "define", "ENF", "--regulation", "enf-2010", "--calendar", "monthly",
         "--first", "2010-07-01"),
    ),
    ("demo.players", ("import", "players.csv", "--list", "ENF")),
    ("demo.import", ("import", "ymca.csv")),
    ("demo.publish", ("publish", "ENF", "2010-07")),
    ("demo.show", ("list", "show", "ENF", "2010-07")),
    ("demo.explain", ("explain", RUIZ, "--list", "ENF", "--period", "2010-07")),
    ("demo.newcomer", ("explain", NEWCOMER, "--list", "ENF", "--period", "2010-07")),
    ("demo.second", ("import", "agosto.csv")),
    ("demo.second_list", ("publish", "ENF", "2010-08")),
    ("demo.first_rating", ("explain", NEWCOMER, "--list", "ENF", "--period", "2010-08")),
    (
        "demo.preview",
        ("correct", "result", "ymca-2010", "2", VIZAMA, RUIZ, "1-0", "--reason", WHY,
         "--dry-run"),
    ),
    (
        "demo.correct",
        ("correct", "result", "ymca-2010", "2", VIZAMA, RUIZ, "1-0", "--reason", WHY),
    ),
    ("demo.restated", ("period", "list", "ENF")),
    ("demo.edition", ("publish", "ENF", "2010-07")),
    ("demo.cascade", ("publish", "ENF", "2010-08")),
    ("demo.diff", ("list", "diff", "ENF", "2010-07@1", "2010-07@2")),
    (
        "demo.why",
        ("why", RUIZ, "--list", "ENF", "--from", "2010-07@1", "--to", "2010-08@2"),
    ),
    ("demo.history", ("history", RUIZ, "--list", "ENF")),
    ("demo.regenerate", ("list", "regenerate", "ENF", "2010-07", "--edition", "1")),
    ("demo.regenerate_second", ("list", "regenerate", "ENF", "2010-07", "--edition", "2")),
    ("demo.verify", ("verify",)),
)  # fmt: skip


def write_files(folder: Path) -> None:
    """Writes the files into a folder, which is made where it is missing.

    Raises:
        InputRefused: one of them is there already, or the folder cannot be written.
    """
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise InputRefused("cli.example_there", folder=folder, files=", ".join(there))
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (folder / name).write_bytes(examples.joinpath(name).read_bytes())
    except OSError as error:
        raise InputRefused("cli.cannot_write", file=folder, why=error.strerror) from error


def run(folder: Path | None) -> None:
    """Runs the demonstration in a new folder.

    Raises:
        InputRefused: the folder was named and has something in it.
    """
    place = _new_folder(folder)
    write_files(place)
    database = place / "rating-ledger.db"
    out = console()
    for step, (key, words) in enumerate(_STEPS, start=1):
        out.print(f"\n{step}. {say(key)}", style="bold cyan")
        shown = [f'"{word}"' if " " in word else word for word in words]
        out.print(f"$ rating-ledger {' '.join(shown)}", style="dim")
        _command([str(place / w) if w in FILES else w for w in words], database)
    out.print(f"\n{say('demo.next')}", style="bold cyan")
    for line in _next(place, database):
        out.print(f"  {line}")


def _command(words: list[str], database: Path) -> None:
    from cli.main import commands

    commands(settings.language())(["--db", str(database), *words], standalone_mode=False)


def _new_folder(folder: Path | None) -> Path:
    if folder is None:
        names = (Path(f"{DEFAULT_FOLDER}-{n}" if n > 1 else DEFAULT_FOLDER) for n in count(1))
        folder = next(path for path in names if not path.exists())
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputRefused("cli.demo_folder", folder=folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _next(place: Path, database: Path) -> list[str]:
    db = f"--db {database}"
    program = _program()
    return [
        f"{program} log --player {RUIZ} {db}",
        f"{program} explain 11209 --list ENF --period 2010-07 {db}",
        f"{program} list show ENF 2010-07 --edition 1 --format csv {db}",
        f"{program} why {VIZAMA} --list ENF --from 2010-07@1 --to 2010-07@2 {db}",
        f"{program} tournament show ymca-2010 {db}",
        f"{program} checkpoint {db} > {place / 'checkpoint.txt'}",
        f"{program} verify --checkpoint {place / 'checkpoint.txt'} {db}",
        f"{program} import {place / 'ymca.csv'} {db}",
    ]


def _program() -> str:
    """Returns how this command can be typed again here, installed on the path or not."""
    if shutil.which("rating-ledger"):
        return "rating-ledger"
    return os.path.relpath(sys.argv[0])
