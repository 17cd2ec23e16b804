"""Colours of the manual's Swiss: Chavarría 1975, R VIII, I VIII and instruction F 6.

A colour that was given counts also where the game was won or lost by forfeit: it is on the card
(the notes on the forms, plate 2). A bye has none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.desk.pairing.proposal import Board
from ledger.desk.score_sheet import Card
from ledger.terms import Colour
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Due:
    """What a player is due.

    ``colour`` is None for who was given none yet; ``balance`` is how many times White was given
    more than Black.
    """

    colour: Colour | None
    balance: int


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one round."""

    round: int
    dues: dict[int, Due]

    @classmethod
    def of(cls, round_: int, cards: Iterable[Card]) -> Colours:
        """Reads what is due to each from the cards."""
        return cls(round_, {card.number: due(card) for card in cards})

    def go_together(self, one: int, other: int) -> bool:
        """Whether both can have what they are due."""
        colour = self.dues[one].colour
        return colour is None or colour is not self.dues[other].colour

    def board(self, one: int, other: int) -> tuple[Board, Message | None]:
        """Gives two players their colours, and says why where both are due the same."""
        first, second = self.dues[one], self.dues[other]
        if first.colour is not second.colour:
            white_due = first.colour is Colour.WHITE or second.colour is Colour.BLACK
            return (Board(one, other) if white_due else Board(other, one)), None
        if first.colour is None:
            return self._by_round(one, other), None
        if first.balance != second.balance:
            return self._equalized(one, other, first.colour)
        board = self._by_round(one, other)
        key = "desk.colour_odd_round" if self.round % 2 else "desk.colour_even_round"
        return board, Message.of(key, higher=min(one, other), lower=max(one, other))

    def _equalized(self, one: int, other: int, wanted: Colour) -> tuple[Board, Message]:
        """I VIII: who has had the colour less gets it, so that both have it as often."""
        more_white, fewer_white = sorted(
            (one, other), key=lambda number: -self.dues[number].balance
        )
        gets = fewer_white if wanted is Colour.WHITE else more_white
        key = "desk.white_had_less" if wanted is Colour.WHITE else "desk.black_had_less"
        board = Board(fewer_white, more_white)
        return board, Message.of(key, number=gets, other=one + other - gets)

    def _by_round(self, one: int, other: int) -> Board:
        """F 6: in odd rounds the higher rated has White, in even rounds Black."""
        higher, lower = sorted((one, other))
        return Board(higher, lower) if self.round % 2 else Board(lower, higher)


def due(card: Card) -> Due:
    """Returns what a player is due: the other colour than the last one (F 6, R VIII)."""
    given = [line.colour for line in card.lines if line.colour is not None]
    balance = 2 * sum(colour is Colour.WHITE for colour in given) - len(given)
    return Due(given[-1].other if given else None, balance)


def first_round(pairs: Iterable[tuple[int, int]], first: Colour) -> tuple[Board, ...]:
    """F 5: the upper player has White on odd boards and Black on even ones.

    Args:
        pairs: the upper and the lower player of each board, in order.
        first: the colour of the upper player of board 1.
    """
    odd_white = first is Colour.WHITE
    return tuple(
        Board(upper, lower) if (place % 2 == 0) is odd_white else Board(lower, upper)
        for place, (upper, lower) in enumerate(pairs)
    )
