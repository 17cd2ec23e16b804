"""C.07, article 14: what is cut from a sum, and exact values of half and quarter points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ledger.desk.tie_breaks.tie_break import Part


class Contribution(NamedTuple):
    """What a round brings to a sum, before anything is cut.

    ``score`` is what makes it more or less significant (the opponent's score), ``amount`` what is
    added, ``voluntary`` whether the round was not played by choice.
    """

    score: int
    amount: int
    voluntary: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """How many values are cut: of the least significant (14.1, 14.2), of the most (14.3, 14.4)."""

    least: int = 0
    most: int = 0

    def places(self, given: Sequence[Contribution]) -> set[int]:
        """Returns the places of what is cut; the least significant go first (14.3, 14.4)."""
        kept = list(range(len(given)))
        cut: set[int] = set()
        for pick in (_least,) * self.least + (_most,) * self.most:
            if kept:
                place = pick(given, kept)
                kept.remove(place)
                cut.add(place)
        return cut


def _least(given: Sequence[Contribution], kept: Sequence[int]) -> int:
    """14.1.1, 16.5: returns the least significant value, or a voluntary unplayed round instead.

    The least significant is that of the lowest score, of several the lowest amount. The lowest of
    the voluntary unplayed rounds is cut in its place, unless it brings less.
    """
    least = min(kept, key=lambda place: (given[place].score, given[place].amount))
    voluntary = [place for place in kept if given[place].voluntary]
    if voluntary:
        lowest = min(voluntary, key=lambda place: (given[place].amount, given[place].score))
        if given[lowest].amount >= given[least].amount:
            return lowest
    return least


def _most(given: Sequence[Contribution], kept: Sequence[int]) -> int:
    return max(kept, key=lambda place: (given[place].score, given[place].amount))


@cache
def halves(count: int) -> Fraction:
    """Returns half points as points."""
    return Fraction(count, 2)


@cache
def quarters(count: int) -> Fraction:
    """Returns quarters of a point as points: what half points times half points are."""
    return Fraction(count, 4)


@cache
def whole(count: int) -> Fraction:
    """Returns a count."""
    return Fraction(count)


def cut_note(note: str, *, counted: bool) -> str:
    """Returns what is said of a part: what is special about it, else that it was cut."""
    return note or ("" if counted else "cut")


def mean_of(parts: Sequence[Part]) -> Fraction:
    """Returns the exact mean of the parts that count; 0 where there are none."""
    amounts = [part.amount for part in parts if part.counted]
    return sum(amounts, Fraction(0)) / len(amounts) if amounts else Fraction(0)
