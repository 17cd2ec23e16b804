"""Commands: what people ask the ledger to record.

Each names in ``streams`` the players, tournaments, lists and ladders that must be known to decide
it. ``on`` is a chess date; the registrar has no clock of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger.calendar import Calendar
from ledger.events.personal import Identity
from ledger.events.tournaments import ReportDetails
from ledger.results import Bye, Result
from ledger.terms import Rate, System


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPlayer:
    """Who a player is. ``salt``: 32 random hexadecimal digits for the identity document."""

    player: str
    identity: Identity
    salt: str
    federation: str | None
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """The player."""
        return (f"player:{self.player}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(AboutPlayer):
    """Give a person an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectIdentity(AboutPlayer):
    """Replace what is known of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlayers:
    """Say that two ids are one person; ``player`` is given up for ``into``."""

    player: str
    into: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """Both ids; ``tournament:*`` stands for all tournaments, where they may have met."""
        return (f"player:{self.player}", f"player:{self.into}", "tournament:*", "ladder:*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignK:
    """Give a player a K from a day on; in one list or (``list`` None) in all."""

    player: str
    k: int
    list: str | None
    on: dt.date
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list; ``list:*`` stands for all lists."""
        return (f"player:{self.player}", f"list:{self.list or '*'}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRating:
    """Bring in a rating from outside, in force on a day.

    ``games`` rated before it and the ``k`` published with it are None where nobody told.
    """

    player: str
    list: str
    rating: int
    games: int | None
    source: str | None
    on: dt.date
    k: int | None = None
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list."""
        return (f"player:{self.player}", f"list:{self.list}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustRating:
    """Move one player's rating by a step that no game explains, from a day on."""

    player: str
    list: str
    points: int
    on: dt.date
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list."""
        return (f"player:{self.player}", f"list:{self.list}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardTitle:
    """Record a title."""

    player: str
    title: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """The player."""
        return (f"player:{self.player}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutTournament:
    """What is known of a tournament itself."""

    tournament: str
    name: str
    starts_on: dt.date
    ends_on: dt.date
    system: System
    rate_of_play: Rate
    merit_hundredths: int | None = None
    rounds: int | None = None
    place: str | None = None
    federation: str | None = None
    report: ReportDetails | None = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament."""
        return (f"tournament:{self.tournament}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(AboutTournament):
    """Open a tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectTournament(AboutTournament):
    """Replace what is known of the tournament itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayer:
    """Let a player take part; without a starting number he gets the next one."""

    tournament: str
    player: str
    starting_number: int | None = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament and the player."""
        return (f"tournament:{self.tournament}", f"player:{self.player}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairing:
    tournament: str
    round: int
    white: str
    black: str

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament and both players."""
        return (f"tournament:{self.tournament}", f"player:{self.white}", f"player:{self.black}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordGame(_Pairing):
    """Record how a pairing ended: played, short, by forfeit or adjudicated for good.

    ``anyway`` here and below: False, when an arbiter records by hand, refuses what breaks a rule of
    Swisses; True records it with the rules it breaks. None asks for no rule.
    """

    result: Result
    played_on: dt.date | None = None
    as_correction: bool = False
    anyway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjournGame(_Pairing):
    """Record that a game was interrupted."""

    anyway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicateGame(_Pairing):
    """Decide a game off the board, for the pairing only or for good."""

    result: Result
    ruling: Literal["temporary", "definitive"]
    anyway: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult(_Pairing):
    """Replace what was recorded of a pairing.

    With ``rating_only`` the standings keep the old result; then ``result`` None rates it nowhere.
    """

    result: Result | None
    rating_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnulResult:
    """Strike a pairing, or a bye (``black`` None), as never to have been recorded."""

    tournament: str
    round: int
    white: str
    black: str | None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament."""
        return (f"tournament:{self.tournament}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBye:
    """Record a round without opponent."""

    tournament: str
    round: int
    player: str
    kind: Bye
    as_correction: bool = False
    anyway: bool | None = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament and the player."""
        return (f"tournament:{self.tournament}", f"player:{self.player}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawPlayer:
    """Record that a player leaves from a round on."""

    tournament: str
    player: str
    from_round: int

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament and the player."""
        return (f"tournament:{self.tournament}", f"player:{self.player}")


@dataclass(frozen=True, slots=True)
class RatedIn:
    """The period of a list in which a tournament is rated, whenever it ended."""

    list: str
    period: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnTournament:
    """Close, accept, reject or annul a tournament; accepted, it may be ``rated_in`` a period."""

    tournament: str
    ruling: Literal["close", "accept", "reject", "annul"]
    on: dt.date
    rated_in: RatedIn | None = None
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and the list of a period."""
        its = f"tournament:{self.tournament}"
        return (its, f"list:{self.rated_in.list}") if self.rated_in else (its,)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfList:
    list: str

    @property
    def streams(self) -> tuple[str, ...]:
        """The list."""
        return (f"list:{self.list}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineList(_OfList):
    """Define a rating list and adopt its first regulation."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    calendar: Calendar
    first_on: dt.date
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None
    closes_days_before: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCalendar(_OfList):
    """Change a list's calendar from a day on."""

    calendar: Calendar
    closes_days_before: int
    on: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptRegulation(_OfList):
    """Change a list's regulation, or its parameters, from a day on."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    on: dt.date
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustList(_OfList):
    """Order a list-wide step after the calculation of a period."""

    period: str
    below: int
    pivot: int
    numerator: int
    denominator: int
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishList(_OfList):
    """Record that a list went out, with the digests of what went out."""

    period: str
    edition: int
    basis_seq: int
    regulation: str
    regulation_digest: str
    row_count: int
    output_sha256: str
    ratings_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLadder:
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
class JoinLadder:
    """Put a player on a ladder: on a place, or (``place`` None) at the bottom."""

    ladder: str
    player: str
    rating: int | None
    place: int | None
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder and the player."""
        return (f"ladder:{self.ladder}", f"player:{self.player}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveLadder:
    """Take a player off a ladder."""

    ladder: str
    player: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder."""
        return (f"ladder:{self.ladder}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeChallenge:
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
    def streams(self) -> tuple[str, ...]:
        """The ladder, the match and both players."""
        return (
            f"ladder:{self.ladder}",
            f"tournament:{self.tournament}",
            f"player:{self.challenger}",
            f"player:{self.challenged}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChallengeGame:
    """Record a game of a challenge's match, and, where that ends it, who won the match."""

    ladder: str
    tournament: str
    game: int
    white: str
    black: str
    result: Result
    played_on: dt.date
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder, the match and both players."""
        return (
            f"ladder:{self.ladder}",
            f"tournament:{self.tournament}",
            f"player:{self.white}",
            f"player:{self.black}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfChallenge:
    ladder: str
    tournament: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder and the match."""
        return (f"ladder:{self.ladder}", f"tournament:{self.tournament}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleChallenge(_OfChallenge):
    """Decide a challenge by the results recorded of its match, however they were recorded."""

    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawChallenge(_OfChallenge):
    """Give a challenge up before its match is over."""


PlayerCommand: TypeAlias = (
    RegisterPlayer
    | CorrectIdentity
    | MergePlayers
    | AssignK
    | SeedRating
    | AdjustRating
    | AwardTitle
)
TournamentCommand: TypeAlias = (
    OpenTournament
    | CorrectTournament
    | EnterPlayer
    | RecordGame
    | AdjournGame
    | AdjudicateGame
    | CorrectResult
    | AnnulResult
    | GiveBye
    | WithdrawPlayer
    | RuleOnTournament
)
ListCommand: TypeAlias = DefineList | SetCalendar | AdoptRegulation | AdjustList | PublishList
LadderCommand: TypeAlias = (
    OpenLadder
    | JoinLadder
    | LeaveLadder
    | MakeChallenge
    | RecordChallengeGame
    | SettleChallenge
    | WithdrawChallenge
)
Command: TypeAlias = PlayerCommand | TournamentCommand | ListCommand | LadderCommand


def needs_reason(command: Command) -> bool:
    """Whether a command changes what was recorded, so that its reason must be said."""
    match command:
        case RuleOnTournament():
            return command.ruling in ("reject", "annul") or command.as_correction
        case MergePlayers() | CorrectIdentity() | CorrectTournament():
            return True
        case CorrectResult() | AnnulResult() | AdjustRating():
            return True
        case _:
            return bool(getattr(command, "as_correction", False))
