"""What a name may be, and which are taken for each other."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.commits import commits_back
from ledger.errors import InputRefused
from ledger.letters import mixed_in, plain_name, skeleton, unseen_in
from ledger.service.accounts import grant_role
from ledger.terms import Role
from ledger.trust.two_persons import check_name
from ledger.wording import _is_seen, revealed, visible
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text, request, with_officers

UNSEEN = [chr(point) for point in (0x3164, 0x034F, 0x2800, 0x200B, 0xAD, 0xFE0F, 0xFEFF, 0xE0041)]
NAMES = (
    "Pérez Soto, Ana María", "O'Brien, Seán", "Kaʻahumanu", "Núñez-Łuczak", "Carlsen, Magnus",
    "Иванов, Иван", "Παπαδόπουλος", "李小龍", "山田 タロウ", "東京子ども", "김철수", "אברהם כהן",
    "محمد عبد الله", "अमित शर्मा", "ศรีสุวรรณ", "Col·lell", "Иванов (Ivanov)", "D’Angelo", "Ħal",
    "Nguyễn Văn", "Trần Thị", "Þór", "Straße", "J. R.", "An N.N. 3",
)  # fmt: skip


OF_ASCII = {"l": "I1|", "i": "l1|", "0": "oO", "o": "0", "m": ["rn", "RN"]}


@cache
def confusables() -> dict[str, list[str]]:
    """Returns what looks like each letter and digit of ASCII, by Unicode."""
    lines = Path(__file__).with_name("confusables.txt").read_text("utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {letter: [chr(int(point, 16)) for point in points] for letter, *points in rows}


@st.composite
def look_alikes(draw: st.DrawFn) -> tuple[str, str]:
    """An account's name, and another text that looks like it."""
    account = draw(st.text("abcdefghijklmnopqrstuvwxyz023456789", min_size=1, max_size=12))
    places = draw(st.sets(st.integers(0, len(account) - 1), min_size=1))
    letters = [
        draw(st.sampled_from(like(letter))) if at in places else letter
        for at, letter in enumerate(account)
    ]
    return account, "".join(letters)


def like(letter: str) -> list[str]:
    """Returns what looks like a letter of an account, in ASCII too, and its capital."""
    return [letter.upper(), *OF_ASCII.get(letter, ()), *confusables().get(letter, ())]


@given(look_alikes())
def test_what_looks_like_an_account_is_taken_for_it_or_refused(pair: tuple[str, str]) -> None:
    account, written = pair
    ledger = with_officers(empty_ledger(), account)
    asked = replace(request(), actor=written)
    try:
        grant_role(ledger, "another", Role.AUDITOR, request=asked)
    except InputRefused:
        return
    actor = commits_back(ledger)[0].actor
    # What NFKC changes is recorded so, and seen.
    is_alike = len(actor) == len(account) and all(map(_is_like, actor, account))
    assert actor.casefold() == account or not is_alike, ascii(actor)


def _is_like(letter: str, of_account: str) -> bool:
    return letter == of_account or letter in like(of_account)


@pytest.mark.parametrize("actor", ["Iuis", "1uis", "|uis", "LUlS", "lu1s"])
def test_letters_of_ascii_look_alike_too(actor: str) -> None:
    ledger = with_officers(empty_ledger(), "luis")
    with pytest.raises(InputRefused) as refused:
        grant_role(ledger, "eva", Role.AUDITOR, request=replace(request(), actor=actor))
    assert refused.value.message.key == "two.alike"
    assert "looks like luis: write the account's name, or another one" in str(refused.value)


def test_an_actor_without_an_account_is_taken_where_it_looks_like_none() -> None:
    ledger = empty_ledger()
    grant_role(ledger, "luis", Role.OFFICER, request=replace(request(), actor="Iuis"))
    assert commits_back(ledger)[0].actor == "Iuis", "nobody was called luis before"
    for number, actor in enumerate(("LUIS", "lui", "luisa", "Ana Soto", "root", "1000")):
        asked = replace(request(), actor=actor)
        grant_role(ledger, f"eva{number}", Role.AUDITOR, request=asked)
        written = "luis" if actor == "LUIS" else actor
        assert commits_back(ledger)[0].actor == written


@pytest.mark.parametrize("actor", ["\u1d00na", "an\u1d00", "A\u0274\u1d00", "\u1d00\u0274\u1d00"])
def test_small_capitals_are_no_other_letters(actor: str) -> None:
    ledger = with_officers(empty_ledger(), "ana")
    with pytest.raises(InputRefused) as refused:
        grant_role(ledger, "eva", Role.AUDITOR, request=replace(request(), actor=actor))
    assert refused.value.message.key == "two.alike"


