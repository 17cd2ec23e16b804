"""Administration: rating lists, their rules and calendars, and what was published of them."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints, field_validator

from ledger.calendar import Calendar
from ledger.events.model import Digest, EventType, Line, ListEvent, ListName, Seq
from ledger.terms import Rate

RegulationId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,60}$")]
ParameterName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
PeriodName = Annotated[
    str, StringConstraints(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(\+\d{2})?|-Q[1-4]|-H[12])?$")
]
ClosingDays = Annotated[int, Field(ge=0, le=27)]


class ListDefined(ListEvent):
    """A rating list over the ledger: its first day, its calendar, its policy for late facts.

    ``restate`` recomputes history and shows it beside the published lists; ``next-list`` lets
    published lists stand and credits the next one with what is missing.
    """

    TYPE = "list.defined"

    calendar: Calendar
    closes_days_before: ClosingDays = 0
    first_on: dt.date
    list: ListName
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None = None


class CalendarSet(ListEvent):
    """The list's calendar from the effective date on, which starts a period of it."""

    TYPE = "list.calendar-set"

    calendar: Calendar
    closes_days_before: ClosingDays = 0
    list: ListName


class RegulationAdopted(ListEvent):
    """The list follows a regulation, with these parameters, from the effective date on.

    ``digest`` is that of the regulation as this software read it: id, clauses, tables, parameters.
    ``code`` is that of the sources that computed it, of a ``version`` of a ``distribution``.
    """

    TYPE = "regulation.adopted"

    code: Digest | None = None
    digest: Digest
    distribution: Line | None = None
    list: ListName
    parameters: dict[ParameterName, int | Line]
    regulation: RegulationId
    version: Line | None = None

    @field_validator("parameters")
    @classmethod
    def _sorted(cls, parameters: dict[str, int | str]) -> dict[str, int | str]:
        return dict(sorted(parameters.items()))


class ListAdjusted(ListEvent):
    """A list-wide step, after the ordinary calculation of a period, by a dated formula.

    Every rating R below ``below`` gains ``numerator / denominator * (pivot - R)`` points, rounded
    half away from zero.
    """

    TYPE = "list.adjusted"

    below: Annotated[int, Field(ge=1, le=4000)]
    denominator: Annotated[int, Field(ge=1, le=1000)]
    list: ListName
    numerator: Annotated[int, Field(ge=-1000, le=1000)]
    period: PeriodName
    pivot: Annotated[int, Field(ge=0, le=4000)]


class PublicationEvent(ListEvent):
    """A list went out, as every version of the event says it."""

    basis_seq: Seq
    edition: Annotated[int, Field(ge=1)]
    list: ListName
    output_sha256: Digest
    period: PeriodName
    published_on: dt.date
    ratings_sha256: Digest
    regulation: RegulationId
    regulation_digest: Digest
    row_count: Annotated[int, Field(ge=0)]


class ListPublished1(PublicationEvent):
    """A list went out: what it was computed from, and the digests of its bytes.

    ``output_sha256`` is of the whole document; ``ratings_sha256`` of the same rows without names,
    so that it can be checked even after a person's data were erased.
    """

    # Its schema was published under the name that its next version has now.
    model_config = ConfigDict(title="ListPublished")

    TYPE = "list.published"


class ListPublished(PublicationEvent):
    """A list went out: what it was computed from, the digests of its bytes, the root of its rows.

    ``output_sha256`` is of the whole document; ``ratings_sha256`` of the same rows without names,
    so that it can be checked even after a person's data were erased. ``rows_root`` is the root of
    a Merkle tree over the rows (see ``ledger.lists.committed_rows``), so that one row can be proved
    alone; an edition of version 1 has none.
    """

    TYPE = "list.published"
    VERSION = 2

    rows_root: Digest | None


def with_rows_root(old: ListPublished1) -> ListPublished:
    """Upcasts a publication that committed to no rows."""
    return ListPublished(**dict(old), rows_root=None)


class TwoPersonsSet(ListEvent):
    """Whether what reaches a published period of the list needs two people; before, it does.

    It does so only while at least two accounts hold the role of an officer.
    """

    TYPE = "list.two-persons-set"

    list: ListName
    required: bool


class ListFactUndone(ListEvent):
    """An earlier event of the list is taken back: what it said never held.

    ``undoes`` is its seq, ``what`` its type. Where that is such an event itself, what was taken
    back by it holds again.
    """

    TYPE = "list.fact-undone"

    list: ListName
    undoes: Seq
    what: EventType


AnyListEvent: TypeAlias = (
    ListDefined
    | CalendarSet
    | RegulationAdopted
    | ListAdjusted
    | ListPublished
    | TwoPersonsSet
    | ListFactUndone
)
