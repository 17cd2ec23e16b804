"""Standings: the order by points, then by the tie-breaks that were announced, one after the other.

Who is equal after all of them shares the place. Withdrawn and expelled participants of a Swiss stay
in the table; who is cancelled in an all-play-all stands below the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.desk.tie_breaks.tie_break import TieBreak, Value

POINTS: Final = "points"


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the standings.

    ``rank`` is shared by those whom nothing parts. ``values`` are by code; a tie-break among the
    tied has one where it was asked. ``decided_by`` is what put the row below the one above it:
    ``points``, a code, or None for the first row and for who shares the place above.
    """

    rank: int
    card: Card
    values: Mapping[str, Value]
    decided_by: str | None


def standings(sheet: ScoreSheet, tie_breaks: Sequence[TieBreak]) -> list[Place]:
    """Returns the standings after the rounds of a score sheet, the first place first."""
    values: dict[int, dict[str, Value]] = {number: {} for number in sheet.cards}
    for tie_break in tie_breaks:
        if tie_break.each is not None:
            for number, card in sheet.cards.items():
                values[number][tie_break.code] = tie_break.each(sheet, card)
    ordered = sorted(sheet.cards.values(), key=lambda card: (card.cancelled, -card.halves))
    places: list[Place] = []
    for _, equal in groupby(ordered, key=lambda card: (card.cancelled, card.halves)):
        decided: str | None = POINTS if places else None
        for tied, by in _parted(sheet, list(equal), tie_breaks, values, 0):
            rank = len(places) + 1
            first, *sharing = sorted(tied, key=lambda card: card.number)
            places.append(Place(rank, first, values[first.number], by or decided))
            places += (Place(rank, card, values[card.number], None) for card in sharing)
    return places


def _parted(
    sheet: ScoreSheet,
    tied: list[Card],
    tie_breaks: Sequence[TieBreak],
    values: dict[int, dict[str, Value]],
    place: int,
) -> Iterator[tuple[list[Card], str | None]]:
    """Yields the groups into which tie-breaks part the tied, in order, and what parted each.

    The first group comes with None: what stands before it was parted by something else.
    """
    if len(tied) == 1 or place == len(tie_breaks):
        yield tied, None
        return
    tie_break = tie_breaks[place]
    amounts = _amounts(sheet, tied, tie_break, values)
    ordered = sorted(tied, key=lambda card: amounts[card.number], reverse=True)
    groups = [list(group) for _, group in groupby(ordered, key=lambda c: amounts[c.number])]
    again = tie_break.again and len(groups) > 1
    for index, group in enumerate(groups):
        by = tie_break.code if index else None
        next_ = place if again else place + 1
        for still_tied, parted_by in _parted(sheet, group, tie_breaks, values, next_):
            yield still_tied, parted_by or by
            by = None


def _amounts(
    sheet: ScoreSheet,
    tied: list[Card],
    tie_break: TieBreak,
    values: dict[int, dict[str, Value]],
) -> dict[int, Fraction]:
    """Returns what orders the tied; equal for all where somebody has no value."""
    if tie_break.among is not None:
        found = tie_break.among(sheet, tied)
        if found is None:
            return dict.fromkeys((card.number for card in tied), Fraction(0))
        for number, value in found.items():
            values[number].setdefault(tie_break.code, value)
    else:
        found = {card.number: values[card.number][tie_break.code] for card in tied}
    amounts = {number: value.amount for number, value in found.items() if value.amount is not None}
    if len(amounts) < len(tied):
        return dict.fromkeys((card.number for card in tied), Fraction(0))
    return amounts