@pytest.mark.parametrize(
    ("name", "other"), [("1uis", "luis"), ("amold", "arnold"), ("c0ca", "coca")]
)
def test_no_account_is_called_as_if_it_were_another(name: str, other: str) -> None:
    ledger = with_officers(empty_ledger(), other)
    with pytest.raises(InputRefused) as refused:
        grant_role(ledger, name, Role.AUDITOR, request=request())
    assert refused.value.message.key == "account.alike"
    assert f"{name} looks like that of the account {other}" in str(refused.value)
    grant_role(ledger, other, Role.AUDITOR, request=request())


def test_accounts_that_look_alike_and_are_there_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr("ledger.registrar.accounts._check_looks", lambda _command, _register: None)
        ledger = with_officers(empty_ledger(), "luis", "1uis")
    for number, actor in enumerate(("luis", "1uis", "1UIS")):
        asked = replace(request(), actor=actor)
        grant_role(ledger, f"eva{number}", Role.AUDITOR, request=asked)
        assert commits_back(ledger)[0].actor == actor.lower(), "as the account is called"


def test_no_confusable_letter_of_unicode_passes() -> None:
    for letter, others in confusables().items():
        # What NFKC changes is recorded so, and seen: the lunate sigma as a common one.
        for other in (each for each in others if plain_name(each) == each):
            assert skeleton(f"{other}n") == skeleton(f"{letter}n"), (letter, ascii(other))


@given(st.text())
def test_a_name_in_its_form_stays_so(text: str) -> None:
    assert plain_name(plain_name(text)) == plain_name(text)
    assert skeleton(plain_name(text)) == skeleton(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_people_have_is_one(name: str) -> None:
    assert unseen_in(name) is None
    assert mixed_in(name) is None
    assert visible(name) == revealed(name) == name


@pytest.mark.parametrize("letter", UNSEEN)
def test_a_letter_of_which_nothing_is_seen_is_found_and_shown(letter: str) -> None:
    assert unseen_in(f"ana{letter}") == letter
    escaped = letter.encode("unicode_escape").decode()
    assert visible(f"ana{letter}") == revealed(f"ana{letter}") == f"ana{escaped}"


def test_every_format_letter_of_unicode_is_found_but_those_that_are_seen() -> None:
    """The signs of Arabic, Syriac, Kaithi and Egyptian numbers and groups have a form."""
    points = (chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) == "Cf")
    seen = [each for each in points if unseen_in(each) is None]
    names = {unicodedata.name(each).split()[0] for each in seen}
    assert names <= {"ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN"}, names


@pytest.mark.parametrize("word", ["\u0430na", "Iv\u0430nov", "\u0391na", "a\u0578a", "\u04302na"])
def test_a_word_in_two_scripts_is_named(word: str) -> None:
    assert mixed_in(f"Soto {word}") == word


@pytest.mark.parametrize("mark", ["\u0323", "\u0301", "\u0327\u0306", "\u20dd", "\u093e"])
def test_a_mark_between_two_scripts_makes_no_two_words_of_one(mark: str) -> None:
    name = plain_name(f"\u0430{mark}na")
    assert mixed_in(name) == "\u0430na"
    with pytest.raises(InputRefused) as refused:
        check_name(name)
    assert refused.value.message.key == "two.mixed"
    with pytest.raises(InputRefused) as refused:
        import_text(empty_ledger(), f"{PLAYERS_HEADER}1,{name},,,,,,\n")
    assert [each.message.key for each in refused.value.details] == ["player.mixed"]


def test_joiners_are_shown_only_where_they_join_nothing() -> None:
    persian = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
    assert visible(persian) == revealed(persian) == persian
    assert visible("an\u200ca") == revealed("an\u200ca") == "an\\u200ca"
    assert unseen_in("an\u200da") == "\u200d"


def test_a_name_has_no_joiner_though_a_text_may() -> None:
    """Persian is written with it; older programs do not show one where fonts have no shape."""
    assert unseen_in("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627") == "\u200c"


@pytest.mark.parametrize("symbol", ["\u265f\ufe0f", "\u260e\ufe0e", "\U0001f3f3\ufe0f"])
def test_a_symbol_is_shown_with_the_form_that_was_chosen_for_it(symbol: str) -> None:
    text = f"Copa {symbol} 2026"
    assert visible(text) == revealed(text) == text
    assert unseen_in(text) == symbol[-1], "a name that signs is without"


@pytest.mark.parametrize("before", ["", "a", "\u265f\ufe0f", "1", "+", "\u265f "])
def test_what_chooses_a_form_is_shown_where_nothing_has_one(before: str) -> None:
    assert visible(f"{before}\ufe0f") == revealed(f"{before}\ufe0f") == f"{before}\\ufe0f"


def test_whoever_looks_fast_looks_at_the_same_letters() -> None:
    printable = [chr(point) for point in range(0x110000) if chr(point).isprintable()]
    found = {each for each in printable if not _is_seen(each)}
    assert found == {each for each in printable if revealed(each) != each}
