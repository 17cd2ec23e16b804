"""Proves an archive: every hash is computed anew; and puts it into an empty ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME
from ledger.archive.manifest_facts import ManifestFacts
from ledger.archive.writer import PROGRESS_EVENTS
from ledger.errors import Conflict, VerificationFailed
from ledger.journal.merkle import CompactRange
from ledger.journal.records import (
    HeadMoved,
    Journal,
    PersonalDocument,
    Progress,
    StoredEvent,
    no_progress,
)
from ledger.journal.verify.rehash import Rehash


def prove(archive: ArchiveJournal, progress: Progress = no_progress) -> None:
    """Computes every hash of an archive anew and holds the manifest against what it comes to.

    The sealed segments are not looked at: nobody believes them, and ``verify`` holds them against
    the events.

    Args:
        archive: it.
        progress: is told "prove", the events done and their total.

    Raises:
        VerificationFailed: with the first thing that is wrong.
    """
    proof = _Proof(archive)
    for _, events in proof.history(progress, "prove"):
        for _ in events:
            pass
    for _ in proof.personal():
        pass


def restore(archive: ArchiveJournal, journal: Journal, progress: Progress = no_progress) -> bool:
    """Puts an archive into an empty ledger, all of it or nothing; proves it on the way.

    Args:
        archive: it.
        journal: the ledger's.
        progress: is told "restore", the events done and their total.

    Returns:
        Whether anything was done: not in a ledger that ends exactly where the archive does.

    Raises:
        VerificationFailed: with the first thing that is wrong with the archive.
        Conflict: the ledger has another history.
        DatabaseError: it cannot be written; nothing was.
    """
    if already_there(archive, journal):
        return False
    proof = _Proof(archive)
    try:
        journal.restore(proof.history(progress, "restore"), proof.personal())
    except HeadMoved:
        return not already_there(archive, journal)
    return True


def already_there(archive: ArchiveJournal, journal: Journal) -> bool:
    """Whether the ledger ends exactly where the archive does; raises ``Conflict`` elsewhere.

    An empty ledger is no conflict.
    """
    head, wanted = journal.head(), archive.head()
    if head == wanted:
        return True
    if head.seq:
        raise Conflict(
            "archive.other_history",
            archive=archive.folder,
            seq=head.seq,
            root=head.root,
            archived_seq=wanted.seq,
            archived_root=wanted.root,
        )
    return False


class _Proof(ManifestFacts):
    """Goes through an archive once: the history, then the people."""

    def __init__(self, archive: ArchiveJournal) -> None:
        super().__init__()
        self._archive = archive
        self._ends = {part.last_seq: part for part in archive.manifest.events}
        self._history = Rehash((), ())

    def history(self, progress: Progress, what: str) -> Rehash:
        """Returns the commits with their events."""
        archive = self._archive
        events = _told(archive.events(), archive.head().seq, progress, what)
        self._history = Rehash(archive.commits(), events, self)
        return self._history

    def __call__(self, event: StoredEvent, tree: CompactRange) -> None:
        """Looks at an event, and at the root where a file ends with it."""
        super().__call__(event, tree)
        part = self._ends.get(event.seq)
        if part is not None and part.root != tree.root().hex():
            raise VerificationFailed("archive.manifest", file=self._archive.folder / NAME)

    def personal(self) -> Iterator[PersonalDocument]:
        """Yields the identity documents, each bound to its player by an event."""
        self._end_of_history()
        unseen = dict(self.identities)
        for person in self._archive.personal():
            if unseen.pop(person.digest, None) != person.player:
                raise VerificationFailed("archive.personal", digest=person.digest)
            yield person

    def _end_of_history(self) -> None:
        """Holds the manifest against what the history came to, and the file that nobody takes."""
        self._archive.parts.check(self._archive.manifest.segments)
        history, manifest = self._history, self._archive.manifest
        head = self._archive.head()
        came_to = (
            (history.commits, history.tree.size, history.tree.root().hex()),
            len(self.identities),
            tuple(self.lists),
        )
        said = ((head.commit_id, head.seq, head.root), manifest.identities, manifest.lists)
        if came_to != said:
            raise VerificationFailed("archive.manifest", file=self._archive.folder / NAME)


def _told(
    events: Iterable[StoredEvent], total: int, progress: Progress, what: str
) -> Iterator[StoredEvent]:
    for event in events:
        if event.seq % PROGRESS_EVENTS == 0 or event.seq == total:
            progress(what, event.seq, total)
        yield event
