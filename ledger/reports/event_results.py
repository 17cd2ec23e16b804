"""What an event came to, for people: its place in time, who won, everybody's line, the lists.

Beside the standings it says what they do not: titles, clubs, what each result is worth and brought,
and who is the first of the groups that the event has prizes for. ``EventProgress`` has everybody's
place after each round.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from ledger.desk.score_sheet import Card
from ledger.desk.standings import standings
from ledger.desk.teams import participants_sheet
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import TournamentId
from ledger.json_form import HIDDEN, PARTS, JsonForm, Key
from ledger.reports.late_reports import LateReport
from ledger.reports.performance import worth
from ledger.reports.standings import Standings, StandingsLine
from ledger.reports.tournaments import Stage, State, names_winners, state_of, tournament_stage
from ledger.terms import Rate, System
from ledger.wording import Message

PODIUM = 3


@dataclass(frozen=True, slots=True)
class ListOfEvent(JsonForm):
    """A list that rates an event: the period that does, and from which day it is in force.

    ``state`` says whether an edition has counted everything (``counted``), none is out yet
    (``waiting``), something was recorded after the last one (``later``), or the event was reported
    too late to be rated (``late``).
    """

    list: str
    period: str
    in_force_on: dt.date
    state: str
    late_report: LateReport | None = None


@dataclass(frozen=True, slots=True)
class EventSummary(JsonForm):
    """What is said of an event above its results.

    ``after`` is the last round that counts; ``games`` were played and have a result. ``winners``
    share the first place of final standings. ``ratings_of``
    is the list whose ratings are shown, None for those of the event's report.
    """

    tournament: TournamentId
    name: str
    starts_on: Annotated[dt.date, Key("start")]
    ends_on: Annotated[dt.date, Key("end")]
    place: str | None
    federation: str | None
    system: System
    rate_of_play: Rate
    time_control: str | None
    chief_arbiter: str | None
    state: State
    rounds: int
    after: int
    final: bool
    players: int
    games: int
    ratings_of: str | None
    lists: tuple[ListOfEvent, ...]
    podium: Annotated[tuple[ResultRow, ...], HIDDEN] = ()
    winners: Annotated[tuple[ResultRow, ...], HIDDEN] = ()
    stage: Annotated[Stage, HIDDEN] = "not-begun"


@dataclass(frozen=True, slots=True)
class ResultRow(JsonForm):
    """A participant's line; title and club are those of today.

    ``performance`` is what the games against rated opponents are worth, ``gain`` what the list that
    rates the event gives for it so far; None where nothing says it. ``first_of`` names the groups
    in which nobody stands before.
    """

    rank: int
    number: int
    title: str | None
    id: str
    name: str
    club: str | None
    federation: str | None
    rating: int | None
    points: Fraction
    tie_breaks: Mapping[str, Fraction | None]
    performance: int | None
    gain: Fraction | None
    prize: int | None
    cancelled: bool
    first_of: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class EventResults(JsonForm):
    """The results of an event, the first place first."""

    summary: Annotated[EventSummary, PARTS]
    rows: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands beside the standings, by id; see ``ResultRow``."""

    titles: Mapping[str, str]
    clubs: Mapping[str, str]
    gains: Mapping[str, Fraction]
    firsts: Sequence[tuple[Message, frozenset[str]]]


def event_results(
    record: TournamentRecord, standings_: Standings, marks: Marks, lists: Sequence[ListOfEvent]
) -> EventResults:
    """Lays the results of an event out.

    Args:
        record: the event.
        standings_: its standings.
        marks: what stands beside them; of ``firsts`` the members of each group.
        lists: those that rate it.
    """
    performances = _performances(standings_)
    firsts = _firsts(standings_.rows, marks.firsts)
    rows = tuple(
        ResultRow(
            rank=line.rank,
            number=line.number,
            title=marks.titles.get(line.id),
            id=line.id,
            name=line.name,
            club=marks.clubs.get(line.id),
            federation=line.federation,
            rating=line.rating,
            points=line.points,
            tie_breaks=line.tie_breaks,
            performance=performances(standings_.places[line.id].card),
            gain=marks.gains.get(line.id),
            prize=line.prize,
            cancelled=line.cancelled,
            first_of=firsts.get(line.id, ()),
        )
        for line in standings_.rows
    )
    return EventResults(_summary(record, standings_, rows, lists), rows)


