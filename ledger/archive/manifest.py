"""The manifest of an archive: what files there are, what is in them, and what it all comes to.

It is JSON that people can read, written in one way only: any byte that is not as it was written is
found, by a digest of its own. Against somebody who writes it anew that is no help; the root is,
held against a checkpoint kept elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from ledger.archive.files import (
    EVENTS_IN_PART,
    MOST_GROUPS,
    ArchiveTable,
    NoPlainFile,
    open_plain,
    size_of,
)
from ledger.disk import system_said
from ledger.errors import DatabaseError, VerificationFailed
from ledger.events.catalogue import CATALOGUE
from ledger.events.lists import ListPublished
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.records import StoredRow

NAME = "manifest.json"
MOST_BYTES = 1 << 24
"""A longer manifest is not read; there is room for 40,000 files, or 25,000 lists."""
FORMAT: Literal["rating-ledger archive"] = "rating-ledger archive"
VERSION: Literal[2] = 2

_Count = Annotated[int, Field(ge=0)]
_Position = Annotated[int, Field(ge=1)]
_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
# Names that stay within the archive.
_File = Annotated[str, Field(pattern=r"^[a-z]+(/[0-9]+)?\.parquet$")]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class ArchivePart(_Said):
    """One file: how many rows and groups of rows it has, how many bytes, and their SHA-256."""

    file: _File
    rows: _Count
    row_groups: _Count
    bytes: _Count
    sha256: _Hash


class RangePart(ArchivePart):
    """A file about the events from one to another: their commits, the people they name first."""

    first_seq: _Position
    last_seq: _Position


class EventPart(RangePart):
    """A file of events; ``root`` is that of the tree from the first event to its last."""

    root: _Hash


class HeadSaid(_Said):
    """Where the ledger ended; 0, 0 and the hash of the empty tree for an empty one."""

    commit: _Count
    seq: _Count
    root: _Hash


class ManifestBasis(_Said):
    """What a list was computed from."""

    seq: _Position
    regulation: str
    regulation_digest: str


class ManifestList(_Said):
    """A list that went out, and the digests of its bytes; ``seq`` is that of the event.

    ``rows_root`` is left out where the publication has none.
    """

    seq: _Position
    list: str
    period: str
    edition: _Position
    published_on: str
    basis: ManifestBasis
    row_count: _Count
    output_sha256: _Hash
    ratings_sha256: _Hash
    rows_root: _Hash | None = None

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        said: dict[str, Any] = write(self)
        return {name: value for name, value in said.items() if value is not None}


def published_in(rows: Sequence[StoredRow]) -> Iterator[ManifestList]:
    """Yields the lists that went out with the events of a page, which are right."""
    for seq, _, _, type_, version, _, _, payload, _ in rows:
        if type_ == ListPublished.TYPE:
            event = CATALOGUE.decode(type_, version, payload)
            assert isinstance(event, ListPublished)
            yield _published(seq, event)


def _published(seq: int, publication: ListPublished) -> ManifestList:
    return ManifestList(
        seq=seq,
        list=publication.list,
        period=publication.period,
        edition=publication.edition,
        published_on=publication.published_on.isoformat(),
        basis=ManifestBasis(
            seq=publication.basis_seq,
            regulation=publication.regulation,
            regulation_digest=publication.regulation_digest,
        ),
        row_count=publication.row_count,
        output_sha256=publication.output_sha256,
        ratings_sha256=publication.ratings_sha256,
        rows_root=publication.rows_root,
    )


class Manifest(_Said):
    """What an archive says of itself.

    Files of a table are in the order of their events. ``identities`` counts the identity documents
    that events refer to; ``personal`` is absent when they were left out. ``signatures`` is
    left out where no commit is signed.
    """

    format: Literal["rating-ledger archive"]
    version: Literal[2]
    head: HeadSaid
    commits: tuple[RangePart, ...]
    events: tuple[EventPart, ...]
    identities: _Count
    personal: tuple[RangePart, ...] | None
    segments: tuple[RangePart, ...]
    lists: tuple[ManifestList, ...]
    signatures: tuple[RangePart, ...] = ()

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        said: dict[str, Any] = write(self)
        if not self.signatures:
            del said["signatures"]
        return said

    @property
    def tables(self) -> Iterator[tuple[ArchiveTable, Sequence[RangePart]]]:
        """The files of each table; none of people who were left out."""
        yield ArchiveTable.COMMITS, self.commits
        yield ArchiveTable.EVENTS, self.events
        yield ArchiveTable.PERSONAL, self.personal or ()
        yield ArchiveTable.SEGMENTS, self.segments
        yield ArchiveTable.SIGNATURES, self.signatures

    @property
    def parts(self) -> Iterator[tuple[ArchiveTable, RangePart]]:
        """Every file, and the table it is of."""
        for table, parts in self.tables:
            for part in parts:
                yield table, part

    @property
    def people(self) -> int:
        """How many identity documents there are."""
        return sum(part.rows for part in self.personal or ())

    @property
    def missing_identities(self) -> int:
        """How many identity documents were erased, or left out."""
        return self.identities - self.people

    def upto(self, seq: int) -> Manifest:
        """Returns it with only those files that are needed for the events up to a seq."""
        kept = {
            str(table): tuple(part for part in parts if part.first_seq <= seq)
            for table, parts in self.tables
            if table is not ArchiveTable.PERSONAL or self.personal is not None
        }
        return self.model_copy(update=kept)

    def text(self) -> str:
        """Returns it as it is written."""
        return _signed(self)


class _ManifestV1(_Said):
    """What an archive said that had one file for commits, one for people, and one for segments."""

    format: Literal["rating-ledger archive"]
    version: Literal[1]
    head: HeadSaid
    commits: ArchivePart
    events: tuple[EventPart, ...]
    identities: _Count
    personal: ArchivePart | None
    segments: ArchivePart
    lists: tuple[ManifestList, ...]

    def upcast(self) -> Manifest:
        """Returns what would be said now; a file without rows is about the first event."""
        last = max(1, self.head.seq)

        def ranges(part: ArchivePart) -> tuple[RangePart, ...]:
            return (RangePart(**part.model_dump(), first_seq=1, last_seq=last),)

        return Manifest(
            format=self.format,
            version=VERSION,
            head=self.head,
            commits=ranges(self.commits),
            events=self.events,
            identities=self.identities,
            personal=None if self.personal is None else ranges(self.personal),
            segments=ranges(self.segments),
            lists=self.lists,
        )


def empty_manifest(*, personal: bool) -> Manifest:
    """Returns what is said of nothing."""
    return Manifest(
        format=FORMAT,
        version=VERSION,
        head=HeadSaid(commit=0, seq=0, root=EMPTY_ROOT.hex()),
        commits=(),
        events=(),
        identities=0,
        personal=() if personal else None,
        segments=(),
        lists=(),
    )


def _signed(manifest: Manifest | _ManifestV1) -> str:
    """Returns a manifest as it is written, with a digest of it."""
    said = manifest.model_dump(mode="json")
    return _written(said | {"sha256": hashlib.sha256(_written(said).encode()).hexdigest()})


def _written(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def unnamed_files(folder: Path, manifest: Manifest) -> list[str]:
    """Returns the files in an archive's folder that are none of it, by their paths within, sorted.

    Nothing ever reads them. Hidden ones, which file managers leave behind, are passed over.
    """
    named = {NAME, *(part.file for _, part in manifest.parts)}
    found = (
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    )
    visible = (path for path in found if not any(part.startswith(".") for part in path.parts))
    return sorted({path.as_posix() for path in visible} - named)


def read_manifest(folder: Path, upto: int | None = None) -> Manifest:
    """Reads what the archive in a folder says of itself, and whether its files are there.

    Their content is looked at when it is read (see ``parts``). ``upto`` names only the files that
    are needed for the events up to this seq; by default all.

    Raises:
        DatabaseError: there is no archive, or newer software made it.
        VerificationFailed: the manifest was changed or is too large; a file is missing, of another
            size, no plain file, or said to hold more than is ever written into one.
    """
    path = folder / NAME
    manifest = _parsed(_data(folder), path, folder)
    commits = [part for part in manifest.commits if part.rows]
    if not (
        _follow(commits, manifest.head.seq)
        and _follow(manifest.events, manifest.head.seq)
        and all(part.rows == part.last_seq - part.first_seq + 1 for part in manifest.events)
        and sum(part.rows for part in commits) == manifest.head.commit
    ):
        raise VerificationFailed("archive.manifest", file=path)
    if upto is not None:
        manifest = manifest.upto(upto)
    for table, part in manifest.parts:
        _check_counts(folder / part.file, table, part)
        _check_there(folder, part)
    return manifest


def _follow(parts: Sequence[RangePart], last: int) -> bool:
    """Whether files are about all events up to the last, each where the one before ended."""
    ends = [0, *(part.last_seq for part in parts)]
    return ends[-1] == last and all(
        part.first_seq == end + 1 for part, end in zip(parts, ends, strict=False)
    )


def _data(folder: Path) -> bytes:
    """Returns the manifest's bytes."""
    path = folder / NAME
    try:
        with open_plain(folder, NAME) as file:
            data = file.read(MOST_BYTES + 1)
    except NoPlainFile as error:
        raise VerificationFailed("archive.file_special", file=path) from error
    except OSError as error:
        raise DatabaseError("archive.missing", archive=folder, why=system_said(error)) from error
    if len(data) > MOST_BYTES:
        raise VerificationFailed("archive.file_unlike", file=path, what=f"> {MOST_BYTES} bytes")
    return data


