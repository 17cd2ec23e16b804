"""The columns of every record: FIDE TRF16 (Handbook C.04, annex 2) and TRF26, as printed.

Columns are 1-based and inclusive and count characters, not bytes. A record is its code in columns
1-3, fields at fixed columns, and in some records a group of fields that repeats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

END: Final = 1 << 30
"""The last column of a field that goes on to the end of the line."""


class Columns(Enum):
    """Fields of a record: first column, last column, and the side at which the text stands."""

    def __init__(self, first: int, last: int, align: str = "left") -> None:
        self.first = first
        self.last = last
        self.align = align

    def placed(self, text: str) -> str:
        """Returns a text as it stands in the field; the last field needs no blanks behind it."""
        width = self.last - self.first + 1
        assert len(text) <= width, f"{self}: {text!r} is wider than {width} columns"
        return text.rjust(width) if self.align == "right" else text


class Rest(Columns):
    """A record of one text: tournament data (??2), and extensions."""

    TEXT = 5, END


class Whole(Columns):
    """A line without a code: a comment."""

    TEXT = 1, END


class PlayerField(Columns):
    """001, the static part; also national rating records, whose code is a federation."""

    NUMBER = 5, 8, "right"
    SEX = 10, 10
    TITLE = 11, 13
    NAME = 15, 47
    RATING = 49, 52, "right"
    FEDERATION = 54, 56
    FIDE_NUMBER = 58, 68, "right"
    BIRTH = 70, 79
    POINTS = 81, 84, "right"
    RANK = 86, 89, "right"


class RoundField(Columns):
    """001, round 1; each further round stands ten columns on."""

    OPPONENT = 92, 95, "right"
    COLOUR = 97, 97
    RESULT = 99, 99


class DateField(Columns):
    """132, round 1; each further round stands ten columns on."""

    DATE = 92, 99


class TeamField(Columns):
    """013, teams of TRF16."""

    NAME = 5, 36


class Team26Field(Columns):
    """310, teams of TRF26."""

    NUMBER = 5, 7, "right"
    NAME = 9, 40
    NICKNAME = 42, 46
    STRENGTH = 48, 53, "right"
    MATCH_POINTS = 55, 60, "right"
    GAME_POINTS = 62, 67, "right"
    RANK = 69, 71, "right"


class ByeField(Columns):
    """240, byes that bring points, of players or of teams."""

    TYPE = 5, 5
    ROUND = 7, 9, "right"


class PointsField(Columns):
    """299, points assigned out of order; a sign may stand before the four columns of the points."""

    TYPE = 5, 5
    MATCH_POINTS = 7, 11, "right"
    POINTS = 13, 17, "right"
    ROUND = 20, 22, "right"


class ForfeitField(Columns):
    """330, matches of teams that were forfeited."""

    TYPE = 5, 6
    ROUND = 8, 10, "right"
    WHITE = 12, 14, "right"
    BLACK = 16, 18, "right"


class MemberNumber(Columns):
    """The first player or team of those that a record lists; each further one five columns on."""

    OF_TEAM = 37, 40, "right"
    OF_TEAM26 = 74, 77, "right"
    OF_BYE = 11, 14, "right"
    OF_POINTS = 24, 27, "right"


class NoField(Columns):
    """Nothing: blank lines, and records of repeated fields."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A record's fields, and the group that repeats every ``step`` columns (0: none does)."""

    fields: type[Columns]
    group: tuple[Columns, ...] = ()
    step: int = 0


TEXT: Final = Layout(Rest)
COMMENT: Final = Layout(Whole)
BLANK: Final = Layout(NoField)
PLAYER: Final = Layout(PlayerField, tuple(RoundField), 10)

TEXTS: Final = (
    # Tournament data (??2).
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "142",
    "152", "162", "172", "182", "192", "202", "212", "222", "352", "362",
    # Without bearing on a rating: acceleration, prohibited pairings, boards out of order, byes and
    # tables of teams.
    "250", "260", "300", "320", "801", "802",
)  # fmt: skip
LAYOUTS: Final = {
    "001": PLAYER,
    "013": Layout(TeamField, (MemberNumber.OF_TEAM,), 5),
    "132": Layout(NoField, (DateField.DATE,), 10),
    "240": Layout(ByeField, (MemberNumber.OF_BYE,), 5),
    "299": Layout(PointsField, (MemberNumber.OF_POINTS,), 5),
    "310": Layout(Team26Field, (MemberNumber.OF_TEAM26,), 5),
    "330": Layout(ForfeitField),
    **dict.fromkeys(TEXTS, TEXT),
}
"""The layout of every code the format knows; extensions (XX?) are texts."""

ONCE: Final = frozenset((
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "122", "132", "142",
    "152", "192", "222", "XXR",
))  # fmt: skip
"""Records that a file holds at most once."""
