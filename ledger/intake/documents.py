"""A document that is imported, what it says whatever its format, and what that asks for.

Every value knows its line and column (1-based), so that whatever is wrong with it later can be
shown where it stands.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import IO, Final

from ledger.errors import Problem
from ledger.events.personal import Identity
from ledger.events.tournaments import ReportDetails
from ledger.operations.commands import Command, RatedIn
from ledger.results import Bye, Result
from ledger.terms import DayOrder, Rate, System
from ledger.wording import Message

SUPPLIED: Final = (
    "name", "starts_on", "ends_on", "system", "rate_of_play", "merit_hundredths", "rated_in",
)  # fmt: skip
"""What a document says of a tournament, and what may be supplied with it."""
MOST_TEXT: Final = 100_000_000
"""Characters of a sheet of a workbook; it is a small file, and unfolds to anything."""


class DocumentKind(StrEnum):
    """What a document is."""

    TRF = "trf"
    GAMES = "games"
    PLAYERS = "players"
    FIDE_LIST = "fide-list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """What a tournament document may leave out and the person who imports it knows."""

    tournament: str | None = None
    name: str | None = None
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    system: System | None = None
    rate_of_play: Rate | None = None
    merit_hundredths: int | None = None
    rated_in: RatedIn | None = dataclasses.field(default=None, repr=False)

    def completed(self, said: TournamentSaid) -> TournamentSaid:
        """Returns what a document says with what is supplied, which goes before it."""
        known = {field: value for field in SUPPLIED if (value := getattr(self, field)) is not None}
        return replace(said, **known)

    def overridden(self, said: TournamentSaid) -> Iterator[Message]:
        """Yields what a document says and is supplied otherwise; what is supplied holds."""
        for field in SUPPLIED:
            given, found = getattr(self, field), getattr(said, field)
            if given is not None and found not in (None, given):
                yield Message.of(
                    "import.overridden", tournament=said.tournament,
                    field=Message.of(f"field.{field}"), said=found, given=given,
                )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to be imported, and how.

    ``list`` makes the ratings of a players document seeds of that list, in force ``on`` (default:
    the list's first day); of a tournament report, the ratings of the players it introduces
    (default: the day since when the list is in force with which the tournament began).
    ``games`` were rated before the ratings of whom it does not say how many.

    ``as_correction``: where it differs from what is recorded, it is right. A tournament report, and
    games that come as a correction, are all there is to the tournaments they name: what is recorded
    of these and not in the file is annulled; not so where the document is ``partial``.

    ``ids`` says whose the ids in it are: ``fide`` or ``national`` (None: the ledger's own, else any
    that fits). With ``only_members`` nobody new is registered: of players only who is a member is
    taken. ``decisions`` say of people in it which member each is, by id, or "" for a new one. Of
    lines in which somebody before seems to stand again, ``same`` are those that are left out,
    ``apart`` those of another person; ``all`` are all of them.

    ``sheet`` names the one to be read of a workbook (default: the first that is visible), and
    ``most_text`` is how many characters it may have. ``dates`` says where the day stands in
    dates of a table whose year stands last (default: all of them decide).
    ``columns`` are names of columns of players or games with their headers, ``ignored`` headers of
    columns that are not to be read; where neither is said, ``remembered`` has headings with their
    columns (``-``: not read) by the digest of a header. Of FIDE's list ``other_lists`` take the
    ratings of their rates of play as seeds too, and ``federations`` are those whose players are
    wanted (none: all); of a table of players without such a column one is everybody's.
    """

    name: str
    data: bytes | IO[bytes]
    kind: DocumentKind | None = None
    list: str | None = None
    on: dt.date | None = None
    games: int | None = None
    encoding: str | None = None
    as_correction: bool = False
    partial: bool = False
    supplied: Supplied = Supplied()
    sheet: str | None = None
    dates: DayOrder | None = None
    columns: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    remembered: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    other_lists: tuple[str, ...] = ()
    federations: tuple[str, ...] = ()
    most_text: int = MOST_TEXT
    ids: str | None = None
    only_members: bool = False
    decisions: tuple[tuple[str, str], ...] = ()
    same: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


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

    ``issued`` are ids that somebody else gave, by issuer; ``number`` is the starting number, or the
    line in a table without ids. ``is_made`` says that the document has no id, ``is_told`` that it
    has the one of this ledger; ``spare_id`` is what a new person gets where the id is somebody's.
    ``is_recognised``: a person decided who it is, so that the name is no difference. ``erased_on``
    is the day on which the person was erased; then the id stands for the name.

    ``club`` and ``region`` are empty where it says that there is none.

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
    club: str | None = None
    region: str | None = None
    licensed_until: dt.date | None = None
    erased_on: dt.date | None = None
    issued: Mapping[str, str] = dataclasses.field(default_factory=dict)
    number: int | None = None
    spare_id: str | None = None
    is_made: bool = False
    is_told: bool = False
    is_recognised: bool = False

    @property
    def who(self) -> str:
        """How a decision names the person: by the starting number, the line, or the id."""
        return self.player if self.number is None else str(self.number)


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
    adjudicated game from a played one, ``absences`` a zero-point bye from nothing. ``rated_in`` is
    said by who imports it. ``time_control_place`` is that of the record that says it. ``unread``
    are the columns that say something which cannot be read: that is told where they stand.
    """

    place: SourcePlace
    tournament: str
    name: str | None
    starts_on: dt.date | None
    ends_on: dt.date | None
    system: System | None
    rate_of_play: Rate | None
    merit_hundredths: int | None = None
    rounds: int | None = None
    city: str | None = None
    federation: str | None = None
    report: ReportDetails | None = None
    entries: tuple[tuple[SourcePlace, str, int | None], ...] = ()
    games: tuple[GameSaid, ...] = ()
    byes: tuple[ByeSaid, ...] = ()
    open: tuple[tuple[int, str, str], ...] = ()
    whole: bool
    adjudications: bool
    absences: bool = True
    rated_in: RatedIn | None = None
    time_control_place: SourcePlace | None = None
    unread: tuple[str, ...] = ()

    def with_ids(self, id_of: Callable[[str], str]) -> TournamentSaid:
        """Returns the same with other ids of its players; a person may be named by several."""
        entries = {(id_of(player), number): place for place, player, number in self.entries[::-1]}
        return replace(
            self,
            entries=tuple((place, *entry) for entry, place in [*entries.items()][::-1]),
            games=tuple(
                replace(game, white=id_of(game.white), black=id_of(game.black))
                for game in self.games
            ),
            byes=tuple(replace(bye, player=id_of(bye.player)) for bye in self.byes),
            open=tuple((number, id_of(one), id_of(other)) for number, one, other in self.open),
        )

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in; of lists that of ``rated_in`` only."""
        players = {player for _, player, _ in self.entries}
        found = [f"tournament:{self.tournament}", *(f"player:{each}" for each in sorted(players))]
        return [*found, f"list:{self.rated_in.list}"] if self.rated_in else found


@dataclass(frozen=True, slots=True)
class Planned:
    """A command that a document asks for, and the place that asks.

    ``difference`` says what is recorded otherwise; such a command is carried out only when the
    document comes as a correction. ``note`` is told where it is carried out.
    """

    command: Command
    place: SourcePlace
    difference: Message | None = None
    note: Message | None = None

    def problem(self) -> Problem | None:
        """Returns the difference as a problem of the document."""
        if self.difference is None:
            return None
        return Problem(self.difference, self.place.line, self.place.column)

    def notes(self, file: str) -> list[Problem]:
        """Returns the note as one of the document, if there is one."""
        return [Problem(self.note, self.place.line, 0, file)] if self.note else []
