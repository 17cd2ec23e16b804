from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.lots import drawn
from tests.profile import examples


@examples(50)
@given(
    st.sets(st.text(max_size=4), max_size=8), st.text(max_size=4), st.randoms(use_true_random=False)
)
def test_lots_do_not_depend_on_the_order_of_the_tickets(
    tickets: set[str], seed: str, chance: Random
) -> None:
    shuffled = sorted(tickets)
    chance.shuffle(shuffled)
    assert drawn(seed, shuffled) == drawn(seed, tickets)
    assert set(drawn(seed, tickets)) == tickets


def test_another_seed_draws_another_order() -> None:
    players = [f"P{number}" for number in range(20)]
    assert drawn("1", players) != drawn("2", players)
    assert drawn("1", players) != drawn("11", players)


def test_lots_are_those_of_every_version() -> None:
    assert drawn("2026-05-01", ["ana", "eva", "leo"]) == ["ana", "eva", "leo"]
    assert drawn("2026-05-02", ["ana", "eva", "leo"]) == ["eva", "leo", "ana"]
