"""What can be recorded of a tournament as a whole: what it is, its rules, its rounds."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from ledger.operations.command import Command
from ledger.terms import PairingMethod, Rate, System

if TYPE_CHECKING:
    from ledger.events.tournaments import ReportDetails
    from ledger.facts.ids import Stays
else:
    ReportDetails = Any  # it takes time to load


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutTournament(Command):
    """What is known of a tournament itself."""

    NAMES = ("tournament",)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(AboutTournament):
    """Open a tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectTournament(AboutTournament):
    """Replace what is known of the tournament itself."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True)
class RatedIn:
    """The period of a list in which a tournament is rated, whenever it ended."""

    list: str
    period: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnTournament(Command):
    """Close, accept, reject or annul a tournament; accepted, it may be ``rated_in`` a period."""

    tournament: str
    ruling: Literal["close", "accept", "reject", "annul"]
    on: dt.date
    rated_in: RatedIn | None = None
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and the list of a period."""
        own = f"tournament:{self.tournament}"
        return (own, f"list:{self.rated_in.list}") if self.rated_in else (own,)

    @property
    def needs_reason(self) -> bool:
        """For a rejection, an annulment and a correction."""
        return self.ruling in ("reject", "annul") or self.as_correction


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagTournament(Command):
    """Record the words by which a list's rules know a kind of tournament; replaces all of them."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRounds(Command):
    """Say how many rounds an event has, before its first one."""

    NAMES = ("tournament",)

    tournament: str
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRounds(AnnounceRounds):
    """Shorten or extend an event that has begun: for a reason."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRules(Command):
    """Announce the rules of an event, before its first round.

    ``rounds`` None leaves their number as it is.
    """

    NAMES = ("tournament",)

    tournament: str
    pairing: PairingMethod
    tie_breaks: tuple[str, ...] = ()
    first_colour: Literal["white", "black"] = "white"
    lot_seed: str | None = None
    acceleration: Literal["baku"] | None = None
    bye_by_lot: bool | None = None
    bye_halves: int | None = None
    cycles: int | None = None
    exchange_last_rounds: bool | None = None
    forbidden: tuple[tuple[str, str], ...] | None = None
    prizes: tuple[int, ...] | None = None
    team_boards: int | None = None
    team_reserves: int | None = None
    rounds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules(AnnounceRules):
    """Change the rules of an event after they were relied on: for a reason, shown for ever."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignNumbers(Command):
    """Give all participants starting numbers anew: 1, 2, … in this order."""

    NAMES = ("tournament",)

    tournament: str
    participants: tuple[str, ...]
    basis: Literal["rating", "lot", "hand", "varma", "first-round"]
    seed: str | None = None

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound(Command):
    """Publish a round: its boards by id, in order, and what they were paired from."""

    NAMES = ("tournament",)

    tournament: str
    round: int
    boards: tuple[tuple[str, str], ...]
    bye: str | None = None
    engine: str
    input_sha256: str
    by_hand: bool | None = None

    @property
    def needs_reason(self) -> bool:
        """Where the arbiter paired it."""
        return bool(self.by_hand)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRound(Command):
    """Take back a published round of which nothing was recorded yet."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishStandings(Command):
    """Record that standings went out, and by which rows."""

    NAMES = ("tournament",)

    tournament: str
    after: int
    tie_breaks: tuple[str, ...]
    rows_sha256: str
