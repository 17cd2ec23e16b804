"""What a document says, whatever its format: players, or tournaments with their rounds.

Every value knows its line and column (1-based), so that whatever is wrong with it later can be
shown where it stands.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ledger.events.personal import Identity
from ledger.events.tournaments import ReportDetails
from ledger.registrar.commands import RatedIn
from ledger.results import Bye, Result
from ledger.terms import Rate, System


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """Where something stands in the document."""

    line: int
    column: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSaid:
    """A rating that is a seed of a list, and the K published with it; None where there is none."""

    list: str | None
    rating: int | None
    published_k: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSaid:
    """What a document says of a player; None where it says nothing.

    ``k`` is to be assigned, ``published_k`` was published with the rating; ``games`` is the number
    of rated games before the rating. ``others`` are ratings in lists beside the one that the
    document is imported for.
    """

    place: SourcePlace
    player: str
    identity: Identity
    federation: str | None = None
    rating: int | None = None
    k: int | None = None
    games: int | None = None
    published_k: int | None = None
    others: tuple[RatingSaid, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSaid:
    """What a document says of a pairing."""

    place: SourcePlace
    round: int
    white: str
    black: str
    result: Result
    played_on: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeSaid:
    """What a document says of a player without opponent."""

    place: SourcePlace
    round: int
    player: str
    kind: Bye


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSaid:
    """What a document says of a tournament; None where it says nothing.

    ``entries`` are player ids with their starting numbers (None: by order), ``open`` pairings
    without a result yet: round and players. ``whole`` says that the document is the complete
    report: what it does not mention did not happen. ``adjudications`` says that it can tell an
    adjudicated game from a played one. ``rated_in`` is said by who imports it.
    """

    place: SourcePlace
    tournament: str
    name: str | None
    starts_on: dt.date | None
    ends_on: dt.date | None
    system: System | None
    rate_of_play: Rate | None
    merit_hundredths: int | None
    rounds: int | None
    city: str | None
    federation: str | None
    report: ReportDetails | None = None
    entries: tuple[tuple[SourcePlace, str, int | None], ...]
    games: tuple[GameSaid, ...]
    byes: tuple[ByeSaid, ...]
    open: tuple[tuple[int, str, str], ...] = ()
    whole: bool
    adjudications: bool
    rated_in: RatedIn | None = None

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in; of lists that of ``rated_in`` only."""
        players = {player for _, player, _ in self.entries}
        found = [f"tournament:{self.tournament}", *(f"player:{each}" for each in sorted(players))]
        return [*found, f"list:{self.rated_in.list}"] if self.rated_in else found
