"""What can be recorded of a participant of a tournament: of a player, or of a team."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from ledger.operations.command import Command
from ledger.results import Bye

if TYPE_CHECKING:
    from ledger.facts.ids import Stays


@dataclass(frozen=True, slots=True, kw_only=True)
class OfParticipant(Command):
    """About one player of a tournament."""

    NAMES = ("tournament", "player")

    tournament: str
    player: str

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the player's id that stays."""
        return replace(self, player=stays(self.player))


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayer(OfParticipant):
    """Let a player take part; without a starting number, with the next one."""

    starting_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawPlayer(OfParticipant):
    """Record that a player leaves from a round on."""

    from_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeEntry(OfParticipant):
    """Say what the pairing needs of an entry: its rating for pairing, its first round.

    None leaves what was said before.
    """

    pairing_rating: int | None = None
    from_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceAbsence(OfParticipant):
    """Record that a participant will miss a round and said so in time; None takes it back."""

    round: int
    kind: Bye | None = Bye.ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseAbsence(OfParticipant):
    """Let a participant go on, from a round on: one who missed a round unannounced, or two."""

    NEEDS_REASON = True

    from_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpelPlayer(OfParticipant):
    """Expel a participant from a round on."""

    NEEDS_REASON = True

    from_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterTeam(Command):
    """Let a team take part, with its players in the order of the boards, reserves last.

    Those who are no players of the event yet are entered with it. Without a starting number it has
    the next one. ``pairing_rating`` is the director's estimate of its strength.
    """

    tournament: str
    team: str
    name: str
    participants: tuple[str, ...]
    pairing_rating: int | None = None
    starting_number: int | None = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and its players."""
        return (f"tournament:{self.tournament}", *(f"player:{one}" for one in self.participants))

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInLineup(Command):
    """Say who plays for a team in a round, from board 1; it replaces an earlier line-up."""

    tournament: str
    team: str
    round: int
    participants: tuple[str | None, ...]

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament."""
        return (f"tournament:{self.tournament}",)

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        there = (None if one is None else stays(one) for one in self.participants)
        return replace(self, participants=tuple(there))
