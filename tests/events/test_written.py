"""What is written without a model is what the model accepts and would write."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events.catalogue import CATALOGUE
from ledger.events.written import VERSION, entry, outcome, quoted
from ledger.results import Bye, Result

SCORES = ("0", "1/2", "1")
WRITTEN = [f"{white}-{black}{sign}" for white, black, sign in product(SCORES, SCORES, ("", *"sa"))]
FORFEITS = ["+/-", "-/+", "-/-"]
marks = st.characters(exclude_categories=["C", "Z"]) | st.sampled_from('"\\/é😀')
ids = st.builds("{}{}{}".format, marks, st.text(marks | st.just(" "), max_size=100), marks)


def parsed(text: str) -> Result | None:
    try:
        return Result.parse(text)
    except ValueError:
        return None


RESULTS = [result for result in map(parsed, WRITTEN + FORFEITS) if result is not None]


def assert_canonical(type_: str, payload: str) -> None:
    assert CATALOGUE.decode(type_, VERSION, payload).canonical() == payload


@pytest.mark.parametrize("result", [*RESULTS, *Bye], ids=str)
@given(white=ids, black=ids, tournament=ids, round_=st.integers(1, 999))
def test_a_round(
    result: Result | Bye, white: str, black: str, tournament: str, round_: int
) -> None:
    how = outcome(result)
    if isinstance(result, Bye):
        payload = how.bye(round_, quoted(tournament), quoted(white))
    else:
        payload = how.game(round_, quoted(tournament), quoted(white), quoted(black))
    assert_canonical(how.type, payload)


@given(player=ids, tournament=ids, number=st.integers(1, 9999))
def test_an_entry(player: str, tournament: str, number: int) -> None:
    assert_canonical("player.entered", entry(quoted(player), number, quoted(tournament)))
