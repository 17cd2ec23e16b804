"""What was decided for a request, and whether it still holds when others have appended since.

Of a large document it is decided part by part, so that some parts can be decided again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from ledger.errors import Problem
from ledger.events.model import Dated
from ledger.journal.batch import Batch, EventRow, row_of
from ledger.journal.interface import Journal
from ledger.journal.records import Head, PersonalDocument, Progress
from ledger.registrar.registrar import Registrar

_ALL = "*"


class Dependencies:
    """The streams that a decision was made from.

    Args:
        ids: ids by kind of stream, ``{"player": {"12", "34"}, "list": {"*"}}``; ``*`` among them
            stands for all streams of the kind.
    """

    def __init__(self, ids: Mapping[str, Container[str]]) -> None:
        self._ids = ids

    @classmethod
    def on(cls, streams: Iterable[str]) -> Self:
        """Returns dependencies on streams given by name, ``player:12`` or ``list:*``."""
        ids = defaultdict[str, set[str]](set)
        for stream in streams:
            kind, _, id_ = stream.partition(":")
            ids[kind].add(id_)
        return cls(ids)

    def __contains__(self, stream: str) -> bool:
        kind, _, id_ = stream.partition(":")
        ids = self._ids.get(kind, ())
        return _ALL in ids or id_ in ids


@dataclass(frozen=True, slots=True)
class Decided:
    """What is to be appended, and what was tolerated or adjusted on the way.

    It holds at every later head at which no stream in ``depends_on`` has new events; None: at no
    other head than its own.
    """

    events: Sequence[Dated]
    personal: tuple[PersonalDocument, ...] = ()
    notes: tuple[Problem, ...] = ()
    depends_on: Dependencies | None = None

    @classmethod
    def by(
        cls, registrar: Registrar, depends_on: Dependencies, notes: Iterable[Problem] = ()
    ) -> Self:
        """Returns what a registrar has taken, with the streams that its register was made of."""
        return cls(
            tuple(registrar.events),
            tuple(registrar.personal),
            tuple(notes),
            None if registrar.tied_to_head else depends_on,
        )


Decider: TypeAlias = Callable[[Head], Decided]


class DecidedParts:
    """The parts of a document by their keys, in the order in which they were first put.

    ``progress`` is told how many of the events are hashed and appended.
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


class Decision:
    """Decides at one head after the other, anew only where what was decided no longer holds.

    ``decide`` decides at a head of the journal; it may be called again at a later one.
    """

    def __init__(self, journal: Journal, decide: Decider) -> None:
        self._journal = journal
        self._decide = decide
        self._last: tuple[Head, Decided] | None = None

    def at(self, head: Head) -> Decided:
        """Returns what is decided at a head, which is not before the one asked for last."""
        if self._last is None or not self._holds(*self._last, head):
            self._last = None  # so that the old one is not kept in memory beside the new one
            decided = self._decide(head)
        else:
            _, decided = self._last
        self._last = head, decided
        return decided

    @property
    def last(self) -> tuple[Head, Decided]:
        """The head that was asked for last, and what is decided there."""
        assert self._last is not None, "nothing was decided yet"
        return self._last

    def _holds(self, since: Head, decided: Decided, head: Head) -> bool:
        """Whether what was decided at a head holds at another; reads the events between them."""
        if since == head:
            return True
        concerns = decided.depends_on
        return concerns is not None and not changed(self._journal, concerns, since, head)


def changed(journal: Journal, concerns: Dependencies, since: Head, head: Head) -> set[str]:
    """Returns the streams, of those that concern, that have events after a head up to another."""
    between = journal.events(after=since.seq, upto=head.seq)
    return {event.stream for event in between if event.stream in concerns}
