"""Backups: a folder with an archive of the ledger that is written on, and a copy of the office.

The office is the site's, and no part of the ledger: its copy is a file that somebody else makes and
reads. It is copied before the ledger is archived, so that it knows of no commit that is not there.
``backup.json`` names it, and is written last.

Copies a ledger from one database into another, or out of an archive, every hash anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.archive.document_source import DocumentsLost
from ledger.archive.files import NoPlainFile, open_plain
from ledger.archive.journal import ArchiveJournal
from ledger.archive.proof import ArchiveProof
from ledger.disk import UNFINISHED, disk_errors_told, on_disk, system_said, whole_file
from ledger.errors import DatabaseError, InputRefused, NotFound, VerificationFailed
from ledger.exports.columns import need_arrow
from ledger.journal.interface import Journal
from ledger.journal.records import Progress, no_progress
from ledger.journal.transfer import DocumentsMissing, Transfer
from ledger.json_form import SHA256, JsonForm
from ledger.service.archives import Archived, export_archive, make_ledger, open_ledger
from ledger.service.ledger import Ledger
from ledger.views.view import LedgerView

_TRIES = 3
_NOT_MADE = {"database.missing", "database.not_initialised"}


@dataclass(frozen=True, slots=True)
class LedgerCopy(JsonForm):
    """Where a ledger ends that was copied; ``done`` is false where it was there already."""

    done: bool
    commits: int
    events: int
    root: Annotated[str, SHA256]


def copy_ledger(source: Ledger, target: Ledger) -> LedgerCopy:
    """Copies the whole ledger, as it is when this begins, into an empty one; all or nothing.

    Others may write to the source meanwhile. Segments and snapshots are made anew. Of an archive
    identity documents may be missing: it may have been made without.

    Raises:
        VerificationFailed: with the first thing that is wrong with the source; nothing is stored.
        Conflict: the target has another history.
        DatabaseError: one cannot be read, or the other not written.
    """
    for left in reversed(range(_TRIES)):
        transfer = _transfer(source.journal, target.progress)
        try:
            done = transfer.into(target.journal)
            break
        except DocumentsMissing:
            # Somebody may have been erased after the end of what was read: then that is read too.
            if not left or source.journal.head() == transfer.head:
                raise
    target.facts()
    head = transfer.head
    return LedgerCopy(done, head.commit_id, head.seq, head.root)


def _transfer(journal: Journal, progress: Progress) -> Transfer:
    if isinstance(journal, ArchiveJournal):
        return ArchiveProof(journal, "copy", progress)
    return Transfer(journal, what="copy", progress=progress, none_lost=True)


def make_where_missing(url: str) -> bool:
    """Makes the database of a ledger if there is none; returns whether it did.

    Raises:
        InputRefused: an archive is meant.
        DatabaseError: it cannot be made, or what is there cannot be used.
    """
    try:
        open_ledger(url).close()
    except DatabaseError as error:
        if error.message.key not in _NOT_MADE:
            raise
        return make_ledger(url)
    return False


NAME = "backup.json"
_LEDGER = "ledger"
_LOCK = ".lock"
_MOST_BYTES = 1 << 16
_COPY = re.compile(r"office-[0-9a-f]{64}\.db")

CopyOffice = Callable[[Path], bool]
"""Copies the office into a new file; returns whether there is one."""


class BackupContents(BaseModel):
    """What a backup says of itself: the name of the office's copy is its digest."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    format: Literal["rating-ledger backup"]
    version: Literal[1]
    office: str | None = Field(pattern=rf"^{_COPY.pattern}$")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is there.

    Attributes:
        ledger: the folder of its archive.
        office: the file with the copy of the office, as it was made; None where there is none.
    """

    ledger: Path
    office: Path | None


def back_up(view: LedgerView, folder: Path, copy_office: CopyOffice | None = None) -> Archived:
    """Writes a ledger and its office into a new folder, or what is new since the last time.

    Others may write meanwhile. What is written is verified by the root (see ``write_archive``).
    ``folder`` is where the backup goes, for its owner alone. ``copy_office`` makes the copy of the
    office; None leaves it out.

    Raises:
        InputRefused: there is something else in the folder, or what writes archives is not
            installed.
        Conflict: it is the backup of another ledger, or of a later state.
        VerificationFailed: the ledger is not as it was recorded, or the backup not as it was
            written.
        DocumentsLost: the ledger has lost identity documents; the backup was made and keeps them.
        DatabaseError: something cannot be read or written; the last backup is as it was.
    """
    need_arrow()
    with disk_errors_told(folder), _alone(folder):
        office = _copied(folder, copy_office) if copy_office else None
        try:
            archive = export_archive(view, folder / _LEDGER)
        except DocumentsLost:
            _end(folder, office)
            raise
        _end(folder, office)
    return archive


def _end(folder: Path, office: str | None) -> None:
    """Names the copy of the office, and removes the one before."""
    contents = BackupContents(format="rating-ledger backup", version=1, office=office)
    with whole_file(folder / NAME) as file:
        file.write(f"{contents.model_dump_json(indent=2)}\n".encode())
    on_disk(folder)
    for path in folder.iterdir():
        if _COPY.fullmatch(path.name) and path.name != office:
            path.unlink()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Makes the folder, and removes what nobody finished; nobody else backs up into it."""
    if folder.exists() and not (folder / NAME).is_file():
        visible = (path.name for path in folder.iterdir() if not path.name.startswith("."))
        if any(name != _LEDGER and not _COPY.fullmatch(name) for name in visible):
            raise InputRefused("keeping.not_empty", backup=folder)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        on_disk(folder.parent)
    if not (folder / NAME).is_file():
        with suppress(PermissionError):  # it is somebody else's, who knows who reads it
            folder.chmod(0o700)
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise DatabaseError("archive.busy", archive=folder) from error
    try:
        for path in folder.glob(UNFINISHED):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        yield
    finally:
        lock.release()


