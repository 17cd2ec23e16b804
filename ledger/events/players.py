"""Players: who they are to the ledger, and the K and ratings given to them from outside.

Names and birth dates are not here: an event holds only the digest of an identity document (see
``personal``), so that a person can be erased and every hash still verifies.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Final, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints

from ledger.events.model import (
    Digest,
    EventType,
    Federation,
    Line,
    ListName,
    PlayerEvent,
    PlayerId,
    Seq,
)
from ledger.terms import RecordedSex, RecordedTitle

BirthYear = Annotated[int, Field(ge=1850, le=2200)]
Body = Annotated[
    str, StringConstraints(max_length=100, pattern=r"^(?:[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?)?$")
]
"""The name of a club or a region; empty: of none."""
K = Annotated[int, Field(ge=0, le=200)]
MOST_GAMES = 100_000
Rating = Annotated[int, Field(ge=1, le=4000)]


class PlayerVersion(PlayerEvent):
    """All that is said of a player; ``identity`` is the digest of an identity document."""

    birth_year: BirthYear | None = None
    federation: Federation | None = None
    identity: Digest
    player: PlayerId


class PlayerRegistered(PlayerVersion):
    """A player got an id of this ledger."""

    TYPE = "player.registered"


class PlayerIdentityCorrected(PlayerVersion):
    """The player's identity was wrong or has changed; replaces all of it."""

    TYPE = "player.identity-corrected"


class PlayersMerged(PlayerEvent):
    """``player`` was a second id of the same person; everything of it counts for ``into``."""

    TYPE = "players.merged"

    into: PlayerId
    player: PlayerId


class KAssigned(PlayerEvent):
    """The player's K from the effective date on; in one list, or in all where none is named."""

    TYPE = "player.k-assigned"

    k: K
    list: ListName | None = None
    player: PlayerId


class RatingSeeded(PlayerEvent):
    """A rating brought in from outside, in force in the list on the effective date.

    ``games`` is the number of rated games before it, ``k`` the K that was published with it; both
    are absent where nobody told. Neither fixes a K: from both the list's regulation goes on.
    """

    TYPE = "player.rating-seeded"

    games: Annotated[int, Field(ge=0, le=MOST_GAMES)] | None = None
    k: K | None = None
    list: ListName
    player: PlayerId
    rating: Rating
    source: Line | None = None


class RatingAdjusted(PlayerEvent):
    """The federation moved one player's rating by a step that no game explains.

    It holds from the period that starts on the effective date, or next after it; the commit's
    reason says why.
    """

    TYPE = "player.rating-adjusted"

    list: ListName
    player: PlayerId
    points: Annotated[int, Field(ge=-2000, le=2000)]


class TitleAwarded(PlayerEvent):
    """The player holds the title from the effective date on."""

    TYPE = "player.title-awarded"

    player: PlayerId
    title: RecordedTitle


class PlayerDescribed(PlayerEvent):
    """What rules may ask of a player beyond a year of birth; replaces all that was said of it.

    It is recorded for good, unlike names and birth dates, which lie in erasable documents: only
    where a list's regulation needs it. ``joined_on`` is the day of joining the federation.
    """

    TYPE = "player.described"

    born_on: dt.date | None = None
    joined_on: dt.date | None = None
    player: PlayerId
    sex: RecordedSex | None = None


AFFILIATION: Final = ("club", "region", "licensed_until")
"""What may be said of a player from a day on; each goes on until it is said anew."""


class PlayerAffiliated(PlayerEvent):
    """From the effective date on the player is of a club, of a region, or has a licence.

    What is not said goes on as it was. ``licensed_until`` is the last day of the licence, or of the
    membership, that begins on the effective date.
    """

    TYPE = "player.affiliated"

    club: Body | None = None
    licensed_until: dt.date | None = None
    player: PlayerId
    region: Body | None = None


class PlayerErased1(PlayerEvent):
    """The person asked to be erased: every identity document of the player is destroyed.

    ``documents`` are their digests. The id stays, with what was played under it, and is never given
    to anybody again.
    """

    # Its schema was published under the name that its next version has now.
    model_config = ConfigDict(title="PlayerErased")

    TYPE = "player.erased"

    documents: Annotated[tuple[Digest, ...], Field(min_length=1)]
    player: PlayerId


class PlayerErased(PlayerEvent):
    """The person asked to be erased: every identity document of the player is destroyed.

    ``documents`` are their digests. The id stays, with what was played under it, and is never given
    to anybody again. ``sources`` are the numbers of the commits whose file was named after the
    person, as it seemed while the name was known: what they came from is not shown any more.
    """

    TYPE = "player.erased"
    VERSION = 2

    documents: Annotated[tuple[Digest, ...], Field(min_length=1)]
    player: PlayerId
    sources: Annotated[tuple[Annotated[int, Field(gt=0)], ...], Field(min_length=1)] | None = None


def without_sources(old: PlayerErased1) -> PlayerErased:
    """Upcasts an erasure from before names of files were looked at."""
    return PlayerErased(**dict(old))


class PlayerFactUndone(PlayerEvent):
    """An earlier event about the player is taken back: what it said never held.

    ``undoes`` is its seq, ``what`` its type. Where that is such an event itself, what was taken
    back by it holds again.
    """

    TYPE = "player.fact-undone"

    player: PlayerId
    undoes: Seq
    what: EventType


AnyPlayerEvent: TypeAlias = (
    PlayerRegistered
    | PlayerIdentityCorrected
    | PlayersMerged
    | KAssigned
    | RatingSeeded
    | RatingAdjusted
    | TitleAwarded
    | PlayerDescribed
    | PlayerAffiliated
    | PlayerErased
    | PlayerFactUndone
)
