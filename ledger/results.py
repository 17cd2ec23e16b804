"""How a game can end, in the notation of documents and events.

A result is written as in a crosstable: white's score, a hyphen, black's score. ``+``/``-`` are
forfeits; the suffix ``s`` says that it was decided before both had moved (*short*: played, but
never rated) and ``a`` that it was adjudicated. Pairs that do not add up to one point are legal
where an arbiter ruled so (both lose, or a draw for one and a loss for the other); more than one
point together only by adjudication (a point to each, while the position is unclear).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self


class Termination(StrEnum):
    """The way a game ended, as far as rating is concerned."""

    PLAYED = "played"
    SHORT = "short"
    FORFEIT = "forfeit"
    ADJUDICATED = "adjudicated"


_POINT: Final = 2  # in half points
_HALVES: Final = {"0": 0, "1/2": 1, "1": 2}
_SCORE: Final = {0: "0", 1: "1/2", 2: "1"}
_SUFFIX: Final = {"": Termination.PLAYED, "s": Termination.SHORT, "a": Termination.ADJUDICATED}
_BOARD: Final = re.compile(r"(0|1/2|1)-(0|1/2|1)([sa]?)")
_FORFEITS: Final = {"+/-": (2, 0), "-/+": (0, 2), "-/-": (0, 0)}


_SIDE: Final = r"([0-9]{1,2}(?:½|\.5)?|½|1/2)"
_HALF: Final = re.compile(r"1/2|(?<![0-9])0\.5|\.5")
_WRITTEN: Final = re.compile(rf"(?<![^\s(«]){_SIDE}-{_SIDE}(?=[sa]?(?:$|[\s,.:;)»]))")


def result_in_words(text: str | None) -> str:
    """Returns a text with the results in it, of games and of matches, as they are printed.

    None is a dash.

    >>> [result_in_words(text) for text in ("1/2-1/2", "10.5-0.5", "+/-", "2026-11-28")]
    ['½–½', '10½–½', '+/-', '2026-11-28']
    >>> result_in_words("round 2: 0-1 was corrected to 1-0.")
    'round 2: 0–1 was corrected to 1–0.'
    """
    if text is None:
        return "–"
    return _WRITTEN.sub(lambda found: _HALF.sub("½", f"{found[1]}–{found[2]}"), text)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game: the two scores in half points (0, 1, 2) and how it ended."""

    white_halves: int
    black_halves: int
    termination: Termination

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the notation; raises ``ValueError`` for anything else.

        ``½``, ``0.5``, ``=`` for a draw, a colon or a dash between the scores are understood.

        >>> Result.parse("½-½").white_halves
        1
        >>> str(Result.parse("0-1a"))
        '0-1a'
        """
        # CSV for spreadsheets has an apostrophe before a forfeit (see ``exports.columns``).
        plain = (
            text.strip().removeprefix("'").replace("½", "1/2").replace("–", "-").replace(":", "-")
        )
        plain = plain.replace("0.5", "1/2").replace("0,5", "1/2")
        if plain == "=":
            plain = "1/2-1/2"
        if plain in ("1/2", "1/2s", "1/2a"):
            plain = "1/2-1/2" + plain[3:]
        if plain in _FORFEITS:
            return cls(*_FORFEITS[plain], Termination.FORFEIT)
        found = _BOARD.fullmatch(plain)
        if not found:
            raise ValueError(text)
        white, black = _HALVES[found[1]], _HALVES[found[2]]
        if white + black > _POINT and found[3] != "a":
            raise ValueError(text)
        return cls(white, black, _SUFFIX[found[3]])

    def __str__(self) -> str:
        if self.termination is Termination.FORFEIT:
            return next(t for t, halves in _FORFEITS.items() if halves == self.halves)
        suffix = next(s for s, t in _SUFFIX.items() if t is self.termination)
        return f"{_SCORE[self.white_halves]}-{_SCORE[self.black_halves]}{suffix}"

    @property
    def halves(self) -> tuple[int, int]:
        """White's and black's score in half points."""
        return self.white_halves, self.black_halves

    @property
    def reversed(self) -> Self:
        """The same game with the colours reversed: who had which score stays."""
        return replace(self, white_halves=self.black_halves, black_halves=self.white_halves)

    @property
    def standard(self) -> bool:
        """Whether the two scores share exactly one point."""
        return sum(self.halves) == _POINT


class Bye(StrEnum):
    """A round without an opponent."""

    HALF = "half"
    FULL = "full"
    PAIRING_ALLOCATED = "pairing-allocated"
    ZERO = "zero"

    @property
    def halves(self) -> int:
        """The score it is worth, in half points."""
        return {"half": 1, "full": 2, "pairing-allocated": 2, "zero": 0}[self.value]

    @property
    def letter(self) -> str:
        """Its sign in reports (TRF16): H, F, U or Z."""
        return {"half": "H", "full": "F", "pairing-allocated": "U", "zero": "Z"}[self.value]


BYE_OF_LETTER: Final = {bye.letter: bye for bye in Bye}
