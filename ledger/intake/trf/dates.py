"""Tells which day a date of a report means, whatever the order in which its program writes dates.

TRF wants ``YYYY/MM/DD`` (042, 052, births) and ``YY/MM/DD`` (132). Other programs put day or month
first, leave the century out, write points or hyphens, or the month in words. The rules, in order:

1. A date that only one order of its parts can read is that day: a year of four digits, a number
   above 12 and a month in words decide for themselves. A year that stands first is followed by the
   month, unless that is none.
2. A file writes all dates of one record and one form (the same separator, the year in the same
   place) in one order: what a date decides by rule 1, it decides for all of its form.
3. Start, end and rounds follow each other, and a tournament lasts less than a year. Orders under
   which they do not are out.
4. Of the orders left the format's own goes first for 132 (with another sign than the slash only if
   every round is then in the year of 042), then one for the same form everywhere.

If more than one day is left, the date is ambiguous: no rule guesses between day and month.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise, product
from typing import Final, TypeAlias

_PARTS: Final = re.compile(r"(\d{1,4})\s*([/.-])\s*(\d{1,2})\s*\2\s*(\d{1,4})", re.ASCII)
_WORDS: Final = re.compile(r"[^\W\d_]+|\d+")
_SIGN: Final = re.compile(r"[/.-]")
_MONTHS: Final = (
    "jan ene jän", "feb", "mar mär", "apr abr", "may mai", "jun", "jul", "aug ago", "sep set",
    "oct okt", "nov", "dec dic dez",
)  # fmt: skip
"""How a month begins in English, Spanish and German."""
_MONTH_OF: Final = {
    word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()
}
_BEGINNING: Final = 3  # letters that tell the month
_FULL_YEAR: Final = 4  # digits
_CENTURY_ENDS: Final = 70
"""Years of two digits from here on are of the twentieth century; no report is older."""
_LONGEST: Final = dt.timedelta(days=366)
_MOST_FORMS: Final = 3
"""Forms whose order is open, in one file; no program writes more, and every order is tried."""


class PartOrder(Enum):
    """The order in which a date is written."""

    YEAR_MONTH_DAY = "ymd"
    YEAR_DAY_MONTH = "ydm"
    DAY_MONTH_YEAR = "dmy"
    MONTH_DAY_YEAR = "mdy"


class Where(Enum):
    """The records that hold dates: 042 and 052, 132, and the births in 001."""

    TOURNAMENT = 1
    ROUNDS = 2
    BIRTHS = 3


Form: TypeAlias = tuple[Where, int, str]
"""What dates of one order have in common: their record, the part that is a full year, the sign."""
Orders: TypeAlias = dict[Form, PartOrder]


@dataclass(frozen=True, slots=True)
class Written:
    """A date as it is written: its form (None: in words), and the days it can mean, by order."""

    text: str
    form: Form | None
    days: Mapping[PartOrder, dt.date]

    @property
    def possible(self) -> list[dt.date]:
        """The days it can mean, the earliest first."""
        return sorted(set(self.days.values()))

    def stands_for(self, day: dt.date) -> bool:
        """Whether it is what the format has for the day; another separator is no adjustment."""
        of_round = self.form is not None and self.form[0] is Where.ROUNDS
        wanted = f"{day:%y/%m/%d}" if of_round else f"{day:%Y/%m/%d}"
        return _SIGN.sub("/", self.text) == wanted

    def under(self, orders: Orders) -> dt.date | None:
        """Returns the day it means where the forms have these orders; None where none fits."""
        possible = self.possible
        if len(possible) == 1:
            return possible[0]
        order = orders.get(self.form) if self.form else None
        return self.days.get(order) if order else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The dates of a tournament: when it begins, ends, and has its rounds (from round 1)."""

    start: dt.date | None
    end: dt.date | None
    rounds: tuple[dt.date | None, ...]

    @property
    def orderly(self) -> bool:
        """Whether the dates follow each other within less than a year."""
        known = [day for day in (self.start, *self.rounds, self.end) if day is not None]
        if not known:
            return True
        follows = all(first <= second for first, second in pairwise(known))
        return follows and known[-1] - known[0] < _LONGEST


