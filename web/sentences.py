"""What the site says in other words than the command line: there is no option to name on a page.

A sentence that tells somebody what to type has one beside it, in the section ``site``, that tells
somebody in front of a page or a form what to do. Its key there is the whole key, with ``_``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ledger.errors import Problem
from ledger.wording import Message, sentences


def for_site(message: Message) -> Message:
    """Returns a message in the words of the site; messages within it too.

    >>> str(for_site(Message.of("registrar.needs_reason")))
    'this changes what was recorded: say why'
    """
    values = tuple(
        (name, for_site(value) if isinstance(value, Message) else value)
        for name, value in message.values
    )
    key = f"site.{message.key.replace('.', '_')}"
    return Message(key if key in sentences("en") else message.key, values)


def problem_for_site(problem: Problem) -> Problem:
    """Returns what is wrong with a document in the words of the site."""
    return replace(problem, message=for_site(problem.message))


def place_of(told: Mapping[str, Any]) -> Message | None:
    """Returns where something in a file is (of ``Problem.data``); None where no line is said."""
    line, column = told["line"], told["column"]
    if not line:
        return None
    if not column:
        return Message.of("web.line", line=line)
    return Message.of("web.line_column", line=line, column=column)


def note_in_words(told: str | Mapping[str, Any], language: str) -> str:
    """Returns a note, or a problem (``Problem.data``), as a sentence with its place after it.

    >>> note_in_words({"line": 12, "column": None, "message": "no such event"}, "en")
    'no such event (line 12)'
    """
    if isinstance(told, str):
        return told
    said, place = str(told["message"]), place_of(told)
    return said if place is None else f"{said} ({place.within(language)})"
