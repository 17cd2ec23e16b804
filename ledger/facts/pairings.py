"""What stored events say of pairings, page by page, in columns.

These are nearly all events of a large ledger, and a model for each would cost ten times as much
(see ``events.light``). They are believed: their payloads were validated when they were appended,
and ``verify`` holds every stored one against its model. A payload that is no event of its type at
all is still refused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from msgspec import DecodeError

from ledger.errors import VerificationFailed
from ledger.events import tournaments as to
from ledger.events.light import PAIRING_DECODERS, Key, Pairing
from ledger.facts.columns import NOBODY, Column, Ending
from ledger.results import Bye, Result, Termination

PAIRING_TYPES = frozenset(type_ for type_, _ in PAIRING_DECODERS)

_said = attrgetter("supersedes", "tournament", "round", "white", "black", "result", "ruling")
_Score = tuple[int, int, int]
_ENDINGS = {
    Termination.PLAYED: Ending.PLAYED,
    Termination.SHORT: Ending.SHORT,
    Termination.FORFEIT: Ending.FORFEIT,
    Termination.ADJUDICATED: Ending.ADJUDICATED,
}
_WITHOUT_RESULT = {
    to.GameAdjourned.TYPE: Ending.ADJOURNED,
    to.ResultAnnulled.TYPE: Ending.ANNULLED,
    to.RatingResultCorrected.TYPE: Ending.NOT_FOR_RATING,
}


@dataclass(frozen=True, slots=True)
class Pairings:
    """One entry for each event, in their order; ``supersedes`` is 0 for none.

    ``black`` is None where there is none (a bye, or one annulled); scores are in half points,
    ``ending`` is the number of an ``Ending``.
    """

    seq: Sequence[int]
    supersedes: Sequence[int]
    tournament: Sequence[str]
    round: Sequence[int]
    white: Sequence[str]
    black: Sequence[str | None]
    white_halves: Sequence[int]
    black_halves: Sequence[int]
    ending: Sequence[int]

    def rows(self, tournaments: Mapping[str, int], players: Mapping[str, int]) -> dict[str, Column]:
        """Returns the columns as whole numbers, with the indexes of the tournaments and players.

        ``black`` is ``NOBODY`` where there is none. Every id has to have an index.
        """
        with_nobody = {**players, None: NOBODY}
        return {
            "seq": _column(self.seq),
            "supersedes": _column(self.supersedes),
            "tournament": _column(map(tournaments.__getitem__, self.tournament)),
            "round": _column(self.round),
            "white": _column(map(players.__getitem__, self.white)),
            "black": _column(map(with_nobody.__getitem__, self.black)),
            "white_halves": _column(self.white_halves),
            "black_halves": _column(self.black_halves),
            "ending": _column(self.ending),
        }


def pairings(
    seqs: Sequence[int], types: Sequence[str], versions: Sequence[int], payloads: Sequence[str]
) -> Pairings:
    """Returns what some events say of pairings.

    Args:
        seqs: the events' numbers, in order.
        types: their types, all of ``PAIRING_TYPES``.
        versions: their versions.
        payloads: their texts as they are stored.

    Raises:
        VerificationFailed: a payload is no event of its type and version.
    """
