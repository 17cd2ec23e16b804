"""What a pairing system is given and what it answers: boards, a bye, and why they are so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.errors import InputRefused
from ledger.terms import Colour
from ledger.wording import Message


class NoPairing(InputRefused):
    """A round cannot be paired; the message says why, and what the arbiter can do."""


@dataclass(frozen=True, slots=True)
class Board:
    """Two participants, by starting number."""

    white: int
    black: int

    @property
    def numbers(self) -> frozenset[int]:
        """Both."""
        return frozenset((self.white, self.black))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRules:
    """What the rules of the event leave to be chosen.

    ``acceleration`` is what is added to scores for the pairing, in half points, by round and
    number. ``forbidden`` are pairs that must not meet. ``bye_lots`` is a seed where the manual's
    bye is drawn among the lowest score (R III) and not given to the lowest rated. ``cycles`` and
    ``exchange_last_rounds`` are of all-play-alls: how many times each pair meets (default: as often
    as the rounds make room for), and whether the last two rounds of the first half of a double one
    change places (not in 1975).
    """

    first_colour: Colour = Colour.WHITE
    forbidden: frozenset[frozenset[int]] = frozenset()
    acceleration: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    bye_lots: str | None = None
    cycles: int | None = None
    exchange_last_rounds: bool = False


@dataclass(frozen=True, slots=True)
class RoundToPair:
    """A round, and all that its pairing depends on.

    ``sheet`` has the rounds before it, with temporary scores for games without a result. ``absent``
    are the numbers that are not to be paired (withdrawn, expelled, on leave, not there yet).
    """

    round: int
    sheet: ScoreSheet
    absent: frozenset[int] = frozenset()
    rules: PairingRules = field(default_factory=PairingRules)

    @property
    def present(self) -> list[Card]:
        """Who is to be paired, by number."""
        return [card for number, card in self.sheet.cards.items() if number not in self.absent]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A round as a system pairs it: boards in order, who has the bye, and the steps to it.

    The steps say in order what was decided where the rules left more than one way: who comes up,
    which cards changed places, why a colour is as it is.
    """

    boards: tuple[Board, ...]
    bye: int | None = None
    steps: tuple[Message, ...] = ()


PairingSystem: TypeAlias = Callable[[RoundToPair], Proposal]
"""Pairs a round; raises ``NoPairing``. The same input gives the same boards on every machine."""
