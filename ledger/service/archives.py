"""Opens what a ledger is kept in, a database or an archive; takes it out into one, and in again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, Manifest, read_manifest, unnamed_files
from ledger.archive.proof import ArchiveProof, prove
from ledger.archive.writer import write_archive
from ledger.errors import InputRefused, LedgerError
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.journal.records import Head
from ledger.journal.stores.database import archive_named, diagnose, open_journal, upgrade
from ledger.journal.stores.permissions import described
from ledger.views.view import LedgerView
from ledger.wording import Message
from ledger.wording.masking import masked

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = 10  # files that are none of an archive's


def open_ledger(url: str) -> Journal:
    """Opens the journal in a database, or in an archive: ``archive:DIR``, or the folder itself.

    Raises:
        DatabaseError: it is missing or cannot be used as it is.
        InputRefused: an archive is meant, and what reads it is not installed.
        VerificationFailed: an archive lacks a file, or its manifest was changed.
    """
    folder = archive_at(url)
    return open_journal(url) if folder is None else ArchiveJournal(folder)


def make_ledger(url: str, *, shared: bool = False) -> bool:
    """Creates a database or brings it up to date (see ``upgrade``); whether anything was done.

    Raises:
        InputRefused: an archive is meant, which is exported whole and never begun, or a database on
            PostgreSQL is to be shared.
        DatabaseError: it cannot be made.
    """
    folder = archive_at(url)
    if folder is not None:
        raise InputRefused("archive.no_init", archive=folder)
    return upgrade(url, shared=shared)


def archive_at(url: str) -> Path | None:
    """Returns the folder of the archive that is meant, if one is."""
    folder = archive_named(url)
    if folder is not None:
        return Path(folder).expanduser()
    if "://" in url or "\0" in url:
        return None
    path = Path(url).expanduser()
    return path if (path / NAME).is_file() else None


def look_at(url: str) -> tuple[Mapping[str, str], LedgerError | None]:
    """Returns how a database or an archive is: facts by name, and what is wrong with it."""
    folder = archive_at(url)
    if folder is None:
        found = diagnose(url)
        return found.facts, found.trouble
    facts = {"url": masked(str(folder)), "backend": "archive"}
    try:
        manifest = read_manifest(folder)
    except LedgerError as trouble:
        return facts, trouble
    size = sum(part.bytes for _, part in manifest.parts)
    facts |= {"revision": str(manifest.version), "size_bytes": str(size)}
    if manifest.personal:
        facts |= described(folder / part.file for part in manifest.personal)
    return facts, None


@dataclass(frozen=True, slots=True)
class Archived:
    """What an archive holds, after it was written or restored.

    ``done`` is false where nothing was to do, or nothing was to be done (``dry_run``). ``head`` is
    where the ledger ends that was restored; of it the manifest may say more.
    """

    manifest: Manifest
    done: bool = True
    dry_run: bool = False
    head: Head | None = None

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        manifest = self.manifest
        files = [part for _, part in manifest.parts]
        end = manifest.head
        head = self.head or Head(end.commit, Seq(end.seq), end.root)
        return {
            "done": self.done,
            "dry_run": self.dry_run,
            "commits": head.commit_id,
            "events": head.seq,
            "root": head.root,
            "lists": len(manifest.lists),
            "files": len(files),
            "bytes": sum(part.bytes for part in files),
            "personal": manifest.people,
            "personal_missing": manifest.missing_identities,
        }


def export_archive(
    view: LedgerView, folder: Path, *, personal: bool = True, shared: bool = False
) -> Archived:
    """Writes the whole ledger into a new folder, or an archive of it on (see ``write_archive``)."""
    before = read_manifest(folder) if (folder / NAME).is_file() else None
    archive = write_archive(
        view.journal,
        folder,
        personal=personal,
        shared=shared,
        progress=view.progress,
        notice=view.notice,
    )
    return Archived(archive, done=archive != before)


def import_archive(
    view: LedgerView, folder: Path, *, dry_run: bool = False, upto: int | None = None
) -> Archived:
    """Puts an archive into an empty ledger, all of it or nothing, or only proves that it could.

    Segments are made anew of the events: those of the archive are not taken over. The ledger's
    ``notice`` is told of files in the folder that are none of the archive, and of identity
    documents that are in it though their people were erased: those are not taken over. ``dry_run``
    says whether it is only proved. ``upto`` is the last event wanted, by default all; in the middle
    of a commit it stands for the one before. Files that hold only later ones are not read. Nothing
    is done to a ledger that ends exactly there already.

    Raises:
        NotFound: the archive has no such seq.
        VerificationFailed: the archive is not as it was written.
        Conflict: the ledger has another history.
        DatabaseError: there is no archive, or the ledger cannot be written.
    """
    archive = ArchiveJournal(folder, upto)
    if upto is None:
        _notice_unnamed(view, archive)
    proof = ArchiveProof(archive, "prove" if dry_run else "restore", view.progress, upto)
    if dry_run:
        proof.is_there(view.journal)
        proof.to_end()
        _notice_erased(view, proof)
        return Archived(archive.manifest, done=False, dry_run=True, head=proof.head)
    done = proof.into(view.journal)
    _notice_erased(view, proof)
    view.facts()
    return Archived(archive.manifest, done, head=proof.head)


def prove_archive(view: LedgerView) -> None:
    """Proves what only an archive has: digests of files and of lists; nothing for a database.

    The ledger's ``notice`` is told of files in the folder that are none of the archive.
    """
    if isinstance(view.journal, ArchiveJournal):
        _notice_unnamed(view, view.journal)
        prove(view.journal, view.progress)


def _notice_erased(view: LedgerView, proof: ArchiveProof) -> None:
    """Tells of documents that should not be in the archive any more."""
    if proof.erased:
        view.notice(Message.of("archive.erased", count=proof.erased))


def _notice_unnamed(view: LedgerView, archive: ArchiveJournal) -> None:
    """Tells of files beside the archive's own: somebody may take them for a part of it."""
    files = unnamed_files(archive.folder, archive.manifest)
    if files:
        quoted = (f"'{file}'" for file in files[:_SHOWN])
        shown = ", ".join(quoted) + (", …" if len(files) > _SHOWN else "")
        values = {"archive": archive.folder, "count": len(files), "files": shown}
        view.notice(Message.of("archive.unnamed", **values))
