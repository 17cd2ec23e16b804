"""Names are looked at when they are recorded; what stands in a ledger is read as it is."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest

from ledger.answers.commits import commits_back
from ledger.errors import InputRefused
from ledger.identifiers import PlayerIndex
from ledger.intake.imports import Document, import_document
from ledger.registrar import players as deciders
from ledger.service import ledger as module
from ledger.trust.verification import verify
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text, request
from web.rendering import escaped

UNSEEN = ("\u3164", "\u034f", "\u2800", "Soto,\u115f Ana", "Ana\ufe0f")
FINE = ("Kaʻahumanu", "O'Brien, Seán", "Иванов, Иван", "山田 タロウ", "محمد عبد الله", "अमित शर्मा")


def players(*names: str) -> str:
    rows = (f'{number},"{name}",,,,,,\n' for number, name in enumerate(names, start=1))
    return PLAYERS_HEADER + "".join(rows)


@pytest.mark.parametrize("name", UNSEEN)
def test_a_person_has_no_letter_that_nobody_sees(name: str) -> None:
    ledger = empty_ledger()
    with pytest.raises(InputRefused) as refused:
        import_text(ledger, players("Soto, Ana", name))
    (problem,) = refused.value.details
    assert (problem.message.key, problem.line) == ("player.unseen", 3)
    assert "U+" in str(problem.message)
    assert ledger.journal.head().seq == 0


def test_a_word_of_a_persons_name_is_in_one_script() -> None:
    with pytest.raises(InputRefused) as refused:
        import_text(empty_ledger(), players("Iv\u0430nov, Ivan"))
    assert refused.value.details[0].message.key == "player.mixed"


def test_names_of_many_languages_are_recorded_as_they_are_written() -> None:
    ledger = empty_ledger()
    import_text(ledger, players(*FINE))
    facts = ledger.facts()
    people = ledger.people(facts)
    assert [people.name(PlayerIndex(index)) for index in range(len(FINE))] == list(FINE)


def test_what_was_recorded_before_is_read_and_imported_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = empty_ledger()
    with monkeypatch.context() as before:
        before.setattr(deciders, "_check_name", lambda _: None)
        import_text(ledger, players(*UNSEEN))
    head = ledger.journal.head()
    document = Document(name="again.csv", data=BytesIO(players(*UNSEEN).encode()))
    again = import_document(ledger, document, request())
    assert (again.events, ledger.journal.head()) == ((), head)
    people = ledger.people(ledger.facts())
    assert [people.name(PlayerIndex(index)) for index in range(len(UNSEEN))] == list(UNSEEN)
    assert verify(ledger).findings == ()


def test_an_actor_who_would_be_refused_now_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = empty_ledger()
    with monkeypatch.context() as before:
        before.setattr(module, "check_name", lambda _: None)
        before.setattr(module, "plain_name", str)
        asked = replace(request(), actor="an\u0430\u200b", idempotency_key="old")
        document = Document(name="more.csv", data=BytesIO(players("Soto, Ana").encode()))
        import_document(ledger, document, asked)
    assert commits_back(ledger)[0].actor == "an\u0430\u200b"
    assert verify(ledger).findings == ()


def test_pages_show_that_there_is_something() -> None:
    assert escaped("ana\u200b <b>") == "ana\\u200b &lt;b&gt;"
    assert escaped("two\nlines é") == "two\nlines é"
