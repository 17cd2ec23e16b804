"""Has read models made ahead of questions: when the site starts, and after a publication."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Final

from ledger.application.archives import open_ledger
from ledger.events.lists import ListPublished
from ledger.journal.interface import Journal
from web.office.jobs import start
from web.office.store import Office

LONG: Final = 20_000  # events; of a shorter ledger models are made while somebody waits
EVERY: Final = 2.0  # seconds between two looks at the head
_MOST: Final = 1_000  # events that are looked at; more may well be a publication


class Prefetch:
    """Asks for read models as a job; see ``look``.

    ``url`` is the ledger's. ``long`` is how many events make a ledger one that needs it.
    """

    def __init__(self, url: str, office: Office, long: int = LONG) -> None:
        self._url = url
        self._office = office
        self._long = long
        self._seen: int | None = None
        self._next = 0.0

    def look(self) -> None:
        """Looks, now and then, whether something was published; raises ``LedgerError``."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + EVERY
        with closing(open_ledger(self._url)) as journal:
            self.look_at(journal)

    def look_at(self, journal: Journal) -> None:
        """Asks for the models if a list was published since the last time, or it is the first."""
        seen, head = self._seen, journal.head().seq
        self._seen = head
        if head >= self._long and head != seen and _is_published(journal, seen, head):
            start(self._office, "read_models", {"seq": head})


def _is_published(journal: Journal, seen: int | None, head: int) -> bool:
    if seen is None or head - seen > _MOST:
        return True
    new = journal.events(after=seen, upto=head)
    return any(event.type == ListPublished.TYPE for event in new)
