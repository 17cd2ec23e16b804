"""The conflicts of a ledger as it is known, or as it would be known without some of its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from ledger.events.fast import quoted
from ledger.facts.as_of import AsOf
from ledger.facts.mentions import mentions
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.journal.records import StoredEvent
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.lists.people import People
from ledger.registrar.conflicts import (
    AS_NOBODY_CAN_TELL,
    list_conflicts,
    people_conflicts,
    tournament_conflicts,
)
from ledger.registrar.register import Register
from ledger.reports.directory import PlayerDirectory
from ledger.views.registers import survivors_at
from ledger.views.view import LedgerView
from ledger.wording import Message

_TOURNAMENT: Final = "tournament:"


class LedgerState:
    """What a ledger says, as ``known``, and what of it contradicts itself.

    ``upto`` is the last event that is recorded; ``known`` may reckon with later ones that take some
    back (``Facts.without``).
    """

    def __init__(self, view: LedgerView, known: AsOf, upto: Seq) -> None:
        self.known = known
        self._view = view
        self._upto = upto

    def conflicts(
        self, tournaments: Iterable[str], lists: Iterable[str], *, with_ids: bool
    ) -> Iterator[Message]:
        """Yield the conflicts of people, and of some tournaments and lists.

        ``with_ids`` compares the ids that others gave, for which all identity documents are read.
        """
        of_people = [*people_conflicts(self.known)]
        yield from of_people
        for name in lists:
            yield from list_conflicts(self.known, name)
        if any(message.key == AS_NOBODY_CAN_TELL for message in of_people):
            return
        if with_ids:
            yield from self.id_conflicts()
        for tournament in tournaments:
            try:
                record = self.record(tournament)
            except UNEXPECTED_VALUES:
                yield Message.of("undo.needed", stream=f"tournament:{tournament}")
                continue
            if record is not None:
                yield from tournament_conflicts(record, self._is_registered)

    def record(self, tournament: str) -> TournamentRecord | None:
        """Returns a tournament; None where it is not open.

        Raises one of ``UNEXPECTED_VALUES`` where its events make no sense.
        """
        register = Register(survivors_at(self.known.facts, self.known.seq))
        stored = self._view.journal.streams([f"tournament:{tournament}"], upto=self._upto)
        return register.take_stored(stored, self.known.undone).tournaments.get(tournament)

    def id_conflicts(self) -> Iterator[Message]:
        """Yield the ids of one issuer that two players have."""
        people = People(self.known, self._view.journal.personal_documents)
        directory = PlayerDirectory.of(self.known, people)
        for issuer, id_, one, other in directory.ids_of_two():
            values = {"one": directory[one].id, "other": directory[other].id}
            yield Message.of("conflict.id_of_two", id=f"{issuer}={id_}", **values)

    def _is_registered(self, player: str) -> bool:
        return bool(self.known.is_registered[self.known.facts.player_index[player]])


def state_without(
    view: LedgerView, known: AsOf, upto: Seq, events: Iterable[StoredEvent]
) -> LedgerState:
    """Returns what a ledger would say once some events are taken back."""
    after = known.facts.without((event.seq, event.type) for event in events)
    return LedgerState(view, AsOf(after, after.seq), upto)


def tournaments_of_merges(view: LedgerView, before: AsOf, after: AsOf) -> set[str]:
    """Returns the tournaments that name an id that is given up either before or after."""
    facts, names, streams = before.facts, set[str](), set[str]()
    for merge in facts.merges:
        if before.holds(merge.seq) != after.holds(merge.seq):
            apart = after if before.holds(merge.seq) else before
            same = np.flatnonzero(apart.merged_into == merge.player).tolist()
            names |= {facts.player_ids[player] for player in same}
    for name in names:
        mentioned = mentions(facts, name)
        streams |= mentioned.paired | mentioned.others
    texts = [quoted(name) for name in names]
    return {
        event.stream.removeprefix(_TOURNAMENT)
        for event in view.journal.streams(sorted(streams), upto=before.seq)
        if event.stream.startswith(_TOURNAMENT) and any(text in event.payload for text in texts)
    }