def _summary(
    record: TournamentRecord,
    standings_: Standings,
    rows: Sequence[ResultRow],
    lists: Sequence[ListOfEvent],
) -> EventSummary:
    about, report = record.version, record.version.report
    counts = state_of(record) in {"open", "closed"}
    is_played = standings_.after > 0 and any(row.points for row in rows)
    ranked = [row for row in rows if not row.cancelled] if counts and is_played else []
    wins = names_winners(record, standings_.after)
    return EventSummary(
        tournament=about.tournament,
        name=about.name,
        starts_on=about.starts_on,
        ends_on=about.ends_on,
        place=about.place,
        federation=about.federation,
        system=about.system,
        rate_of_play=about.rate_of_play,
        time_control=report.time_control if report else None,
        chief_arbiter=report.chief_arbiter if report else None,
        state=state_of(record),
        rounds=standings_.rounds,
        after=standings_.after,
        final=standings_.final,
        players=len(record.entries),
        games=sum(pairing.has_game_result for pairing in record.each_pairing),
        ratings_of=standings_.list,
        lists=tuple(lists),
        podium=tuple(ranked[:PODIUM]),
        winners=tuple(row for row in ranked if row.rank == 1 and wins),
        stage=tournament_stage(record),
    )


def _performances(standings_: Standings) -> Callable[[Card], int | None]:
    """Returns what says a card's performance: against opponents who have a rating."""
    ratings = {place.card.number: place.card.rating for place in standings_.places.values()}

    def performance(card: Card) -> int | None:
        games = [line for line in card.lines if line.played and ratings.get(line.opponent or 0)]
        opponents = [ratings[line.opponent or 0] or 0 for line in games]
        return worth(opponents, sum(line.halves for line in games)).rp if games else None

    return performance


def _firsts(
    rows: Sequence[StandingsLine], groups: Sequence[tuple[Message, frozenset[str]]]
) -> Mapping[str, tuple[Message, ...]]:
    """Returns by id the groups in which a row is the first that has points."""
    found: Mapping[str, list[Message]] = defaultdict(list)
    for words, members in groups:
        of_group = (row for row in rows if row.id in members and row.points and not row.cancelled)
        first = next(of_group, None)
        if first is not None:
            found[first.id].append(words)
    return {player: tuple(words) for player, words in found.items()}


# Round by round


@dataclass(frozen=True, slots=True)
class ProgressRow(JsonForm):
    """A participant's way: the place at the start, and after each round.

    Who shares a place stands by starting number.
    """

    rank: int
    number: int
    id: str
    name: str
    points: Fraction
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EventProgress(JsonForm):
    """How the places of an event changed, the first place first; ``after`` rounds are complete."""

    tournament: TournamentId
    name: str
    after: int
    rows: tuple[ProgressRow, ...]


def event_progress(
    record: TournamentRecord, standings_: Standings, ratings: Mapping[str, int]
) -> EventProgress:
    """Returns everybody's places up to the round of the standings; ``ratings`` are by player."""
    places: Mapping[str, list[int]] = defaultdict(list)
    for after in range(standings_.after):
        order = standings(participants_sheet(record, ratings, after=after), standings_.tie_breaks)
        for at, place in enumerate(order, start=1):
            places[place.card.player].append(at)
    rows = tuple(
        ProgressRow(line.rank, line.number, line.id, line.name, line.points, (*places[line.id], at))
        for at, line in enumerate(standings_.rows, start=1)
    )
    return EventProgress(standings_.tournament, standings_.name, standings_.after, rows)
