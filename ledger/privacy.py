"""Which fields about people are private, who sees them whole, and what everybody else sees of them.

``FIELDS`` is the only declaration and ``mask`` the only function that masks. A face masks nothing
itself: the JSON form of reports, the templates of pages, payloads of events and the few sentences
and files that quote such a field ask ``mask``. Whoever runs a command of the command line owns the
ledger and sees everything; the site says for each request whose it is (``read_by``).
docs/security.md has the table for people.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ledger.terms import Role

Roles: TypeAlias = frozenset[Role]
_YEAR: Final = len("1990")


@dataclass(frozen=True, slots=True)
class PrivateField:
    """Which roles see a field whole, and what others see of a value."""

    roles: Roles
    masked: Callable[[str], str | None]


_OF_BIRTH: Final = frozenset({Role.OFFICER, Role.AUDITOR})
_BIRTH_DAY: Final = PrivateField(
    _OF_BIRTH, lambda day: day[:_YEAR] if day[_YEAR : _YEAR + 1] == "-" else day
)
FIELDS: Final[Mapping[str, PrivateField]] = {
    "birth_date": _BIRTH_DAY,
    "born_on": _BIRTH_DAY,
    # How a birth date differs from a guess tells the date to whoever guesses.
    "birth": PrivateField(_OF_BIRTH, lambda _: "other_birth_date"),
    "email": PrivateField(frozenset({Role.OFFICER}), lambda _: None),
}
"""By the name that a field has wherever it stands: in reports, payloads, documents and tables."""

NOBODY: Final[Roles] = frozenset()
OWNER: Final[Roles] = frozenset(Role)
_reader: Final[ContextVar[Callable[[], Roles]]] = ContextVar("reader", default=lambda: OWNER)


@contextmanager
def read_by(roles: Callable[[], Roles] | Roles) -> Iterator[None]:
    """Have everything within be shown as to a reader with some roles.

    A function is asked for the roles when the first private field is met.
    """
    token = _reader.set(roles if callable(roles) else lambda: roles)
    try:
        yield
    finally:
        _reader.reset(token)


def mask(name: str, value: Any) -> Any:
    """Return the value of a field as the reader may see it; a day is an ISO date or a year."""
    field = FIELDS.get(name)
    if field is None or not isinstance(value, str | dt.date) or field.roles & _reader.get()():
        return value
    return field.masked(str(value))


def mask_data(data: Any) -> Any:
    """Return JSON data with each private field in it as the reader may see it."""
    if isinstance(data, Mapping):
        return {name: mask(name, mask_data(value)) for name, value in data.items()}
    return [mask_data(value) for value in data] if isinstance(data, list | tuple) else data


def may_see_whole(data: Any) -> bool:
    """Return whether the reader may see JSON data as they are."""
    return bool(mask_data(data) == data)
