"""What events record is said field by field, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest

from ledger.answers.recorded_fields import recorded_fields
from ledger.events.desk import WhyNotPaired
from ledger.events.tournaments import Breach
from ledger.results import Bye
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.wording import LANGUAGES, Message, sentences

PINNED = json.loads((Path(__file__).parents[1] / "events" / "pinned.json").read_text("utf-8"))


@pytest.mark.parametrize("event", PINNED)
def test_each_field_of_every_event_has_its_name_and_no_notation_of_a_program(event: str) -> None:
    payload = PINNED[event]["payload"]
    fields = recorded_fields(payload)
    assert {field.key for field in fields} == json.loads(payload).keys()
    for language in LANGUAGES:
        assert {f"field.{field.key}" for field in fields} <= sentences(language).keys()
    words = [str(v.words) for field in fields for row in field.rows for v in row]
    assert not [each for each in words if set("[]{}'") & set(each)]


@pytest.mark.parametrize(
    ("field", "codes"),
    [
        ("rate_of_play", Rate), ("system", System), ("role", Role), ("pairing", PairingMethod),
        ("kind", Bye), ("despite", get_args(Breach)), ("not_paired", get_args(WhyNotPaired)),
        ("basis", ("rating", "lot", "hand", "varma", "first-round")),
        ("policy", ("restate", "next-list")), ("ruling", ("temporary", "definitive")),
        ("by_hand", (True, False)), ("what", ("player.withdrew",)),
    ],
)  # fmt: skip
def test_a_code_of_the_program_has_its_words(field: str, codes: Iterable[object]) -> None:
    for code in codes:
        ((row,),) = (made.rows for made in recorded_fields({field: code}))
        assert isinstance(row[0].words, Message), code


def test_lists_are_lists_and_boards_are_pairs() -> None:
    boards, absent = recorded_fields(
        {"boards": [["a", "b"], ["c", "d"]], "not_paired": [["e", "withdrawn"]]}
    )
    assert [[value.words for value in row] for row in boards.rows] == [["a", "b"], ["c", "d"]]
    assert [str(value.words) for value in absent.rows[0]] == ["e", "withdrawn"]
