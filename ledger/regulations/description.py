"""What a regulation says of itself: articles, parameters, tables, dated figures and their digest.

Nothing here calculates; the rules are in ``interface``.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from ledger.errors import InputRefused, Problem
from ledger.facts.columns import Column
from ledger.rating.postings import FIRST_OWN, OwnReason, OwnStep, Reason, StepKind
from ledger.regulations.translations import quoted_text
from ledger.wording import Message

_SHOWN = 60  # characters of a value that is refused


class Contradiction(ValueError):
    """Parameters that do not go together; raised by the validators of a model, with a sentence."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def goes_with(clause: str, name: str, needed: str) -> Contradiction:
    """Returns the contradiction of a parameter that makes sense with another one's value only."""
    return Contradiction(
        Message.of("regulation.goes_with", clause=quoted_text(clause), name=name, needed=needed)
    )


class Parameters(BaseModel):
    """The figures a federation may set when it adopts the regulation; each names its clause.

    A field's ``description`` is the clause; ``json_schema_extra={"unit": …}`` may say the unit.
    ``ADDED_LATER`` names those that a released regulation got afterwards. Their defaults decide
    nothing that was not so before, hence they enter the digest only where they were set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ADDED_LATER: ClassVar[frozenset[str]] = frozenset()

    def tables_read(self) -> dict[str, str]:
        """Returns the digests of further tables that these parameters make the regulation read."""
        return {}

    def decisive(self) -> dict[str, object]:
        """Returns every parameter that the digest covers."""
        fields = type(self).model_fields
        return {
            name: value
            for name, value in self.model_dump().items()
            if name not in self.ADDED_LATER or value != fields[name].default
        }


@dataclass(frozen=True, slots=True)
class Clause:
    """One article of the text and where it is implemented (or why it is not)."""

    article: str
    says: str
    where: str


@dataclass(frozen=True)
class DatedFigure:
    """One figure through time; before the first date the first value holds.

    >>> cap = DatedFigure("cap", "8.3.1", (("1970-07-01", 350), ("2009-07-01", 400)))
    >>> cap.on(dt.date(2009, 6, 30))
    350
    """

    name: str
    clause: str
    values: tuple[tuple[str, int], ...]

    def on(self, day: dt.date) -> int:
        """Returns the value in force on a day."""
        return self.values[self._place(day.toordinal())][1]

    def at(self, days: Column) -> Column:
        """Returns the values in force on many days (ordinals)."""
        figures = np.array([value for _, value in self.values], dtype=np.int64)
        if days.size:
            first, last = self._place(int(days.min())), self._place(int(days.max()))
            if first == last:  # as in almost every period
                return np.broadcast_to(figures[first], days.shape)
        places = np.searchsorted(np.array(self._days), days, side="right") - 1
        found: Column = figures[np.maximum(places, 0)]
        return found

    def _place(self, day: int) -> int:
        return max(bisect_right(self._days, day) - 1, 0)

    @cached_property
    def _days(self) -> list[int]:
        return [dt.date.fromisoformat(from_on).toordinal() for from_on, _ in self.values]


class Description:
    """What readers are shown of a regulation, and what its digest covers.

    ``CLAUSES`` and ``STEP_CLAUSES`` name the article behind an exclusion or a step; a reason that
    has none is the ledger's own. ``REASONS`` are reasons of its own, which reports
    show with its wording. ``TABLES`` are files in the folder ``tables`` of the package
    ``TABLES_IN``. ``DATED`` lists the figures that the text itself changed from a day on,
    ``WORKED_EXAMPLE`` is one of the source's own, in Markdown; both decide nothing. ``BEFORE``
    names the regulation whose text was in force before a day: a list that begins earlier is told
    so, and is rated nevertheless.
    """

    ID: ClassVar[str]
    TITLE: ClassVar[str]
    SOURCE: ClassVar[str]
    COVERAGE: ClassVar[tuple[Clause, ...]]
    PARAMETERS: ClassVar[type[Parameters]]
    CLAUSES: ClassVar[Mapping[Reason, str]] = {}
    STEP_CLAUSES: ClassVar[Mapping[StepKind, str]] = {}
    REASONS: ClassVar[tuple[OwnReason, ...]] = ()
    TABLES: ClassVar[tuple[str, ...]] = ()
    TABLES_IN: ClassVar[str] = "ledger.regulations"
    DATED: ClassVar[tuple[DatedFigure, ...]] = ()
    WORKED_EXAMPLE: ClassVar[str] = ""
    BEFORE: ClassVar[tuple[dt.date, str] | None] = None

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    @classmethod
    @cache
    def table_sha256(cls, name: str) -> str:
        """Returns the digest of one of its tables."""
        data = resources.files(cls.TABLES_IN).joinpath("tables", name).read_bytes()
        return hashlib.sha256(data).hexdigest()

    @classmethod
    def has_merit_coefficient(cls) -> bool:
        """Returns whether the text weighs games, as a parameter ``merit_…`` says."""
        return any(name.startswith("merit_") for name in cls.PARAMETERS.model_fields)

    def digest(self) -> str:
        """Returns the SHA-256 of what decides a result: id, every parameter, every table."""
        read = {name: self.table_sha256(name) for name in self.TABLES}
        read |= self.parameters.tables_read()
        content = {"id": self.ID, "parameters": self.parameters.decisive(), "tables": read}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def reason(self, number: int) -> Reason | OwnReason:
        """Returns a reason by the number that stands in columns, its own included."""
        if number < FIRST_OWN:
            return Reason(number)
        return next(reason for reason in self.REASONS if reason.number == number)

    def clause_of(self, reason: Reason | OwnReason) -> str:
        """Returns the article that excludes a game for the reason; ``ledger`` where none does."""
        if isinstance(reason, OwnReason):
            return reason.clause
        return self.CLAUSES.get(reason, "ledger")

    def clause_of_step(self, kind: StepKind | OwnStep) -> str:
        """Returns the article behind a step; only for the kinds the regulation takes."""
        return kind.clause if isinstance(kind, OwnStep) else self.STEP_CLAUSES[kind]


def read_parameters(model: type[Parameters], values: Mapping[str, int | str]) -> Parameters:
    """Reads parameters as typed or recorded.

    Raises:
        InputRefused: an unknown name, a value that does not fit or values that contradict each
            other, each quoted with what is allowed and the clause.
    """
    try:
        return model.model_validate_strings({name: str(value) for name, value in values.items()})
    except ValidationError as error:
        problems = [_problem(model, found) for found in error.errors()]
    first, *others = problems
    raise InputRefused(first.key, *map(Problem, others), **dict(first.values))


def _problem(model: type[Parameters], found: ErrorDetails) -> Message:
    """Says what is wrong with one parameter, or with several together."""
    if not found["loc"]:
        return Message.of("regulation.contradiction", why=_why(found))
    name = str(found["loc"][0])
    if found["type"] == "extra_forbidden":
        known = ", ".join(model.model_fields) or "-"
        return Message.of("regulation.unknown_parameter", name=name[:_SHOWN], known=known)
    clause = quoted_text(model.model_fields[name].description or "")
    if found["type"] == "missing":
        return Message.of("regulation.missing_parameter", name=name, clause=clause)
    own_rule = "error" in found.get("ctx", {})
    return Message.of(
        "regulation.bad_parameter",
        name=name,
        value=str(found["input"])[:_SHOWN],
        clause=clause,
        why=_why(found) if own_rule else _allowed(model.model_json_schema()["properties"][name]),
    )


def _why(found: ErrorDetails) -> Message | str:
    """What a rule of the regulation says itself."""
    error = found.get("ctx", {}).get("error", found["msg"])
    return error.message if isinstance(error, Contradiction) else str(error)


def _allowed(schema: Mapping[str, Any]) -> Message:
    """Says which values a parameter may have, by its JSON schema."""
    kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    match kinds[0]:
        case {"enum": words}:
            return Message.of("regulation.allowed_words", words=", ".join(map(str, words)))
        case {"const": word}:
            return Message.of("regulation.allowed_words", words=str(word))
        case {"type": "boolean"}:
            return Message.of("regulation.allowed_words", words="true, false")
        case {"type": "integer", "minimum": least, "maximum": most}:
            return Message.of("regulation.allowed_numbers", least=least, most=most)
        case {"type": "string", "maxLength": most}:
            return Message.of("regulation.allowed_text", most=most)
        case {"pattern": pattern}:
            return Message.of("regulation.allowed_pattern", pattern=str(pattern))
        case _:
            return Message.of("regulation.allowed_elsewhere")
