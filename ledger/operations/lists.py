"""What can be recorded of a rating list."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.calendar import Calendar
from ledger.errors import Conflict
from ledger.operations.command import Command, Input
from ledger.operations.kinds import FLAG, LIST, FieldKind
from ledger.operations.operation import officers, operation
from ledger.terms import Rate
from ledger.wording import Wording


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


@operation(
    "set-calendar",
    officers("lists"),
    Wording(
        "Change a list's calendar from a day on.", "Cambia el calendario de una lista desde un día."
    ),
)
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


@operation(
    "adjust-list",
    officers("lists"),
    Wording(
        "Order a list-wide step after the calculation of a period.",
        "Ordena un ajuste de toda la lista tras el cálculo de un período.",
    ),
)
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


@operation(
    "publish",
    officers("lists"),
    Wording("Publish a period of a list.", "Publica un período de una lista."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPeriod(Input):
    """A period that is to be published; ``anyway``, also with events that are not over."""

    list: Annotated[str, LIST]
    period: Annotated[str, FieldKind(label=Wording("Period", "Período"))]
    anyway: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Also with events that are not over at the desk.",
                "También con torneos que no han terminado en la mesa.",
            ),
            option="--anyway",
        ),
    ] = False
