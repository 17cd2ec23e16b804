"""Whether everybody can be paired, where some must not meet: perfect matchings, exactly.

Participants are numbers. ``Barred`` says with whom each must not be paired; with everybody else
each may, so that nearly everything is allowed and a matching is nearly always found by looking
once. Where it is not, Edmonds' blossom search decides: a matching is the largest when no exposed
participant is the end of an augmenting path (Edmonds, Paths, trees, and flowers, 1965).

A matching is a dict with each pair in both directions. The answers (is there one, who can be left
out) do not depend on the order in which they are sought.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

Barred: TypeAlias = Mapping[int, AbstractSet[int]]
"""Whom each must not meet, in both directions; itself included."""

Matching: TypeAlias = dict[int, int]


def perfect_matching(
    barred: Barred, players: Collection[int], start: Mapping[int, int] | None = None
) -> Matching | None:
    """Returns a matching of all of some players; None where there is none.

    ``start`` is a matching to begin with, of these players and others: what was found before.
    """
    if len(players) % 2:
        return None
    matching = _begun(barred, players, start or {})
    exposed = [player for player in players if player not in matching]
    for player in exposed:
        if player not in matching and not augment(barred, players, matching, player):
            return None
    return matching


def omissible(
    barred: Barred, players: Collection[int], start: Mapping[int, int] | None = None
) -> frozenset[int]:
    """Returns who of an odd number of players can be left out so that the others are matched.

    They are those at even distance from the exposed one (the theorem of Gallai and Edmonds).
    """
    matching = _begun(barred, players, start or {})
    exposed = [player for player in players if player not in matching]
    left = [
        player
        for player in exposed
        if player not in matching and not augment(barred, players, matching, player)
    ]
    unmatched = [player for player in left if player not in matching]
    if len(unmatched) != 1:
        return frozenset()
    search = _Search(barred, players, matching)
    search.run(unmatched[0])
    return frozenset(search.even)


def left_over(barred: Barred, players: Collection[int]) -> int:
    """Returns how many of some players are left over when as many as possible are paired."""
    matching = _begun(barred, players, {})
    within = set(players)
    exposed = [player for player in players if player not in matching]
    for player in exposed:
        if player in matching or augment(barred, within, matching, player):
            continue
        # No augmenting path will ever touch the tree that grew from it in vain.
        search = _Search(barred, within, matching)
        search.run(player)
        within -= search.even | search.parent.keys()
    return sum(player not in matching for player in players)


def partners(
    barred: Barred, players: Collection[int], matching: Mapping[int, int], one: int
) -> frozenset[int]:
    """Returns with whom one of some players can be paired so that all the others are, too.

    Args:
        barred: who must not meet.
        players: who is to be matched, the one included.
        matching: a matching of all of them.
        one: whose partners are sought.
    """
    others = [player for player in players if player != one]
    left = {player: other for player, other in matching.items() if one not in {player, other}}
    search = _Search(barred, others, left)
    search.run(matching[one])
    return frozenset(search.even - barred[one])


def augment(barred: Barred, players: Collection[int], matching: Matching, exposed: int) -> bool:
    """Matches one exposed player more, and another one with it; whether that was possible.

    The matching is changed in place; who was matched stays so.
    """
    if _augmented_at_once(barred, players, matching, exposed):
        return True
    search = _Search(barred, players, matching)
    end = search.run(exposed)
    while end is not None:
        before = search.parent[end]
        following = matching.get(before)
        matching[before], matching[end] = end, before
        end = following
    return exposed in matching


def _begun(barred: Barred, players: Collection[int], start: Mapping[int, int]) -> Matching:
    """Returns what of a matching is within some players, and some of the others paired."""
    within = players if isinstance(players, AbstractSet) else frozenset(players)
    matching = {one: start[one] for one in players if start.get(one) in within}
    waiting: list[int] = []
    for player in players:
        if player in matching:
            continue
        for place, other in enumerate(waiting):
            if other not in barred[player]:
                matching[player], matching[other] = other, player
                del waiting[place]
                break
        else:
            waiting.append(player)
    return matching


def _augmented_at_once(
    barred: Barred, players: Iterable[int], matching: Matching, exposed: int
) -> bool:
    """Looks for an exposed partner, then for a pair that two exposed players can part."""
    others = [p for p in players if p not in matching and p != exposed]
    for other in others:
        if other not in barred[exposed]:
            matching[exposed], matching[other] = other, exposed
            return True
    for one in players:
        if one in barred[exposed] or one not in matching:
            continue
        partner = matching[one]
        for other in others:
            if other not in barred[partner]:
                matching[exposed], matching[one] = one, exposed
                matching[other], matching[partner] = partner, other
                return True
    return False


@dataclass(slots=True)
class _Search:
    """A search for an augmenting path: a tree of alternating paths, with blossoms shrunk.

    ``even`` are the players at even distance from the root; ``parent`` is the one before a player
    at odd distance, ``base`` the one that stands for its blossom.
    """

    barred: Barred
    players: Collection[int]
    matching: Mapping[int, int]
    even: set[int] = field(default_factory=set)
    parent: dict[int, int] = field(default_factory=dict)
    base: dict[int, int] = field(default_factory=dict)

    def run(self, root: int) -> int | None:
        """Returns the exposed player at whom an augmenting path ends; None without one."""
        self.even, self.parent = {root}, {}
        self.base = {player: player for player in self.players}
        queue = deque([root])
        while queue:
            player = queue.popleft()
            for other in self.players:
                if (
                    other in self.barred[player]
                    or self.base[player] == self.base[other]
                    or self.matching.get(player) == other
                ):
                    continue
                if other in self.even:
                    queue.extend(self._shrunk(player, other))
                elif other not in self.parent:
                    self.parent[other] = player
                    partner = self.matching.get(other)
                    if partner is None:
                        return other
                    self.even.add(partner)
                    queue.append(partner)
        return None

    def _shrunk(self, one: int, other: int) -> list[int]:
        """Shrinks the blossom that an edge between two even players closes; returns who is new."""
        stem = self._common_base(one, other)
        blossom: set[int] = set()
        self._mark(one, stem, other, blossom)
        self._mark(other, stem, one, blossom)
        new = []
        for player in self.players:
            if self.base[player] in blossom:
                self.base[player] = stem
                if player not in self.even:
                    self.even.add(player)
                    new.append(player)
        return new

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        at = self.base[one]
        while True:
            passed.add(at)
            if at not in self.matching:
                break  # the root
            at = self.base[self.parent[self.matching[at]]]
        at = self.base[other]
        while at not in passed:
            at = self.base[self.parent[self.matching[at]]]
        return at

    def _mark(self, player: int, stem: int, child: int, blossom: set[int]) -> None:
        while self.base[player] != stem:
            partner = self.matching[player]
            blossom |= {self.base[player], self.base[partner]}
            self.parent[player] = child
            child = partner
            player = self.parent[partner]
