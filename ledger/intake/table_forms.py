"""How a table writes dates and sexes, told from all of it before any of it is read.

A date ``23/07/2010`` can be one day only, ``03/07/2010`` two. A document writes all its dates in
one order: where one shows that the day stands first and none that the month does, all are read so;
where nothing decides, or two decide differently, a date of two days is refused. With ``H`` (hombre)
in a document ``M`` is a woman (mujer), with ``F`` or ``W`` a man; with both it is refused.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from ledger.wording import Message

Sex: TypeAlias = Literal["m", "w"]
_PARTS: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
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
_AS_IN_SPANISH: Final = frozenset({"h", "hombre"})
_AS_IN_ENGLISH: Final = frozenset({"f", "w"})


class DayOrder(Enum):
    """Where the day stands in a date whose year stands last."""

    DAY_FIRST = 0
    MONTH_FIRST = 1


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
class TableForms:
    """What all dates and sexes of a document show; ``look_at_…`` are given them first."""

    _orders: dict[DayOrder, str] = field(default_factory=dict)  # with a date that shows it
    _sexes: set[str] = field(default_factory=set)

    def look_at_dates(self, texts: Iterable[str]) -> None:
        """Takes in dates as they are written."""
        for text in texts:
            days = days_in(text.strip())
            if len(days) == 1:
                self._orders.setdefault(next(iter(days)), text.strip())

    def look_at_sexes(self, texts: Iterable[str]) -> None:
        """Takes in sexes as they are written."""
        self._sexes.update({text.strip().lower() for text in texts} & {*SEXES, _BOTH})

    def notes(self, *, is_spanish: bool) -> Iterator[tuple[str, Message]]:
        """Yields what may surprise in a column, with its name: orders of dates, what M stands for.

        Under a Spanish heading M may be a woman: where nothing but it stands there, that is told.
        """
        if len(self._orders) > 1:
            dates = {order.name.lower(): text for order, text in self._orders.items()}
            yield "birth_date", Message.of("csv.two_orders", **dates)
        if is_spanish and self._sexes == {_BOTH}:
            yield "sex", Message.of("csv.only_m")

    def day(self, text: str) -> dt.date | None:
        """Returns the day of a date with its year last; None where it is none, or open."""
        days = days_in(text)
        if len(set(days.values())) == 1:
            return next(iter(days.values()))
        orders = [*self._orders]
        return days.get(orders[0]) if len(orders) == 1 else None

    def sex(self, text: str) -> Sex | None:
        """Returns a sex; None where it is none, or open (``is_open``)."""
        word = text.lower()
        if word != _BOTH:
            return SEXES.get(word)
        if self._sexes.isdisjoint(_AS_IN_SPANISH):
            return "m"
        return "w" if self._sexes.isdisjoint(_AS_IN_ENGLISH) else None

    def is_open(self, sex: str) -> bool:
        """Whether a text can stand for men or for women."""
        return sex.lower() == _BOTH and self.sex(sex) is None
