"""The practical system of small events: Chavarría 1975, EL SISTEMA SUIZO, instruction F 7.

The director's choice, announced beforehand. The groups are paired in the order first, last, second,
last but one, … and the middle ones at the end. Each from the upper half of the table is paired as
in ``fenamac_1975``. Each from the lower half takes who is missing from above: the lowest rated of
the next higher group, into the first place. Groups that are paired already are passed over.

Bye, meetings, halves and colours are those of ``fenamac_1975``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.desk.pairing.fenamac_1975 import Beginning, ScoreGroups
from ledger.desk.pairing.proposal import Proposal, RoundToPair
from ledger.desk.pairing.score_group import Group, PairedGroup, pair_group


def pair(round_: RoundToPair) -> Proposal:
    """Pairs a round from both ends of the table (F 7); the boards are in the table's order.

    Raises:
        NoPairing: the bye is left for nobody, or a second meeting cannot be avoided.
    """
    begun = Beginning.of(round_)
    paired: dict[int, PairedGroup] = {}
    taken: set[int] = set()
    for place, from_below in _sequence(len(begun.groups)):
        group = _group(begun.groups, place, taken, from_below=from_below)
        if group.own:
            paired[place] = pair_group(begun.remainder, begun.colours, group)
            taken |= paired[place].taken
    return begun.proposal([paired[place] for place in sorted(paired)])


def _sequence(groups: int) -> Iterator[tuple[int, bool]]:
    """Yields the places of the groups in the order of F 7, and whether each is of the lower half.

    >>> list(_sequence(5))
    [(0, False), (4, True), (1, False), (3, True), (2, False)]
    """
    for place in range(groups):
        turn, lower = divmod(place, 2)
        yield (groups - 1 - turn if lower else turn), bool(lower)


def _group(groups: ScoreGroups, place: int, taken: set[int], *, from_below: bool) -> Group:
    """Returns a group without those who are paired, and the others, the nearest first.

    Beyond an upper group all are paired already, and so are those below a lower group.
    """
    left = [tuple(card for card in cards if card not in taken) for _, cards in groups]
    above = [cards[::-1] for cards in reversed(left[:place]) if cards]
    below = [cards for cards in left[place + 1 :] if cards]
    others = tuple(above if from_below else below)
    return Group(groups[place][0], left[place], others, above=from_below)
