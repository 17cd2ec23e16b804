"""Prizes in money: those of places with equal points are added and shared (manual, I IX).

"Los premios en efectivo se reparten equitativamente entre los jugadores empatados": tie-breaks
order trophies and places of qualification, and no money.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice

from ledger.desk.standings import StandingsRow


def shares(places: Sequence[StandingsRow], prizes: Sequence[int]) -> dict[int, int]:
    """Returns what each participant gets, by starting number; nothing is left out.

    D15: what cannot be divided goes, unit by unit, to those who stand first by the tie-breaks. Who
    was expelled or is cancelled takes no place and gets nothing.

    Args:
        places: the standings.
        prizes: of the first place, the second and so on, in the smallest unit of the currency.
    """
    amounts = iter(prizes)
    found = {place.card.number: 0 for place in places}
    counted = (each for each in places if not (each.card.expelled or each.card.cancelled))
    for _, group in groupby(counted, key=lambda place: place.card.halves):
        equal = list(group)
        share, rest = divmod(sum(islice(amounts, len(equal))), len(equal))
        for order, place in enumerate(equal):
            found[place.card.number] = share + (order < rest)
    return found
