"""Names of no person: programs write a bye as a game against a player called BYE, or spielfrei."""

from __future__ import annotations

from typing import Final

from ledger.results import Bye, Result
from ledger.spelling import folded

_LONGEST: Final = 24  # letters
_NAMES: Final = frozenset({
    "bye", "byebye", "byeplayer", "playerbye", "dummy", "dummyplayer", "noopponent", "noplayer",
    "spielfrei", "freilos", "keingegner", "descansa", "descanso", "libre", "exento", "exenta",
    "sinrival", "exempt", "exempte", "riposa", "riposo", "isento", "isenta", "folga",
    "semadversario", "vrij", "kampvrij", "frirond", "frirunde", "oversidder", "volno",
    "volnylos", "wolnylos", "pauza", "pauzuje", "szabadnap", "eronyero", "свободен", "выходной",
})  # fmt: skip
"""What the name of a dummy comes to, its words in small letters without accents and blanks."""


def is_dummy(name: str, *signs_of_a_person: object) -> bool:
    """Return whether a whole name stands for no opponent; ``Bye, Robert`` is a person's.

    Whoever has a birth date or an id is a person, whatever the name: these are the signs.

    >>> [is_dummy(name) for name in ("BYE", "- spiel frei -", "Bye, Bye", "Bye, Robert")]
    [True, True, True, False]
    """
    if any(signs_of_a_person) or len(name) > _LONGEST:
        return False
    parts = map(folded, name.split(","))
    return {"".join(filter(str.isalpha, part)) for part in parts} <= _NAMES


def bye_for(result: Result, *, is_white: bool) -> Bye:
    """Return the bye that a result against a dummy is; ``is_white``: the person had White."""
    halves = result.white_halves if is_white else result.black_halves
    return (Bye.ZERO, Bye.HALF, Bye.PAIRING_ALLOCATED)[halves]
