"""``export players|games|ratings|postings|lists``: tables for other programs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Optional

import typer

from cli.commands.lists import Name
from cli.names import list_of
from cli.options import Db
from cli.output import note
from cli.session import opened
from ledger.errors import InputRefused

if TYPE_CHECKING:
    from ledger.application.ledger import Ledger
    from ledger.exports.columns import ExportTable


class Form(StrEnum):
    """How a table is written."""

    CSV = "csv"
    PARQUET = "parquet"
    XLSX = "xlsx"


Output = Annotated[
    Optional[Path],  # noqa: UP045 - Typer evaluates it at run time
    typer.Option("--output", "-o", help="The file (default: standard output).", show_default=False),
]
As = Annotated[
    Optional[Form],  # noqa: UP045 - the same
    typer.Option("--format", help="Default: by the file's suffix, else CSV.", show_default=False),
]


def add_to(export: typer.Typer) -> None:
    """Adds the commands to ``export``."""
    for command in (players, games, ratings, postings, lists):
        export.command()(command)


def players(
    list_: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--list", help="With the newest ratings of this list.", show_default=False),
    ] = None,
    output: Output = None,
    as_: As = None,
    db: Db = None,
) -> None:
    """Write the players, under the headings by which ``import`` reads them."""
    from ledger.application.tables import players_table

    _export(lambda ledger: players_table(ledger, list_), output, as_, db)


def games(output: Output = None, as_: As = None, db: Db = None) -> None:
    """Write the games of all tournaments, under the headings by which ``import`` reads them."""
    from ledger.application.tables import games_table

    _export(games_table, output, as_, db)


def ratings(name: Name = None, output: Output = None, as_: As = None, db: Db = None) -> None:
    """Write every player's rating in every period, as known now."""
    from ledger.application.tables import Export, table_of

    _export(lambda ledger: table_of(ledger, Export.RATINGS, list_of(ledger, name)), output, as_, db)


def postings(name: Name = None, output: Output = None, as_: As = None, db: Db = None) -> None:
    """Write every rated game of every player, with what it was calculated from, as known now."""
    from ledger.application.tables import Export, table_of

    _export(
        lambda ledger: table_of(ledger, Export.POSTINGS, list_of(ledger, name)), output, as_, db
    )


def lists(name: Name = None, output: Output = None, as_: As = None, db: Db = None) -> None:
    """Write the rows of all published editions, as they were published."""
    from ledger.application.tables import Export, table_of

    _export(lambda ledger: table_of(ledger, Export.LISTS, list_of(ledger, name)), output, as_, db)


def _export(
    table: Callable[[Ledger], ExportTable], output: Path | None, as_: Form | None, db: str | None
) -> None:
    from ledger.exports.files import FileFormat
    from ledger.exports.files import write as write_table

    if as_ is not None:
        form = FileFormat(as_)
    else:
        form = FileFormat.CSV if output is None else FileFormat.of(str(output))
    with opened(db) as ledger:
        made = table(ledger)
        with _writing(output) as out:
            rows = write_table(made, out, form)
    if not rows:
        note("export.empty")
    if output is not None:
        note("export.written", file=output, rows=rows)


@contextmanager
def _writing(output: Path | None) -> Iterator[IO[bytes]]:
    """Gives a file, which is there under its name when all of it is written, or not at all."""
    if output is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    try:
        with tempfile.NamedTemporaryFile(
            dir=output.parent, prefix=f".{output.name}.", delete=False
        ) as out:
            try:
                yield out
                out.flush()
                _readable(out)
                Path(out.name).replace(output)
            except BaseException:
                Path(out.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        why = error.strerror or error
        raise InputRefused("cli.not_written", file=output, why=why) from error


def _readable(file: IO[bytes]) -> None:
    """Gives a private file the permissions of one that is simply written."""
    if os.name != "nt":
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(file.fileno(), 0o666 & ~mask)
