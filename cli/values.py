"""Values as they are typed: each is read, or refused with what it was."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

from ledger.errors import InputRefused
from ledger.results import Result

_LONGEST_NUMBER = 15  # what JSON keeps exactly; no regulation has a figure of more
_SHARE = re.compile(r"[-+]?([0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{0,9})?|\.[0-9]{1,9})")
_BOARD = re.compile(r"(?:([1-9][0-9]{0,3})\.)?([1-9][0-9]{0,3})")
_SEXES = {"m": "m", "w": "w", "f": "w"}


def sex_of(text: str | None) -> str | None:
    """Returns ``m`` or ``w`` (also for f); raises ``InputRefused`` for anything else."""
    if text is None:
        return None
    sex = _SEXES.get(text.lower())
    if sex is None:
        raise InputRefused("cli.no_sex", value=text)
    return sex


def parameters_of(words: list[str] | None) -> dict[str, int | str]:
    """Reads ``key=value`` words; raises ``InputRefused`` for anything else."""
    found: dict[str, int | str] = {}
    for word in words or ():
        name, separator, value = word.partition("=")
        if not separator or not name or not value:
            raise InputRefused("cli.no_parameter", value=word)
        if name in found:
            raise InputRefused("cli.parameter_twice", name=name)
        digits = value.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER
        found[name] = int(value) if is_number else value
    return found


def edition_of(text: str) -> tuple[str, int | None]:
    """Reads ``PERIOD@EDITION``; without an edition it is the last one."""
    from ledger.intake.csv_table import integer_in

    period, separator, edition = text.partition("@")
    if not separator:
        return period, None
    number = integer_in(edition, least=1, most=10**_LONGEST_NUMBER)
    if number is None:
        raise InputRefused("cli.no_edition", value=text)
    return period, number


def round_of(text: str) -> tuple[str, int]:
    """Reads ``TOURNAMENT:ROUND``; raises ``InputRefused`` that quotes it."""
    from ledger.intake.csv_table import integer_in

    tournament, _, digits = text.rpartition(":")
    number = integer_in(digits, least=1, most=10**_LONGEST_NUMBER)
    if number is None or not tournament:
        raise InputRefused("cli.no_round", value=text)
    return tournament, number


def share_of(text: str) -> Fraction:
    """Reads a share, ``2/5`` or ``0.4``; raises ``InputRefused`` that quotes it."""
    if not _SHARE.fullmatch(text):
        raise InputRefused("cli.no_share", value=text)
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise InputRefused("cli.no_share", value=text) from error


def thousandths(text: str) -> int:
    """Reads a share of 0 to 1, in thousandths; raises ``InputRefused`` that quotes it."""
    share = share_of(text)
    if not 0 <= share <= 1:
        raise InputRefused("cli.no_share", value=text)
    return int(share * 1000)


def merit_of(text: str | None) -> int | None:
    """Reads a merit coefficient, in hundredths; raises ``InputRefused`` that quotes it."""
    from ledger.intake.csv_table import number_in

    if text is None:
        return None
    number = number_in(text)
    if number is None or (number * 100).denominator != 1:
        raise InputRefused("csv.no_hundredths", column="merit", value=text)
    return int(number * 100)


def halves_of(text: str) -> int:
    """Reads points, 1, 0.5, ½ or 0, in half points; raises ``InputRefused`` that quotes them."""
    from ledger.intake.csv_table import number_in

    number = number_in(text)
    if number is None or (number * 2).denominator != 1 or number > 1:
        raise InputRefused("cli.no_points", value=text)
    return int(number * 2)


def codes_of(federations: list[str] | None) -> tuple[str, ...]:
    """Returns codes of federations in capitals, as they are recorded."""
    return tuple(code.upper() for code in federations or ())


def day(text: str) -> dt.date:
    """Reads a date; raises ``InputRefused`` that quotes it."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise InputRefused("cli.no_date", value=text) from error


def today() -> dt.date:
    """Returns the day it is, in UTC."""
    return dt.datetime.now(dt.UTC).date()


def day_or_today(text: str | None) -> dt.date:
    """Reads a date; without one it is today. Raises ``InputRefused``."""
    return day(text) if text else today()


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
        raise InputRefused("cli.no_board", value=text)
    return (int(found[1]), int(found[2])) if found[1] else int(found[2])


def amounts_of(text: str | None) -> list[int] | None:
    """Reads whole numbers with commas between them; raises ``InputRefused`` that quotes them."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    if not all(w.isascii() and w.isdigit() and len(w) <= _LONGEST_NUMBER for w in words):
        raise InputRefused("standings.no_amounts", value=text)
    return [int(word) for word in words]
