"""Proves an archive part by part: every event is hashed anew, on as many workers as there are.

A part is the commits that end in one of the archive's files of events. It is taken from the tree
that the commit before it says it left behind (its peaks), so that no part waits for another; that
the commit before said so truly, the part before proves. In order, from the empty tree to the root
of the manifest, they prove what ``ledger.archive.proof.prove`` proves in one go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, ManifestList
from ledger.archive.manifest_facts import ManifestFacts
from ledger.cluster.engine import Engine
from ledger.errors import VerificationFailed
from ledger.journal.envelope import peaks_of
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.rehash import Rehash


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree between two commits: the last commit, how many events, and the peaks."""

    commit: int
    size: int
    peaks: tuple[bytes, ...]

    @property
    def root(self) -> str:
        """The root, in hexadecimal."""
        return CompactRange(self.size, self.peaks).root().hex()


EMPTY = Tree(0, 0, ())


@dataclass(frozen=True, slots=True)
class Commits:
    """A part: the commits of an archive after one, up to another, and the tree before them."""

    folder: Path
    before: Tree
    last_commit: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Proved:
    """What a part came to: from which tree to which, who is in it, and what was published."""

    before: Tree
    after: Tree
    identities: dict[str, str]
    lists: tuple[ManifestList, ...]


def commits_of(archive: ArchiveJournal) -> list[Commits]:
    """Returns the parts of an archive; about as many as it has files of events."""
    parts: list[Commits] = []
    ends = [part.last_seq for part in archive.manifest.events]
    before, last = EMPTY, None
    for last in archive.commits():
        if ends and last.last_seq >= ends[0]:
            parts.append(Commits(archive.folder, before, last.commit_id, last.last_seq))
            before = _after(last)
            ends = [end for end in ends if end > last.last_seq]
    if last is not None and before.commit != last.commit_id:
        parts.append(Commits(archive.folder, before, last.commit_id, last.last_seq))
    return parts


def _after(commit: Commit) -> Tree:
    """Returns the tree that a commit says it left behind."""
    peaks = tuple(peaks_of(commit.peaks))
    if len(peaks) != commit.last_seq.bit_count():
        raise VerificationFailed(
            "verify.root", commit=commit.commit_id, first=commit.first_seq, last=commit.last_seq
        )
    return Tree(commit.commit_id, commit.last_seq, peaks)


def prove_commits(part: Commits) -> Proved:
    """Hashes the events of a part anew.

    Raises:
        VerificationFailed: with the first thing that is wrong.
    """
    archive = ArchiveJournal(part.folder)
    commits = islice(
        archive.commits(after=part.before.commit), part.last_commit - part.before.commit
    )
    events = archive.events(after=part.before.size, upto=part.last_seq)
    witness = _OfFiles(archive)
    history = Rehash(commits, events, witness)
    history.tree = CompactRange(part.before.size, part.before.peaks)
    history.commits = part.before.commit
    for _, of_commit in history:
        for _ in of_commit:
            pass
    after = Tree(history.commits, history.tree.size, tuple(history.tree.peaks))
    return Proved(part.before, after, witness.identities, tuple(witness.lists))


class _OfFiles(ManifestFacts):
    """Looks also at the roots that the manifest gives for the end of each file."""

    def __init__(self, archive: ArchiveJournal) -> None:
        super().__init__()
        self._archive = archive
        self._ends = {part.last_seq: part.root for part in archive.manifest.events}

    def __call__(self, event: StoredEvent, tree: CompactRange) -> None:
        """Looks at an event."""
        super().__call__(event, tree)
        root = self._ends.get(event.seq)
        if root is not None and root != tree.root().hex():
            raise _manifest(self._archive)


def prove_with(engine: Engine, archive: ArchiveJournal) -> Tree:
    """Proves an archive on an engine's workers, as ``restoring.prove`` does in this process.

    Returns:
        The tree over all events, which is the manifest's.

    Raises:
        VerificationFailed: with the first thing that is wrong, by part.
    """
    proved = engine.map(prove_commits, commits_of(archive))
    identities: dict[str, str] = {}
    lists: list[ManifestList] = []
    tree = _chained(archive, proved, identities, lists)
    head, manifest = archive.head(), archive.manifest
    said = ((head.commit_id, head.seq, head.root), manifest.identities, list(manifest.lists))
    if ((tree.commit, tree.size, tree.root), len(identities), lists) != said:
        raise _manifest(archive)
    for person in archive.personal():
        digest = sha256(person.document.encode()).hexdigest()
        if digest != person.digest or identities.pop(digest, None) != person.player:
            raise VerificationFailed("archive.personal", digest=person.digest)
    return tree


def _chained(
    archive: ArchiveJournal,
    proved: Iterable[Proved],
    identities: dict[str, str],
    lists: list[ManifestList],
) -> Tree:
    """Returns the tree after the last part; each must begin where the one before it ended."""
    tree = EMPTY
    for part in proved:
        if part.before != tree:
            raise _manifest(archive)
        tree = part.after
        identities |= part.identities
        lists += part.lists
    return tree


def _manifest(archive: ArchiveJournal) -> VerificationFailed:
    return VerificationFailed("archive.manifest", file=archive.folder / NAME)
