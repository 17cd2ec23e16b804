"""``export archive``, ``import archive``: a whole ledger out into files, and in again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Db, DryRun, ReceiptFormat, Receipts
from cli.output import note, say, write
from cli.session import opened

if TYPE_CHECKING:
    from ledger.application.archives import Archived

app = typer.Typer(no_args_is_help=True)


def add_to(root: typer.Typer) -> None:
    """Adds the commands to the application."""
    root.command("import archive")(import_archive)


@app.command("archive")
def export_archive(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", metavar="DIR")],
    without_personal: Annotated[
        bool,
        typer.Option("--without-personal", help="Leave out names, birth dates and sexes."),
    ] = False,
    shared: Annotated[
        bool, typer.Option("--shared", help="Let the group read and write the archive.")
    ] = False,
    db: Db = None,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Write the whole ledger as Parquet files with a manifest; all of it or nothing."""
    from ledger.application.archives import export_archive as export

    with opened(db) as ledger:
        made = export(ledger, folder, personal=not without_personal, shared=shared)
    _tell("cli.archived", folder, made, as_)


def import_archive(
    folder: Annotated[Path, typer.Argument(help="The folder of the archive.", metavar="DIR")],
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Restore an archive into an empty ledger, every hash computed anew; all of it or nothing."""
    from ledger.application.archives import import_archive as restore

    with opened(db) as ledger:
        made = restore(ledger, folder, dry_run=dry_run)
    key = "cli.restored" if made.done else "cli.would_restore" if dry_run else "cli.restored_before"
    _tell(key, folder, made, as_)


def _tell(key: str, folder: Path, made: Archived, as_: ReceiptFormat) -> None:
    data = made.data()
    if as_ is ReceiptFormat.JSON:
        write(json.dumps({"archive": str(folder)} | data, ensure_ascii=False, indent=2))
        return
    write(say(key, archive=folder, commits=data["commits"], events=data["events"]))
    write(say("cli.root", root=data["root"]))
    if missing := data["personal_missing"]:
        note("cli.archive_lacks_people", count=missing)
    if key == "cli.archived" and data["personal"]:
        note("cli.archive_is_personal", count=data["personal"])
