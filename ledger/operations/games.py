"""What can be recorded of a game, or of a round without opponent."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

from ledger.operations.command import Command
from ledger.operations.participants import OfParticipant
from ledger.results import Bye, Result

if TYPE_CHECKING:
    from ledger.facts.ids import Stays


@dataclass(frozen=True, slots=True, kw_only=True)
class OfGame(Command):
    """About a game. The events that it comes to have the tournament's last day by default."""

    NAMES = ("tournament", "white", "black")

    tournament: str
    round: int
    white: str
    black: str

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, white=stays(self.white), black=stays(self.black))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame(OfGame):
    """A game that may not be recorded yet.

    ``anyway``: False, when an arbiter records by hand, refuses what breaks a rule of Swisses; True
    records it with the rules it breaks, and against a published round. None asks for no rule.
    """

    anyway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordGame(NewGame):
    """Record how a pairing ended: played, short, by forfeit or adjudicated for good."""

    result: Result
    played_on: dt.date | None = None
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjournGame(NewGame):
    """Record that a game was interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicateGame(NewGame):
    """Decide a game off the board, for the pairing only or for good."""

    result: Result
    ruling: Literal["temporary", "definitive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBye(OfParticipant):
    """Record a round without opponent; ``anyway`` as for a game."""

    round: int
    kind: Bye
    as_correction: bool = False
    anyway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult(OfGame):
    """Replace what was recorded of a pairing.

    With ``rating_only`` the standings keep the old result; then ``result`` None rates it nowhere.
    """

    NEEDS_REASON = True

    result: Result | None
    rating_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectColours(OfGame):
    """Say that a recorded game was played with the colours reversed: each keeps the points.

    ``white`` and ``black`` are as they are recorded. The game is struck and recorded anew.
    """

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnulResult(Command):
    """Strike a pairing, or a bye (``black`` None), as never to have been recorded."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    round: int
    white: str
    black: str | None

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        black = None if self.black is None else stays(self.black)
        return replace(self, white=stays(self.white), black=black)
