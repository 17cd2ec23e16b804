"""A score group in two halves: Chavarría 1975, instruction F 6 and F 8.

The i-th card of the upper half plays the i-th of the lower. Where the two have met, or are due the
same colour, the lower card changes places with the next lower one, "or with the one after", as long
as the pairs that follow can still be made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ledger.desk.pairing.matching import Barred


class Passed(StrEnum):
    """Why a lower card does not play the upper card opposite."""

    MET = "met"
    COLOUR = "colour"
    REST = "rest"
    """The pairs that follow could not be made."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair; where the lower card changed places, with which one and why."""

    upper: int
    lower: int
    opposite: int
    why: Passed | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """The upper and the lower card."""
        return self.upper, self.lower


GoTogether: TypeAlias = Callable[[int, int], bool]


def choices(
    barred: Barred, upper: Sequence[int], lower: Sequence[int], go_together: GoTogether
) -> list[Choice] | None:
    """Pairs two halves of a group, upper against lower; None where that is impossible.

    Args:
        barred: who must not meet.
        upper: the upper half's cards, in order.
        lower: as many cards of the lower half, in order.
        go_together: whether the colours that two are due are not the same.
    """
    halves = _Halves.of(barred, upper, lower)
    return None if halves is None else list(halves.choose(upper, lower, go_together))


def can_be_halved(barred: Barred, upper: Sequence[int], lower: Sequence[int]) -> bool:
    """Whether two halves can be paired, upper against lower."""
    return _Halves.of(barred, upper, lower) is not None


@dataclass(slots=True)
class _Halves:
    """A way to make all pairs that are still to be made; it changes as pairs are chosen.

    ``waiting`` are the lower cards without a partner yet, while the first way is sought.
    """

    barred: Barred
    partner: dict[int, int] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    waiting: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, barred: Barred, upper: Sequence[int], lower: Sequence[int]) -> _Halves | None:
        halves = cls(barred, waiting=set(lower))
        for one, other in zip(upper, lower, strict=True):
            if other not in barred[one]:
                halves._join(one, other)
        for one in upper:
            if one not in halves.partner and not halves._lead(one, halves.waiting):
                return None
        return halves

    def choose(
        self, upper: Sequence[int], lower: Sequence[int], go_together: GoTogether
    ) -> Iterator[Choice]:
        """Yields the pairs from the first to the last."""
        cards = list(lower)
        for place, one in enumerate(upper):
            opposite = cards[place]
            chosen = self._chosen(one, cards, place, go_together)
            other = cards[chosen]
            cards[place], cards[chosen] = other, opposite
            why = self._why(one, opposite, other, go_together) if chosen != place else None
            yield Choice(one, other, opposite, why)
            del self.owner[self.partner.pop(one)]

    def _chosen(self, one: int, cards: list[int], place: int, go_together: GoTogether) -> int:
        """Returns the place of the first card that fits by colour, or else of the first at all."""
        barred = self.barred[one]
        met_none = [at for at in range(place, len(cards)) if cards[at] not in barred]
        for at in met_none:
            if go_together(one, cards[at]) and self._leaves_the_rest(one, cards[at]):
                return at
        return next(at for at in met_none if self._leaves_the_rest(one, cards[at]))

    def _why(self, one: int, opposite: int, other: int, go_together: GoTogether) -> Passed:
        if opposite in self.barred[one]:
            return Passed.MET
        by_colour = go_together(one, other) and not go_together(one, opposite)
        return Passed.COLOUR if by_colour else Passed.REST

    def _leaves_the_rest(self, one: int, other: int) -> bool:
        """Whether the pairs that follow can be made after this one; if so, it is made."""
        freed = self.partner[one]
        if freed == other:
            return True
        forsaken = self.owner[other]
        del self.owner[freed]
        self._join(one, other)
        del self.partner[forsaken]
        if self._lead(forsaken, {freed}, never=other):
            return True
        self._join(one, freed)
        self._join(forsaken, other)
        return False

    def _lead(self, start: int, free: set[int], never: int | None = None) -> bool:
        """Finds a partner among the free for an upper card; others may change theirs.

        The lower card ``never`` keeps its own.
        """
        came: dict[int, int] = {}
        unseen = self.owner.keys() - {never}
        queue = deque([start])
        while queue:
            one = queue.popleft()
            found = next((card for card in free if card not in self.barred[one]), None)
            if found is not None:
                free.discard(found)
                self._shift(one, found, came)
                return True
            for card in unseen - self.barred[one]:
                unseen.discard(card)
                came[card] = one
                queue.append(self.owner[card])
        return False

    def _shift(self, one: int, found: int, came: dict[int, int]) -> None:
        """Gives each upper card on the way the lower card that led from it."""
        while True:
            freed = self.partner.get(one)
            self._join(one, found)
            if freed is None:
                return
            one, found = came[freed], freed

    def _join(self, one: int, other: int) -> None:
        self.partner[one], self.owner[other] = other, one
        self.waiting.discard(other)
