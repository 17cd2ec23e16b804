"""What stored events say of pairings, page by page, in columns.

These are nearly all events of a large ledger, and a model for each would take much longer
(see ``events.light``). They are believed: their payloads were validated when they were appended,
and ``verify`` holds every stored one against its model. Ids are not validated again; a payload
that is no event of its type at all is still refused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import numpy as np
from msgspec import DecodeError

from ledger.errors import VerificationFailed
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.light import PAIRING_DECODERS
from ledger.facts.columns import NOBODY, Column, Ending
from ledger.results import Bye, Result, Termination

PAIRING_TYPES = frozenset(type_ for type_, _ in PAIRING_DECODERS)
"""The types of the events that are read here."""

_Said: TypeAlias = tuple[str, str | None, str | None]
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

    ``black`` is None where there is none (a bye, and one that is annulled). Scores are in half
    points, ``ending`` is the number of an ``Ending``.
    """

    seq: Column
    supersedes: Column
    tournament: list[str]
    round: Column
    white: list[str]
    black: list[str | None]
    white_halves: Column
    black_halves: Column
    ending: Column

    def indexed(
        self, tournaments: Mapping[str, int], players: Mapping[str, int]
    ) -> tuple[Column, Column, Column]:
        """Returns tournament, white and black as indexes; ``NOBODY`` where there is no black.

        Args:
            tournaments: the index of every tournament that is named.
            players: the index of every player.
        """
        black = [NOBODY if player is None else players[player] for player in self.black]
        return (
            _column(map(tournaments.__getitem__, self.tournament)),
            _column(map(players.__getitem__, self.white)),
            _column(black),
        )


def pairings(
    seqs: Sequence[int], types: Sequence[str], versions: Sequence[int], payloads: Sequence[str]
) -> Pairings:
    """Returns what some events say of pairings.

    A thousand at a time are read faster than five thousand.

    Args:
        seqs: the events' numbers, in order.
        types: their types, all of ``PAIRING_TYPES``.
        versions: their versions.
        payloads: their texts as they are stored.

    Raises:
        DatabaseError: a version is unknown: newer software wrote it.
        VerificationFailed: a payload is no event of its type.
    """
    keys = zip(types, versions, strict=True)
    try:
        said = [PAIRING_DECODERS[key](payload) for key, payload in zip(keys, payloads, strict=True)]
        results, rulings = [each.result for each in said], [each.ruling for each in said]
        packed = scores(types, results, rulings)
    except (DecodeError, KeyError, ValueError) as error:
        _refuse(types, versions, payloads, error)
    white_halves, black_halves, ending = unpacked(_column(packed))
    return Pairings(
        seq=_column(seqs),
        supersedes=_column([each.supersedes or 0 for each in said]),
        tournament=[each.tournament for each in said],
        round=_column([each.round for each in said]),
        white=[each.white for each in said],
        black=[each.black for each in said],
        white_halves=white_halves,
        black_halves=black_halves,
        ending=ending,
    )


def _refuse(
    types: Sequence[str], versions: Sequence[int], payloads: Sequence[str], error: Exception
) -> NoReturn:
    """Lets the catalogue say what is wrong with the first bad event."""
    for type_, version, payload in zip(types, versions, payloads, strict=True):
        CATALOGUE.decode(type_, version, payload)
    raise VerificationFailed(
        "verify.payload", type=types[0], payload=payloads[0][:200], why=str(error)
    ) from error


def scores(
    types: Sequence[str], results: Sequence[str | None], rulings: Sequence[str | None]
) -> list[int]:
    """Returns half points and ending of every event in one number (see ``unpacked``)."""
    return [_SCORES[how] for how in zip(types, results, rulings, strict=True)]


class _Scores(dict[_Said, int]):
    """Type, result and ruling to ``_packed`` half points and ending; each is read once."""

    def __missing__(self, how: _Said) -> int:
        score = self[how] = _packed(*_score(*how))
        return score


def _score(type_: str, result: str | None, ruling: str | None) -> tuple[int, int, Ending]:
    if result is None:
        return 0, 0, _WITHOUT_RESULT[type_]
    if type_ == to.ByeGiven.TYPE:
        return Bye(result).halves, 0, Ending.BYE
    read = Result.parse(result)
    ending = Ending.TEMPORARY if ruling == "temporary" else _ENDINGS[read.termination]
    return *read.halves, ending


def _packed(white_halves: int, black_halves: int, ending: Ending) -> int:
    return white_halves | black_halves << 2 | ending << 4


def unpacked(scores: Column) -> tuple[Column, Column, Column]:
    """Returns white's and black's half points and the endings that scores are made of."""
    return scores & 3, scores >> 2 & 3, scores >> 4


_SCORES = _Scores()


def _column(values: Iterable[int]) -> Column:
    # Python's array takes whole numbers in half the time.
    return np.frombuffer(array("q", values), dtype=np.int64)
