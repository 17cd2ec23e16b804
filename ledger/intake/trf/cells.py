"""Reads single cells: numbers, points, texts; what is wrong or odd is noted with its place.

A cell that cannot be read gives None and a problem; a cell in a layout of other programs is read,
and gives an adjustment besides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from ledger.errors import Problem
from ledger.intake.problems import Oddities, Problems
from ledger.intake.trf.records import Cell
from ledger.typed_values import integer_in
from ledger.wording import Message

_POINTS: Final = re.compile(r"-?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)
_FEDERATION: Final = re.compile(r"[A-Za-z]{3}")
_QUOTED: Final = 60
"""Characters of a text that a message quotes."""
LONGEST: Final = 300
"""Characters of a name or place; the ledger keeps no longer ones."""


@dataclass(slots=True)
class Notes:
    """What was found while reading: ``faults`` refuse the file, ``tolerated`` are adjustments."""

    faults: Problems = field(default_factory=Problems)
    tolerated: Oddities = field(default_factory=Oddities)
    _kinds: dict[str, Problem] = field(default_factory=dict)
    """Notes that are given once, by their key: the first, with the count of all."""

    def refuse(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes a fault at the cell, quoting it as ``{found}``; see ``Problems.take``."""
        self.faults.take(_at(cell, key, values))

    def refuse_first(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes a fault that many have of one cause: the first one only."""
        if all(fault.message.key != key for fault in self.faults.found):
            self.refuse(cell, key, **values)

    def tolerate(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes an adjustment at the cell, quoting it as ``{found}``."""
        self.tolerated.take(_at(cell, key, values))

    def tolerate_all(self, cell: Cell, key: str, /, **values: object) -> None:
        """Notes adjustments of a kind once: the first, with the ``{count}`` of all."""
        first = self._kinds.get(key)
        if first is None:
            self._kinds[key] = _at(cell, key, {**values, "count": 1})
            return
        told = dict(first.message.values)
        told["count"] = int(str(told["count"])) + 1
        self._kinds[key] = replace(first, message=Message.of(key, **told))

    def adjustments(self) -> Iterator[Problem]:
        """Yields everything that was tolerated."""
        yield from self.tolerated
        yield from self._kinds.values()

    def text(self, cell: Cell) -> str | None:
        """Returns the text of a name or place: one printable line; None where it is blank."""
        text = cell.text.strip()
        if control_in(text) is not None:
            self.refuse(cell, "trf.control_character")
            return None
        if len(text) > LONGEST:
            self.refuse(cell, "trf.too_long", most=LONGEST)
            return None
        return text or None

    def number(self, cell: Cell, *, least: int = 0, most: int = 9999) -> int | None:
        """Returns a whole number within bounds (inclusive); None where it is blank or none."""
        text = cell.text.strip(" ")
        if not text:
            return None
        number = integer_in(text, least=least, most=most)
        if number is None:
            self.refuse(cell, "trf.no_number", least=least, most=most)
        return number

    def points(self, cell: Cell) -> Decimal | None:
        """Returns points, ``11.5``; ``11,5`` is tolerated."""
        if not cell.text:
            return None
        if not _POINTS.fullmatch(cell.text):
            self.refuse(cell, "trf.no_points")
            return None
        if "," in cell.text:
            self.tolerate(cell, "trf.decimal_comma")
        return Decimal(cell.text.replace(",", "."))

    def federation(self, cell: Cell) -> str | None:
        """Returns the code of a federation, three capital letters; any other text is left out."""
        text = cell.text.strip()
        if not text:
            return None
        if not _FEDERATION.fullmatch(text):
            self.tolerate(cell, "trf.no_federation")
            return None
        if not text.isupper():
            self.tolerate(cell, "trf.federation_in_small_letters", read=text.upper())
        return text.upper()


def _at(cell: Cell, key: str, values: dict[str, object]) -> Problem:
    return Problem.of(key, cell.line, cell.column, found=quoted(cell.text), **values)


def control_in(text: str) -> int | None:
    """Returns where the first control character of a text is; None where it has none."""
    found = (at for at, each in enumerate(text) if unicodedata.category(each).startswith("C"))
    return next(found, None)


def quoted(text: str) -> str:
    r"""Returns a text of a file as a message may quote it: printable, and not long.

    >>> quoted("a\tb")
    'a\\tb'
    """
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in short
    )
