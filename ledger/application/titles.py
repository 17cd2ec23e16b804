"""Questions about titles: an event's report, and a player's results together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ledger.application.ledger import Ledger
from ledger.errors import NotFound
from ledger.facts.columns import Facts
from ledger.facts.known import Known
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline
from ledger.reports.titles import TitleProgress, TitleRow, progress_of, title_rows
from ledger.titles.fide_1972 import Title


def tournament_titles(ledger: Ledger, tournament: str, name: str) -> list[TitleRow]:
    """Returns the title report of an event, by the ratings of a list on its first day.

    Raises:
        NotFound: no such tournament or list.
    """
    facts = ledger.facts()
    ledger.require_list(facts, name)
    record = ledger.register([f"tournament:{tournament}"], facts.seq).tournaments.get(tournament)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    day = record.version.starts_on
    ratings = _ratings_on(facts, name, [day])[day]
    return title_rows(record, Known(facts, facts.seq), ratings, ledger.people(facts))


@dataclass(frozen=True, slots=True)
class PlayerTitles:
    """A player's events, held against each title, and what they come to together."""

    rows: list[TitleRow]
    progress: list[TitleProgress]


def player_titles(ledger: Ledger, player: str, name: str) -> PlayerTitles:
    """Returns a player's results for titles; where the list is of one rate of play, in its events.

    Raises:
        NotFound: no such player or list.
    """
    facts = ledger.facts()
    ledger.require_list(facts, name)
    known = Known(facts, facts.seq)
    index = int(known.merged_into[ledger.player_index(facts, player)])
    streams = [f"tournament:{tournament}" for tournament in _events_of(known, index)]
    rate = known.list(name).defined.rate_of_play
    records = [
        record
        for record in ledger.register(streams, facts.seq).tournaments.values()
        if rate in (None, record.version.rate_of_play)
    ]
    records.sort(key=lambda record: (record.version.ends_on, record.version.tournament))
    ratings = _ratings_on(facts, name, {record.version.starts_on for record in records})
    people = ledger.people(facts)
    rows = [
        row
        for record in records
        for row in title_rows(record, known, ratings[record.version.starts_on], people)
        if row.player == index
    ]
    return PlayerTitles(rows, [progress_of(known, index, title, rows) for title in Title])


def _events_of(known: Known, player: int) -> list[str]:
    ids = known.facts.tournament_ids
    return [ids[tournament] for tournament in known.tournaments_of_player(player).tolist()]


def _ratings_on(facts: Facts, name: str, days: Iterable[dt.date]) -> dict[dt.date, dict[str, int]]:
    """Returns the ratings of the list in force on each of the days, by id, from one replay."""
    found: dict[dt.date, dict[str, int]] = {day: {} for day in days}
    if not found:
        return found
    timeline = Timeline(Known(facts, facts.seq), name)
    within = {
        day: period
        for day in found
        for period in timeline.periods(max(day, timeline.last_day))
        if period.starts_on <= day <= period.ends_on
    }
    last = max(within.values(), key=lambda period: period.index, default=None)
    if last is None:
        return found
    wanted: dict[int, list[dt.date]] = {}
    for day, period in within.items():
        wanted.setdefault(period.index, []).append(day)
    for outcome in replay(facts, name, facts.seq, last):
        for day in wanted.get(outcome.period.index, ()):
            rating = outcome.opening.rating
            found[day] = {facts.player_ids[i]: int(rating[i]) for i in np.flatnonzero(rating)}
    return found
