"""``export`` and ``import archive``: the whole ledger, and tables for other programs, as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.files import not_written, writing
from cli.options import Db, DryRun, NameOfList, OutputFile, ReceiptFormat, Receipts, SignNow, Upto
from cli.output import note, say, write, write_json
from cli.render.receipts import restored_key
from cli.session import list_of, opened
from cli.signing_keys import key_text, signed_page_of
from ledger.errors import InputRefused
from ledger.exports.files import FileFormat
from ledger.exports.files import write as write_table

if TYPE_CHECKING:
    from ledger.exports.columns import ExportTable
    from ledger.service.archives import Archived
    from ledger.service.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """Where a table is written to, and how."""

    output: OutputFile = None
    format: Annotated[
        FileFormat | None, typer.Option("--format", help="Default: by the file's suffix, else CSV.")
    ] = None
    db: Db = None


@command("export archive")
def export_archive(
    folder: Annotated[
        Path, typer.Argument(help="A new folder, or an archive to go on with.", metavar="DIR")
    ],
    without_personal: Annotated[
        bool, typer.Option("--without-personal", help="Leave out names, birth dates and sexes.")
    ] = False,
    shared: Annotated[
        bool, typer.Option("--shared", help="Let the group read and write the archive.")
    ] = False,
    db: Db = None,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Write the whole ledger as Parquet files with a manifest; all of it or nothing.

    In an archive of an earlier state only what is new is written.
    """
    from ledger.service.archives import export_archive as export

    with opened(db) as ledger:
        exported = export(ledger, folder, personal=not without_personal, shared=shared)
    _tell("cli.archived" if exported.done else "cli.archived_before", folder, exported, as_)


@command("export tiles")
def export_tiles(
    folder: Annotated[
        Path, typer.Argument(help="The folder; what is there is gone on with.", metavar="DIR")
    ],
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            help="The signed page that is written with them, perhaps cosigned by witnesses.",
        ),
    ] = None,
    key: SignNow = None,
    db: Db = None,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Write the tree as files that any web server can give (C2SP tlog-tiles): only what is new.

    They name nobody.
    """
    from ledger.journal.checkpoint import Signer
    from ledger.trust.proofs import signed_now
    from ledger.trust.tiles import export_tiles as export

    if checkpoint is not None and key is not None:
        raise InputRefused("proof.one_page")
    with opened(db) as ledger:
        if checkpoint is not None:
            page = signed_page_of(checkpoint)
        elif key is not None:
            page = signed_now(ledger, Signer.parse(key_text(key)), None)
        else:
            raise InputRefused("export.tiles_unsigned")
        exported = export(ledger, folder, page)
    if as_ is ReceiptFormat.JSON:
        write_json({"folder": str(folder)} | exported.data())
        return
    write(say("export.tiles", folder=folder, size=exported.size, count=exported.written))
    write(say("cli.root", root=exported.root))
    if exported.left_out:
        note("export.tiles_left_out", paths=", ".join(exported.left_out))


@command("import archive")
def import_archive(
    folder: Annotated[Path, typer.Argument(help="The folder of the archive.", metavar="DIR")],
    upto: Upto = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Restore an archive into an empty ledger, every hash computed anew; all of it or nothing."""
    from ledger.service.archives import import_archive as restore

    with opened(db) as ledger:
        restored = restore(ledger, folder, dry_run=dry_run, upto=upto)
    _tell(restored_key(dry_run=dry_run, is_done=restored.done), folder, restored, as_)


def _tell(key: str, folder: Path, archive: Archived, as_: ReceiptFormat) -> None:
    data = archive.data()
    if as_ is ReceiptFormat.JSON:
        write_json({"archive": str(folder)} | data)
        return
    write(say(key, archive=folder, commits=data["commits"], events=data["events"]))
    write(say("cli.root", root=data["root"]))
    if missing := data["personal_missing"]:
        note("cli.archive_lacks_people", count=missing)
    if key == "cli.archived" and data["personal"]:
        note("cli.archive_is_personal", count=data["personal"])


@command("export players")
def players(
    list_: Annotated[
        str | None, typer.Option("--list", help="With the newest ratings of this list.")
    ] = None,
    *,
    to: FileOptions,
) -> None:
    """Write the players, under the headings by which ``import`` reads them."""
    from ledger.intake.tables import players_table

    _export(lambda ledger: players_table(ledger, list_), to)


@command("export games")
def games(*, to: FileOptions) -> None:
    """Write the games of all tournaments, under the headings by which ``import`` reads them."""
    from ledger.intake.tables import games_table

    _export(games_table, to)


@command("export ratings")
def ratings(name: NameOfList = None, *, to: FileOptions) -> None:
    """Write every player's rating in every period, as known now."""
    _export_list("ratings", name, to)


@command("export postings")
def postings(name: NameOfList = None, *, to: FileOptions) -> None:
    """Write every rated game of every player, with what it was calculated from, as known now."""
    _export_list("postings", name, to)


@command("export lists")
def lists(name: NameOfList = None, *, to: FileOptions) -> None:
    """Write the rows of all published editions, as they were published."""
    _export_list("lists", name, to)


@command("export data")
def data(
    folder: Annotated[Path, typer.Argument(help="Where the site gives them from.", metavar="DIR")],
    licence: Annotated[
        str | None,
        typer.Option("--licence", help="Its name, CC-BY-4.0 (default: data_licence of settings)."),
    ] = None,
    db: Db = None,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Write open data as CSV and Parquet, with datapackage.json, which describes them.

    Lists, players, tournaments, games and corrected results: what everybody reads on the site, and
    nobody who was erased. A site makes its own; ``serve --data DIR`` gives these on /data.
    """
    from ledger.intake.data_package import DESCRIPTION, write_data_package
    from ledger.views.past import newest_of

    name = licence or settings.data_licence()
    if name is None:
        raise InputRefused("package.no_licence")
    publisher = settings.face().name
    with opened(db) as ledger:
        try:
            package = write_data_package(
                newest_of(ledger), folder, say("package.title"), name,
                publisher.en if publisher else None,
            )  # fmt: skip
        except OSError as error:
            raise not_written(folder, error) from error
    rows = {each.title: each.rows for each in package.resources}
    if as_ is ReceiptFormat.JSON:
        write_json({"folder": str(folder), "seq": package.seq, "root": package.root} | rows)
        return
    write(say("package.written", file=folder / DESCRIPTION, seq=package.seq, **rows))


def _export_list(table: str, name: str | None, to: FileOptions) -> None:
    from ledger.intake.tables import Export, table_of

    _export(lambda ledger: table_of(ledger, Export(table), list_of(ledger, name)), to)


def _export(table: Callable[[Ledger], ExportTable], to: FileOptions) -> None:
    """Writes a table into the file, or to standard output."""
    form = to.format
    if form is None:
        form = FileFormat.CSV if to.output is None else FileFormat.of(str(to.output))
    with opened(to.db) as ledger:
        table_ = table(ledger)
        with writing(to.output) as out:
            rows = write_table(table_, out, form)
    if not rows:
        note("export.empty")
    if to.output is not None:
        note("export.written", file=to.output, rows=rows)
