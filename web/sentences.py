"""What the site says in other words than the command line: there is no option to name on a page.

A sentence that tells somebody what to type has one beside it, in the section ``site``, that tells
somebody in front of a page or a form what to do. Its key there is the whole key, with ``_``.
"""

from __future__ import annotations

from dataclasses import replace

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
