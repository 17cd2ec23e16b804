"""What is few beside the games: players, tournaments, seeds, assigned Ks and more, in tables.

They have what was said first: a correction is kept as the event that it is, with its own seq.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Generic, TypeAlias, TypeVar, get_type_hints
from zlib import crc32

from ledger.events.model import Event
from ledger.events.players import PlayerAffiliated, PlayerRegistered, RatingSeeded
from ledger.events.tournaments import TournamentAnnounced, TournamentOpened, TournamentVersion
from ledger.facts.arrays import NOBODY, AnyColumn, ColumnTable, Int8, Int16, Int32, Int64
from ledger.facts.runs import EntryRuns
from ledger.identifiers import PlayerIndex, Seq, TournamentId
from ledger.terms import Rate, System

RATES = tuple(Rate)
SYSTEMS = tuple(System)
ALL_PLAY_ALL = SYSTEMS.index(System.ROUND_ROBIN)
NO_MERIT = -1
NO_YEAR = 0
NO_ROUNDS = 0
EVERY_LIST = -1
NOT_TOLD = -1
FederationCodes: TypeAlias = Annotated[AnyColumn, "S3"]
"""Three letters as bytes; empty: not known."""

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class RecordedEvent(Generic[E]):
    """An event that is kept as it is: known from ``seq`` on, it holds from a chess date on.

    ``index`` is that of the player or tournament it is about, ``NOBODY`` of a list or a ladder.
    """

    seq: Seq
    from_on: dt.date
    event: E
    index: int = NOBODY


@dataclass(frozen=True, slots=True)
class PlayerTable(ColumnTable):
    """The players as they were registered.

    ``birth_year`` is ``NO_YEAR`` and ``federation`` empty where they are not known, ``identity``
    holds the 32 bytes of the digest.
    """

    birth_year: Int16
    federation: FederationCodes
    identity: Annotated[AnyColumn, "V32"]

    def event(self, index: int, id_: str) -> PlayerRegistered:
        """Returns what was said of a player."""
        return PlayerRegistered(
            birth_year=int(self.birth_year[index]) or None,
            federation=self.federation[index].decode() or None,
            identity=self.identity[index].tobytes().hex(),
            player=id_,
        )


def player_row(event: PlayerRegistered) -> tuple[int, bytes, bytes]:
    """Returns the row of a player, without the seq."""
    federation = (event.federation or "").encode()
    return event.birth_year or NO_YEAR, federation, bytes.fromhex(event.identity)


@dataclass(frozen=True, slots=True)
class Tournaments(ColumnTable):
    """The tournaments as they were opened.

    Days are ordinals of chess dates, ``rate`` and ``system`` positions in ``RATES`` and
    ``SYSTEMS``, ``merit`` is in hundredths (``NO_MERIT``: the regulation's own), ``rounds`` is
    ``NO_ROUNDS`` where it was not said.
    """

    starts_on: Int32
    ends_on: Int32
    rate: Int8
    system: Int8
    merit: Int16
    rounds: Int16
    federation: FederationCodes

    def event(self, index: int, texts: tuple[str, str, str]) -> TournamentOpened:
        """Returns what was said of a tournament, whose id, name and place are given.

        What only a report needs (``report``) stays in the journal: no figure depends on it.
        """
        id_, name, place = texts
        merit = int(self.merit[index])
        return TournamentOpened(
            ends_on=dt.date.fromordinal(int(self.ends_on[index])),
            federation=self.federation[index].decode() or None,
            merit_hundredths=None if merit == NO_MERIT else merit,
            name=name,
            place=place or None,
            rate_of_play=RATES[int(self.rate[index])],
            rounds=int(self.rounds[index]) or None,
            starts_on=dt.date.fromordinal(int(self.starts_on[index])),
            system=SYSTEMS[int(self.system[index])],
            tournament=id_,
        )


def tournament_row(event: TournamentVersion) -> tuple[int, int, int, int, int, int, bytes]:
    """Returns the row of a tournament, without the seq."""
    return (
        event.starts_on.toordinal(),
        event.ends_on.toordinal(),
        RATES.index(event.rate_of_play),
        SYSTEMS.index(event.system),
        NO_MERIT if event.merit_hundredths is None else event.merit_hundredths,
        event.rounds or NO_ROUNDS,
        (event.federation or "").encode(),
    )


@dataclass(frozen=True, slots=True)
class Announcements(ColumnTable):
    """The tournaments as they were announced, a row for each time; days are ordinals.

    Each row is of the event in the same place among those that are kept as they are. ``key`` is
    made of the id (``id_key``): what has another key is another tournament.
    """

    starts_on: Int32
    ends_on: Int32
    key: Int64


def id_key(tournament: TournamentId) -> int:
    """Returns a number by which ids are told apart at once; a few may have the same."""
    return crc32(tournament.encode())


def announcement_row(event: TournamentAnnounced) -> tuple[int, int, int]:
    """Returns the row of an announcement, without the seq."""
    return event.starts_on.toordinal(), event.ends_on.toordinal(), id_key(event.tournament)


@dataclass(frozen=True, slots=True)
class Seeds(ColumnTable):
    """Ratings brought in from outside, each in force on its day (ordinal).

    ``list`` is a position among the names of the facts; ``games`` before the rating and the ``k``
    published with it are ``NOT_TOLD`` where nobody told.
    """

    from_on: Int32
    list: Int16
    player: Int32
    rating: Int16
    games: Int32
    k: Int16


def seed_row(
    event: RatingSeeded, list_: int, player: PlayerIndex
) -> tuple[int, int, int, int, int]:
    """Returns the row of a seed, without seq and day; list and player by position."""
    games = NOT_TOLD if event.games is None else event.games
    return list_, player, event.rating, games, NOT_TOLD if event.k is None else event.k


@dataclass(frozen=True, slots=True)
class AssignedKs(ColumnTable):
    """The Ks given to players, each from its day (ordinal) on.

    ``list`` is a position among the names of the facts, or ``EVERY_LIST``.
    """

    from_on: Int32
    list: Int16
    player: Int32
    k: Int16


@dataclass(frozen=True, slots=True)
class Affiliations(ColumnTable):
    """Of which club and region players are, and how long a licence runs, from a day (ordinal) on.

    ``club`` and ``region`` are positions among the names of bodies, ``licensed_until`` an ordinal;
    each is ``NOT_TOLD`` where nothing is said of it.
    """

    from_on: Int32
    player: Int32
    club: Int32
    region: Int32
    licensed_until: Int32


def affiliation_row(
    event: PlayerAffiliated, player: PlayerIndex, body: Callable[[str], int]
) -> tuple[int, int, int, int]:
    """Returns the row of an affiliation, without seq and day; bodies by position."""
    club = NOT_TOLD if event.club is None else body(event.club)
    region = NOT_TOLD if event.region is None else body(event.region)
    until = NOT_TOLD if event.licensed_until is None else event.licensed_until.toordinal()
    return player, club, region, until


@dataclass(frozen=True, slots=True)
class Bodies(ColumnTable):
    """The clubs and regions, each by the first event that names it; their names are texts."""


@dataclass(frozen=True, slots=True)
class ClosedReports(ColumnTable):
    """Tournaments whose report was said to be complete."""

    tournament: Int32


@dataclass(frozen=True, slots=True)
class Supersession(ColumnTable):
    """Rows of pairings that hold in place of others: their seqs, and ``earlier`` those of these."""

    earlier: Int64


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The tables of a range of events, or of all; each is sorted by seq."""

    players: PlayerTable
    tournaments: Tournaments
    seeds: Seeds
    ks: AssignedKs
    affiliations: Affiliations
    bodies: Bodies
    entered: EntryRuns
    closed: ClosedReports
    supersession: Supersession


TABLES: Mapping[str, type[ColumnTable]] = get_type_hints(Tables)
"""The kind of each, by name."""
