"""How a score group of the manual's Swiss is paired: Chavarría 1975, R V, I V, F 6 and F 8.

In this order, the first that succeeds: by halves, with the highest rated of the nearest group where
the number is odd, or else the next one; in any way inside the group; together with two further
cards of the nearest groups, with four, and so on. Nobody meets twice, and who is not in the group
must be able to be paired in the end.

Colours of the manual's Swiss: Chavarría 1975, R VIII, I VIII and instruction F 6.

A colour that was given counts also where the game was won or lost by forfeit: it is on the card
(the notes on the forms, plate 2). A bye has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ledger.desk.pairing.halves import Choice, Passed, can_be_halved, choices
from ledger.desk.pairing.matching import (
    Barred,
    Matching,
    left_over,
    omissible,
    partners,
    perfect_matching,
)
from ledger.desk.pairing.proposal import Board
from ledger.desk.score_sheet import Card
from ledger.rating.decimal_text import halves_text
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


_EXCHANGES = {
    Passed.MET: "desk.exchange_met",
    Passed.COLOUR: "desk.exchange_colour",
    Passed.REST: "desk.exchange_rest",
}


@dataclass(slots=True)
class Remainder:
    """Who is to be paired in the end, and a way to pair them, which changes as boards are made.

    ``matching`` may know others as well.
    """

    barred: Barred
    matching: Matching = field(default_factory=dict)

    def can_be_paired(self, players: Sequence[int]) -> bool:
        """Whether all of some players can be paired without a second meeting."""
        found = perfect_matching(self.barred, players, self.matching)
        if found is None:
            return False
        self.matching = found
        return True

    def omissions(self, players: Sequence[int], candidates: Iterable[int]) -> Iterator[int]:
        """Yields, in order, whom of the candidates an odd number of players can do without."""
        spare: frozenset[int] | None = None
        for candidate in candidates:
            if spare is None:
                others = [player for player in players if player != candidate]
                if self.can_be_paired(others):
                    yield candidate
                    continue
                spare = omissible(self.barred, players, self.matching)
            if candidate in spare:
                yield candidate


@dataclass(frozen=True, slots=True)
class Group:
    """A score group, and all who are not paired yet.

    ``own`` are its cards in order. ``others`` are the other groups, the nearest first, each in the
    order in which its cards come to this one. From ``above`` they come only in the practical
    system, to the first places; from below to the last.
    """

    halves: int
    own: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    above: bool = False

    def cards(self, added: Sequence[int]) -> list[int]:
        """Returns the cards in order with some of others among them."""
        if self.above:
            return [*reversed(added), *self.own]
        return [*self.own, *added]


@dataclass(frozen=True, slots=True)
class PairedGroup:
    """The pairs of a group in order, the upper card first, and the steps to them."""

    pairs: tuple[tuple[int, int], ...]
    steps: tuple[Message, ...]

    @property
    def taken(self) -> frozenset[int]:
        """Everybody who is paired."""
        return frozenset(number for pair in self.pairs for number in pair)


def pair_group(remainder: Remainder, colours: Colours, group: Group) -> PairedGroup:
    """Pairs a group, with others where it must be; R V, I V, F 6.

    Args:
        remainder: all of the group and of the others can be paired in some way.
        colours: what is due to each.
        group: which it is, and who else is there.
    """
    nearest = [card for cards in group.others for card in cards]
    joined = 0
    while joined <= len(nearest):
        cards = [*group.own, *nearest[:joined]]
        missing = left_over(remainder.barred, cards) // 2 * 2
        if missing:  # a card that joins helps one that is left over
            joined += missing
            continue
        attempt = _JoinedGroup(remainder, colours, group, nearest[:joined])
        paired = attempt.by_halves() or attempt.inside()
        if paired is not None:
            return paired
        joined += 2
    raise AssertionError("everybody together can be paired")


@dataclass(frozen=True, slots=True)
class _JoinedGroup:
    """A group with two, four … cards joined to it because it cannot be paired without (I V)."""

    remainder: Remainder
    colours: Colours
    group: Group
    joined: Sequence[int]

    def by_halves(self) -> PairedGroup | None:
        """F 6: the upper half against the lower, with exchanges (F 8)."""

        def can(cards: Sequence[int]) -> bool:
            return can_be_halved(self.remainder.barred, *_halves(cards))

        added = self._first_addition(can)
        if added is None:
            return None
        halves = _halves(self.group.cards(added))
        found = choices(self.remainder.barred, *halves, self.colours.go_together)
        assert found is not None
        exchanges = (_exchange(choice) for choice in found if choice.why is not None)
        return PairedGroup(
            tuple(choice.pair for choice in found), (*self._joining(added), *exchanges)
        )

    def inside(self) -> PairedGroup | None:
        """F 8: any pairs without a second meeting go before halves (I IV)."""

        def can(cards: Sequence[int]) -> bool:
            return perfect_matching(self.remainder.barred, cards) is not None

        added = self._first_addition(can)
        if added is None:
            return None
        cards = self.group.cards(added)
        no_halves = Message.of("desk.no_halves", points=halves_text(self.group.halves))
        pairs = tuple(_inside(self.remainder.barred, cards))
        return PairedGroup(pairs, (*self._joining(added), no_halves))

    def _first_addition(self, can: Callable[[Sequence[int]], bool]) -> list[int] | None:
        """Returns who joins the group: those of the attempt, and one more if the number is odd.

        That is the first of the nearest group that fits (F 6: the highest rated).

        Args:
            can: whether the cards of the group can be paired among themselves.
        """
        rest = self._rest()
        players = [card for cards in rest for card in cards]
        if (len(self.group.own) + len(self.joined)) % 2 == 0:
            paired = can(self.group.cards(self.joined)) and self.remainder.can_be_paired(players)
            return list(self.joined) if paired else None
        nearest = rest[0] if rest else ()
        fitting = (card for card in nearest if can(self.group.cards([*self.joined, card])))
        floater = next(self.remainder.omissions(players, fitting), None)
        return None if floater is None else [*self.joined, floater]

    def _rest(self) -> list[tuple[int, ...]]:
        """Returns the other groups without those who joined."""
        joined = frozenset(self.joined)
        rest = [tuple(c for c in cards if c not in joined) for cards in self.group.others]
        return [cards for cards in rest if cards]

    def _joining(self, added: Sequence[int]) -> Iterator[Message]:
        """Yields who joins the group and why."""
        values = {"points": halves_text(self.group.halves)}
        if self.joined:
            yield Message.of("desk.joined", cards=_listed(self.joined), **values)
        if len(added) == len(self.joined):
            return
        floater = added[-1]
        nearest = self._rest()[0]
        passed = nearest[: nearest.index(floater)]
        if passed:
            yield Message.of("desk.floaters_passed", cards=_listed(passed), **values)
        key = "desk.comes_down" if self.group.above else "desk.comes_up"
        yield Message.of(key, number=floater, **values)


def _halves(cards: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    middle = len(cards) // 2
    return cards[:middle], cards[middle:]


def _exchange(choice: Choice) -> Message:
    assert choice.why is not None
    return Message.of(
        _EXCHANGES[choice.why], upper=choice.upper, lower=choice.lower, opposite=choice.opposite
    )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _inside(barred: Barred, cards: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs the cards of a group in any way; yields the pairs in order.

    The first card is tried with each other by its distance from the card opposite, of two equally
    far the lower one first, and so on with the cards that are left.
    """
    matching = perfect_matching(barred, cards)
    assert matching is not None
    left = list(cards)
    while left:
        one = left[0]
        opposite = len(left) // 2
        places = sorted(range(1, len(left)), key=lambda place: (abs(place - opposite), -place))
        other = next(left[place] for place in places if left[place] not in barred[one])
        if matching[one] != other:
            possible = partners(barred, left, matching, one)
            other = next(left[place] for place in places if left[place] in possible)
        left = [player for player in left if player not in (one, other)]
        yield one, other
        matching = perfect_matching(barred, left, matching)
        assert matching is not None
