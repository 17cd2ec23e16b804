"""Ladders of clubs: players by place, and the challenges by which two of them exchange places.

A challenge's match is an ordinary tournament, opened with it; its games are ordinary results. What
is said here is only who stood where and who challenged whom, with the ratings as they stood.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ledger.events.model import LadderEvent, Line, ListName, PlayerId, Seq, TournamentId
from ledger.events.players import Rating

Place = Annotated[int, Field(ge=1, le=9999)]


class LadderOpened(LadderEvent):
    """A club's ladder exists: its players from place 1 down; the list gives their ratings."""

    TYPE = "ladder.opened"

    ladder: ListName
    list: ListName
    players: tuple[PlayerId, ...]


class LadderJoined(LadderEvent):
    """A player came onto the ladder; he who stood on the place, and all below, went one down."""

    TYPE = "ladder.joined"

    ladder: ListName
    place: Place
    player: PlayerId


class LadderLeft(LadderEvent):
    """A player left the ladder; all below went one up."""

    TYPE = "ladder.left"

    ladder: ListName
    player: PlayerId


class ChallengeMade(LadderEvent):
    """A player challenged one above him to a match, the tournament of that id.

    The ratings are those of the ladder's list on the effective date; they say who is the higher
    rated. ``override`` says who authorized a match of players too far apart, and why.
    """

    TYPE = "challenge.made"

    challenged: PlayerId
    challenged_rating: Rating
    challenger: PlayerId
    challenger_rating: Rating
    ladder: ListName
    override: Line | None = None
    tournament: TournamentId


class ChallengeDecided(LadderEvent):
    """The match is over; where the challenger won, the two exchanged places.

    A later decision of the same challenge names the one it supersedes and holds in its place.
    """

    TYPE = "challenge.decided"

    challenge: Seq
    ladder: ListName
    outcome: Literal["challenged", "challenger", "drawn"]
    supersedes: Seq | None = None


class ChallengeWithdrawn(LadderEvent):
    """The match will not be finished; both are free, and their places stay."""

    TYPE = "challenge.withdrawn"

    challenge: Seq
    ladder: ListName


AnyLadderEvent: TypeAlias = (
    LadderOpened | LadderJoined | LadderLeft | ChallengeMade | ChallengeDecided | ChallengeWithdrawn
)
