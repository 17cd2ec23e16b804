"""Every operation has every face, or a reason why not; what a form reads is what is typed."""

from __future__ import annotations

import datetime as dt

import pytest

from cli.command_line import commands
from cli.operations import WRITTEN
from ledger.errors import InputRefused
from ledger.operations import commands as c
from ledger.operations.commands import OPERATIONS
from ledger.operations.operation import WordsRefused
from ledger.results import Bye, Result
from web.api.description import description
from web.forms import HANDED_IN, OTHERWISE

DAY = dt.date(2026, 1, 2)
GIVEN = {"today": DAY, "salt": "0" * 32}
OF_GAME = {"tournament": "t", "round": "3", "white": "A", "black": "B"}


def test_an_operation_is_typed_or_says_why_not() -> None:
    offered = {name for name, each in OPERATIONS.items() if each.typed}
    assert offered ^ WRITTEN.keys() == OPERATIONS.keys()
    assert not offered & WRITTEN.keys()


@pytest.mark.parametrize("name", [name for name, each in OPERATIONS.items() if each.typed])
def test_what_is_typed_is_on_the_command_line_in_both_languages(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation.typed is not None
    for language in ("en", "es"):
        command = commands(language)
        for word in operation.typed.words.split():
            command = command.commands[word]
        assert command.help == getattr(operation.says, language)


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_has_a_route_a_preview_and_a_description(name: str) -> None:
    paths = description()["paths"]
    for folder in ("commands", "previews"):
        route = paths[f"/api/v1/{folder}/{name}"]["post"]
        assert route["description"] == OPERATIONS[name].says.en


def test_it_is_handed_in_or_says_why_not() -> None:
    unfilled = {name for name, each in OPERATIONS.items() if each.unfilled}
    assert OPERATIONS.keys() - HANDED_IN.keys() == OTHERWISE.keys() | unfilled


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_says_something_in_both_languages_and_calls_its_fields(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation.says.en != operation.says.es
    for kind in operation.kinds.values():
        assert kind.called.en
        assert kind.called.es


@pytest.mark.parametrize(
    ("name", "words", "command"),
    [
        (
            "correct-result",
            OF_GAME | {"result": "none", "rating_only": "true"},
            c.CorrectResult(
                tournament="t", round=3, white="A", black="B", result=None, rating_only=True
            ),
        ),
        (
            "adjudicate-game",
            OF_GAME | {"result": "1-0"},
            c.AdjudicateGame(
                tournament="t", round=3, white="A", black="B", result=Result.parse("1-0a"),
                ruling="definitive", anyway=False,
            ),
        ),
        (
            "give-bye",
            {"tournament": "t", "round": "3", "player": "A", "kind": "H"},
            c.GiveBye(tournament="t", round=3, player="A", kind=Bye.HALF, anyway=False),
        ),
        (
            "annul-bye",
            {"tournament": "t", "round": "3", "white": "A"},
            c.AnnulResult(tournament="t", round=3, white="A", black=None),
        ),
        (
            "reject-tournament",
            {"tournament": "t"},
            c.RuleOnTournament(tournament="t", ruling="reject", on=DAY),
        ),
        (
            "flag-tournament",
            {"tournament": "t", "flags": "one\ntwo"},
            c.FlagTournament(tournament="t", flags=("one", "two")),
        ),
        (
            "award-title",
            {"player": "A", "title": "FM"},
            c.AwardTitle(player="A", title="FM", on=DAY),
        ),
        (
            "assign-k",
            {"player": "A", "k": "20", "on": "2026-02-01"},
            c.AssignK(player="A", k=20, list=None, on=dt.date(2026, 2, 1)),
        ),
    ],
)  # fmt: skip
def test_words_are_read_into_the_command(
    name: str, words: dict[str, str], command: c.Command
) -> None:
    assert OPERATIONS[name].read(words, **GIVEN) == command


def test_parts_are_put_together() -> None:
    words = {
        "player": "P1",
        "name": "Soto, Ana",
        "sex": "f",
        "birth_date": "1990",
        "federation": "",
    }
    command = OPERATIONS["register-player"].read(words, **GIVEN)
    assert isinstance(command, c.RegisterPlayer)
    assert (command.identity.name, command.identity.sex) == ("Soto, Ana", "w")
    assert (command.salt, command.on, command.federation) == (GIVEN["salt"], DAY, None)


def test_every_word_that_cannot_be_read_is_named_at_once() -> None:
    words = OF_GAME | {"round": "x", "result": "2-0", "white": " "}
    with pytest.raises(WordsRefused) as refused:
        OPERATIONS["correct-result"].read(words, **GIVEN)
    assert refused.value.fields.keys() == {"round", "result", "white"}


def test_what_is_fixed_is_not_asked_for_and_not_taken() -> None:
    operation = OPERATIONS["annul-tournament"]
    assert operation.kinds.keys() == {"tournament"}
    command = operation.read({"tournament": "t", "ruling": "accept"}, **GIVEN)
    assert isinstance(command, c.RuleOnTournament)
    assert command.ruling == "annul"


def test_who_a_player_cannot_be_is_refused() -> None:
    words = {"player": "P1", "name": "Soto, Ana", "birth_date": "soon"}
    with pytest.raises(InputRefused):
        OPERATIONS["register-player"].read(words, **GIVEN)
