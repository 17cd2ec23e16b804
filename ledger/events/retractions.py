"""Events that take others back, and which others they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from ledger.events.lists import ListFactUndone
from ledger.events.players import PlayerFactUndone
from ledger.events.tournaments import TournamentFactUndone

FactUndone: TypeAlias = PlayerFactUndone | TournamentFactUndone | ListFactUndone
UNDOING: Final = frozenset(
    model.TYPE for model in (PlayerFactUndone, TournamentFactUndone, ListFactUndone)
)
"""The types of events that take others back."""


def undone_of(pairs: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """Returns which events are taken back, each with the seq of the event that does.

    ``pairs`` are the seqs of events that take back and of those that they name, by seq. One that is
    taken back itself takes nothing back.

    >>> dict(undone_of([(8, 3), (9, 8), (10, 4)]))
    {4: 10, 8: 9}
    """
    found: dict[int, int] = {}
    for seq, undoes in sorted(pairs, reverse=True):
        if seq not in found:
            found[undoes] = seq
    return found
