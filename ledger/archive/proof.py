"""Proves an archive: every hash is computed anew; and puts it into an empty ledger."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, ManifestList, published_in
from ledger.errors import VerificationFailed
from ledger.identifiers import Seq
from ledger.journal.records import Head, PersonalDocument, Progress, no_progress
from ledger.journal.transfer import Transfer


def prove(
    archive: ArchiveJournal, progress: Progress = no_progress, *, upto: int | None = None
) -> None:
    """Computes every hash of an archive anew and holds the manifest against what it comes to.

    The sealed segments are not looked at: nobody believes them, and ``verify`` holds them against
    the events. ``progress`` is told "prove", the events done and their total. ``upto`` is
    the last event that is proved, by default all are.

    Raises:
        NotFound: the archive has no such seq.
        VerificationFailed: with the first thing that is wrong.
    """
    ArchiveProof(archive, "prove", progress, upto).to_end()


class ArchiveProof(Transfer):
    """A history that comes out of an archive, whose manifest must say what it comes to."""

    def __init__(
        self, archive: ArchiveJournal, what: str, progress: Progress, upto: int | None = None
    ) -> None:
        self._archive = archive
        self._lists: list[ManifestList] = []
        super().__init__(
            archive,
            upto,
            what=what,
            progress=progress,
            cuts=[part.last_seq for part in archive.manifest.events],
            page_seen=lambda rows, _: self._lists.extend(published_in(rows)),
            is_all=upto is None,
        )

    def personal(self) -> Iterator[PersonalDocument]:
        """Yields the identity documents, each bound to its player by an event."""
        self._check_manifest()
        yield from super().personal()

    def to_end(self) -> None:
        """Reads everything; raises ``VerificationFailed`` with the first thing that is wrong."""
        self.walk.to_end()
        for _ in self.personal():
            pass

    def _check_manifest(self) -> None:
        """Holds the manifest against what the history came to, and the files that nobody takes."""
        archive, prefix, trees = self._archive, self.walk.prefix, self.walk.trees
        manifest, last = archive.manifest, self.head.seq
        said = self.head
        if self._is_all:
            said = archive.head()
            for part in (*manifest.segments, *manifest.signatures):
                archive.parts.check(part)
        came_to = (
            Head(prefix.commits, Seq(prefix.seq), prefix.tree.root().hex()),
            {seq: tree.root().hex() for seq, tree in trees.items()},
            self._lists,
        )
        roots = {part.last_seq: part.root for part in manifest.events if part.last_seq <= last}
        lists = [each for each in manifest.lists if each.seq <= last]
        wrong = came_to != (said, roots, lists)
        if self._is_all and len(prefix.seen.identities) != manifest.identities:
            wrong = True
        if wrong:
            raise VerificationFailed("archive.manifest", file=archive.folder / NAME)
