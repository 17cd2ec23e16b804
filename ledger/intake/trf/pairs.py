"""What two lines say of one game: the rule for which codes fit together, and the pairs of a file.

TRF16 stores results per player. Asymmetric pairs are legal where an arbiter ruled so: both absent
(-/-), both lose (0/0), a draw for one and a loss for the other (=/0); two players never score more
than one point together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.intake.trf.report import (
    BOARD,
    FORFEIT,
    SHORT,
    Code,
    Colour,
    Player,
    RoundCell,
    TrfReport,
)
from ledger.results import Result, Termination

_POINT: Final = 2  # in half points
_KINDS: Final = (
    (BOARD, Termination.PLAYED),
    (SHORT, Termination.SHORT),
    (FORFEIT, Termination.FORFEIT),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players who name each other in a round, the lower start number first."""

    first: Player
    second: Player
    entry: RoundCell
    answer: RoundCell


def pairs(report: TrfReport) -> Iterator[Pair]:
    """Yields the pairs whose lines can be read, in the order of the players' lines and rounds."""
    for player in report.by_number.values():
        for entry in player.rounds:
            if not entry.readable or entry.opponent is None or entry.opponent <= player.number:
                continue
            other = report.by_number.get(entry.opponent)
            answer = other.entry(entry.round) if other else None
            if other and answer and answer.readable and answer.opponent == player.number:
                yield Pair(player, other, entry, answer)


def combined(white: Code, black: Code) -> Result | None:
    """Returns two players' codes as one result; None where they do not fit together.

    >>> str(combined(Code.DRAW, Code.LOSS)), str(combined(Code.SHORT_DRAW, Code.SHORT_DRAW))
    ('1/2-0', '1/2-1/2s')
    """
    for codes, termination in _KINDS:
        if white in codes and black in codes:
            halves = codes[white], codes[black]
            return Result(*halves, termination) if sum(halves) <= _POINT else None
    return None


def white_first(pair: Pair) -> bool | None:
    """Whether the first player has White; None where both have one colour.

    One colour left open is the other one; where both are, the lower start number has White.
    """
    if pair.entry.colour is not None and pair.entry.colour is pair.answer.colour:
        return None
    return pair.entry.colour is Colour.WHITE or (
        pair.entry.colour is None and pair.answer.colour is not Colour.WHITE
    )
