"""Values as they are typed, in documents, commands and forms: each is read, or refused."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

from ledger.errors import InputRefused
from ledger.results import Result

_NUMBER = re.compile(r"(?P<whole>[0-9]{0,18})(?:[.,](?P<decimals>[0-9]{1,18})|(?P<half>½))?")
_MOST_DIGITS = 18
"""Digits of a whole number that is read; no figure has as many."""
_LONGEST_NUMBER = 15  # what JSON keeps exactly; no regulation has a figure of more
MOST_EDITIONS: Final = 999_999
"""The largest number of an edition that is read."""
YEARS: Final = range(1800, 2200)
"""The years of days that can be meant: another one is a slip of the keyboard."""
PeriodEdition: TypeAlias = tuple[str, int | None]
"""A period and the number of an edition of its list; None: the last one."""
_DAY_FIRST = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})")
_BOARD = re.compile(r"(?:([1-9][0-9]{0,3})\.)?([1-9][0-9]{0,3})")


def integer_in(text: str, *, least: int, most: int) -> int | None:
    """Reads a whole number within bounds (inclusive) in ASCII digits; None when it is none.

    >>> integer_in("012", least=1, most=99), integer_in("٣", least=1, most=99)
    (12, None)
    """
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        return None
    number = int(text)
    return number if least <= number <= most else None


def number_in(text: str) -> Fraction | None:
    """Reads a number with decimal point or comma, or ``½``; None when it is none.

    >>> number_in("6½"), number_in("0,50"), number_in("x")
    (Fraction(13, 2), Fraction(1, 2), None)
    """
    found = _NUMBER.fullmatch(text.strip())
    if not found or not text.strip() or text.strip() in ".,":
        return None
    decimals = found["decimals"] or ""
    number = Fraction(int(found["whole"] or 0))
    if found["half"]:
        return number + Fraction(1, 2)
    return number + Fraction(int(decimals or 0), 10 ** len(decimals))


def merit_of(text: str | None) -> int | None:
    """Reads a merit coefficient, in hundredths; raises ``InputRefused`` that quotes it."""
    if text is None:
        return None
    number = number_in(text)
    if number is None or (number * 100).denominator != 1:
        raise InputRefused("value.no_hundredths", value=text)
    return int(number * 100)


def halves_of(text: str) -> int:
    """Reads points, 1, 0.5, ½ or 0, in half points; raises ``InputRefused`` that quotes them."""
    number = number_in(text)
    if number is None or (number * 2).denominator != 1 or number > 1:
        raise InputRefused("value.no_points", value=text)
    return int(number * 2)


def day(text: str) -> dt.date:
    """Reads a date, the day first where the year stands last; refuses anything else, quoting it.

    >>> day("2010-07-23") == day("23/7/2010") == day("23.07.2010")
    True
    """
    found = _DAY_FIRST.fullmatch(text)
    try:
        if found is not None:
            return dt.date(int(found[4]), int(found[3]), int(found[1]))
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise InputRefused("value.no_date", value=text) from error


def birth_date_of(text: str) -> str:
    """Returns a birth date as it is recorded where its year stands last; anything else as it is.

    >>> birth_date_of("5/7/1990"), birth_date_of("1990")
    ('1990-07-05', '1990')
    """
    return day(text).isoformat() if _DAY_FIRST.fullmatch(text) else text


def result_of(text: str) -> Result:
    """Reads a result as typed; raises ``InputRefused`` that says what is allowed."""
    try:
        return Result.parse(text)
    except ValueError as error:
        raise InputRefused("csv.no_result", value=text) from error


def board_of(text: str) -> int | tuple[int, int]:
    """Reads a board, or match and board as ``3.2``; raises ``InputRefused`` that quotes it.

    >>> board_of("7"), board_of("3.2")
    (7, (3, 2))
    """
    found = _BOARD.fullmatch(text)
    if not found:
        raise InputRefused("value.no_board", value=text)
    return (int(found[1]), int(found[2])) if found[1] else int(found[2])


def edition_of(text: str) -> PeriodEdition:
    """Reads ``PERIOD@EDITION``; without an edition it is the last one.

    >>> edition_of("2010-07@2"), edition_of("2010-07")
    (('2010-07', 2), ('2010-07', None))

    Raises:
        InputRefused: what stands after the ``@`` is no number of an edition.
    """
    period, separator, edition = text.partition("@")
    if not separator:
        return period, None
    number = integer_in(edition, least=1, most=MOST_EDITIONS)
    if number is None:
        raise InputRefused("value.no_edition", value=text)
    return period, number


def amounts_of(text: str | None) -> list[int] | None:
    """Reads prizes from the first on: whole numbers with commas between them, none above the last.

    Raises ``InputRefused`` that quotes them.
    """
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    if not all(w.isascii() and w.isdigit() and len(w) <= _LONGEST_NUMBER for w in words):
        raise InputRefused("standings.no_amounts", value=text)
    amounts = [int(word) for word in words]
    require_falling(amounts)
    return amounts


def require_falling(amounts: Sequence[int]) -> None:
    """Raises ``InputRefused`` where a prize is greater than that of the place before it."""
    for before, amount in pairwise(amounts):
        if amount > before:
            value = ",".join(map(str, amounts))
            raise InputRefused("standings.amounts_rise", value=value, amount=amount, before=before)


def parameters_of(words: Iterable[str] | None) -> dict[str, int | str]:
    """Reads ``key=value`` words; raises ``InputRefused`` for anything else."""
    found: dict[str, int | str] = {}
    for word in words or ():
        name, separator, value = word.partition("=")
        if not separator or not name or not value:
            raise InputRefused("value.no_parameter", value=word)
        if name in found:
            raise InputRefused("value.parameter_twice", name=name)
        digits = value.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER
        found[name] = int(value) if is_number else value
    return found
