"""Baku acceleration: FIDE C.04.7, with the figures of its notes."""

from __future__ import annotations

import pytest

from ledger.desk.rounds import baku, group_a
from ledger.desk.score_sheet import Card


def cards(players: int) -> list[Card]:
    return [Card(number, f"P{number}") for number in range(1, players + 1)]


@pytest.mark.parametrize(
    ("players", "last"), [(161, 82), (160, 80), (4, 2), (5, 4), (3, 2), (1, 1)]
)
def test_group_a_is_the_first_half_up_to_an_even_number(players: int, last: int) -> None:
    assert group_a(cards(players)) == list(range(1, last + 1))


def test_nobody_is_accelerated_before_anybody_is_entered() -> None:
    assert group_a([]) == []


def test_late_entries_do_not_move_the_last_of_group_a() -> None:
    late = [Card(9, "late", from_round=2), Card(10, "later", from_round=3)]
    assert group_a([*cards(8), *late]) == [1, 2, 3, 4]
    before = Card(3, "late with a number between", from_round=2)
    others = [Card(n, f"P{n}") for n in (1, 2, 4, 5, 6, 7, 8, 9)]
    assert group_a([*others, before]) == [1, 2, 3, 4, 5]


def test_nine_rounds_have_five_accelerated_ones() -> None:
    added = baku(cards(6), 9)
    assert {round_: added[round_].get(1) for round_ in added} == {1: 2, 2: 2, 3: 2, 4: 1, 5: 1}
    assert all(5 not in numbers and 6 not in numbers for numbers in added.values())


@pytest.mark.parametrize(
    ("rounds", "points"),
    [(1, [2]), (2, [2]), (5, [2, 2, 1]), (7, [2, 2, 1, 1]), (11, [2] * 3 + [1] * 3)],
)
def test_accelerated_rounds(rounds: int, points: list[int]) -> None:
    assert [numbers[1] for _, numbers in sorted(baku(cards(2), rounds).items())] == points
