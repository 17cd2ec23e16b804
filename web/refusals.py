"""Why a request is turned away for whose it is; jobs, which answer no requests, know it too.

Reasons and comments, with the bound that all of them have. What is wrong with the fields of a
request, or of what was kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ledger.errors import InputRefused, Problem
from ledger.operations import programs
from ledger.wording import Message
from ledger.wording.values import wrong_value

_SHOWN: Final = 60  # characters of a value that is refused
MOST_REASON: Final = programs.MOST_REASON
"""Characters of a reason or a comment, wherever one is said; what is longer is refused."""


def fitting_reason(text: str) -> str:
    """Returns a reason without blanks around it; raises ``InputRefused`` for one that is too long.

    For what no schema has read.
    """
    fitting = text.strip()
    if len(fitting) > MOST_REASON:
        raise InputRefused("web.long_reason", length=len(fitting), most=MOST_REASON)
    return fitting


class SignInNeeded(Exception):
    """Nobody signed in, and the route is not for everybody."""


class SignInAgain(SignInNeeded):
    """Somebody signed in too long ago for what they want to do."""


class Forbidden(Exception):
    """Who signed in may not use the route; ``why`` says more than that, where there is more."""

    def __init__(self, why: Message | None = None) -> None:
        super().__init__(why)
        self.why = why


def wrong_fields(
    errors: Iterable[Mapping[str, Any]], labels: Mapping[str, Message] | None = None
) -> tuple[Problem, ...]:
    """Returns what is wrong with the fields of a request, from what Pydantic found.

    Args:
        errors: as ``pydantic.ValidationError.errors()`` has them.
        labels: what people call the fields; the others are quoted as programs write them.
    """
    return tuple(
        Problem.of("web.bad_value", name=_called(each["loc"], labels or {}), why=_wrong(each))
        for each in errors
    )


def _wrong(error: Mapping[str, Any]) -> Message:
    """Return what is wrong with a value, and quote it; a text may be a secret, and is not."""
    value, why = error.get("input"), wrong_value(error)
    if error["type"].startswith("string_") or not isinstance(value, str | int | float):
        return why
    return Message.of("value.quoted", value=str(value)[:_SHOWN], why=why)


def _called(where: tuple[int | str, ...], labels: Mapping[str, Message]) -> Message | str:
    if where in ((), ("body",)):
        return Message.of("value.lone_body")
    name = next((part for part in where[::-1] if isinstance(part, str)), str(where[-1]))
    return labels.get(name, f"'{name}'")
