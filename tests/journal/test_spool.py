"""Rows come back in their order, whether they were few or went into a file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.events.model import Dated
from ledger.journal.batch import Batch, counts_of, pages_of, row_of
from ledger.journal.spool import Spool
from tests.journal.drafts import dated, game, registration

steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("abc"), st.integers()),
        st.tuples(st.just("extend"), st.sampled_from("abc"), st.integers(0, 5)),
        st.tuples(st.just("drop"), st.sampled_from("abc"), st.just(0)),
        st.tuples(st.just("read"), st.sampled_from("abc"), st.just(0)),
    ),
    max_size=40,
)


@given(steps=steps, limit=st.integers(1, 7))
def test_a_shelf_is_lists_by_key(steps: list[tuple[str, str, int]], limit: int) -> None:
    shelf, lists = Spool(limit), dict[str, list[tuple[object, ...]]]()
    for what, key, number in steps:
        if what == "put":
            shelf.put((number, "ñ"), key)
            lists.setdefault(key, []).append((number, "ñ"))
        elif what == "extend":
            rows = [(n, "\ud800") for n in range(number)]
            shelf.extend(rows, key)
            lists.setdefault(key, []).extend(rows)
        elif what == "drop":
            shelf.drop(key)
            lists.pop(key, None)
        assert list(shelf.rows(key)) == lists.get(key, [])
    for key in "abc":
        assert list(shelf.rows(key)) == lists.get(key, [])


def some_events() -> tuple[Dated, ...]:
    return dated(registration("p", "Núñez, P")[0], *(game(number) for number in range(8)))


def test_a_batch_is_a_sequence_of_its_events() -> None:
    events = some_events()
    for limit in (1, 3, 100):
        batch = Batch(limit=limit)
        batch.extend([row_of(each) for each in events])
        assert tuple(batch) == events
        assert len(batch) == len(events)
        assert (batch[0], batch[-1]) == (events[0], events[-1])
        assert batch[1:3] == list(events[1:3])
        assert counts_of(batch) == counts_of(events)
        assert [row for page in pages_of(batch) for row in page] == [
            row for page in pages_of(events, size=2) for row in page
        ]
    assert not Batch()


def test_a_part_of_a_batch_is_replaced_in_its_place() -> None:
    first, *others = rows = [row_of(each) for each in some_events()]
    for limit in (1, 3, 100):
        batch = Batch(limit=limit)
        batch.drop("none")
        batch.extend([first], "a")
        batch.extend(others, "b")
        batch.extend([first, first], "c")
        batch.drop("a")
        assert (batch.count("a"), batch.counts["player.registered"]) == (0, 2)
        batch.extend(others[:2], "a")
        assert list(batch.keys()) == ["none", "a", "b", "c"]
        assert [row for page in batch.pages() for row in page] == [
            *others[:2], *others, first, first
        ]  # fmt: skip
        assert (len(batch), batch.count("b")) == (len(rows) + 3, len(others))
        assert batch.counts == {"player.registered": 2, "result.recorded": 10}
        batch.drop("c")
        assert batch.counts == {"result.recorded": 10}
