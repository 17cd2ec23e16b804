"""Accelerated rounds: virtual points for the pairing only (FIDE C.04.7, Baku acceleration).

The upper half of the starting order, group A, gets a virtual point in the first accelerated rounds
and half a point in the others. The points stand in no standings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.desk.score_sheet import WIN, Card

_HALF = 1  # in half points


def baku(cards: Iterable[Card], rounds: int) -> Mapping[int, Mapping[int, int]]:
    """Returns the virtual points of an event, as ``PairingRules.acceleration``.

    The accelerated rounds are the first half of the event, rounded up. Group A gets a point in the
    first half of them, rounded up, and half a point in the rest.

    Args:
        cards: everybody; late entries by ``from_round``.
        rounds: of the whole event.

    Returns:
        Half points by round and number.
    """
    first_group = group_a(cards)
    accelerated = (rounds + 1) // 2
    whole = (accelerated + 1) // 2
    return {
        round_: dict.fromkeys(first_group, WIN if round_ <= whole else _HALF)
        for round_ in range(1, accelerated + 1)
    }


def group_a(cards: Iterable[Card]) -> list[int]:
    """Returns the numbers of group A: half of the players of round 1, up to the next even number.

    Who enters later belongs to it with a number before its last one.
    """
    cards = list(cards)
    at_first = sorted(card.number for card in cards if card.from_round == 1)
    if not at_first:
        return []
    size = 2 * -(-len(at_first) // 4)
    last = at_first[min(size, len(at_first)) - 1]
    return sorted(card.number for card in cards if card.number <= last)
