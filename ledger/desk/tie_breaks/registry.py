"""Tie-breaks by their codes: those of the manual of 1975 in small letters."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.desk.tie_breaks import manual_1975
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.errors import InputRefused
from ledger.terms import System

_LOTS = "lots"


def announced(text: str) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks of a list as it is announced, in its order.

    Args:
        text: codes with commas between them, ``median,solkoff,lots:SEED``; none for no tie-break.

    Raises:
        InputRefused: a code that is unknown or is there twice, lots without a seed.

    >>> [tie_break.code for tie_break in announced("solkoff, lots:3 May")]
    ['solkoff', 'lots']
    """
    codes = [code.strip() for code in text.split(",") if code.strip()]
    found = tuple(map(_tie_break, codes))
    for place, tie_break in enumerate(found):
        if tie_break.code in (before.code for before in found[:place]):
            raise InputRefused("tiebreak.twice", code=tie_break.code)
    return found


def habitual(system: System, rounds: int) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks of an event for which none were announced."""
    return tuple(map(_tie_break, manual_1975.habit(system, rounds)))


def codes() -> Sequence[str]:
    """Returns the codes there are."""
    return (*manual_1975.BY_CODE, f"{_LOTS}:SEED")


def _tie_break(code: str) -> TieBreak:
    name, _, seed = code.partition(":")
    if name == _LOTS:
        if not seed:
            raise InputRefused("tiebreak.no_seed")
        return manual_1975.lots(seed)
    if code not in manual_1975.BY_CODE:
        raise InputRefused("tiebreak.unknown", code=code, known=", ".join(codes()))
    return manual_1975.BY_CODE[code]