@dataclass(frozen=True, slots=True)
class Reading:
    """What the dates of a file mean; those that the orders do not read are open in the course."""

    course: Course
    orders: Orders
    ambiguous: bool


def written(text: str, where: Where, *, year: int | None = None) -> Written | None:
    """Reads a text as a date; None where it is none.

    Args:
        text: what stands in the file, without blanks around it.
        where: the record it stands in.
        year: births are in the last hundred years before it; None where it is not known.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        day = _in_words(text)
        return Written(text, None, {PartOrder.DAY_MONTH_YEAR: day}) if day else None
    numbers = (parts[1], parts[3], parts[4])
    full = next((at for at in (0, 2) if len(numbers[at]) == _FULL_YEAR), -1)
    births = where is Where.BIRTHS
    days = {
        order: day
        for order in _orders(full)
        if (day := _day(numbers, order, latest=year if births else None)) is not None
    }
    if full == 0 and PartOrder.YEAR_MONTH_DAY in days:
        days.pop(PartOrder.YEAR_DAY_MONTH, None)
    return Written(text, (where, full, parts[2]), days) if days else None


def year_alone(text: str) -> str | None:
    """Returns the year of a birth that tells no day, "" where it tells nothing, else None.

    >>> year_alone("1975.  ."), year_alone("1975/05/00"), year_alone(".  ."), year_alone("soon")
    ('1975', '1975', '', None)
    """
    parts = [part.strip().strip("0") and part.strip() for part in _SIGN.split(text)]
    if not any(parts):
        return ""
    if len(parts) == len("ymd") and not parts[0]:
        parts.reverse()  # 00.00.1975
    year, *rest = parts
    alone = len(year) == _FULL_YEAR and not any(rest[1:]) and len(rest) < len("ymd")
    plain = all(part.isascii() and part.isdigit() for part in parts if part)
    return year if alone and plain and len("".join(rest)) <= len("12") else None


def orders_of(dates: Iterable[Written]) -> Orders:
    """Returns the orders that dates decide for their forms; most of them, where they disagree."""
    votes: dict[Form, Counter[PartOrder]] = {}
    for date in dates:
        if date.form is not None and len(date.possible) == 1:
            votes.setdefault(date.form, Counter()).update(date.days.keys())
    decided: Orders = {}
    for form, counted in votes.items():
        most = max(counted.values())
        first = [order for order, votes_ in counted.items() if votes_ == most]
        if len(first) == 1:
            decided[form] = first[0]
    return decided


def course_of(
    start: Written | dt.date | None,
    end: Written | dt.date | None,
    rounds: Sequence[Written | None],
    births: Iterable[Written] = (),
) -> Reading:
    """Returns what the dates of a tournament mean.

    Args:
        start: 042 as written, or a day that is known otherwise.
        end: 052, the same.
        rounds: 132, from round 1.
        births: those of the players, which show the order a program writes.
    """
    dates = [each for each in (start, end, *rounds) if isinstance(each, Written)]
    decided = orders_of([*dates, *births])

    def course(orders: Orders) -> Course:
        def day(each: Written | dt.date | None) -> dt.date | None:
            return each.under(orders) if isinstance(each, Written) else each

        return Course(start=day(start), end=day(end), rounds=tuple(map(day, rounds)))

    possible = _best(_candidates(dates, decided), dates, course)
    if len({course(orders) for orders in possible}) > 1:
        return Reading(course(decided), decided, ambiguous=True)
    return Reading(course(possible[0]), possible[0], ambiguous=False)


def _candidates(dates: Iterable[Written], decided: Orders) -> list[Orders]:
    """Returns the orders to choose from: what is decided, and every choice for the other forms."""
    open_ = {each.form: None for each in dates if each.form and each.under(decided) is None}
    if len(open_) > _MOST_FORMS:
        return [decided]
    choices = [[(form, order) for order in _orders(form[1])] for form in open_]
    return [decided | dict(choice) for choice in product(*choices)]


def _best(
    candidates: list[Orders], dates: Sequence[Written], course: Callable[[Orders], Course]
) -> list[Orders]:
    """Returns the orders that read the most dates, orderly ones first, and then the customary."""
    orderly = [orders for orders in candidates if course(orders).orderly]
    read = {id(each): sum(date.under(each) is not None for date in dates) for each in candidates}
    most = max(read.values())
    best = [orders for orders in orderly if read[id(orders)] == most]
    if not best:
        among = [orders for orders in orderly if read[id(orders)]] or candidates
        most = max(read[id(orders)] for orders in among)
        best = [orders for orders in among if read[id(orders)] == most]

    def in_own_order(orders: Orders) -> bool:
        return _own_order_of_rounds(orders, course(orders))

    for customary in (in_own_order, _one_order_of_a_form):
        best = [orders for orders in best if customary(orders)] or best
    return best


def _orders(full: int) -> Iterator[PartOrder]:
    """Yields the orders in which the year can stand where it has four digits (-1: nowhere)."""
    for order in PartOrder:
        if full in (-1, order.value.index("y")):
            yield order


def _own_order_of_rounds(orders: Orders, course: Course) -> bool:
    """Whether the dates of 132 are in the format's own order.

    With another sign than the slash they are only where that gives them all the year of 042.
    """
    of_rounds = {form: order for form, order in orders.items() if form[:2] == (Where.ROUNDS, -1)}
    if any(order is not PartOrder.YEAR_MONTH_DAY for order in of_rounds.values()):
        return False
    slashes_only = all(sign == "/" for _, _, sign in of_rounds)
    years = {day.year for day in course.rounds if day is not None}
    return slashes_only or (course.start is not None and years == {course.start.year})


def _one_order_of_a_form(orders: Orders) -> bool:
    """Whether dates that look the same have one order, in whatever record."""
    seen: dict[tuple[int, str], PartOrder] = {}
    return all(seen.setdefault(form[1:], order) is order for form, order in orders.items())


def _day(numbers: tuple[str, str, str], order: PartOrder, *, latest: int | None) -> dt.date | None:
    said = dict(zip(order.value, numbers, strict=True))
    if max(len(said["m"]), len(said["d"])) > len("31") or len(said["y"]) not in (2, _FULL_YEAR):
        return None
    year = int(said["y"])
    if len(said["y"]) != _FULL_YEAR:
        year = _with_century(year, latest)
    return _calendar_day(year, int(said["m"]), int(said["d"]))


def _with_century(year: int, latest: int | None) -> int:
    """Returns the full year: the last one before ``latest``, or the one from 1970 to 2069."""
    if latest is None:
        return year + (1900 if year >= _CENTURY_ENDS else 2000)
    return latest - 1 - (latest - 1 - year) % 100


def _in_words(text: str) -> dt.date | None:
    """Returns the day of ``May 29, 2020`` or ``29. Mai 2020``: a month, a day and a full year."""
    words = [word for word in _WORDS.findall(unicodedata.normalize("NFC", text)) if word != "de"]
    months = [_MONTH_OF.get(word[:_BEGINNING].lower()) for word in words if word.isalpha()]
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    days = [word for word in numbers if len(word) <= len("31")]
    years = [word for word in numbers if len(word) == _FULL_YEAR]
    if (len(months), len(days), len(years), len(words)) != (1, 1, 1, 3) or months[0] is None:
        return None
    return _calendar_day(int(years[0]), months[0], int(days[0]))


def _calendar_day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
