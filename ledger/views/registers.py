"""Reads registers: the records of some streams, checked event by event and for what they lack.

A register is read by the index of the streams. Where that is damaged, it brings less than there is:
so what is read is held against the facts, which are read in order of seq.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
)

import numpy as np

from ledger.errors import VerificationFailed
from ledger.events.fast import PAIRING_TYPES
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.ids import Survivors
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.journal.records import StoredEvent
from ledger.journal.verify.event_check import EventCheck
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.registrar.register import Register

_EVERY = ("list:*", "tournament:*", "ladder:*", "account:*")


def read_register(
    journal: Journal,
    check: EventCheck,
    streams: Iterable[str],
    upto: Seq,
    facts: Callable[[bool], Facts | None],
) -> Register:
    """Returns the register of the streams at a seq.

    With a player come the other ids of the same person. Whoever is named in a tournament stands in
    its record under the id that stays; that is why the facts are asked for before it is read.
    ``streams`` are their names; ``list:*`` stands for all of that kind. ``upto`` is the last event
    that is known. ``facts`` brings what a register is held against, if they are those at the seq;
    is told whether a tournament is recorded among the streams.

    Raises:
        VerificationFailed: an event is not what was recorded, or one is missing.
    """
    names = set(streams)
    every = names.intersection(_EVERY)
    names -= every
    known = facts(_names_a_tournament(journal, names, every))
    survivors = survivors_at(known, upto)
    names |= _same_people(names, survivors)
    register = Register(survivors)
    undone = None if known is None or known.seq < upto else known.undone_at(upto)
    pairings, by_commit = Counter[str](), Counter[tuple[int, str]]()
    try:
        events = check.checked(_read(journal, names, every, upto))
        register.take_stored(_counted(events, pairings, by_commit), undone)
        while others := _merged_into_others(register) - names:
            names |= others
            events = check.checked(_read(journal, others, (), upto))
            register.take_stored(_counted(events, pairings, by_commit), undone)
    except UNEXPECTED_VALUES as error:
        why = f"{type(error).__name__}: {error}"
        raise VerificationFailed("verify.streams", why=why) from error
    for (commit_id, stream), count in by_commit.items():
        streams_ = check.streams_of(commit_id)
        is_whole = check.commit(commit_id, upto).last_seq <= upto
        if is_whole and streams_ is not None and streams_[stream] != count:
            raise VerificationFailed("verify.stream", stream=stream)
    if known is not None and register.voided_tournaments:
        void = np.flatnonzero(~AsOf(known, upto).is_registered)
        register.unregistered = frozenset(known.player_ids[player] for player in void.tolist())
    if known is not None and known.seq == upto:
        missing = next(_missing(known, register, names, every, pairings), None)
        if missing is not None:
            raise VerificationFailed("verify.stream", stream=missing)
    return register


def survivors_at(facts: Facts | None, seq: Seq) -> Survivors:
    """Returns who was merged into whom at a seq, as far as the facts know."""
    survivors = Survivors()
    if facts is None:
        return survivors
    undone = facts.undone_at(seq)
    for merge in facts.merges:
        if merge.seq <= seq and merge.seq not in undone:
            survivors.merge(facts.player_ids[merge.player], facts.player_ids[merge.into])
    return survivors


def _names_a_tournament(journal: Journal, names: Collection[str], every: Collection[str]) -> bool:
    """Whether a tournament that is recorded is among the streams."""
    tournaments = [name for name in names if name.startswith("tournament:")]
    return "tournament:*" in every or bool(tournaments and journal.recorded(tournaments))


def _same_people(names: Collection[str], survivors: Survivors) -> set[str]:
    """Returns the streams of the other ids of the players whose streams are named."""
    if not survivors:
        return set()
    players = ids_of("player", names)
    return {f"player:{id_}" for player in players for id_ in survivors.same_person(player)}


def _merged_into_others(register: Register) -> set[str]:
    """Returns the streams of those into whom somebody was merged."""
    into = (record.merged_into for record in register.players.values())
    return {f"player:{player}" for player in into if player is not None}


def _read(
    journal: Journal, names: set[str], every: Collection[str], upto: Seq
) -> Iterator[StoredEvent]:
    """Yields the events of the streams; of all tournaments in the order in which they stand."""
    if "tournament:*" in every:  # they are nearly all events
        kinds = tuple(kind[:-1] for kind in every)
        for event in journal.events(upto=upto):
            if event.stream.startswith(kinds) or event.stream in names:
                yield event
        return
    for kind in every:
        names.update(journal.stream_names(kind[:-1]))
    yield from journal.streams(sorted(names), upto=upto)


def _counted(
    events: Iterable[StoredEvent], pairings: Counter[str], by_commit: Counter[tuple[int, str]]
) -> Iterator[StoredEvent]:
    for event in events:
        by_commit[event.commit_id, event.stream] += 1
        if event.type in PAIRING_TYPES:
            pairings[event.stream] += 1
        yield event


def _missing(
    facts: Facts,
    register: Register,
    names: Collection[str],
    every: Collection[str],
    pairings: Counter[str],
) -> Iterator[str]:
    """Yields the streams of which the register has less than the facts."""
    known: dict[str, tuple[Collection[str], Collection[str]]] = {
        "player": (facts.player_index, {*register.players, *register.voided_players}),
        "tournament": (
            facts.tournament_index,
            {*register.tournaments, *register.voided_tournaments},
        ),
        "list": (facts.lists, register.lists),
        "ladder": (facts.ladders, register.ladders),
        "account": (facts.accounts, register.accounts),
    }
    wanted = [tuple(name.split(":", 1)) for name in names]
    for kind in every:
        wanted += [(kind[:-2], id_) for id_ in known[kind[:-2]][0]]
    counts = facts.pairing_counts
    for kind, id_ in wanted:
        known_, read = known[kind]
        is_short = id_ not in read and id_ in known_  # what is there is long to look up at first
        if kind == "tournament" and id_ in known_:
            is_short |= counts[facts.tournament_index[id_]] != pairings[f"{kind}:{id_}"]
        if is_short:
            yield f"{kind}:{id_}"


def ids_of(kind: str, streams: Iterable[str]) -> set[str]:
    """Returns the ids of the streams of a kind.

    >>> ids_of("player", ["player:12", "list:ENF"])
    {'12'}
    """
    parted = (stream.partition(":") for stream in streams)
    return {id_ for ids, _, id_ in parted if ids == kind}
