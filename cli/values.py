"""Values as they are typed: each is read, or refused with what it was."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

from cli import settings
from ledger.errors import InputRefused
from ledger.operations.kinds import SEX
from ledger.typed_values import day

_SHARE = re.compile(r"[-+]?([0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{0,9})?|\.[0-9]{1,9})")


def sex_of(text: str | None) -> str | None:
    """Returns ``m`` or ``w`` (also for f); raises ``InputRefused`` for anything else."""
    if text is None:
        return None
    return SEX.read(text)  # type: ignore[no-any-return]  # a kind reads anything


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


def codes_of(federations: list[str] | None) -> tuple[str, ...]:
    """Returns codes of federations in capitals, as they are recorded."""
    return tuple(code.upper() for code in federations or ())


def today() -> dt.date:
    """Returns the day it is, in the federation's time zone; raises ``InputRefused``."""
    return settings.clock()().date()


def day_or_today(text: str | None) -> dt.date:
    """Reads a date; without one it is today. Raises ``InputRefused``."""
    return day(text) if text else today()
