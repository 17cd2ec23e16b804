"""How two birth dates differ: as one that was written wrong does, or as those of two people."""

from __future__ import annotations

from enum import StrEnum

_YEAR = len("1990")


class BirthDifference(StrEnum):
    """How a birth date says otherwise than another one, the likeliest slip first."""

    DAY_AND_MONTH = "day_and_month"
    """Day and month are exchanged."""
    ONE_DIGIT = "one_digit"
    """One digit is another one."""
    YEAR_ALONE = "year_alone"
    """Another year, of which no day is known."""
    OTHER = "other_birth_date"


def birth_difference(one: str | None, other: str | None) -> BirthDifference | None:
    """Returns how two birth dates differ, each an ISO date or a year; None: they need not.

    >>> str(birth_difference("1990-05-12", "1990-12-05"))
    'day_and_month'
    >>> birth_difference("1990", "1990-12-05") is birth_difference(None, "1990") is None
    True
    """
    if not (one and other) or one.startswith(other) or other.startswith(one):
        return None
    if (one[:_YEAR], one[5:7], one[8:]) == (other[:_YEAR], other[8:], other[5:7]):
        return BirthDifference.DAY_AND_MONTH
    if _YEAR in (len(one), len(other)):
        return BirthDifference.YEAR_ALONE
    is_digit = sum(sign != another for sign, another in zip(one, other, strict=True)) == 1
    return BirthDifference.ONE_DIGIT if is_digit else BirthDifference.OTHER
