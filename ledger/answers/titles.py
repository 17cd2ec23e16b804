"""Questions about titles: of an event, of a player, and of an event while it goes on."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from ledger.answers.list_figures import performance_of
from ledger.answers.lists import rating_on
from ledger.answers.tournaments import listed_tournament, rating_lists, require_tournament
from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import TournamentRecord
from ledger.json_form import Key
from ledger.lists.publications import calculated
from ledger.lists.rating_source import AsKnown
from ledger.rating.player_state import UNRATED
from ledger.replay.replay import replayed_from
from ledger.replay.timeline import Timeline
from ledger.reports.event_preview import EventPreview, event_preview
from ledger.reports.title_event import TitleEvent
from ledger.reports.title_forms import Certificate, EventForm, certificate, event_form
from ledger.reports.titles import (
    PlayerTitleRow,
    StageRow,
    TitleProgress,
    TitleReport,
    TitleRow,
    progress_of,
    title_report,
)
from ledger.terms import PerformanceTable, System
from ledger.titles.fide_1972 import Title
from ledger.views.list_editions import only_list, state_as_known
from ledger.views.view import LedgerView


def tournament_titles(
    view: LedgerView, tournament: str, name: str, finals_from: int | None = None
) -> TitleReport:
    """Returns the title report of an event, by the ratings of a list on its first day.

    With ``finals_from`` only the games from that round on count, as a player may ask of an event
    with a preliminary group (chapter III, section III).

    Raises:
        NotFound: no such tournament or list.
        InputRefused: the finals are asked for of an all-play-all, which section III does not rule.
    """
    facts = view.facts_of(name)
    record = require_tournament(view, tournament, facts.seq)
    if finals_from is not None and record.version.system is System.ROUND_ROBIN:
        raise InputRefused("title.finals_of_all_play_all", tournament=tournament)
    known = AsOf(facts, facts.seq)
    ratings = _ratings_of(known, name, [record])[record.version.starts_on]
    event = TitleEvent(record, known, ratings, finals_from or 1)
    return title_report(event, view.people(facts), list_=name)


@dataclass(frozen=True, slots=True)
class PlayerTitles(AsKnown):
    """A player's events, held against each title, and what they come to together."""

    player: str
    list: str
    progress: Annotated[Sequence[TitleProgress], Key("titles")]
    results: Sequence[PlayerTitleRow]
    stages: Sequence[StageRow]


def player_titles(
    view: LedgerView, player: str, name: str, finals: Mapping[str, int] | None = None
) -> PlayerTitles:
    """Returns a player's results for titles; where the list is of one rate of play, in its events.

    ``finals`` says of which tournaments the games from a round on count only.

    Raises:
        NotFound: no such player or list.
        InputRefused: finals are asked for of an all-play-all, or where the player did not play.
    """
    facts = view.facts_of(name)
    known = AsOf(facts, facts.seq)
    index = known.counts_as(view.player_index(facts, player))
    ids, played = facts.tournament_ids, known.tournaments_of_player(index).tolist()
    streams = [f"tournament:{ids[tournament]}" for tournament in played]
    rate = known.list(name).defined.rate_of_play
    records = [
        record
        for record in view.register(streams, facts.seq).tournaments.values()
        if rate in (None, record.version.rate_of_play)
    ]
    records.sort(key=lambda record: (record.version.ends_on, record.version.tournament))
    finals = finals or {}
    _require_finals(player, finals, records)
    ratings = _ratings_of(known, name, records)
    people = view.people(facts)
    rows: list[TitleRow] = []
    stages: list[StageRow] = []
    for record in records:
        about = record.version
        rated = ratings[about.starts_on]
        event = TitleEvent(record, known, rated, finals.get(about.tournament, 1))
        found = title_report(event, people, index, list_=name)
        rows.extend(found.rows)
        stages.extend(found.stages)
    progress = [progress_of(known, index, title, rows, stages) for title in Title]
    return PlayerTitles(player, name, progress, [PlayerTitleRow.of(row) for row in rows], stages)


