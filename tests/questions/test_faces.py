"""Every question has every face, or a reason why not; all of them say the same of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute

from cli.command_line import commands
from cli.questions import WRITTEN as TYPED_BY_HAND
from ledger.json_form import columns_of
from ledger.questions.question import NEEDED, QUESTIONS
from web.api.description import ROOMS, description
from web.api.questions import WRITTEN as ANSWERED_BY_HAND

BY_WORDS = {each.words: each for each in QUESTIONS}


def typed(command: Any, words: str = "") -> Iterator[tuple[str, Any]]:
    """Yields what asks of a ledger as it was known once: every question, and nothing else."""
    if any("--as-known-at" in parameter.opts for parameter in command.params):
        yield words, command
    for last, each in getattr(command, "commands", {}).items():
        yield from typed(each, f"{words} {last}".strip())


def test_names_and_words_are_of_one_question() -> None:
    assert len(BY_WORDS) == len({each.name for each in QUESTIONS}) == len(QUESTIONS)


def test_a_question_is_typed_as_it_is_declared_or_says_why_not() -> None:
    asked = {words for words, _ in typed(commands("en"))}
    assert not BY_WORDS.keys() & TYPED_BY_HAND.keys()
    assert BY_WORDS.keys() | TYPED_BY_HAND.keys() == asked


def test_a_route_answers_as_it_is_declared_or_says_why_not() -> None:
    routes = [route for room in ROOMS for route in room.router.routes]
    names = {each.name for each in routes if isinstance(each, APIRoute) and each.methods == {"GET"}}
    declared = {each.name for each in QUESTIONS}
    assert not declared & ANSWERED_BY_HAND.keys()
    assert declared | ANSWERED_BY_HAND.keys() == names


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("words", BY_WORDS)
def test_help_is_what_the_question_says_of_itself(words: str, language: str) -> None:
    question = BY_WORDS[words]
    command = dict(typed(commands(language)))[words]
    assert command.help == getattr(question.says, language)
    helps = {parameter.help for parameter in command.params if hasattr(parameter, "help")}
    for kind in question.kinds.values():
        assert getattr(kind.help, language) in helps
    assert question.says.en != question.says.es


@pytest.mark.parametrize("words", BY_WORDS)
def test_its_route_takes_what_is_typed(words: str) -> None:
    question = BY_WORDS[words]
    route = description()["paths"][f"/api/v1{question.path}"]["get"]
    assert route["description"] == question.says.en
    of_all = {"as-known-at", "as-known-on", "lang"}
    own = [each for each in route["parameters"] if each["name"] not in of_all]
    assert len(own) == len(question.kinds)
    needed = {name for name, default in question.defaults.items() if default is NEEDED}
    for each in own:
        if each["in"] == "path":
            continue
        named = each["name"].replace("-", "_")
        assert not each["required"], "what a question needs stands in its path"
        assert named == "list" or not {named, f"{named}_"} & needed


@pytest.mark.parametrize("words", BY_WORDS)
def test_its_answer_has_the_rows_that_it_names(words: str) -> None:
    question = BY_WORDS[words]
    assert columns_of(question.answer, question.rows)
