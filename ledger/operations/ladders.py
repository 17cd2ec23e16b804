"""What can be recorded of a ladder and its challenges."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.operations.kinds import Black, PlayerId, Today, White
from ledger.operations.operation import Command, officers, operation
from ledger.results import Result
from ledger.terms import Rate
from ledger.wording import Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLadder(Command):
    """Open a club's ladder of a list; ``ratings`` are those in force on the day.

    The players are placed by their ratings, or, ``as_given``, in the order in which they are named.
    """

    ladder: str
    list: str
    players: tuple[str, ...]
    ratings: Mapping[str, int]
    on: dt.date
    as_given: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder, the list and the players."""
        players = (f"player:{player}" for player in self.players)
        return (f"ladder:{self.ladder}", f"list:{self.list}", *players)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLadder(Command):
    """Put a player on a ladder: on a place, or (``place`` None) at the bottom."""

    NAMES = ("ladder", "player")

    ladder: str
    player: str
    rating: int | None
    place: int | None
    on: dt.date


@operation(
    "leave-ladder",
    officers("ladders"),
    Wording(
        "Take a player off a ladder; all below go one up.",
        "Saca a un jugador de una escalera; los de abajo suben uno.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveLadder(Command):
    """Take a player off a ladder."""

    NAMES = ("ladder",)

    ladder: str
    player: PlayerId
    on: Today


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeChallenge(Command):
    """Challenge a player above to a match, which is opened with it as a tournament.

    The ratings are those of the ladder's list on the day. ``override`` says who authorized a match
    of players too far apart, and why.
    """

    ladder: str
    challenger: str
    challenged: str
    challenger_rating: int | None
    challenged_rating: int | None
    tournament: str
    name: str
    on: dt.date
    ends_on: dt.date
    rate_of_play: Rate
    override: str | None = None

    @property
    def players(self) -> tuple[str, str]:
        """The two."""
        return self.challenger, self.challenged

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder, the match and both players."""
        players = (f"player:{player}" for player in self.players)
        return (f"ladder:{self.ladder}", f"tournament:{self.tournament}", *players)


@operation(
    "record-challenge-game",
    officers("ladders"),
    Wording(
        "Record a game of a challenge; the game that ends the match moves the places too.",
        "Registra una partida de un reto; la que termina el match mueve también los lugares.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChallengeGame(Command):
    """Record a game of a challenge's match, and, where that ends it, who won the match."""

    NAMES = ("ladder", "tournament", "white", "black")

    ladder: str
    tournament: str
    game: int
    white: White
    black: Black
    result: Result
    played_on: dt.date
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfChallenge(Command):
    NAMES = ("ladder", "tournament")

    ladder: str
    tournament: str
    on: Today


@operation(
    "settle-challenge",
    officers("ladders"),
    Wording(
        "Decide a challenge by its games as recorded or corrected elsewhere.",
        "Decide un reto por sus partidas, como se registraron o corrigieron en otra parte.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SettleChallenge(_OfChallenge):
    """Decide a challenge by the results recorded of its match, however they were recorded."""

    as_correction: bool = False


@operation(
    "withdraw-challenge",
    officers("ladders"),
    Wording(
        "Give a challenge up; games that were played stay recorded.",
        "Abandona un reto; las partidas jugadas quedan registradas.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawChallenge(_OfChallenge):
    """Give a challenge up before its match is over."""
