"""What is decided of a large document part by part, so that some parts can be decided again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ledger.application.decisions import Decided, Dependencies
from ledger.errors import Problem
from ledger.journal.batch import Batch, EventRow, row_of
from ledger.journal.records import PersonalDocument, Progress
from ledger.registrar.registrar import Registrar


class DecidedParts:
    """The parts of a document by their keys, in the order in which they were first put.

    Args:
        progress: is told how many of the events are hashed and appended.
    """

    def __init__(self, progress: Progress) -> None:
        self._batch = Batch(progress)
        self._personal: dict[Hashable, list[PersonalDocument]] = {}
        self._notes: dict[Hashable, list[Problem]] = {}
        self._tied: set[Hashable] = set()

    def put(
        self, key: Hashable, pages: Iterable[list[EventRow]], notes: Iterable[Problem] = ()
    ) -> None:
        """Puts a part's events, some at a time, in place of what was there under its key."""
        self._batch.drop(key)
        self._personal.pop(key, None)
        self._notes[key] = list(notes)
        self._tied.discard(key)
        for page in pages:
            self._batch.extend(page, key)

    def put_taken(self, key: Hashable, registrar: Registrar, notes: Iterable[Problem] = ()) -> None:
        """Puts what a registrar has taken for a part, in place of what was there."""
        self.put(key, [[row_of(dated) for dated in registrar.events]], notes)
        self._personal[key] = registrar.personal
        if registrar.tied_to_head:
            self._tied.add(key)

    def count(self, key: Hashable) -> int:
        """Returns how many events a part has; 0 for one that is not there."""
        return self._batch.count(key)

    def is_tied(self, key: Hashable) -> bool:
        """Whether the part holds at no other head than the one at which it was decided."""
        return key in self._tied

    def decided(self, depends_on: Dependencies) -> Decided:
        """Returns all parts as one decision."""
        keys = self._batch.keys()
        return Decided(
            events=self._batch or (),
            personal=tuple(each for key in keys for each in self._personal.get(key, ())),
            notes=tuple(each for key in keys for each in self._notes.get(key, ())),
            depends_on=None if self._tied else depends_on,
        )
