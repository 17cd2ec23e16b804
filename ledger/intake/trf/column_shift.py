"""Finds the column from which a whole file is one column off.

Some programs write a field one character wider or narrower than the format, in every line. Where
no player's line fits its columns, and one shift (a column too many, or one missing, at the
beginning of a field) makes all of them fit, the file is read with it; of several the one that moves
least. A single line that is off is a mistake, and left to be refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final

from ledger.intake.trf.layout import PlayerField, RoundField

_PLAYER: Final = "001"
_FEWEST: Final = 2
"""Players' lines from which "every line" says something."""
_LINE_OFF: Final = re.compile(r" (\d{3}|XX[A-Z]|#.*)( .*)?|\s*")
_FORMS: Final = {
    PlayerField.NUMBER: r"[0-9]+",
    PlayerField.SEX: r"[mwf]?",
    PlayerField.TITLE: r"[a-z]{0,3}",
    PlayerField.NAME: r"[^\W\d_].*",
    PlayerField.RATING: r"[0-9]*",
    PlayerField.FEDERATION: r"([a-z]{3})?",
    PlayerField.FIDE_NUMBER: r"[0-9]*",
    PlayerField.BIRTH: r"[0-9/. -]*",
    PlayerField.POINTS: r"([0-9]+[.,][0-9])?",
    PlayerField.RANK: r"[0-9]*",
    RoundField.OPPONENT: r"[0-9]*",
    RoundField.COLOUR: r"[wb-]?",
    RoundField.RESULT: r"[10=+wdlhfuz-]?",
}
_FORM_OF: Final = {field: re.compile(form, re.IGNORECASE) for field, form in _FORMS.items()}
_STEP: Final = 10


@dataclass(frozen=True, slots=True)
class ColumnShift:
    """From ``column`` on (1-based), lines have ``extra`` columns: 1 too many, or -1.

    ``players_only`` says that the other records stand where they should.
    """

    column: int
    extra: int
    players_only: bool = True

    def mended(self, line: str) -> str:
        """Returns a line as the format wants it; one that the shift does not concern as it is."""
        if self.players_only and not line.startswith(_PLAYER):
            return line
        before, after = line[: self.column - 1], line[self.column - 1 :]
        return before + (after[1:] if self.extra > 0 else " " + after if after else "")

    def found(self, column: int) -> int:
        """Returns where something of a mended line stands in the line as found."""
        return column + self.extra if column >= self.column else column


def shift_of(lines: Iterable[str]) -> ColumnShift | None:
    """Returns the shift of a file's lines; None where there is none."""
    lines = [line.rstrip(" \t") for line in lines]
    if any(line.startswith(" 001 ") for line in lines) and all(map(_LINE_OFF.fullmatch, lines)):
        return ColumnShift(1, 1, players_only=False)
    players = [line for line in lines if line.startswith(_PLAYER + " ")]
    if len(players) < _FEWEST or any(map(_is_player, players)):
        return None
    columns = [RoundField.OPPONENT.first, *(field.first for field in reversed(PlayerField))]
    shifts = (ColumnShift(column, extra) for column, extra in product(columns, (1, -1)))
    return next((shift for shift in shifts if _fits(players, shift)), None)


def _fits(players: Iterable[str], shift: ColumnShift) -> bool:
    """Whether all players' lines fit their columns with the shift."""
    return all(
        (shift.extra < 0 or line[shift.column - 1 : shift.column] in ("", " "))
        and _is_player(shift.mended(line))
        for line in players
    )


def _is_player(line: str) -> bool:
    """Whether every field of a player's line has its form, and nothing stands between them."""
    rest = list(line)
    rest[:3] = "   "
    rounds = max(0, -(-(len(line) - RoundField.OPPONENT.first + 1) // _STEP))
    spans = [(field, 0) for field in PlayerField]
    spans += [(field, _STEP * at) for at in range(rounds) for field in RoundField]  # type: ignore[misc]
    for field, by in spans:
        first, last = field.first - 1 + by, field.last + by
        cell = "".join(rest[first:last]).strip(" ")
        if not _FORM_OF[field].fullmatch(cell):
            return False
        rest[first:last] = " " * len(rest[first:last])
    return not "".join(rest).strip()
