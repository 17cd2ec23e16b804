"""What the forms of today ask for after an event: a player's certificate, and the event's own.

FIDE's form IT1 (certificate of title result) asks for each game of a player with the opponent's
federation, title and rating, and for their sums; IT3 (tournament report form) for the players of an
event by federation, title and rating. These are the data for them, as they are recorded and
calculated; whether a title result was made, a federation says by the rules of its day. Which data
they are follows from the published forms of FIDE's title regulations (B.01), not from a text that
was at hand here.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ledger.events.tournaments import ReportDetails
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import PlayerIndex
from ledger.json_form import JsonForm, derived
from ledger.lists.people import People
from ledger.lists.rating_source import RatingState
from ledger.rating.postings import Reason
from ledger.reports.held_titles import TitlesHeld
from ledger.reports.performance import GameLine, PerformanceReport
from ledger.terms import Rate, System


@dataclass(frozen=True, slots=True)
class EventOfForm(JsonForm):
    """What both forms say of the event; None: nobody said it."""

    id: str
    name: str
    place: str | None
    federation: str | None
    starts_on: dt.date
    ends_on: dt.date
    rounds: int
    system: System
    rate_of_play: Rate
    time_control: str | None
    chief_arbiter: str | None

    @classmethod
    def of(cls, record: TournamentRecord) -> EventOfForm:
        """Returns it from what is recorded."""
        about = record.version
        details = about.report or ReportDetails()
        return cls(
            id=about.tournament, name=about.name, place=about.place, federation=about.federation,
            starts_on=about.starts_on, ends_on=about.ends_on,
            rounds=max(record.last_round, about.rounds or 0), system=about.system,
            rate_of_play=about.rate_of_play, time_control=details.time_control,
            chief_arbiter=details.chief_arbiter,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class CertificateGame(JsonForm):
    """A round of the player; a game counts where it was played against a rated opponent."""

    round: int
    opponent: str | None
    name: str | None
    federation: str | None
    title: str | None
    rating: int | None
    score: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class PlayersCounted(JsonForm):
    """How many players are of a federation, or hold a title; None: of none that is known."""

    of: str | None
    players: int


@dataclass(frozen=True, slots=True)
class Certificate(JsonForm):
    """The data of a certificate of title result, of one player in one event.

    ``opponents_mean``, ``performance`` and ``score`` are of the games that count, by the ratings
    of ``list``; none are raised to a least rating. ``federations`` and ``titles`` are of all
    opponents met over the board.
    """

    event: EventOfForm
    player: str
    name: str
    federation: str | None
    title: str | None
    list: str
    games: Sequence[CertificateGame]
    counted: int
    score: Fraction
    opponents_mean: int | None
    performance: int | None
    unrated: int
    federations: Sequence[PlayersCounted]
    titles: Sequence[PlayersCounted]
    state: RatingState

    @property
    @derived
    def foreign(self) -> int | None:
        """How many opponents are known to be of another federation; None: the player's is not."""
        if self.federation is None:
            return None
        own = (None, self.federation)
        return sum(each.players for each in self.federations if each.of not in own)


@dataclass(frozen=True, slots=True)
class EventForm(JsonForm):
    """The data of a tournament report form: its players by federation, title and rating."""

    event: EventOfForm
    list: str
    players: int
    rated: int
    federations: Sequence[PlayersCounted]
    titles: Sequence[PlayersCounted]


def certificate(
    record: TournamentRecord, found: PerformanceReport, known: AsOf, people: People
) -> Certificate:
    """Returns the data of a player's certificate from the performance in the event."""
    index, held = known.facts.player_index, TitlesHeld(known, record.version.starts_on)
    assert found.player.id is not None, "a performance is of somebody"
    own = index[found.player.id]
    rows = [(game, index.get(game.opponent.id or "")) for game in found.games]
    opponents = [at for game, at in rows if at is not None and _was_met(game)]
    worth = found.worth
    return Certificate(
        event=EventOfForm.of(record),
        player=found.player.id,
        name=found.player.name or "",
        federation=people.federation(own),
        title=held.of(own),
        list=found.list,
        games=tuple(_game(game, at, held, people) for game, at in rows),
        counted=worth.games if worth else 0,
        score=Fraction(worth.halves if worth else 0, 2),
        opponents_mean=worth.rc if worth else None,
        performance=worth.rp if worth else None,
        unrated=sum(game.reason is Reason.OPPONENT_UNRATED for game in found.games),
        federations=counted(people.federation(at) for at in opponents),
        titles=counted(held.of(at) for at in opponents),
        state=found.state,
    )


def event_form(
    record: TournamentRecord,
    name: str,
    ratings: Mapping[str, int],
    known: AsOf,
    people: People,
) -> EventForm:
    """Returns the data of an event's form; ``ratings`` are those of the list on its first day."""
    index, held = known.facts.player_index, TitlesHeld(known, record.version.starts_on)
    entered = [(player, index[player]) for player in record.entries]
    return EventForm(
        event=EventOfForm.of(record),
        list=name,
        players=len(entered),
        rated=sum(bool(ratings.get(player)) for player, _ in entered),
        federations=counted(people.federation(at) for _, at in entered),
        titles=counted(held.of(at) for _, at in entered),
    )


def counted(words: Iterable[str | None]) -> tuple[PlayersCounted, ...]:
    """Returns how often each word comes, the most frequent first, what nobody said last.

    >>> [(each.of, each.players) for each in counted(["CHI", None, "ARG", "CHI"])]
    [('CHI', 2), ('ARG', 1), (None, 1)]
    """
    found = [PlayersCounted(word, count) for word, count in Counter(words).items()]
    return tuple(sorted(found, key=lambda each: (each.of is None, -each.players, each.of or "")))


def _was_met(game: GameLine) -> bool:
    """Whether it was played over the board, against whomever."""
    return game.reason in {Reason.NONE, Reason.OPPONENT_UNRATED}


def _game(
    game: GameLine, at: PlayerIndex | None, held: TitlesHeld, people: People
) -> CertificateGame:
    return CertificateGame(
        round=game.round,
        opponent=game.opponent.id,
        name=game.opponent.name,
        federation=None if at is None else people.federation(at),
        title=None if at is None else held.of(at),
        rating=game.rating,
        score=Fraction(game.halves, 2),
        counts=game.counts,
    )
