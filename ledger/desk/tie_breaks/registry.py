"""Tie-breaks by their codes: those of the manual of 1975, and those of FIDE (C.07) by edition."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from ledger.desk.tie_breaks import manual_1975
from ledger.desk.tie_breaks.fide.descriptors import CODES, fide_tie_break, is_of_fide
from ledger.desk.tie_breaks.manual_1975 import BOARD_MEDIANS
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.errors import InputRefused
from ledger.events.desk import RulesAnnounced
from ledger.terms import PairingMethod, System

_LOTS = "lots"
_OF_RATINGS: Final = frozenset(
    {"ARO", "TPR", "PTP", "APRO", "APPO", "RTNG", "opponents-ratings", "rating-percentage"}
)
# All but those of FIDE and the drawing of lots; another edition adds its table here.
_BY_CODE: Final = {**manual_1975.BY_CODE, BOARD_MEDIANS.code: BOARD_MEDIANS}
NAMED: Final = (*_BY_CODE, _LOTS)
"""The codes that have a heading in the section ``column``; a code of FIDE is its own."""

USUAL: Final[Mapping[str, Sequence[str]]] = {
    "fide": (
        "BH/C1",
        "BH",
        "BH/C2",
        "BH/M1",
        "SB",
        "DE",
        "WIN",
        "WON",
        "BPG",
        "BWG",
        "PS",
        "KS",
        "AOB",
        "FB",
        "ARO",
        "ARO/C1",
        "TPR",
        "PTP",
        "APRO",
    ),
    "1975": (*manual_1975.BY_CODE, _LOTS),
    "teams": ("MPVGP", "EMMSB", "EMGSB", "BC", BOARD_MEDIANS.code),
}
"""The codes that are announced most often, to be chosen from; the section ``tie`` names each."""

PROPOSED: Final[Mapping[PairingMethod, Sequence[str]]] = {
    PairingMethod.DUTCH: ("BH/C1", "BH", "SB", "PS", "DE", "WIN", "BWG")
}
"""The codes that are announced with a pairing system where nobody says others.

FIDE's are those that its handbook recommended for a Swiss in 2019. The editions since have no list
of their own: the arbiter announces one before the start (C.07 2.1 and 4.1.1 of 2024).
"""


def announced(
    text: str, first_day: dt.date = dt.date.max, system: System = System.SWISS
) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks of a list as it is announced, in its order.

    Args:
        text: codes with commas between them, ``median,solkoff,lots:SEED`` or ``BH/C1,BH,SB``; none
            for no tie-break.
        first_day: the day on which the tournament began, for the edition of FIDE's codes (default:
            the latest edition).
        system: how it is paired.

    Raises:
        InputRefused: a code that is unknown, is there twice or is not for such a tournament, lots
            without a seed.

    >>> [tie_break.code for tie_break in announced("solkoff, BH/C1, lots:3 May")]
    ['solkoff', 'BH/C1', 'lots']
    """
    codes = [code.strip() for code in text.split(",") if code.strip()]
    return _found(codes, first_day, system)


def _found(codes: Sequence[str], first_day: dt.date, system: System) -> tuple[TieBreak, ...]:
    found = tuple(map(partial(_tie_break, first_day=first_day, system=system), codes))
    for place, tie_break in enumerate(found):
        if tie_break.code in (before.code for before in found[:place]):
            raise InputRefused("tiebreak.twice", code=tie_break.code)
    return found


def of_rules(rules: RulesAnnounced, first_day: dt.date, system: System) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks that the rules of an event announce; see ``announced``.

    Raises:
        InputRefused: as there.
    """
    codes = [
        f"{_LOTS}:{rules.lot_seed or ''}" if code == _LOTS else code for code in rules.tie_breaks
    ]
    return _found(codes, first_day, system)


def habitual(system: System, rounds: int) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks of an event for which none were announced."""
    return tuple(manual_1975.BY_CODE[code] for code in manual_1975.habit(system, rounds))


def is_of_ratings(tie_break: TieBreak) -> bool:
    """Whether a tie-break has other values with other ratings."""
    return re.split(r"[/:]", tie_break.code)[0] in _OF_RATINGS


def codes() -> Sequence[str]:
    """Returns the codes there are."""
    return (*_BY_CODE, f"{_LOTS}:SEED", *CODES)


def _tie_break(code: str, first_day: dt.date, system: System) -> TieBreak:
    name, _, seed = code.partition(":")
    if name == _LOTS:
        if not seed:
            raise InputRefused("tiebreak.no_seed")
        return manual_1975.lots(seed)
    if code == BOARD_MEDIANS.code and system is not System.TEAM_SWISS:
        raise InputRefused("fide.for_teams", code=code)
    if is_of_fide(code):
        return fide_tie_break(code, first_day, system)
    if code not in _BY_CODE:
        raise InputRefused("tiebreak.unknown", code=code, known=", ".join(codes()))
    return _BY_CODE[code]