def _require_finals(
    player: str, finals: Mapping[str, int], records: Iterable[TournamentRecord]
) -> None:
    """Refuses finals of an event that has none, or in which the player did not play."""
    systems: dict[str, System] = {
        record.version.tournament: record.version.system for record in records
    }
    for tournament in finals:
        if tournament not in systems:
            raise InputRefused("title.finals_without", player=player, tournament=tournament)
        if systems[tournament] is System.ROUND_ROBIN:
            raise InputRefused("title.finals_of_all_play_all", tournament=tournament)


def tournament_preview(view: LedgerView, tournament: str, list_: str | None = None) -> EventPreview:
    """Returns what an event has come to so far, under the list that rates it.

    Without a list it is the one that was ordered to rate it, or the only one of its rate of play.

    Raises:
        NotFound: no such tournament or list, or several lists to choose from.
        InputRefused: it ended before the list began.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    fit = [list_] if list_ is not None else rating_lists(facts, record)
    name = fit[0] if len(fit) == 1 else only_list(facts)
    of = listed_tournament(view, tournament, name)
    ratings = _ratings_of(of.known, name, [record])[record.version.starts_on]
    outcome = calculated(facts, name, facts.seq, of.period)
    event = TitleEvent(record, of.known, ratings)
    state = state_as_known(view, name, of.period.name)
    people = view.people(facts)
    return event_preview(event, outcome, of.tournament, people, seq=facts.seq, state=state)


def _ratings_of(
    known: AsOf, name: str, records: Iterable[TournamentRecord]
) -> dict[dt.date, dict[str, int]]:
    """Returns, by the first days of events, the ratings their players have in the list then.

    By id, from one replay that begins as late as it can.
    """
    facts = known.facts
    players: dict[dt.date, set[int]] = defaultdict(set)
    for record in records:
        indexes = [facts.player_index[entered] for entered in record.entries]
        players[record.version.starts_on].update(known.merged_into[indexes].tolist())
    found: dict[dt.date, dict[str, int]] = {day: {} for day in players}
    timeline = Timeline(known, name)
    days: dict[int, list[dt.date]] = defaultdict(list)
    for period in timeline.periods(max([timeline.last_day, *players])):
        days[period.index] += [day for day in players if period.starts_on <= day <= period.ends_on]
    indexes_ = [index for index, of_period in days.items() if of_period]
    if not indexes_:
        return found
    until = timeline.period_at(max(indexes_))
    for outcome in replayed_from(Timeline.at_head(facts, name), min(indexes_), until):
        rating = outcome.opening.rating
        for day in days[outcome.period.index]:
            rated = (player for player in players[day] if rating[player] != UNRATED)
            found[day] = {facts.player_ids[player]: int(rating[player]) for player in rated}
    return found


def certificate_of(view: LedgerView, tournament: str, player: str, name: str) -> Certificate:
    """Returns the data of a player's certificate of title result, by the ratings of a list.

    Raises:
        NotFound: no such list, player or tournament, or the list does not rate the player there.
        InputRefused: the tournament ended before the list began.
    """
    found = performance_of(view, player, tournament, name, PerformanceTable.OF_2022)
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    return certificate(record, found, AsOf(facts, facts.seq), view.people(facts))


def event_form_of(view: LedgerView, tournament: str, name: str) -> EventForm:
    """Returns the data of a tournament's form, by the ratings of a list on its first day.

    Raises:
        NotFound: no such tournament or list.
    """
    facts = view.facts_of(name)
    record = require_tournament(view, tournament, facts.seq)
    ratings = rating_on(view, name, record.version.starts_on)
    return event_form(record, name, ratings, AsOf(facts, facts.seq), view.people(facts))


def rating_list_of(view: LedgerView, tournament: str) -> str:
    """Returns the list that rates a tournament, of several the first, else the only one there is.

    Raises:
        NotFound: no such tournament, or none of several lists rates it.
    """
    facts = view.facts()
    fit = rating_lists(facts, require_tournament(view, tournament, facts.seq))
    return next(iter(fit), None) or only_list(facts)
