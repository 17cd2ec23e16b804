"""Runs of entries say what every entry by itself would say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.entry_runs import EntryRuns

# By seq: the tournament in which somebody is entered; None: the event is about something else.
EVENTS = st.lists(st.sampled_from([0, 1, None]), max_size=30)


def one_by_one(events: list[int | None], first: int, last: int) -> EntryRuns:
    entries = [(seq, its) for seq, its in enumerate(events, 1) if its is not None]
    its = [entry for entry in entries if first <= entry[0] <= last]
    seq, tournament = (np.array([each[i] for each in its], dtype=np.int64) for i in (0, 1))
    return EntryRuns.one_by_one(seq, tournament.astype(np.int32))


def said(runs: EntryRuns) -> list[tuple[int, int, int]]:
    return list(
        zip(*(getattr(runs, n).tolist() for n in ("seq", "tournament", "count")), strict=True)
    )


@given(EVENTS, st.data())
def test_a_range_has_the_same_runs_however_they_were_made(
    events: list[int | None], data: st.DataObject
) -> None:
    count = len(events)
    cut = data.draw(st.integers(0, count))
    joined = EntryRuns.joined([one_by_one(events, 1, cut), one_by_one(events, cut + 1, count)])
    first, last = data.draw(st.integers(1, count + 1)), data.draw(st.integers(0, count + 1))
    assert said(joined.between(first, last)) == said(one_by_one(events, first, last))


def test_what_follows_in_the_same_tournament_is_one_run() -> None:
    assert said(one_by_one([0, 0, None, 0, 1, 1], 1, 6)) == [(1, 0, 2), (4, 0, 1), (5, 1, 2)]
