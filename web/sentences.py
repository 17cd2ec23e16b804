"""What the site says in other words than the command line: there is no option to name on a page.

A sentence that tells somebody what to type has one beside it, in the section ``site``, that tells
somebody in front of a page or a form what to do. Its key there is the whole key, with ``_``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ledger.errors import DatabaseError, LedgerError, Problem
from ledger.wording import Message, sentences

_AWAY: Final = "web.database_away"
_LOCKED: Final = "web.database_locked"
_TOLD: Final = frozenset({_AWAY, _LOCKED})
_WAITED: Final = frozenset({"database.locked", "database.locked_by", "database.read_by"})
"""Somebody else was in the way for longer than is waited; nothing was recorded."""
_log = logging.getLogger("rating_ledger.web")


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


def error_for_site(error: LedgerError) -> LedgerError:
    """Returns a failure as the site tells it to everybody.

    Why a database cannot be used concerns who runs the site: it names the server and its user. That
    goes to the log.
    """
    if not isinstance(error, DatabaseError) or error.message.key in _TOLD:
        return error
    _log.error("the database cannot be used: %s", cause_of(error))
    shown = DatabaseError(_LOCKED if error.message.key in _WAITED else _AWAY)
    shown.__cause__ = error
    return shown


def cause_of(error: LedgerError) -> str:
    """Returns a failure as the log tells it: a database's in the words of its driver.

    What these go on with may quote a row, and a name in it.
    """
    values = dict(error.message.values)
    if "why" in values:
        values["why"] = str(values["why"]).partition(" DETAIL: ")[0]
    return str(Message.of(error.message.key, **values))


def problem_for_site(problem: Problem) -> Problem:
    """Returns what is wrong with a document in the words of the site."""
    return replace(problem, message=for_site(problem.message))


def place_of(note: Mapping[str, Any]) -> Message | None:
    """Returns where something in a file is (of ``Problem.data``); None where no line is said."""
    line, column = note["line"], note["column"]
    if not line:
        return None
    if not column:
        return Message.of("web.line", line=line)
    return Message.of("web.line_column", line=line, column=column)


def note_in_words(note: str | Mapping[str, Any], language: str) -> str:
    """Returns a note, or a problem (``Problem.data``), as a sentence with its place after it.

    >>> note_in_words({"line": 12, "column": None, "message": "no such event"}, "en")
    'no such event (line 12)'
    """
    if isinstance(note, str):
        return note
    words, place = str(note["message"]), place_of(note)
    return words if place is None else f"{words} ({place.within(language)})"
