"""A ledger beside one in which only what holds there was ever recorded: both answer the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

from ledger.answers.directory import directory_of, player_known
from ledger.answers.lists import show
from ledger.answers.tournaments import show_tournament, tournament_crosstable, tournament_standings
from ledger.errors import LedgerError
from ledger.events.catalogue import CATALOGUE, UNDOING
from ledger.events.model import Dated, Event
from ledger.events.players import PlayersMerged
from ledger.facts.as_of import AsOf
from ledger.identifiers import Seq
from ledger.journal.records import Head, StoredEvent
from ledger.service.conflicts import LedgerState
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger
from ledger.wording import Message
from tests.ledgers import empty_ledger, request, statements_of

MONTHS = ("2010-07", "2010-08")


def ledger_conflicts(ledger: Ledger) -> Iterator[Message]:
    """Yield every conflict of a ledger as known now; all its tournaments are read for it."""
    facts = ledger.facts()
    state = LedgerState(ledger, AsOf(facts, facts.seq), facts.seq)
    yield from state.conflicts(facts.tournament_ids, facts.lists, with_ids=True)


def only_held_facts(ledger: Ledger) -> Ledger:
    """Returns a new ledger with the events that hold, in their order, and all documents."""
    facts = ledger.facts()
    known = AsOf(facts, facts.seq)
    seqs: dict[int, Seq] = {}
    events = []
    stored_events = [
        stored
        for stored in ledger.journal.events()
        if stored.type not in UNDOING
        and known.holds(stored.seq)
        and _is_begun(known, stored.stream)
    ]
    for stored in sorted(stored_events, key=lambda stored: _after_others(known, stored)):
        event = CATALOGUE.decode(stored.type, stored.version, stored.payload)
        seqs[stored.seq] = Seq(len(seqs) + 1)
        events.append(Dated(dt.date.fromisoformat(stored.effective_on), _renumbered(event, seqs)))
    fresh = empty_ledger()
    documents = tuple(_documents(ledger))

    def decide(_head: Head) -> Decided:
        return Decided(events, documents)

    fresh.append_decided(decide, request())
    return fresh


def _after_others(known: AsOf, stored: StoredEvent) -> int:
    """Puts merges last, of a chain of them the last one: into what is given up nobody is merged."""
    if stored.type != PlayersMerged.TYPE:
        return 0
    merges = (merge for merge in known.facts.merges if known.holds(merge.seq))
    into: dict[int, int] = {merge.player: merge.into for merge in merges}
    further, player = 0, int(known.facts.player_index[stored.stream.partition(":")[2]])
    while player in into:
        player, further = into[player], further + 1
    return len(into) + 1 - further


def _is_begun(known: AsOf, stream: str) -> bool:
    """Whether the beginning of a stream holds; of a tournament that is void nothing does."""
    kind, _, id_ = stream.partition(":")
    facts = known.facts
    if kind == "tournament" and id_ in facts.tournament_index:
        return bool(known.is_open[facts.tournament_index[id_]])
    return True


def _renumbered(event: Event, seqs: dict[int, Seq]) -> Event:
    """Returns an event that names others by the seqs that they have now."""
    named = {
        name: seqs[value]
        for name, value in dict(event).items()
        if name in {"supersedes", "announcement", "challenge"} and value is not None
        if isinstance(value, int)
    }
    return event.model_copy(update=named)


def _documents(ledger: Ledger) -> Iterator[Any]:
    yield from ledger.journal._personal.values()  # type: ignore[attr-defined]


def answers(ledger: Ledger) -> dict[str, object]:
    """Returns what a ledger answers of players, tournaments, lists and statements, but for seqs."""
    facts = ledger.facts()
    known = AsOf(facts, facts.seq)
    directory = directory_of(ledger)
    players = [facts.player_ids[index] for index in known.is_registered.nonzero()[0]]
    tournaments = [facts.tournament_ids[index] for index in known.is_open.nonzero()[0]]
    found: dict[str, object] = {
        "players": sorted(directory[at].id for at in range(len(directory))),
        "sheets": {id_: _plain(player_known(ledger, id_).data()) for id_ in sorted(players)},
    }
    for month in MONTHS:
        for name in facts.lists:
            rows = show(ledger, name, month).rows
            found[f"{name} {month}"] = [(row.id, row.rating, row.games, row.k) for row in rows]
            found[f"statements {name} {month}"] = {
                id_: _plain(each.data())
                for id_, each in statements_of(ledger, name, month).items()
                if id_ in players
            }
    questions: dict[str, Callable[[Ledger, str], Any]] = {
        "tournament": show_tournament,
        "standings": tournament_standings,
        "crosstable": tournament_crosstable,
    }
    for id_ in sorted(tournaments):
        for name, question in questions.items():
            try:
                found[f"{name} {id_}"] = _plain(question(ledger, id_).data())
            except LedgerError as error:
                found[f"{name} {id_}"] = error.message.key
    return found


_OF_RECORDING = frozenset({"seq", "corrected", "corrections", "changes", "annulled", "basis_seq"})


def _plain(value: Any) -> Any:
    """Returns an answer without what tells when something was recorded."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items() if not _tells_recording(key)}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _tells_recording(key: str) -> bool:
    return key in _OF_RECORDING or key.endswith(("_seq", "seqs"))
