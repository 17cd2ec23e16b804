"""The manual's Swiss once more, as a person does it who tries everything: for few players.

Written from the rules alone, to be compared with ``ledger.desk.pairing``: no matchings, every "can
the rest be paired" is answered by trying all pairings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ledger.desk.score_sheet import Card, How
from ledger.terms import Colour

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Facts:
    """What a round depends on: cards of who is there, with whom each must not meet."""

    round: int
    cards: dict[int, Card]
    forbidden: frozenset[frozenset[int]] = frozenset()

    def may_meet(self, one: int, other: int) -> bool:
        met = any(
            line.opponent == other and line.how is not How.FORFEIT for line in self.cards[one].lines
        )
        return not met and frozenset((one, other)) not in self.forbidden

    def due(self, number: int) -> Colour | None:
        given = [line.colour for line in self.cards[number].lines if line.colour]
        return given[-1].other if given else None

    def whites_less_blacks(self, number: int) -> int:
        given = [line.colour for line in self.cards[number].lines if line.colour]
        return given.count(Colour.WHITE) - given.count(Colour.BLACK)

    def fit(self, one: int, other: int) -> bool:
        return self.due(one) is None or self.due(one) != self.due(other)


def every_pairing(facts: Facts, players: Sequence[int]) -> bool:
    """Whether all of some players can be paired."""

    @cache
    def can(left: tuple[int, ...]) -> bool:
        return not left or any(
            facts.may_meet(left[0], other) and can(tuple(p for p in left[1:] if p != other))
            for other in left[1:]
        )

    return len(players) % 2 == 0 and can(tuple(sorted(players)))


def halves_can(facts: Facts, upper: Sequence[int], lower: Sequence[int]) -> bool:
    return not upper or any(
        facts.may_meet(upper[0], card)
        and halves_can(facts, upper[1:], [other for other in lower if other != card])
        for card in lower
    )


def by_halves(facts: Facts, cards: Sequence[int]) -> Pairs | None:
    middle = len(cards) // 2
    upper, lower = list(cards[:middle]), list(cards[middle:])
    if not halves_can(facts, upper, lower):
        return None
    for k, one in enumerate(upper):

        def possible(place: int, k: int = k, one: int = one) -> bool:
            rest = [card for at, card in enumerate(lower) if at >= k and at != place]
            return facts.may_meet(one, lower[place]) and halves_can(facts, upper[k + 1 :], rest)

        places = [place for place in range(k, middle) if possible(place)]
        chosen = next((place for place in places if facts.fit(one, lower[place])), places[0])
        lower[k], lower[chosen] = lower[chosen], lower[k]
    return tuple(zip(upper, lower, strict=True))


def inside(facts: Facts, cards: Sequence[int]) -> Pairs | None:
    if not cards:
        return ()
    first, *others = cards
    opposite = len(cards) // 2 - 1  # among the others
    for at in sorted(range(len(others)), key=lambda at: (abs(at - opposite), -at)):
        if facts.may_meet(first, others[at]):
            rest = inside(facts, others[:at] + others[at + 1 :])
            if rest is not None:
                return ((first, others[at]), *rest)
    return None


def groups_of(facts: Facts, players: Sequence[int]) -> list[list[int]]:
    scores = sorted({facts.cards[player].halves for player in players}, reverse=True)
    return [
        sorted(player for player in players if facts.cards[player].halves == score)
        for score in scores
    ]


def group_pairs(
    facts: Facts, own: list[int], others: list[list[int]], *, above: bool = False
) -> Pairs:
    """Pairs a group; ``others`` are the groups near it, in the order in which they are asked."""
    order = [card for cards in others for card in cards]
    for extra in range(0, len(order) + 1, 2):
        for way in (by_halves, inside):
            for added in additions(own, others, order[:extra]):
                cards = [*reversed(added), *own] if above else [*own, *added]
                rest = [card for card in order if card not in added]
                found = way(facts, cards)
                if found is not None and every_pairing(facts, rest):
                    return found
    raise AssertionError


def additions(own: list[int], others: list[list[int]], joined: list[int]) -> Iterator[list[int]]:
    if (len(own) + len(joined)) % 2 == 0:
        yield joined
        return
    left = [[card for card in cards if card not in joined] for cards in others]
    for card in next((cards for cards in left if cards), []):
        yield [*joined, card]


def bye_of(facts: Facts, players: Sequence[int]) -> int | None:
    for group in reversed(groups_of(facts, players)):
        for player in reversed(group):
            had = any(line.how is How.ALLOCATED_BYE for line in facts.cards[player].lines)
            if not had and every_pairing(facts, [p for p in players if p != player]):
                return player
    return None


def round_pairs(facts: Facts) -> tuple[Pairs, int | None] | None:
    """The pairs of a round in order, and the bye; None without a pairing."""
    players = list(facts.cards)
    bye = None
    if len(players) % 2:
        bye = bye_of(facts, players)
        if bye is None:
            return None
        players.remove(bye)
    if not players and bye is None:
        return None
    if not every_pairing(facts, players):
        return None
    pairs: Pairs = ()
    while players:
        own, *others = groups_of(facts, players)
        pairs += group_pairs(facts, own, others)
        paired = {player for pair in pairs for player in pair}
        players = [player for player in players if player not in paired]
    return pairs, bye


def practical_pairs(facts: Facts) -> tuple[Pairs, int | None] | None:
    """The same by instruction F 7: the groups first, last, second, last but one …"""
    players = list(facts.cards)
    found = round_pairs(facts)
    if found is None:
        return None
    bye = found[1]
    players = [player for player in players if player != bye]
    groups = groups_of(facts, players)
    paired: dict[int, Pairs] = {}
    sequence = []
    low, high = 0, len(groups) - 1
    while low <= high:
        sequence.append((low, False))
        if low != high:
            sequence.append((high, True))
        low, high = low + 1, high - 1
    for place, above in sequence:
        own = [card for card in groups[place] if card in players]
        if not own:
            continue
        higher = [[c for c in reversed(cards) if c in players] for cards in groups[:place]]
        lower = [[c for c in cards if c in players] for cards in groups[place + 1 :]]
        near = list(reversed(higher)) if above else lower
        paired[place] = group_pairs(facts, own, [cards for cards in near if cards], above=above)
        gone = {player for pair in paired[place] for player in pair}
        players = [player for player in players if player not in gone]
    return tuple(pair for place in sorted(paired) for pair in paired[place]), bye


def boards(facts: Facts, pairs: Pairs) -> list[tuple[int, int]]:
    """White and Black of each pair, in order."""
    if facts.round == 1:
        return [pair if place % 2 == 0 else pair[::-1] for place, pair in enumerate(pairs)]
    return [colours(facts, *pair) for pair in pairs]


def colours(facts: Facts, one: int, other: int) -> tuple[int, int]:
    """White and Black of a pair, after round 1."""
    first, second = facts.due(one), facts.due(other)
    if first != second:
        white = first is Colour.WHITE or second is Colour.BLACK
        return (one, other) if white else (other, one)
    balance = facts.whites_less_blacks(one) - facts.whites_less_blacks(other)
    if first is None or not balance:
        higher, lower = sorted((one, other))
        return (higher, lower) if facts.round % 2 else (lower, higher)
    return (one, other) if balance < 0 else (other, one)
