"""Ids are read when somebody asks, and what was there keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.ids import Ids, Index, Texts, alphabetical

NAMES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=4)


@given(st.lists(st.one_of(st.none(), NAMES)), st.data())
def test_texts_are_packed_and_read_again(given_: list[str | None], data: st.DataObject) -> None:
    one = Texts()
    for text in given_:
        one.append(text)
    cut = data.draw(st.integers(0, len(given_)))
    other = Texts()
    other.extend(one.packed(slice(0, cut)), cut)
    other.extend(one.packed(slice(cut, None)), len(given_) - cut)
    assert len(other) == len(one)
    assert other.read() == [text or "" for text in given_]
    other.append("ñ")
    assert other.read()[-1] == "ñ"


def test_an_index_knows_no_more_than_it_is_of() -> None:
    ids = Ids[int]()
    ids.extend(b"b\na", 2)
    index = Index(ids, 2)
    fork = ids.fork()
    fork.append("c")
    ids.append("d")
    assert dict(index) == {"b": 0, "a": 1}
    assert len(index) == 2
    assert "d" not in index
    with pytest.raises(KeyError):
        index["d"]
    assert Index(ids, 3)["d"] == 2
    assert fork.index == {"b": 0, "a": 1, "c": 2}


def test_the_alphabet_is_that_of_code_points() -> None:
    assert alphabetical(["b", "ñ", "Z", "a"]).tolist() == [2, 3, 0, 1]
