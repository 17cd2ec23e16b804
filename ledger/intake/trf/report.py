"""What a tournament report file says, as values: the tournament, its players and their rounds.

Every value knows where it stands (line and column, 1-based). None is what the file leaves open.
Start numbers tie the values together; a player's real identity is the FIDE number or the name.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final, Literal

from ledger.errors import Problem
from ledger.intake.trf.records import Record
from ledger.terms import Colour, Rate, System


class Code(StrEnum):
    """The result of one player in one round (TRF16, columns 99, 109, …)."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    SHORT_WIN = "W"
    SHORT_DRAW = "D"
    SHORT_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    HALF_BYE = "H"
    FULL_BYE = "F"
    PAIRING_BYE = "U"
    ZERO_BYE = "Z"


BOARD: Final = {Code.LOSS: 0, Code.DRAW: 1, Code.WIN: 2}
SHORT: Final = {Code.SHORT_LOSS: 0, Code.SHORT_DRAW: 1, Code.SHORT_WIN: 2}
FORFEIT: Final = {Code.FORFEIT_LOSS: 0, Code.FORFEIT_WIN: 2}
"""The codes that two players share, by how it ended, with the score in half points."""
BYES: Final = frozenset((Code.HALF_BYE, Code.FULL_BYE, Code.PAIRING_BYE, Code.ZERO_BYE))
AS_BYE: Final = {
    **{code: code for code in BYES},
    **dict.fromkeys((Code.WIN, Code.SHORT_WIN, Code.FORFEIT_WIN), Code.FULL_BYE),
    **dict.fromkeys((Code.DRAW, Code.SHORT_DRAW), Code.HALF_BYE),
    **dict.fromkeys((Code.LOSS, Code.SHORT_LOSS, Code.FORFEIT_LOSS), Code.ZERO_BYE),
}
"""The bye of the same points: older programs write byes as results without an opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCell:
    """One round of one player: blank opponent, colour and result are None.

    ``column`` is that of the opponent's number; colour and result stand 5 and 7 columns on.
    ``readable`` is false where a cell is no number, colour or result: then nothing follows from it.
    """

    round: int
    opponent: int | None
    colour: Colour | None
    code: Code | None
    line: int
    column: int
    readable: bool = True

    @property
    def colour_column(self) -> int:
        """The column of the colour."""
        return self.column + 5

    @property
    def code_column(self) -> int:
        """The column of the result."""
        return self.column + 7

    @property
    def bye(self) -> Code | None:
        """The bye that the player had; None where he has an opponent, or lost the opponent's name.

        A game over the board has a colour: with one, a result without an opponent is no bye.
        """
        if not self.readable or self.opponent is not None or self.code is None:
            return None
        game = self.code in BOARD or self.code in SHORT
        return None if game and self.colour is not None else AS_BYE[self.code]

    @property
    def blank(self) -> bool:
        """Whether it says nothing: the player was absent, or the round is not played yet."""
        return self.readable and self.opponent is None and self.code is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One 001 record.

    ``rating`` is None for unrated (0 or blank), ``birth`` is ``YYYY-MM-DD`` or ``YYYY``, ``points``
    are the declared ones, ``rounds`` are in order from round 1.
    """

    number: int
    name: str
    sex: Literal["m", "w"] | None
    title: str | None
    rating: int | None
    federation: str | None
    fide_id: str | None
    birth: str | None
    points: Decimal | None
    rank: int | None
    rounds: tuple[RoundCell, ...]
    line: int

    def entry(self, round_: int) -> RoundCell | None:
        """Returns what the player's line says of a round; None beyond its end."""
        return self.rounds[round_ - 1] if round_ <= len(self.rounds) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NationalRating:
    """One national rating record (TRF26): a player's rating and number in a federation."""

    federation: str
    number: int
    rating: int | None
    national_id: str | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A start number (or a team's number) in a record, and where it stands."""

    number: int
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """One 013 or 310 record; ``number`` is None in the former."""

    name: str
    number: int | None
    players: tuple[Member, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantedByes:
    """One 240 record: byes of a kind in a round, to players or, with 310 records, to teams."""

    code: Code
    round: int
    numbers: tuple[Member, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AbnormalPoints:
    """One 299 record: points for the standings that no game gave; ``round`` None is every round."""

    type: str
    match_points: Decimal | None
    points: Decimal | None
    round: int | None
    numbers: tuple[Member, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitedMatch:
    """One 330 record: a match of two teams that was decided by forfeit (``+-``, ``-+``, ``--``)."""

    type: str
    round: int
    white: Member
    black: Member
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The tournament's own records.

    ``rounds`` are those announced (142 or XXR); ``round_dates`` are those of 132, from round 1.
    ``system`` and ``rate_of_play`` are read from free texts, and None where these do not tell.
    """

    name: str | None = None
    city: str | None = None
    federation: str | None = None
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    players: int | None = None
    type: str | None = None
    system: System | None = None
    time_control: str | None = None
    rate_of_play: Rate | None = None
    chief_arbiter: str | None = None
    deputies: tuple[str, ...] = ()
    rounds: int | None = None
    round_dates: tuple[dt.date | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfReport:
    """A whole file.

    ``records`` are all its lines, in order. ``faults`` and ``tolerated`` are what reading the
    single cells found; ``check`` and ``adjustments`` add what follows from comparing the lines.
    ``dummies`` are players who stand for no opponent; they are none of ``players``.
    ``complete`` is false where a player's line could not be read: then nothing is missing for sure.
    """

    records: tuple[Record, ...]
    tournament: Tournament
    players: tuple[Player, ...]
    dummies: tuple[Player, ...] = ()
    complete: bool = True
    national_ratings: tuple[NationalRating, ...] = ()
    teams: tuple[Team, ...] = ()
    granted_byes: tuple[GrantedByes, ...] = ()
    abnormal_points: tuple[AbnormalPoints, ...] = ()
    forfeited_matches: tuple[ForfeitedMatch, ...] = ()
    faults: tuple[Problem, ...] = ()
    tolerated: tuple[Problem, ...] = ()
    by_number: dict[int, Player] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Makes the players findable by start number; of two with one number the first."""
        found: dict[int, Player] = {}
        for player in self.players:
            found.setdefault(player.number, player)
        object.__setattr__(self, "by_number", found)

    @property
    def numbers(self) -> frozenset[int]:
        """The starting numbers of players and dummies."""
        return frozenset((*self.by_number, *(dummy.number for dummy in self.dummies)))

    def written(self) -> str:
        """Returns the text of the file: its records by their columns, with its line ends."""
        return "".join(record.written() for record in self.records)

    @property
    def of_teams(self) -> bool:
        """Whether numbers in 240 and 299 records are those of teams (TRF26)."""
        return any(team.number is not None for team in self.teams)
