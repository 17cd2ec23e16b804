"""Perfect matchings against a calculation that tries everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.pairing.matching import Barred, left_over, omissible, partners, perfect_matching
from tests.profile import CHANCES, examples


def can_be_paired(barred: Barred, players: Sequence[int]) -> bool:
    """Whether all can be paired: the first one with each other, and so on."""
    if not players:
        return True
    first, *others = players
    return any(
        can_be_paired(barred, [player for player in others if player != other])
        for other in others
        if other not in barred[first]
    )


@st.composite
def crowds(draw: st.DrawFn, most: int = 10) -> tuple[Barred, list[int]]:
    count, bars, chance = draw(st.integers(1, most)), draw(st.integers(0, 100)), draw(CHANCES)
    players = chance.sample(range(1, count + 1), count)
    pairs = [(one, other) for one in players for other in players if one < other]
    barred = {player: {player} for player in players}
    for one, other in pairs:
        if chance.randint(1, 100) <= bars:
            barred[one].add(other)
            barred[other].add(one)
    return barred, players


@examples(1000)
@given(crowds())
def test_a_matching_is_found_where_there_is_one(crowd: tuple[Barred, list[int]]) -> None:
    barred, players = crowd
    found = perfect_matching(barred, players)
    if len(players) % 2:
        assert found is None
        return
    assert (found is not None) == can_be_paired(barred, sorted(players))
    if found is not None:
        assert found.keys() == set(players)
        assert all(found[found[player]] == player for player in players)
        assert not any(found[player] in barred[player] for player in players)


@examples(500)
@given(crowds(9))
def test_who_can_be_left_out_is_who_leaves_the_others_paired(
    crowd: tuple[Barred, list[int]],
) -> None:
    barred, players = crowd
    if len(players) % 2:
        assert omissible(barred, players) == {
            player for player in players if can_be_paired(barred, sorted(set(players) - {player}))
        }


@examples(500)
@given(crowds(9))
def test_as_few_as_possible_are_left_over(crowd: tuple[Barred, list[int]]) -> None:
    barred, players = crowd
    fewest = next(
        count
        for count in range(len(players) + 1)
        for some in combinations(sorted(players), len(players) - count)
        if can_be_paired(barred, some)
    )
    assert left_over(barred, players) == fewest


@examples(500)
@given(crowds(8))
def test_partners_leave_the_others_paired(crowd: tuple[Barred, list[int]]) -> None:
    barred, players = crowd
    matching = perfect_matching(barred, players)
    if matching is None:
        return
    for one in players:
        possible = {
            other
            for other in set(players) - barred[one]
            if can_be_paired(barred, sorted(set(players) - {one, other}))
        }
        assert partners(barred, players, matching, one) == possible


def test_blossoms_are_shrunk_where_nothing_else_helps() -> None:
    # Three triangles on one stem: the exposed one of each must go through the others' blossoms.
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4), (6, 7), (7, 8), (8, 9), (9, 7)]
    edges.append((9, 10))
    players = range(1, 11)
    allowed = {frozenset(edge) for edge in edges}
    barred = {one: {other for other in players if {one, other} not in allowed} for one in players}
    start = {2: 3, 3: 2, 4: 5, 5: 4, 6: 7, 7: 6, 8: 9, 9: 8}
    found = perfect_matching(barred, players, start)
    assert found is not None
    assert found[1] == 2
    assert found[10] == 9
