"""Open data: tables as files that describe themselves (a Frictionless package).

What stands in them is what everybody reads on the site (see ``open_tables``), and no name of who
was erased. The files bear the seq up to which they are known in their names, so that one of a name
never changes; ``datapackage.json`` names them, and is written last.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.disk import whole_file
from ledger.errors import InputRefused, NotFound
from ledger.exports.columns import ColumnType, ExportColumn, ExportTable, Page, need_arrow
from ledger.exports.files import FileFormat, write_each
from ledger.identifiers import Seq
from ledger.intake.open_tables import (
    bulk_games_table,
    corrections_table,
    lists_table,
    players_of_lists,
    tournaments_table,
)
from ledger.journal.records import Progress, no_progress
from ledger.views.past import PastLedger

DESCRIPTION: Final = "datapackage.json"
TABLES: Final = 5
_LARGEST: Final = 1 << 20  # bytes of the description
_TYPES: Final = {
    ColumnType.TEXT: "string",
    ColumnType.WORD: "string",
    ColumnType.WHOLE: "integer",
    ColumnType.FLAG: "boolean",
    ColumnType.DAY: "date",
}
_MEDIA_TYPES: Final = {
    FileFormat.CSV: "text/csv",
    FileFormat.PARQUET: "application/vnd.apache.parquet",
}
_LICENCES: Final = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC-BY-NC-4.0": "https://creativecommons.org/licenses/by-nc/4.0/",
    "ODC-BY-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
}


class DataResource(msgspec.Struct, frozen=True):
    """A file of the package; ``hash`` is ``sha256:`` and the digest in hexadecimal."""

    name: str
    path: str
    format: str
    mediatype: str
    bytes: int
    hash: str
    rows: int
    title: str

    @property
    def sha256(self) -> str:
        """The digest."""
        return self.hash.removeprefix("sha256:")


class Licence(msgspec.Struct, frozen=True):
    """The licence of the data by its name; ``path`` leads to its text, where that is known."""

    name: str
    path: str = ""


class Contributor(msgspec.Struct, frozen=True):
    """Who gives the data."""

    title: str
    role: str = "publisher"


class DataPackage(msgspec.Struct, frozen=True):
    """What a package says of itself; ``version`` is the seq, ``root`` that of the tree there.

    ``created`` is when the last thing that it knows was recorded. ``licenses`` and ``contributors``
    are one each, or none where nobody settled any.
    """

    title: str
    version: str
    root: str
    created: str
    resources: tuple[DataResource, ...]
    licenses: tuple[Licence, ...] = ()
    contributors: tuple[Contributor, ...] = ()

    @property
    def licence(self) -> str | None:
        """The name of the licence."""
        return self.licenses[0].name if self.licenses else None

    @property
    def publisher(self) -> str | None:
        """The name of who gives the data."""
        return self.contributors[0].title if self.contributors else None

    @property
    def seq(self) -> Seq:
        """Up to which seq it is known."""
        return Seq(int(self.version))

    def resource(self, path: str) -> DataResource:
        """Returns a file by its name; raises ``NotFound`` for one that is not among them."""
        for each in self.resources:
            if each.path == path:
                return each
        raise NotFound("package.no_file", file=path)


def write_data_package(
    view: PastLedger,
    folder: Path,
    title: str,
    licence: str | None,
    publisher: str | None = None,
    progress: Progress = no_progress,
) -> DataPackage:
    """Writes what is open of a ledger into a folder, in place of the package that is there.

    Files of the one before go when the new one is described; what else is there stays.

    Args:
        view: the ledger, which stays as it is meanwhile.
        folder: it is made where it is missing.
        title: how the data are called.
        licence: the name of their licence, ``CC-BY-4.0``; None: nobody settled any.
        publisher: the name of who gives them; None: not said.
        progress: is told "data", the tables done and their total, with every page.

    Raises:
        InputRefused: nothing was recorded yet, or what writes tables is not installed.
        OSError: a file cannot be written.
    """
    commit = view.last_commit
    if commit is None:
        raise InputRefused("package.empty")
    need_arrow()
    former = read_data_package(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = [
        (resource, table.columns)
        for table in _told(_tables(view, dt.date.fromisoformat(commit.recorded_at[:10])), progress)
        for resource in _written(folder, view.seq, table)
    ]
    package = DataPackage(
        title=title,
        version=str(view.seq),
        root=view.journal.head().root,
        created=commit.recorded_at,
        licenses=() if licence is None else (Licence(licence, _LICENCES.get(licence, "")),),
        contributors=() if publisher is None else (Contributor(publisher),),
        resources=tuple(resource for resource, _ in written),
    )
    described = [_described(*each) for each in written]
    data = msgspec.to_builtins(package) | {"name": "chess-ratings", "resources": described}
    if package.licenses and not package.licenses[0].path:
        data["licenses"] = [{"name": licence, "title": licence}]
    data = {name: value for name, value in data.items() if value}  # no list is empty
    with whole_file(folder / DESCRIPTION) as out:
        out.write(json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n")
    if former is not None:
        kept = {resource.path for resource in package.resources}
        gone = tuple(each for each in former.resources if each.path not in kept)
        forget_files(folder, msgspec.structs.replace(former, resources=gone))
    return package


def _tables(view: PastLedger, day: dt.date) -> Iterator[ExportTable]:
    """Yields the tables; one is asked for when the one before was read."""
    ids: set[str] = set()
    yield lists_table(view, ids)
    yield players_of_lists(view, ids, day)
    yield tournaments_table(view)
    yield bulk_games_table(view)
    yield corrections_table(view)


def _told(tables: Iterator[ExportTable], progress: Progress) -> Iterator[ExportTable]:
    """Yields tables whose pages tell how many of them are done."""

    def pages(done: int, table: ExportTable) -> Iterator[Page]:
        for page in table.pages:
            progress("data", done, TABLES)
            yield page

    for done, table in enumerate(tables):
        yield replace(table, pages=pages(done, table))


def forget_files(folder: Path, package: DataPackage) -> None:
    """Throws the files of a package away, as far as they are there; what describes it stays."""
    for each in package.resources:
        with suppress(OSError):  # somebody else does it, or reads it where that is in the way
            (folder / each.path).unlink(missing_ok=True)


def read_data_package(folder: Path) -> DataPackage | None:
    """Returns what the package in a folder says of itself; None where there is none.

    Raises:
        InputRefused: what is there is none, or names a file outside of the folder.
    """
    file = folder / DESCRIPTION
    try:
        with file.open("rb") as data:
            text = data.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputRefused("package.unreadable", file=file, why=error.strerror) from error
    try:
        package = msgspec.json.decode(text, type=DataPackage)
        is_ours = package.version.isdecimal()
    except msgspec.DecodeError as error:
        raise InputRefused("package.unreadable", file=file, why=error) from error
    if not is_ours or any(Path(each.path).name != each.path for each in package.resources):
        raise InputRefused("package.unreadable", file=file, why=DESCRIPTION)
    return package


def _written(folder: Path, seq: Seq, table: ExportTable) -> Iterator[DataResource]:
    """Writes a table into a file of each format, while its pages are read once."""
    paths = {form: folder / f"{table.name}-{seq}.{form}" for form in _MEDIA_TYPES}
    with ExitStack() as stack:
        outs = {form: stack.enter_context(whole_file(path)) for form, path in paths.items()}
        rows = write_each(table, outs)
    for form, path in paths.items():
        with path.open("rb") as data:
            digest = file_digest(data, "sha256").hexdigest()
        yield DataResource(
            name=f"{table.name}-{form}",
            path=path.name,
            format=form.value,
            mediatype=_MEDIA_TYPES[form],
            bytes=path.stat().st_size,
            hash=f"sha256:{digest}",
            rows=rows,
            title=table.name,
        )


def _described(resource: DataResource, columns: tuple[ExportColumn, ...]) -> Mapping[str, Any]:
    """Returns a file as the package describes it: of CSV also its columns."""
    data: dict[str, Any] = msgspec.to_builtins(resource)
    data["schema"] = {"fields": [*_fields(columns)], "missingValues": [""]}
    if resource.format == FileFormat.CSV:
        data |= {"profile": "tabular-data-resource", "encoding": "utf-8"}
    return data


def _fields(columns: tuple[ExportColumn, ...]) -> Iterator[Mapping[str, Any]]:
    for column in columns:
        field: dict[str, Any] = {
            "name": column.name, "type": _TYPES[column.kind], "description": column.says,
        }  # fmt: skip
        if column.kind is ColumnType.FLAG:
            field |= {"trueValues": ["yes"], "falseValues": ["no"]}
        if not column.optional:
            field["constraints"] = {"required": True}
        yield field
