"""What a player's declared points should be: the sum of the results in the file's scoring system.

Sources: TRF16 columns 81-84, TRF26 record 162, and the extension XXS. Declared points that differ
are common (byes that were not coded, points of 299 records): they are reported, never refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from ledger.intake.trf.layout import Rest
from ledger.intake.trf.records import Record
from ledger.intake.trf.report import Code, RoundCell
from ledger.terms import Colour

_NUMBER: Final = r"(\d+(?:[.,]\d*)?|[.,]\d+)"
_OF_162: Final = re.compile(rf"([WDLAPX])\s*{_NUMBER}", re.ASCII)
_OF_XXS: Final = re.compile(rf"(?<![A-Z])([A-Z]+)\s*=\s*{_NUMBER}", re.ASCII)
_LONGEST: Final = 20  # characters of a number that is one

Scoring = dict[str, Decimal]
"""Points by the names of XXS: WW is a win with White, ZPB a zero-point bye, FL a forfeit loss, …"""

STANDARD: Final[Scoring] = {
    **dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), Decimal("1.0")),
    **dict.fromkeys(("WD", "BD", "HPB"), Decimal("0.5")),
    **dict.fromkeys(("WL", "BL", "FL", "ZPB"), Decimal("0.0")),
}
_SHORTCUTS_162: Final = {
    "W": ("WW", "BW", "FW", "FPB", "PAB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
}
_SHORTCUTS_XXS: Final = {"W": ("WW", "BW", "FW", "FPB"), "D": ("WD", "BD", "HPB")}
_OF_CODE: Final = {
    **dict.fromkeys((Code.WIN, Code.SHORT_WIN), ("WW", "BW")),
    **dict.fromkeys((Code.DRAW, Code.SHORT_DRAW), ("WD", "BD")),
    **dict.fromkeys((Code.LOSS, Code.SHORT_LOSS), ("WL", "BL")),
    Code.FORFEIT_WIN: ("FW", "FW"),
    Code.FORFEIT_LOSS: ("FL", "FL"),
    Code.HALF_BYE: ("HPB", "HPB"),
    Code.FULL_BYE: ("FPB", "FPB"),
    Code.PAIRING_BYE: ("PAB", "PAB"),
    Code.ZERO_BYE: ("ZPB", "ZPB"),
}
"""The name of a result with White, and with Black."""


def scoring_of(records: Iterable[Record]) -> Scoring:
    """Returns the scoring system of a file: the standard one, as its 162 and XXS records change it.

    Later statements go before earlier ones; names that are none are passed over.
    """
    scoring = dict(STANDARD)
    for record in records:
        if record.code == "162":
            # P (pairing-allocated bye) is the same as W unless it is said, in whatever order.
            said = _OF_162.findall(record.cell(Rest.TEXT).text)
            said.sort(key=lambda each: bool(each[0] == "P"))
            _change(scoring, said, _SHORTCUTS_162)
        elif record.code == "XXS":
            _change(scoring, _OF_XXS.findall(record.cell(Rest.TEXT).text), _SHORTCUTS_XXS)
    return scoring


def score(rounds: Iterable[RoundCell], byes: Iterable[Code], scoring: Scoring) -> Decimal:
    """Returns the points of a player's rounds and further byes; a blank round brings none."""
    played = [(entry.bye or entry.code, entry.colour) for entry in rounds]
    results = [*((bye, None) for bye in byes), *played]
    return sum((worth(code, colour, scoring) for code, colour in results), start=Decimal("0.0"))


def worth(code: Code | None, colour: Colour | None, scoring: Scoring) -> Decimal:
    """Returns the points of one result with a colour."""
    if code is None:
        return Decimal("0.0")
    with_white, with_black = _OF_CODE[code]
    return scoring[with_black if colour is Colour.BLACK else with_white]


def _change(
    scoring: Scoring, said: Iterable[tuple[str, str]], shortcuts: dict[str, tuple[str, ...]]
) -> None:
    for name, number in said:
        for each in shortcuts.get(name, (name,)):
            if each in scoring and len(number) <= _LONGEST:
                scoring[each] = Decimal(number.replace(",", "."))
