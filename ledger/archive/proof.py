"""Proves an archive: every hash is computed anew; and puts it into an empty ledger."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, ManifestList, published_in
from ledger.errors import Conflict, VerificationFailed
from ledger.journal.records import Head, HeadMoved, Journal, PersonalDocument, Progress, no_progress
from ledger.journal.verify.walk import Walk


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
    proof = _Proof(archive, "prove", progress)
    proof.walk.to_end()
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
    proof = _Proof(archive, "restore", progress)
    try:
        journal.restore(proof.walk, proof.personal())
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


class _Proof:
    """Goes through an archive once: the history by ``walk``, then the people."""

    def __init__(self, archive: ArchiveJournal, what: str, progress: Progress) -> None:
        self._archive = archive
        self._lists: list[ManifestList] = []
        total = archive.head().seq
        self.walk = Walk(
            archive.commits(),
            archive.pages(),
            cuts=[part.last_seq for part in archive.manifest.events],
            hashes_only=True,
            page_seen=lambda rows, _: self._lists.extend(published_in(rows)),
            tell=lambda seq: progress(what, seq, total),
        )

    def personal(self) -> Iterator[PersonalDocument]:
        """Yields the identity documents, each bound to its player by an event."""
        players = self.walk.prefix.seen.players()
        self._check_manifest(len(players))
        for person in self._archive.personal():
            if players.pop(person.digest, None) != person.player:
                raise VerificationFailed("archive.personal", digest=person.digest)
            yield person

    def _check_manifest(self, identities: int) -> None:
        """Holds the manifest against what the history came to, and the file that nobody takes."""
        archive, prefix, trees = self._archive, self.walk.prefix, self.walk.trees
        archive.parts.check(archive.manifest.segments)
        came_to = (
            Head(prefix.commits, prefix.seq, prefix.tree.root().hex()),
            {seq: tree.root().hex() for seq, tree in trees.items()},
            identities,
            tuple(self._lists),
        )
        manifest = archive.manifest
        roots = {part.last_seq: part.root for part in manifest.events}
        if came_to != (archive.head(), roots, manifest.identities, manifest.lists):
            raise VerificationFailed("archive.manifest", file=archive.folder / NAME)
