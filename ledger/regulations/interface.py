"""What a regulation offers to the replay, and how its parameters are read and digested."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ledger.errors import InputRefused
from ledger.facts.columns import Column
from ledger.rating.rounding import column_half_away_from_zero
from ledger.rating.sheet import Calculation, NewcomerResult, Reason, Sides
from ledger.rating.standing import Standing

NO_K = -1


class Parameters(BaseModel):
    """The figures a federation may set when it adopts the regulation; each names its clause."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Clause:
    """One article of the text and where it is implemented (or why it is not)."""

    article: str
    says: str
    where: str


class Regulation(ABC):
    """A rating system as adopted: its rules with the parameters of the adoption.

    A released regulation never changes its behaviour; a repaired rule is a new one, with a new id.
    """

    ID: ClassVar[str]
    TITLE: ClassVar[str]
    COVERAGE: ClassVar[tuple[Clause, ...]]
    TABLES: ClassVar[tuple[str, ...]]
    PARAMETERS: ClassVar[type[Parameters]]

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    def digest(self) -> str:
        """Returns the SHA-256 of what decides a result: id, every parameter, every table."""
        read = {name: _sha256_of_table(name) for name in self.TABLES}
        content = {"id": self.ID, "parameters": self.parameters.model_dump(), "tables": read}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @abstractmethod
    def k(self, standing: Standing, assigned: Column) -> Column:
        """Returns everybody's K for a period; ``assigned`` is ``NO_K`` where nothing was."""

    @abstractmethod
    def calculate(self, sides: Sides, standing: Standing, k: Column) -> Calculation:
        """Rates a period from the ratings at its start. Every side ends up in the result."""

    @abstractmethod
    def first_rating(self, results: Sequence[NewcomerResult]) -> int | None:
        """Returns the first rating that computable results give, or None while they are too few."""

    @property
    @abstractmethod
    def games_for_first_rating(self) -> int:
        """How many games a provisional bucket needs."""

    @abstractmethod
    def clause_of(self, reason: Reason) -> str:
        """Names the article that excludes a game for the reason, or ``ledger`` where none does."""

    def change(self, units: Column, scale: int) -> Column:
        """Rounds a period's exact changes to whole points, once; ``scale`` units are a point."""
        return column_half_away_from_zero(units, scale)


def read_parameters(model: type[Parameters], given: Mapping[str, int | str]) -> Parameters:
    """Reads parameters as typed or recorded.

    Raises:
        InputRefused: an unknown name or a value that does not fit, quoted with what is allowed.
    """
    try:
        return model.model_validate_strings({name: str(value) for name, value in given.items()})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            known = ", ".join(model.model_fields)
            raise InputRefused("regulation.unknown_parameter", name=name, known=known) from error
        raise InputRefused(
            "regulation.bad_parameter",
            name=name,
            value=given.get(name, ""),
            clause=model.model_fields[name].description if name in model.model_fields else "",
            why=first["msg"],
        ) from error


def _sha256_of_table(name: str) -> str:
    data = resources.files("ledger.regulations").joinpath("tables", name).read_bytes()
    return hashlib.sha256(data).hexdigest()
