"""Faults that earlier versions of the program recorded, each with the commands that mend it.

What is recorded is never rewritten: a mend is a further commit, which an officer looks at first
(``--dry-run``), records with a reason, and may undo. Published editions keep their bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.answers.time_controls import other_rates_of_play
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import TournamentEvent
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY
from ledger.facts.mentions import mentions
from ledger.json_form import JsonForm
from ledger.service.conflicts import LedgerState, state_without
from ledger.service.erasures import documents_of_erased
from ledger.service.retractions import obstacles_to
from ledger.views.registers import ids_of
from ledger.views.view import LedgerView
from ledger.wording import Message

_OF_TOURNAMENTS: Final = frozenset(
    model.TYPE for model in CATALOGUE.models() if issubclass(model, TournamentEvent)
)


@dataclass(frozen=True, slots=True)
class EarlierFault(JsonForm):
    """One fault of the recorded facts, and the commands of which each mends it.

    ``commands`` are command lines without ``--reason``, which the officer gives; the likeliest
    comes first.
    """

    message: Message
    commands: tuple[str, ...]


def earlier_faults(view: LedgerView) -> list[EarlierFault]:
    """Return the faults of a ledger at its head.

    Earlier versions let an undo bring back what contradicts later facts, left identity documents
    of erased players where an event was undone, and read some time controls wrongly.
    """
    return [*_conflicts(view), *_names_of_erased(view), *_rates_of_play(view)]


def _conflicts(view: LedgerView) -> Iterator[EarlierFault]:
    """Yield the conflicts of ids, lists, and the tournaments that an undo touched."""
    facts = view.facts()
    state = LedgerState(view, AsOf(facts, facts.seq), facts.seq)
    for message in state.conflicts(_tournaments_touched(state), facts.lists, with_ids=True):
        yield EarlierFault(message, tuple(_mends(view, state, message)))


def _names_of_erased(view: LedgerView) -> Iterator[EarlierFault]:
    """Yield the erased players of whom identity documents are still stored."""
    for player, documents in documents_of_erased(view).items():
        message = Message.of("doctor.erased_documents", player=player, count=len(documents))
        yield EarlierFault(message, (_command("player", "erase", player),))


def _rates_of_play(view: LedgerView) -> Iterator[EarlierFault]:
    """Yield the tournaments whose time control is of another rate of play than is recorded."""
    for other in other_rates_of_play(view):
        rates = {"recorded": other.recorded.value, "read": other.read.value}
        text, tournament = other.time_control, other.tournament
        message = Message.of("doctor.rate_of_play", tournament=tournament, text=text, **rates)
        rate = ("--rate-of-play", other.read.value)
        yield EarlierFault(message, (_command("tournament", "correct", tournament, *rate),))


def _tournaments_touched(state: LedgerState) -> list[str]:
    """Return the tournaments in which something was undone, or somebody whose merge was."""
    facts = state.known.facts
    merges = {merge.seq: merge for merge in facts.merges}
    undone = [merges[each.undoes] for each in facts.undone if each.undoes in merges]
    players = {facts.player_ids[id_] for merge in undone for id_ in (merge.player, merge.into)}
    named = [mentions(facts, player) for player in players]
    streams = {stream for each in named for stream in each.paired | each.others}
    indexes = {each.index for each in facts.undone if each.what in _OF_TOURNAMENTS}
    touched = {facts.tournament_ids[index] for index in indexes if index != NOBODY}
    return sorted(touched | ids_of("tournament", streams))


def _mends(view: LedgerView, state: LedgerState, fault: Message) -> Iterator[str]:
    """Yield the command lines that end a fault: by its kind, or by undoing the bad undo."""
    values = {name: str(value) for name, value in fault.values}
    match fault.key, values:
        case "conflict.id_of_two", {"id": id_, "one": one, "other": other}:
            issuer, _, _ = id_.partition("=")
            yield _command("player", "link", other, "--id", f"{issuer}=")
            yield _command("player", "link", one, "--id", f"{issuer}=")
            yield _command("player", "merge", other, one)
            return
        case "conflict.two_pairings", {"tournament": id_, "round": round_, "player": player}:
            record = state.record(id_)
            assert record is not None, "the fault was found in it"
            pairing = record.pairings[int(round_), player]
            what = ("bye",) if pairing.black is None else ("result",)
            yield _command("annul", *what, id_, round_, *pairing.players)
        case "conflict.not_entered", {"tournament": id_, "player": player}:
            yield _command("record", "entry", id_, player)
    yield from _undos(view, state, fault, values.get("tournament"))


def _undos(
    view: LedgerView, state: LedgerState, fault: Message, tournament: str | None
) -> Iterator[str]:
    """Yield the undos of earlier undos that end a fault and that nothing stands in the way of."""
    facts = state.known.facts
    commits = dict.fromkeys(
        view.event_check().read(undone.seq)[1]
        for undone in reversed(facts.undone)
        if state.known.holds(undone.seq)
        and (
            tournament is None
            or undone.what not in _OF_TOURNAMENTS
            or facts.tournament_ids[undone.index] == tournament
        )
    )
    for commit in commits:
        first, last = commit.first_seq, commit.last_seq
        events = [*view.journal.events(after=first - 1, upto=last)]
        after = state_without(view, state.known, state.known.seq, events)
        about = [tournament] if tournament else []
        remaining = after.conflicts(about, facts.lists, with_ids=False)
        if fault not in remaining and not obstacles_to(view, commit):
            yield _command("undo", str(commit.commit_id))


def _command(*words: str) -> str:
    return shlex.join(("rating-ledger", *words))
