"""Makes an archive of a journal: beside its place first, then put there whole, or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import takewhile
from pathlib import Path

from ledger.archive.manifest import (
    FORMAT,
    NAME,
    VERSION,
    ArchivePart,
    EventPart,
    HeadSaid,
    Manifest,
)
from ledger.archive.manifest_facts import ManifestFacts
from ledger.archive.part_writer import EventParts, PartWriter, on_disk
from ledger.archive.tables import ArchiveTable
from ledger.errors import DatabaseError, InputRefused
from ledger.journal.records import (
    Journal,
    PersonalDocument,
    Progress,
    SealedSegment,
    no_progress,
)
from ledger.journal.stores.permissions import PRIVATE, open_new, share
from ledger.journal.verify.rehash import Rehash

PROGRESS_EVENTS = 5_000
_DOCUMENTS = 10_000


def write_archive(
    journal: Journal,
    folder: Path,
    *,
    personal: bool = True,
    shared: bool = False,
    progress: Progress = no_progress,
) -> Manifest:
    """Writes the whole ledger, as it is when this begins, into a new or empty folder.

    Everything is hashed anew on the way: a ledger that is not as it was recorded is not archived.
    The same ledger gives the same files.

    Args:
        journal: the ledger's.
        folder: where the archive goes; it is there when all of it is on the disk.
        personal: whether the identity documents, which are personal data, go into it, in a file
            that its owner alone can read and write.
        shared: whether the group can read and write all of it.
        progress: is told "archive", the events done and their total.

    Raises:
        InputRefused: the folder is not empty.
        VerificationFailed: the ledger is not as it was recorded.
        DatabaseError: it cannot be read, or the archive cannot be written.
    """
    with _appearing(folder) as place:
        made = _Archive(journal, place, progress).written(personal=personal)
        if shared:
            share(place)
        return made


class _Archive:
    """An archive in the making."""

    def __init__(self, journal: Journal, place: Path, progress: Progress) -> None:
        self._journal = journal
        self._place = place
        self._progress = progress
        self._head = journal.head()
        self._witness = ManifestFacts()

    def written(self, *, personal: bool) -> Manifest:
        """Writes all files, the manifest last."""
        head = self._head
        commits, events = self._history()
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            head=HeadSaid(commit=head.commit_id, seq=head.seq, root=head.root),
            commits=commits,
            events=events,
            identities=len(self._witness.identities),
            personal=self._personal() if personal else None,
            segments=self._segments(),
            lists=tuple(self._witness.lists),
        )
        path = self._place / NAME
        path.write_text(manifest.text(), encoding="utf-8", newline="\n")
        on_disk(path)
        return manifest

    def _history(self) -> tuple[ArchivePart, tuple[EventPart, ...]]:
        """Writes commits and events, side by side."""
        head = self._head
        commits = takewhile(lambda one: one.commit_id <= head.commit_id, self._journal.commits())
        history = Rehash(commits, self._journal.events(upto=head.seq), self._witness)
        with ExitStack() as stack:
            commit_part = stack.enter_context(PartWriter(self._place, ArchiveTable.COMMITS))
            event_parts = stack.enter_context(EventParts(self._place, history.tree))
            for commit, events in history:
                commit_part.add(commit)
                for event in events:
                    event_parts.add(event)
                    if event.seq % PROGRESS_EVENTS == 0 or event.seq == head.seq:
                        self._progress("archive", event.seq, head.seq)
            assert (history.commits, history.tree.size) == (head.commit_id, head.seq)
            return commit_part.end(), event_parts.end()

    def _personal(self) -> ArchivePart:
        """Writes the identity documents that are there."""
        os.close(open_new(self._place / f"{ArchiveTable.PERSONAL}.parquet", PRIVATE))
        with PartWriter(self._place, ArchiveTable.PERSONAL) as part:
            identities = sorted(self._witness.identities)
            for start in range(0, len(identities), _DOCUMENTS):
                there = self._journal.personal_documents(identities[start : start + _DOCUMENTS])
                for digest, document in sorted(there.items()):
                    player = self._witness.identities[digest]
                    part.add(PersonalDocument(digest, player, document))
            return part.end()

    def _segments(self) -> ArchivePart:
        """Writes the sealed segments, unless the ledger itself would not read them."""
        with PartWriter(self._place, ArchiveTable.SEGMENTS) as part:
            for segment in self._journal.segments():
                if segment.sealed_at <= self._head.seq and is_sound(self._journal, segment):
                    part.add(segment)
            return part.end()


def is_sound(journal: Journal, segment: SealedSegment) -> bool:
    """Whether a segment was sealed under a root of the journal, and its heading is as it was then.

    The heading knows the digest of the rows, and whoever reads these looks.
    """
    shown = (journal.root_at(segment.sealed_at), sha256(segment.heading).hexdigest())
    return shown == (segment.root, segment.sha256)


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """Gives a folder that takes the place of the one named at the end; or nothing is left of it."""
    target = folder.expanduser().absolute()
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise InputRefused("archive.not_empty", archive=folder)
    place = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        place.mkdir()
        try:
            yield place
            for made in (*(each for each in place.rglob("*") if each.is_dir()), place):
                on_disk(made)
            if target.exists():
                target.rmdir()
            place.rename(target)
            on_disk(target.parent)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        key = "archive.full" if full else "archive.cannot_write"
        why = error.strerror or os.strerror(error.errno or errno.EIO)
        raise DatabaseError(key, archive=folder, why=why) from error
