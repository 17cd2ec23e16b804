"""The events of a large draft, as the texts they are stored as, in bounded memory."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import TypeAlias, TypeVar, cast, overload

from ledger.errors import Conflict
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Dated, Event
from ledger.events.players import PlayerErased
from ledger.journal.records import Commit, Draft, Progress, no_progress
from ledger.journal.spool import LIMIT, Spool

EventRow: TypeAlias = tuple[str, int, str, str, str]
"""Type, version, effective date, stream, payload."""

Wanted = TypeVar("Wanted", bound=Event)
_PAGE_ROWS = 500  # at least, whatever the size of the parts
_type = itemgetter(0)


def row_of(dated: Dated) -> EventRow:
    """Returns an event as it is stored."""
    event = dated.event
    return (
        event.TYPE,
        event.VERSION,
        dated.effective_on.isoformat(),
        event.stream,
        event.canonical(),
    )


class Batch(Sequence[Dated]):
    """Events that can be read again and again, and are made into values only when they are.

    They may come in parts, under keys; the parts follow each other in the order in which they first
    came. ``progress`` is told how many of the events are hashed and appended.
    """

    def __init__(self, progress: Progress = no_progress, limit: int = LIMIT) -> None:
        self.progress = progress
        self._spool = Spool(limit)
        self._parts: dict[Hashable, int] = {}
        self.counts: Counter[str] = Counter()

    def extend(self, rows: Sequence[EventRow], key: Hashable = None) -> None:
        """Adds events to a part; they are written already: canonical and valid."""
        self._parts[key] = self.count(key) + len(rows)
        self._spool.extend(rows, key)
        self.counts.update(map(_type, rows))

    def drop(self, key: Hashable) -> None:
        """Takes the events of a part out, if there are any; its place is kept."""
        if self.count(key):
            self.counts -= Counter(map(_type, self._spool.rows(key)))
            self._spool.drop(key)
        self._parts[key] = 0

    def keys(self) -> Collection[Hashable]:
        """Returns the keys of the parts, in their order."""
        return self._parts.keys()

    def count(self, key: Hashable) -> int:
        """Returns how many events a part has; 0 for one that is not there."""
        return self._parts.get(key, 0)

    def pages(self) -> Iterator[list[EventRow]]:
        """Yields the events as they are stored, some at a time."""
        gathered: list[EventRow] = []
        for key in self._parts:
            for page in self._spool.pages(key):
                gathered += cast(list[EventRow], page)
                if len(gathered) >= _PAGE_ROWS:
                    yield gathered
                    gathered = []
        if gathered:
            yield gathered

    def __len__(self) -> int:
        return self.counts.total()

    def __iter__(self) -> Iterator[Dated]:
        for page in self.pages():
            for type_, version, effective_on, _, payload in page:
                event = CATALOGUE.decode(type_, version, payload)
                yield Dated(dt.date.fromisoformat(effective_on), event)

    @overload
    def __getitem__(self, index: int) -> Dated: ...

    @overload
    def __getitem__(self, index: slice) -> list[Dated]: ...

    def __getitem__(self, index: int | slice) -> Dated | list[Dated]:
        """Reads from the beginning: for the first few, not for all in turn."""
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index if index >= 0 else len(self) + index
        if not 0 <= at < len(self):
            raise IndexError(index)
        return next(islice(self, at, None))


def pages_of(events: Sequence[Dated], size: int = LIMIT) -> Iterator[list[EventRow]]:
    """Yields any events as they are stored, some at a time."""
    if isinstance(events, Batch):
        yield from events.pages()
        return
    for start in range(0, len(events), size):
        yield [row_of(dated) for dated in events[start : start + size]]


def batch_of(events: Sequence[Dated]) -> Batch:
    """Returns any events as a batch; one that is a batch stays what it is."""
    if isinstance(events, Batch):
        return events
    batch = Batch()
    for page in pages_of(events):
        batch.extend(page)
    return batch


def of_type(events: Sequence[Dated], type_: type[Wanted]) -> Iterator[tuple[dt.date, Wanted]]:
    """Yields the events of a type with their dates; no others are made into values."""
    for page in pages_of(events):
        for written, version, effective_on, _, payload in page:
            if written == type_.TYPE:
                event = CATALOGUE.decode(written, version, payload)
                assert isinstance(event, type_)
                yield dt.date.fromisoformat(effective_on), event


def erased_by(events: Sequence[Dated]) -> list[str]:
    """Returns the digests of the identity documents that events destroy."""
    if not counts_of(events)[PlayerErased.TYPE]:
        return []
    erasures = of_type(events, PlayerErased)
    return [digest for _, event in erasures for digest in event.documents]


def progress_of(events: Sequence[Dated]) -> Progress:
    """Returns what is to be told how far the work on the events has come."""
    return events.progress if isinstance(events, Batch) else no_progress


def counts_of(events: Sequence[Dated]) -> Counter[str]:
    """Returns how many events there are of each type, in the order of their first."""
    if isinstance(events, Batch):
        return events.counts
    return Counter(dated.event.TYPE for dated in events)


def same_request(known: Commit, draft: Draft) -> Commit:
    """Returns the earlier commit of a repeated request; raises ``Conflict`` for another body."""
    if known.body_sha256 != draft.body_sha256:
        raise Conflict(
            "database.key_conflict",
            key=draft.idempotency_key,
            commit=known.commit_id,
            recorded_at=known.recorded_at,
        )
    return known
