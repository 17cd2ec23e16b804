"""Runs of effects say what a figure for every event would say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.arrays import NEVER
from ledger.facts.effects import Effects

DAYS = st.lists(st.sampled_from([5, 6, 7, NEVER]), min_size=1, max_size=30)


def of(first_seq: int, days: list[int]) -> Effects:
    return Effects.of(first_seq, np.array(days, dtype=np.int64))


@given(st.lists(DAYS, max_size=5))
def test_the_earliest_of_any_range(pages: list[list[int]]) -> None:
    parts, first_seq = [], 1
    for page in pages:
        parts.append(of(first_seq, page))
        first_seq += len(page)
    effects = Effects.joined(parts)
    days = [day for page in pages for day in page]
    for after in range(len(days) + 2):
        for upto in range(len(days) + 3):
            assert effects.earliest(after, upto) == min(days[after:upto], default=NEVER)


@given(DAYS, st.data())
def test_a_range_has_the_same_runs_however_they_were_made(
    days: list[int], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(days) - 1))
    whole = of(1, days)
    joined = Effects.joined([of(1, days[:cut]), of(cut + 1, days[cut:])]) if cut else whole
    first, last = sorted(data.draw(st.tuples(*[st.integers(1, len(days))] * 2)))
    expected = of(first, days[first - 1 : last])
    for made in (whole.between(first, last), joined.between(first, last)):
        assert made.first.tolist() == expected.first.tolist()
        assert made.day.tolist() == expected.day.tolist()
        assert made.last == last


def test_few_runs_for_many_events() -> None:
    assert len(of(1, [NEVER] * 50 + [7] * 1_000).first) == 2


def test_nothing_has_no_effect() -> None:
    assert Effects.joined([]).earliest(0, 10) == NEVER