def _copied(folder: Path, copy_office: CopyOffice) -> str | None:
    """Copies the office into a file that is named by its digest; returns the name."""
    with tempfile.TemporaryDirectory(prefix=".office.", suffix=".partial", dir=folder) as place:
        file = Path(place) / "office.db"
        if not copy_office(file):
            return None
        name = f"office-{on_disk(file)}.db"
        file.replace(folder / name)
        on_disk(folder)
        return name


def open_backup(folder: Path, upto: int | None = None) -> Backup:
    """Opens a backup; the office's copy is held against its digest.

    ``upto`` is the last event that is wanted of it, by default all.

    Raises:
        DatabaseError: there is none.
        InputRefused: what reads archives is not installed.
        NotFound: it has no such seq.
        VerificationFailed: it was changed.
    """
    need_arrow()
    contents = _read(folder)
    if upto is not None and upto > (last := ArchiveJournal(folder / _LEDGER, upto).head().seq):
        raise NotFound("database.no_such_seq", seq=upto, last=last)
    if contents.office is None:
        return Backup(folder / _LEDGER, None)
    path = folder / contents.office
    try:
        with open_plain(folder, contents.office) as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except NoPlainFile as error:
        raise VerificationFailed("archive.file_special", file=path) from error
    except OSError as error:
        raise VerificationFailed("archive.file_missing", file=path) from error
    if contents.office != f"office-{digest}.db":
        raise VerificationFailed("archive.file_changed", file=path)
    return Backup(folder / _LEDGER, path)


def prove_backup(
    backup: Backup, upto: int | None = None, progress: Progress = no_progress
) -> Archived:
    """Proves that a backup could be restored (see ``import_archive``), without a database.

    Raises:
        NotFound: it has no such seq.
        VerificationFailed: with the first thing that is wrong.
    """
    archive = ArchiveJournal(backup.ledger, upto)
    proof = ArchiveProof(archive, "prove", progress, upto)
    proof.to_end()
    return Archived(archive.manifest, done=False, dry_run=True, head=proof.head)


def _read(folder: Path) -> BackupContents:
    try:
        with open_plain(folder, NAME) as file:
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise DatabaseError("keeping.missing", backup=folder, why=system_said(error)) from error
    try:
        contents: Any = json.loads(data)
        return BackupContents.model_validate(contents)
    except (ValueError, RecursionError, ValidationError) as error:
        raise VerificationFailed("archive.manifest", file=folder / NAME) from error
