"""Where an archive takes identity documents from: the ledger, or what it held of those lost there.

A document is gone for good by an event alone. One that is gone without is lost: it may be in the
archive still, which is then the last to have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.archive.journal import ArchiveJournal
from ledger.errors import VerificationFailed
from ledger.events.players import PlayerErased
from ledger.journal.interface import Journal

_DOCUMENTS = 10_000


class DocumentsLost(VerificationFailed):
    """Documents are gone from the ledger and no event erased them; the archive keeps them."""


class DocumentSource:
    """The identity documents that belong into an archive.

    ``archive`` is the one that is written on; None for a new one.

    Attributes:
        kept: digests of documents that the archive has and the ledger has lost.
        lost: digests of those that neither has.
        erased_last: the seq of the last event that erased one of those asked for; 0 for none.
    """

    def __init__(self, journal: Journal, archive: ArchiveJournal | None) -> None:
        self._journal = journal
        self._archive = archive
        self.kept: set[str] = set()
        self.lost: set[str] = set()
        self.erased_last = 0

    def pages(self, people: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yields documents by digest, some at a time, of digests and whom they are about."""
        digests = sorted(people)
        for start in range(0, len(digests), _DOCUMENTS):
            asked = digests[start : start + _DOCUMENTS]
            found = self._journal.personal_documents(asked)
            missing = {digest: people[digest] for digest in asked if digest not in found}
            yield found | self._out_of_the_archive(missing)

    def _out_of_the_archive(self, missing: Mapping[str, str]) -> dict[str, str]:
        lost = missing.keys() - self._erased(missing) if missing else set()
        found = self._archive.personal_documents(lost) if self._archive and lost else {}
        self.kept |= found.keys()
        self.lost |= lost - found.keys()
        return found

    def _erased(self, people: Mapping[str, str]) -> set[str]:
        """Return the digests of the documents of players who are erased by now."""
        streams = set[str]()
        for stored in self._journal.streams({f"player:{player}" for player in people.values()}):
            if stored.type == PlayerErased.TYPE:
                self.erased_last = max(self.erased_last, stored.seq)
                streams.add(stored.stream)
        return {digest for digest, player in people.items() if f"player:{player}" in streams}
