"""Reads registers: the records of some streams, checked event by event and for what they lack.

A register is read by the index of the streams. Where that is damaged, it brings less than there is:
so what is read is held against the facts, which are read in order of seq.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from ledger.errors import VerificationFailed
from ledger.facts.columns import Facts
from ledger.facts.pairings import PAIRING_TYPES
from ledger.journal.entries import Journal, StoredEvent
from ledger.journal.event_check import EventCheck
from ledger.journal.intact import MADE_ANEW
from ledger.registrar.register import Register

_EVERY = ("list:*", "tournament:*", "ladder:*")


def read_register(
    journal: Journal, streams: Iterable[str], upto: int, facts: Facts | None
) -> Register:
    """Returns the register of the streams at a seq.

    Args:
        journal: the store.
        streams: their names; ``list:*`` stands for all of that kind.
        upto: the last event that is known.
        facts: what is read is held against them, if they are those at the seq.

    Raises:
        VerificationFailed: an event is not what was recorded, or one is missing.
    """
    names = set(streams)
    every = names.intersection(_EVERY)
    names -= every
    for kind in every:
        names.update(journal.stream_names(kind[:-1]))
    pairings = Counter[str]()
    events = EventCheck(journal).checked(journal.streams(sorted(names), upto=upto))
    try:
        register = Register().take_stored(_counted(events, pairings))
    except MADE_ANEW as error:
        raise VerificationFailed(
            "verify.streams", why=f"{type(error).__name__}: {error}"
        ) from error
    if facts is not None and facts.seq == upto:
        missing = next(_missing(facts, register, names, every, pairings), None)
        if missing is not None:
            raise VerificationFailed("verify.stream", stream=missing)
    return register


def _counted(events: Iterable[StoredEvent], pairings: Counter[str]) -> Iterator[StoredEvent]:
    for event in events:
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
        "player": (facts.player_index, register.players),
        "tournament": (facts.tournament_index, register.tournaments),
        "list": (facts.lists, register.lists),
        "ladder": (facts.ladders, register.ladders),
    }
    asked = [tuple(name.split(":", 1)) for name in names]
    for kind in every:
        asked += [(kind[:-2], id_) for id_ in known[kind[:-2]][0]]
    counts = _pairing_counts(facts) if any(kind == "tournament" for kind, _ in asked) else []
    for kind, id_ in asked:
        there, read = known[kind]
        is_short = id_ in there and id_ not in read
        if kind == "tournament" and id_ in there:
            is_short |= counts[facts.tournament_index[id_]] != pairings[f"{kind}:{id_}"]
        if is_short:
            yield f"{kind}:{id_}"


def _pairing_counts(facts: Facts) -> list[int]:
    """Returns how many events say something of each tournament's pairings, by index."""
    entries = facts.entries
    counts = np.zeros(len(facts.tournaments), dtype=np.int64)
    np.add.at(counts, entries.tournament, (entries.end - entries.start).astype(np.int64))
    made: list[int] = counts.tolist()
    return made
