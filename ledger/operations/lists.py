"""What can be recorded of a rating list."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from ledger.calendar import Calendar
from ledger.errors import Conflict
from ledger.operations.command import Command
from ledger.terms import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfList(Command):
    NAMES = ("list",)

    list: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineList(_OfList):
    """Define a rating list and adopt its first regulation."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    calendar: Calendar
    first_on: dt.date
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None
    closes_days_before: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCalendar(_OfList):
    """Change a list's calendar from a day on."""

    calendar: Calendar
    closes_days_before: int
    on: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptRegulation(_OfList):
    """Change a list's regulation, or its parameters, from a day on."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    on: dt.date
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustList(_OfList):
    """Order a list-wide step after the calculation of a period."""

    period: str
    below: int
    pivot: int
    numerator: int
    denominator: int
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishList(_OfList):
    """Record that a list went out, with the digests of what went out."""

    period: str
    edition: int
    basis_seq: int
    regulation: str
    regulation_digest: str
    row_count: int
    output_sha256: str
    ratings_sha256: str
    rows_root: str

    def names_head(self, head_seq: int) -> bool:
        """A list goes out of everything that is known, not of what was known a moment ago."""
        if self.basis_seq != head_seq:
            raise Conflict("list.overtaken", list=self.list, period=self.period)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTwoPersons(_OfList):
    """Say whether what reaches a published period of a list needs two people."""

    NEEDS_REASON = True

    required: bool
