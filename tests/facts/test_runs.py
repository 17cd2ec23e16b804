"""Runs of events say what a figure for every event would say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.arrays import NEVER
from ledger.facts.runs import Effects, EntryRuns

DAYS = st.lists(st.sampled_from([5, 6, 7, NEVER]), min_size=1, max_size=30)


class TestEffects:
    def of(self, first_seq: int, days: list[int]) -> Effects:
        return Effects.of(first_seq, np.array(days, dtype=np.int64))

    @given(st.lists(DAYS, max_size=5))
    def test_the_earliest_of_any_range_and_the_last_that_reaches_a_day(
        self, pages: list[list[int]]
    ) -> None:
        parts, first_seq = [], 1
        for page in pages:
            parts.append(self.of(first_seq, page))
            first_seq += len(page)
        effects = Effects.joined(parts)
        days = [day for page in pages for day in page]
        for after in range(len(days) + 2):
            for upto in range(len(days) + 3):
                assert effects.earliest(after, upto) == min(days[after:upto], default=NEVER)
        for day in range(4, 9):
            reaching = [seq for seq, its in enumerate(days, 1) if its <= day]
            assert effects.latest(day) == max(reaching, default=0)

    @given(DAYS, st.data())
    def test_a_range_has_the_same_runs_however_they_were_made(
        self, days: list[int], data: st.DataObject
    ) -> None:
        cut = data.draw(st.integers(0, len(days) - 1))
        whole = self.of(1, days)
        parts = [self.of(1, days[:cut]), self.of(cut + 1, days[cut:])]
        joined = Effects.joined(parts) if cut else whole
        first, last = sorted(data.draw(st.tuples(*[st.integers(1, len(days))] * 2)))
        expected = self.of(first, days[first - 1 : last])
        for made in (whole.between(first, last), joined.between(first, last)):
            assert made.first.tolist() == expected.first.tolist()
            assert made.day.tolist() == expected.day.tolist()
            assert made.last == last

    def test_few_runs_for_many_events(self) -> None:
        assert len(self.of(1, [NEVER] * 50 + [7] * 1_000).first) == 2

    def test_nothing_has_no_effect(self) -> None:
        assert Effects.joined([]).earliest(0, 10) == NEVER


# By seq: the tournament in which somebody is entered; None: the event is about something else.
EVENTS = st.lists(st.sampled_from([0, 1, None]), max_size=30)


class TestEntryRuns:
    def one_by_one(self, events: list[int | None], first: int, last: int) -> EntryRuns:
        entries = [(seq, its) for seq, its in enumerate(events, 1) if its is not None]
        its = [entry for entry in entries if first <= entry[0] <= last]
        seq, tournament = (np.array([each[i] for each in its], dtype=np.int64) for i in (0, 1))
        return EntryRuns.one_by_one(seq, tournament.astype(np.int32))

    def said(self, runs: EntryRuns) -> list[tuple[int, int, int]]:
        columns = (runs.seq, runs.tournament, runs.count)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @given(EVENTS, st.data())
    def test_a_range_has_the_same_runs_however_they_were_made(
        self, events: list[int | None], data: st.DataObject
    ) -> None:
        count = len(events)
        cut = data.draw(st.integers(0, count))
        parts = [self.one_by_one(events, 1, cut), self.one_by_one(events, cut + 1, count)]
        joined = EntryRuns.joined(parts)
        first, last = data.draw(st.integers(1, count + 1)), data.draw(st.integers(0, count + 1))
        assert self.said(joined.between(first, last)) == self.said(
            self.one_by_one(events, first, last)
        )

    def test_what_follows_in_the_same_tournament_is_one_run(self) -> None:
        runs = self.one_by_one([0, 0, None, 0, 1, 1], 1, 6)
        assert self.said(runs) == [(1, 0, 2), (4, 0, 1), (5, 1, 2)]
