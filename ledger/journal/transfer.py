"""A history on its way from one journal into another, every hash computed anew."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ledger.errors import Conflict, VerificationFailed
from ledger.events.personal import require_digests
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.past import PastJournal
from ledger.journal.records import PersonalDocument, Progress, StoredRow, no_progress
from ledger.journal.verify.walk import PageSeen, Walk, ignore_page


class DocumentsMissing(VerificationFailed):
    """Identity documents are not there, and no event up to here erased them."""


class Transfer:
    """Goes once through all that a journal holds up to a seq: the history, then the people.

    Args:
        source: the journal; what is appended meanwhile is not looked at.
        upto: the last event wanted, by default the last there is; in the middle of a commit it
            stands for the one before.
        what: the name of the work, for ``progress``.
        progress: is told it, the events done and their total.
        cuts: as in ``Walk``.
        page_seen: as in ``Walk``.
        is_all: whether every identity document of the source is of this history; else there may
            be those of later events.
        none_lost: whether every identity document that the history does not erase must be there.

    Raises:
        NotFound: the journal has no such seq.
    """

    def __init__(
        self,
        source: Journal,
        upto: int | None = None,
        *,
        what: str = "restore",
        progress: Progress = no_progress,
        cuts: Collection[int] = (),
        page_seen: PageSeen = ignore_page,
        is_all: bool = False,
        none_lost: bool = False,
    ) -> None:
        self._is_all = is_all
        self._none_lost = none_lost
        self.erased = 0
        self._source = PastJournal(source, source.head().seq if upto is None else upto)
        self.head = self._source.head()
        total = self.head.seq
        self.walk = Walk(
            self._source.commits(),
            map(_tuples, self._source.pages()),
            cuts=cuts,
            hashes_only=True,
            page_seen=page_seen,
            tell=lambda seq: progress(what, seq, total),
        )

    def personal(self) -> Iterator[PersonalDocument]:
        """Yields the identity documents to which the history refers, after it was read.

        Those of people whom it erases stay behind, and are counted in ``erased``.

        Raises:
            VerificationFailed: one was changed, or is another player's; or, where all are of this
                history, it refers to one not at all, or not twice.
            DocumentsMissing: some are not there, and are to be.
        """
        seen = self.walk.prefix.seen
        players, erased = seen.players(), seen.erased()
        for person in self._source.personal():
            player = players.pop(person.digest, None)
            if player == person.player and person.digest in erased:
                self.erased += 1
            elif player == person.player:
                require_digests({person.digest: person.document})
                yield person
            elif player is not None or self._is_all:
                raise VerificationFailed("archive.personal", digest=person.digest)
        lost = players.keys() - erased
        if lost and self._none_lost:
            raise DocumentsMissing("verify.documents_missing", count=len(lost), first=min(lost))

    def into(self, target: Journal) -> bool:
        """Puts the history into an empty journal, all of it or nothing.

        Returns:
            Whether anything was done: not in a journal that ends exactly there already.

        Raises:
            VerificationFailed: with the first thing that is wrong with the source.
            Conflict: the target has another history.
            DatabaseError: it cannot be written; nothing was.
        """
        if self.is_there(target):
            return False
        try:
            target.restore(self.walk, self.personal(), self._source.signatures())
        except HeadMoved:
            return not self.is_there(target)
        return True

    def is_there(self, target: Journal) -> bool:
        """Whether a journal ends exactly there; raises ``Conflict`` for one with other events."""
        head = target.head()
        if head.seq and head != self.head:
            same = self._source.commit_by(head.seq) if head.seq < self.head.seq else None
            if same is not None and (same.last_seq, same.root) == (head.seq, head.root):
                raise Conflict("archive.ends_earlier", seq=head.seq, archived_seq=self.head.seq)
            raise Conflict(
                "archive.other_history",
                seq=head.seq,
                root=head.root,
                archived_seq=self.head.seq,
                archived_root=self.head.root,
            )
        return head == self.head


def _tuples(page: Sequence[StoredRow]) -> Sequence[StoredRow]:
    """Returns a page of rows as tuples: a database gives some of its own kind."""
    rows: list[Any] = list(map(tuple, page))
    return rows
