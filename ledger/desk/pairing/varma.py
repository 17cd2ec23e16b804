"""Numbers of an all-play-all drawn so that one federation's players do not meet at the end.

FIDE C.05, annex 2 (Varma tables), for 9 to 24 players: the numbers lie in four envelopes, and those
of one envelope do not meet in the last three rounds of ``berger``. Players of one federation draw
from the same one. The lots are drawn from a seed, which is recorded.

The table for 12 players has 6 and 12 in one envelope, as it is printed, although they meet in the
last round; with 11 players there is no number 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ledger.desk.lots import drawn
from ledger.desk.pairing.berger import BergerTables
from ledger.errors import InputRefused
from ledger.wording import Message

# By the next even number of players: the envelopes A, B, C, D.
ENVELOPES: Final[Mapping[int, tuple[tuple[int, ...], ...]]] = {
    10: ((3, 4, 8), (5, 7, 9), (1, 6), (2, 10)),
    12: ((4, 5, 9, 10), (1, 2, 7), (6, 8, 12), (3, 11)),
    14: ((4, 5, 6, 11, 12), (1, 2, 8, 9), (7, 10, 13), (3, 14)),
    16: ((5, 6, 7, 12, 13, 14), (1, 2, 3, 9, 10), (8, 11, 15), (4, 16)),
    18: ((5, 6, 7, 8, 14, 15, 16), (1, 2, 3, 10, 11, 12), (9, 13, 17), (4, 18)),
    20: ((6, 7, 8, 9, 15, 16, 17, 18), (1, 2, 3, 11, 12, 13, 14), (5, 10, 19), (4, 20)),
    22: ((6, 7, 8, 9, 10, 17, 18, 19, 20), (1, 2, 3, 4, 12, 13, 14, 15), (11, 16, 21), (5, 22)),
    24: (
        (6, 7, 8, 9, 10, 11, 19, 20, 21, 22),
        (1, 2, 3, 4, 13, 14, 15, 16, 17),
        (12, 18, 23),
        (5, 24),
    ),
}
FEWEST, MOST = 9, 24
_KEPT_APART: Final = 3  # rounds at the end


@dataclass(frozen=True, slots=True)
class Drawer:
    """A player who draws a number; without a federation it is a contingent of its own."""

    player: str
    name: str
    federation: str | None = None

    @property
    def contingent(self) -> str:
        """Whom the player draws with."""
        return f"federation {self.federation}" if self.federation else f"player {self.player}"


def varma_numbers(
    drawers: Iterable[Drawer], seed: str
) -> tuple[dict[str, int], tuple[Message, ...]]:
    """Draws numbers (C.05, annex 2).

    The largest contingent draws first, of equal ones by the federation's code; players by name. The
    first draws one of the envelopes with enough numbers for all. Where none has enough, which the
    text does not foresee, the fullest is emptied and the others draw from the next.

    Args:
        drawers: 9 to 24 players, in any order.
        seed: any text.

    Returns:
        The numbers by player, and who of one federation meets at the end nevertheless.

    Raises:
        InputRefused: there is no table for so many players.
    """
    everybody = sorted(drawers, key=lambda drawer: (drawer.name, drawer.player))
    players = len(everybody)
    if not FEWEST <= players <= MOST:
        values = {"players": players, "fewest": FEWEST, "most": MOST}
        raise InputRefused("desk.no_varma_table", **values)
    envelopes = [
        [number for number in envelope if number <= players]
        for envelope in ENVELOPES[players + players % 2]
    ]
    by_number: dict[int, Drawer] = {}
    for contingent, members in _contingents(everybody):
        waiting = iter(members)
        left = len(members)
        while left:
            lots = f"{seed}\n{contingent}\n{left}"
            envelope = _envelope(envelopes, left, lots)
            taken = [int(ticket) for ticket in drawn(lots, map(str, envelope))][:left]
            by_number |= zip(taken, waiting, strict=False)
            envelope[:] = [number for number in envelope if number not in taken]
            left -= len(taken)
    numbers = {drawer.player: number for number, drawer in by_number.items()}
    return numbers, tuple(_meetings_at_the_end(by_number))


def _meetings_at_the_end(by_number: Mapping[int, Drawer]) -> Iterator[Message]:
    """Yields who of one federation meets in the last three rounds."""
    tables = BergerTables(len(by_number))
    for round_ in range(tables.rounds - _KEPT_APART + 1, tables.rounds + 1):
        for pair in tables.games(round_):
            white, black = (by_number[number] for number in pair)
            if white.contingent == black.contingent:
                values = {"white": white.player, "black": black.player, "round": round_}
                yield Message.of("desk.varma_meeting", federation=white.federation, **values)


def _contingents(everybody: list[Drawer]) -> list[tuple[str, list[Drawer]]]:
    """Returns the players of each federation, in the order in which they draw."""
    ordered = sorted(everybody, key=lambda drawer: drawer.contingent)
    found = [(key, list(group)) for key, group in groupby(ordered, key=lambda d: d.contingent)]
    return sorted(found, key=lambda contingent: (-len(contingent[1]), contingent[0]))


def _envelope(envelopes: list[list[int]], wanted: int, lots: str) -> list[int]:
    """Returns an envelope with enough numbers, drawn by lot; or else the fullest."""
    fullest = max(map(len, envelopes))
    enough = [e for e in envelopes if len(e) >= min(wanted, fullest)]
    letters = drawn(lots, (str(place) for place in range(len(enough))))
    return enough[int(letters[0])]
