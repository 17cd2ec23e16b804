"""``init``, ``example`` and ``demo``: how one begins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli import settings
from cli.command import command
from cli.demonstration import Demonstration, write_files
from cli.options import Db
from cli.output import note, say, write
from ledger.examples.steps import EXAMPLE, FILES, RUIZ, STEPS, VIZAMA


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
    from ledger.journal.stores.database import dialect_of, grant_roles, planned_roles
    from ledger.service.archives import make_ledger

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
    write_files(folder, EXAMPLE, FILES)
    write(say("cli.example_written", folder=folder, files=", ".join(FILES)))


@command("demo")
def demo(
    folder: Annotated[
        Path | None, typer.Argument(help="A new folder (default: rating-ledger-demo).")
    ] = None,
) -> None:
    """Run the main job on the shipped example and say what to try next."""
    note("cli.demo_begins")
    main_job().run(folder)


DEFAULT_FOLDER = "rating-ledger-demo"
_NEXT = (
    "serve --demo {db}",
    f"log --player {RUIZ} {{db}}",
    "explain 11209 --list ENF --period 2010-07 {db}",
    "list show ENF 2010-07 --edition 1 --format csv {db}",
    f"why {VIZAMA} --list ENF --from 2010-07@1 --to 2010-07@2 {{db}}",
    "tournament show ymca-2010 {db}",
    "checkpoint {db} > {folder}/checkpoint.txt",
    "verify --checkpoint {folder}/checkpoint.txt {db}",
    "import {folder}/ymca.csv {db}",
)


def main_job() -> Demonstration:
    """Returns the demonstration of the main job."""
    return Demonstration(EXAMPLE, FILES, DEFAULT_FOLDER, STEPS, _NEXT)
