from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.pairing.berger import BergerTables
from ledger.desk.pairing.varma import ENVELOPES, FEWEST, MOST, Drawer, varma_numbers
from ledger.errors import InputRefused
from tests.profile import examples


def last_meetings(players: int) -> set[frozenset[int]]:
    """Who meets in the last three rounds."""
    event = BergerTables(players)
    last = range(event.rounds - 2, event.rounds + 1)
    return {frozenset(pair) for round_ in last for pair in event.games(round_)}


@pytest.mark.parametrize("players", sorted(ENVELOPES))
def test_numbers_of_one_envelope_do_not_meet_at_the_end(players: int) -> None:
    envelopes = ENVELOPES[players]
    numbers = sorted(number for envelope in envelopes for number in envelope)
    assert numbers == list(range(1, players + 1))
    found = {m for m in last_meetings(players) for envelope in envelopes if m <= set(envelope)}
    # The table for 12 as it is printed does not keep its own promise.
    assert found == ({frozenset((6, 12))} if players == 12 else set())


def drawers(sizes: list[int]) -> list[Drawer]:
    return [
        Drawer(f"{place}-{index}", f"N{index} {place}", f"F{place:02}")
        for place, size in enumerate(sizes)
        for index in range(size)
    ]


@examples(100)
@given(
    st.lists(st.integers(1, 4), min_size=9, max_size=24).filter(lambda s: FEWEST <= sum(s) <= MOST),
    st.text(max_size=3),
    st.randoms(use_true_random=False),
)
def test_federations_are_apart_at_the_end(sizes: list[int], seed: str, chance: Random) -> None:
    players = drawers(sizes)
    numbers, steps = varma_numbers(players, seed)
    assert sorted(numbers.values()) == list(range(1, len(players) + 1))
    shuffled = players.copy()
    chance.shuffle(shuffled)
    assert varma_numbers(shuffled, seed) == (numbers, steps)
    last = last_meetings(len(players))
    meetings = [
        (one, other)
        for one in players
        for other in players
        if one.player < other.player
        and one.federation == other.federation
        and frozenset((numbers[one.player], numbers[other.player])) in last
    ]
    assert len(steps) == len(meetings)
    assert len(players) == 12 or max(sizes) > 1 or not steps


def test_the_largest_contingent_draws_first_from_an_envelope_with_enough_numbers() -> None:
    players = drawers([1, 1, 3, 1, 1, 2])
    numbers, steps = varma_numbers(players, "Monterrey")
    assert not steps
    three = {numbers[f"2-{index}"] for index in range(3)}
    assert three in ({3, 4, 8}, {5, 7, 9})
    two = {numbers[f"5-{index}"] for index in range(2)}
    assert any(two <= set(envelope) for envelope in ENVELOPES[10])


def test_who_meets_at_the_end_nevertheless_is_named() -> None:
    numbers, steps = varma_numbers(drawers([7, 1, 1]), "1")
    assert sorted(numbers.values()) == list(range(1, 10))
    assert steps
    assert "of F00 meet in round" in str(steps[0])


def test_players_without_a_federation_draw_alone() -> None:
    numbers, steps = varma_numbers([Drawer(f"P{n}", f"N{n}") for n in range(24)], "1")
    assert sorted(numbers.values()) == list(range(1, 25))
    assert not steps


@pytest.mark.parametrize("players", [8, 25])
def test_there_are_tables_for_some_numbers_only(players: int) -> None:
    with pytest.raises(InputRefused, match=f"for 9 to 24 players, not {players}"):
        varma_numbers(drawers([1] * players), "1")
