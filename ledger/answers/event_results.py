"""What an event came to: results with titles, clubs and gains, the lists that rate it, its course.

The cost is that of the event, and of the period of the list that rates it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from ledger.answers.categories import participants_of_category
from ledger.answers.front_page import PlayerMark, player_marks
from ledger.answers.tournaments import (
    StandingsAsked,
    first_day_ratings,
    pairing_ratings,
    rating_lists,
    require_tournament,
    tournament_standings,
)
from ledger.desk.teams import participants_sheet
from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import TournamentIndex
from ledger.lists.publications import calculated, publications
from ledger.replay.timeline import Timeline
from ledger.reports.categories import Category
from ledger.reports.event_preview import EventGain, event_gains
from ledger.reports.event_results import (
    EventProgress,
    EventResults,
    EventSummary,
    ListOfEvent,
    Marks,
    event_progress,
)
from ledger.reports.event_results import event_results as results_report
from ledger.reports.late_reports import late_report
from ledger.reports.standings import Standings
from ledger.views.view import LedgerView
from ledger.wording import Message

_WOMEN: Final = Category(sex="w")


def event_results(
    view: LedgerView,
    tournament: str,
    after: int | None = None,
    tie_breaks: str | None = None,
    list_: str | None = None,
) -> EventResults:
    """Returns the results of an event; what is asked of it is that of ``StandingsAsked``.

    Raises:
        NotFound: no such tournament or list, or no such round yet.
        InputRefused: no such tie-break, or players who were never entered.
    """
    wanted = StandingsAsked(after=after, tie_breaks=tie_breaks, list_=list_)
    return results_of(view, tournament_standings(view, tournament, **wanted))


def results_of(view: LedgerView, standings: Standings) -> EventResults:
    """Returns the results of an event by standings that were made of it."""
    facts = view.facts()
    record = require_tournament(view, standings.tournament, facts.seq)
    marks: Mapping[str, PlayerMark] = {}
    if not record.desk.teams:
        marks = player_marks(view, [row.id for row in standings.rows])
    beside = Marks(
        titles={player: mark.title for player, mark in marks.items() if mark.title},
        clubs={player: mark.club for player, mark in marks.items() if mark.club},
        gains=_gains(facts, record, standings.after),
        firsts=list(_groups(view, record, standings)),
    )
    return results_report(record, standings, beside, list(_lists(facts, record)))


def event_summary(view: LedgerView, tournament: str) -> EventSummary:
    """Returns what is said of an event above its results; raises as ``event_results`` does."""
    return event_results(view, tournament).summary


def progress_of_event(
    view: LedgerView,
    tournament: str,
    after: int | None = None,
    tie_breaks: str | None = None,
    list_: str | None = None,
) -> EventProgress:
    """Returns everybody's place after each round; raises as ``event_results`` does."""
    wanted = StandingsAsked(after=after, tie_breaks=tie_breaks, list_=list_)
    return progress_of(view, tournament_standings(view, tournament, **wanted))


def progress_of(view: LedgerView, standings: Standings) -> EventProgress:
    """Returns everybody's place after each round up to that of standings."""
    facts = view.facts()
    record = require_tournament(view, standings.tournament, facts.seq)
    ratings = {row.id: row.rating for row in standings.rows if row.rating}
    if record.desk.teams:  # a team's rating is made of those of its players
        found = first_day_ratings(view, facts, record, standings.list)
        ratings = dict(found[1]) if found else {}
    return event_progress(record, standings, ratings)


@dataclass(frozen=True, slots=True)
class BeforeRound:
    """What stands beside the players of a round, by id: titles, ratings, and points before it."""

    titles: Mapping[str, str]
    ratings: Mapping[str, int]
    points: Mapping[str, Fraction]


def before_round(view: LedgerView, tournament: str, round_: int) -> BeforeRound:
    """Returns what stands beside the players of a round; raises ``NotFound``."""
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    ratings = pairing_ratings(view, facts, record)
    cards = participants_sheet(record, ratings, after=round_ - 1).cards.values()
    marks = {} if record.desk.teams else player_marks(view, list(record.entries))
    return BeforeRound(
        titles={player: mark.title for player, mark in marks.items() if mark.title},
        ratings={card.player: card.rating for card in cards if card.rating},
        points={card.player: Fraction(card.halves, 2) for card in cards},
    )


def _groups(
    view: LedgerView, record: TournamentRecord, standings: Standings
) -> Iterator[tuple[Message, frozenset[str]]]:
    """Yields the women of an event in which others play too, and those it has prizes for."""
    if record.desk.teams:
        return
    facts = view.facts()
    known, people = AsOf(facts, facts.seq), view.people(facts)
    ratings = {row.id: row.rating for row in standings.rows if row.rating}
    women = participants_of_category(known, people, record, _WOMEN, ratings)
    if 0 < len(women) < len(record.entries):
        yield Message.of("standings.first_woman"), women
    for prizes in record.desk.category_prizes:
        try:
            category = Category.parse(prizes.category, view.federation.age_groups)
        except InputRefused:  # its age groups were others, when it was announced
            continue
        if category != _WOMEN:
            members = participants_of_category(known, people, record, category, ratings)
            yield Message.of("standings.first_of", category=prizes.category), members


def _lists(facts: Facts, record: TournamentRecord) -> Iterator[ListOfEvent]:
    """Yields the lists that rate an event, with the period that does; an annulled one has none."""
    if record.annulled or record.rejected:
        return
    known = AsOf(facts, facts.seq)
    tournament = facts.tournament_index[record.version.tournament]
    newest = max((pairing.seq for pairing in record.each_pairing), default=0)
    for name in rating_lists(facts, record):
        timeline = Timeline(known, name)
        index = _rated_in(timeline, tournament)
        if index >= 0 and newest:
            period = timeline.period_at(index)
            bases = [e.basis_seq for e in publications(facts, name) if e.period == period.name]
            late = late_report(timeline, tournament)
            state = "waiting" if not bases else "counted" if max(bases) >= newest else "later"
            state = state if late is None else "late"
            yield ListOfEvent(name, period.name, period.in_force_on, state, late)


def _gains(facts: Facts, record: TournamentRecord, after: int) -> Mapping[str, Fraction]:
    """Returns by id what the one list that rates an event gives up to a round."""
    lists = rating_lists(facts, record)
    if len(lists) != 1 or record.desk.teams:
        return {}
    timeline = Timeline(AsOf(facts, facts.seq), lists[0])
    tournament = facts.tournament_index[record.version.tournament]
    index = _rated_in(timeline, tournament)
    if index < 0:
        return {}
    period = timeline.period_at(index)
    gains = event_gains(calculated(facts, lists[0], facts.seq, period).calculation, tournament)
    is_whole = after >= record.last_round
    return {
        facts.player_ids[player]: gain.points if is_whole else _until(gain, after)
        for player, gain in gains.items()
        if gain.games
    }


def _until(gain: EventGain, after: int) -> Fraction:
    """Returns what the games up to a round come to."""
    return next(
        (gain.rounds[each] for each in sorted(gain.rounds, reverse=True) if each <= after),
        Fraction(0),
    )


def _rated_in(timeline: Timeline, tournament: TournamentIndex) -> int:
    """Returns the index of the period that rates a tournament; negative: none does."""
    return int(timeline.rated_in(np.array([tournament]))[0])