def _parsed(data: bytes, path: Path, folder: Path) -> Manifest:
    try:
        said = json.loads(data)
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            raise DatabaseError("archive.missing", archive=folder, why=f"{NAME}: {FORMAT}?")
        version = said.get("version")
        if isinstance(version, int) and version > VERSION:
            raise DatabaseError("archive.newer", archive=folder, version=version, known=VERSION)
        said.pop("sha256", None)
        made = Manifest if version == VERSION else _ManifestV1
        manifest = made.model_validate_json(json.dumps(said))
    except (ValueError, RecursionError, ValidationError) as error:
        raise VerificationFailed("archive.manifest", file=path) from error
    if _signed(manifest).encode() != data:
        raise VerificationFailed("archive.manifest", file=path)
    return manifest.upcast() if isinstance(manifest, _ManifestV1) else manifest


def _check_counts(path: Path, table: ArchiveTable, part: ArchivePart) -> None:
    """Holds the rows and groups that a file is said to have against what is ever written."""
    groups = min(part.rows, MOST_GROUPS)
    if part.row_groups > groups or part.rows > part.row_groups * table.group_rows:
        raise VerificationFailed(
            "archive.file_unlike", file=path, what=f"{part.rows} rows, {part.row_groups} groups"
        )
    if table is ArchiveTable.EVENTS and part.rows > EVENTS_IN_PART:
        raise VerificationFailed("archive.file_unlike", file=path, what=f"{part.rows} rows")


def _check_there(folder: Path, part: ArchivePart) -> None:
    path = folder / part.file
    try:
        size = size_of(folder, part.file)
    except NoPlainFile as error:
        raise VerificationFailed("archive.file_special", file=path) from error
    except OSError as error:
        raise VerificationFailed("archive.file_missing", file=path) from error
    if size != part.bytes:
        raise VerificationFailed("archive.file_size", file=path, bytes=size, expected=part.bytes)
