"""How names are compared: what does not matter, and what still does."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.spelling import folded, is_similar, is_slip

WORD = st.text(string.ascii_lowercase, min_size=4, max_size=9)
NAME = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=6), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("Núñez Ávila, José María", "nunez avila jose maria"),
        ("NUNEZ AVILA,JOSE MARIA", "nunez avila jose maria"),
        ("García-Huidobro, O'Higgins", "garcia huidobro ohiggins"),
        ("Großer, Łukasz Sørensen", "grosser lukasz sorensen"),
        ("Иванов, Ёлкин", "иванов елкин"),
        (" , .", ""),
        ("one\nTwo", "one\ntwo"),
    ],
)
def test_what_does_not_matter(written: str, compared: str) -> None:
    assert folded(written) == compared


@given(st.text())
def test_folding_twice_is_folding_once_and_keeps_lines(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert once.count("\n") == text.count("\n")


@given(WORD, st.data())
def test_one_letter_wrong_missing_too_many_or_exchanged_is_a_slip(
    word: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    kinds = {
        "wrong": word[:at] + "#" + word[at + 1 :],
        "too many": word[:at] + "#" + word[at:],
        "exchanged": word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    }
    other = kinds[data.draw(st.sampled_from(sorted(kinds)))]
    assert is_slip(word, other) == is_slip(other, word) == (other != word)


@given(WORD, st.data())
def test_two_wrong_letters_are_two_slips(word: str, data: st.DataObject) -> None:
    one, other = sorted(data.draw(st.sets(st.integers(0, len(word) - 1), min_size=2, max_size=2)))
    wrong = word[:one] + "#" + word[one + 1 : other] + "%" + word[other + 1 :]
    assert not is_slip(word, wrong)


@pytest.mark.parametrize(
    ("one", "other", "similar"),
    [
        ("perez juan", "juan perez", True),
        ("perez juan", "peres juan", True),
        ("perez juan", "peres jaun", False),
        ("perez juan", "perez soto juan carlos", True),
        ("perez", "perez soto", False),
        ("perez", "peres", True),
        ("ruiz ana", "ruiz eva", False),
        ("ruiz l", "ruiz luis", True),
        ("ruiz l", "ruiz ana", False),
        ("juan juan perez", "juan perez", True),
    ],
)
def test_which_names_are_similar(one: str, other: str, similar: bool) -> None:  # noqa: FBT001
    assert is_similar(one.split(), other.split()) is similar


@given(NAME, NAME)
def test_similarity_has_no_direction_and_holds_of_oneself(one: list[str], other: list[str]) -> None:
    assert is_similar(one, other) == is_similar(other, one)
    assert is_similar(one, sorted(one))
