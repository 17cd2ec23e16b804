"""How a table writes dates and sexes, told from all of it before any of it is read.

A date ``23/07/2010`` can be one day only, ``03/07/2010`` two. A document writes all its dates in
one order: where one shows that the day stands first and none that the month does, all are read so;
where nothing decides, or two decide differently, a date of two days is refused, unless whoever
brings the document says the order. Where every date can be one day only they are read, and a note
says that they stand in two orders.

With ``H`` (hombre) in a document ``M`` is a woman (mujer), with ``F``, ``W`` or masculino a man;
with both, or with neither below a heading that is not English, it is refused.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from ledger.errors import Problem
from ledger.terms import DayOrder
from ledger.wording import Message

Sex: TypeAlias = Literal["m", "w"]
_PARTS: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
_WORD: Final = re.compile(r"\w+")
_BOTH: Final = "m"
"""The letter that stands for men or for women."""
_MEN: Final = frozenset({"h", "hombre", "varón", "varon", "masculino", "masc", "male", "man"})
_WOMEN: Final = frozenset(
    {"f", "w", "mujer", "dama", "femenino", "femenina", "fem", "female", "woman"}
)
SEXES: Final[Mapping[str, Sex]] = MappingProxyType(
    {**dict.fromkeys(_MEN, "m"), **dict.fromkeys(_WOMEN, "w")}
)
"""What is written of a sex, in small letters; ``m`` is looked up by the document."""
_BESIDE_MUJER: Final = frozenset({"h", "hombre"})
_BESIDE_MASCULINO: Final = SEXES.keys() - _BESIDE_MUJER - {"mujer", "dama", "varón", "varon"}
"""What stands in a column where the letter is a man; other words go with both."""
_ENGLISH: Final = frozenset({"sex", "gender"})
"""Headings, folded, below which the letter alone is a man."""


ORDERS: Final = {
    DayOrder.DAY_FIRST: Message.of("csv.day_first"),
    DayOrder.MONTH_FIRST: Message.of("csv.month_first"),
}
"""What an order is called."""


def days_in(text: str) -> dict[DayOrder, dt.date]:
    """Returns the days that a date with its year last can be; none where it is no such date.

    >>> [day.isoformat() for day in days_in("03/07/2010").values()]
    ['2010-07-03', '2010-03-07']
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        return {}
    one, other, year = int(found[1]), int(found[3]), int(found[4])
    days: dict[DayOrder, dt.date] = {}
    for order, month, day in (
        (DayOrder.DAY_FIRST, other, one),
        (DayOrder.MONTH_FIRST, one, other),
    ):
        try:
            days[order] = dt.date(year, month, day)
        except ValueError:
            continue
    return days


@dataclass(slots=True)
class _Dates:
    """How many dates show an order, the first of them, and its line."""

    first: str
    line: int
    count: int = 0


@dataclass(slots=True)
class TableForms:
    """What all dates and sexes of a document show; ``look_at_…`` are given them first.

    ``order`` is what was said of the dates (None: they decide).
    """

    order: DayOrder | None = None
    _open: _Dates | None = None
    _orders: dict[DayOrder, _Dates] = field(default_factory=dict)
    _sexes: set[str] = field(default_factory=set)
    _is_english: bool = False

    def look_at_dates(self, texts: Sequence[str], lines: Sequence[int]) -> None:
        """Takes in dates as they are written, and the lines on which they stand."""
        for text, count in Counter(texts).items():
            days = days_in(text.strip())
            if len(days) == 1:
                (order,) = days
                dates = self._orders.get(order)
                if dates is None:
                    dates = _Dates(text.strip(), lines[texts.index(text)])
                    self._orders[order] = dates
                dates.count += count
            elif len(set(days.values())) > 1:
                self._open = self._open or _Dates(text.strip(), lines[texts.index(text)])
                self._open.count += count

    def look_at_sexes(self, texts: Iterable[str]) -> None:
        """Takes in sexes as they are written."""
        self._sexes.update({text.strip().lower() for text in texts} & SEXES.keys())

    def look_at_heading_of_sexes(self, heading: str) -> None:
        """Takes in what heads the sexes, also what it has in parentheses: ``Sexo (H/M)``."""
        words = _WORD.findall(heading.lower())
        self._is_english = not _ENGLISH.isdisjoint(words[:1])
        self.look_at_sexes(words[1:])

    def notes(self, file: str) -> Iterator[Problem]:
        """Yields the note of dates in two orders, or of those of which the order was only said."""
        if self.order is not None:
            if self._open is not None and not self._orders:
                dates = {"count": self._open.count, "first": self._open.first}
                message = Message.of("csv.order_taken", order=ORDERS[self.order], **dates)
                yield Problem(message, self._open.line, 0, file)
        elif len(self._orders) > 1:
            day, month = self._orders[DayOrder.DAY_FIRST], self._orders[DayOrder.MONTH_FIRST]
            message = Message.of(
                "csv.two_orders", count=day.count, day=day.first, day_line=day.line,
                months=month.count, month=month.first, month_line=month.line,
            )  # fmt: skip
            yield Problem(message, min(day.line, month.line), 0, file)

    def day(self, text: str) -> dt.date | None:
        """Returns the day of a date with its year last; None where it is none, or open."""
        days = days_in(text)
        if self.order is not None:
            return days.get(self.order)
        if len(set(days.values())) == 1:
            return next(iter(days.values()))
        orders = [*self._orders]
        return days.get(orders[0]) if len(orders) == 1 else None

    def sex(self, text: str) -> Sex | None:
        """Returns a sex; None where it is none, or open (``sex_refusal``)."""
        word = text.lower()
        if word != _BOTH:
            return SEXES.get(word)
        is_woman = not self._sexes.isdisjoint(_BESIDE_MUJER)
        is_man = not self._sexes.isdisjoint(_BESIDE_MASCULINO)
        if is_woman == is_man:
            return "m" if self._is_english and not is_man else None
        return "m" if is_man else "w"

    def sex_refusal(self, text: str) -> str:
        """Returns the key of what is said of a sex that cannot be read."""
        if text.lower() != _BOTH:
            return "csv.no_sex"
        is_mixed = not self._sexes.isdisjoint(_BESIDE_MUJER)
        return "csv.sex_open" if is_mixed else "csv.sex_undecided"
