"""Questions about tournaments: crosstable, standings, titles, worksheet, the list one meets."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.lists import only_list, rating_on
from ledger.calendar import Period
from ledger.desk.rounds import last_complete_round
from ledger.desk.teams import participants_of
from ledger.desk.tie_breaks.registry import announced, habitual, of_rules
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.errors import InputRefused, NotFound, Problem
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.facts.tournament import TournamentRecord
from ledger.journal.verify.event_check import EventCheck
from ledger.lists.publications import calculated
from ledger.rating.player_state import UNRATED
from ledger.registrar.commands import PublishStandings
from ledger.registrar.registrar import Registrar
from ledger.replay.replay import replayed_from
from ledger.replay.timeline import Timeline
from ledger.reports.crosstable import Crosstable, crosstable_report
from ledger.reports.desk_changes import DeskChange, desk_changes
from ledger.reports.event_preview import EventPreview, event_preview
from ledger.reports.standings import Standings, rows_sha256, standings_report
from ledger.reports.title_event import TitleEvent
from ledger.reports.titles import TitleProgress, TitleReport, progress_of, title_report
from ledger.reports.tournaments import crosstable
from ledger.reports.worksheet import Worksheet, worksheet
from ledger.terms import System
from ledger.titles.fide_1972 import Title


def show_tournament(
    ledger: Ledger, tournament: str, *, as_known_at: int | None = None
) -> dict[str, Any]:
    """Returns the crosstable of a tournament, as known at a seq (default: now).

    Raises:
        NotFound: no such tournament, or it was not open yet at the seq.
        InputRefused: something is recorded of players who were never entered.
    """
    facts, record, seq = _known(ledger, tournament, as_known_at)
    made = crosstable(record, facts, ledger.people(facts, seq))
    changes = with_reasons(ledger, desk_changes(record))
    made["tournament"]["changes"] = [change.data() for change in changes]
    return made


def with_reasons(ledger: Ledger, changes: Iterable[DeskChange]) -> tuple[DeskChange, ...]:
    """Returns changes at the desk with the reasons of the commits that they came by."""
    check = EventCheck(ledger.journal)
    found = []
    for change in changes:
        (event,) = check.checked(ledger.journal.events(after=change.seq - 1, upto=change.seq))
        commit = check.commit(event.commit_id, event.seq)
        found.append(replace(change, reason=commit.reason))
    return tuple(found)


def require_tournament(ledger: Ledger, tournament: str, seq: int) -> TournamentRecord:
    """Returns a tournament as known at a seq; raises ``NotFound`` where it was not open yet."""
    record = ledger.register([f"tournament:{tournament}"], seq).tournaments.get(tournament)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    return record


# Standings


def tournament_standings(
    ledger: Ledger,
    tournament: str,
    *,
    after: int | None = None,
    tie_breaks: str | None = None,
    list_: str | None = None,
    prizes: Sequence[int] | None = None,
    as_known_at: int | None = None,
) -> Standings:
    """Returns the standings of a tournament, as known at a seq (default: now).

    Args:
        ledger: where it is recorded.
        tournament: its id.
        after: the last round that counts (default: all; of published rounds, as far as all their
            games have a result).
        tie_breaks: their codes, as they are announced (default: those that were announced, else
            the habit of its system).
        list_: the list whose ratings on the first day count (default: the one that rates it, else
            the ratings of its report).
        prizes: of the places, in the smallest unit of the currency (default: as announced).
        as_known_at: the seq.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: no such tie-break, or players who were never entered.
    """
    facts, record, seq = _known(ledger, tournament, as_known_at)
    rules = record.desk.rules
    if prizes is None and rules is not None:
        prizes = rules.prizes
    if after is None and record.desk.last_round:
        after = last_complete_round(record)
    made = standings_report(
        record,
        facts,
        ledger.people(facts, seq),
        _tie_breaks(record, tie_breaks),
        after=after,
        ratings=first_day_ratings(ledger, facts, record, list_, seq),
        prizes=prizes,
    )
    return replace(made, changes=with_reasons(ledger, made.changes))


def publish_standings(
    ledger: Ledger,
    tournament: str,
    request: Request,
    *,
    after: int | None = None,
    tie_breaks: str | None = None,
    list_: str | None = None,
    prizes: Sequence[int] | None = None,
) -> tuple[Receipt, Standings]:
    """Records that standings went out, by the digest of their rows; see ``tournament_standings``.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: no such tie-break, or the same standings went out last.
    """
    made: list[Standings] = []

    def plan(registrar: Registrar) -> Sequence[Problem]:
        found = tournament_standings(
            ledger, tournament, after=after, tie_breaks=tie_breaks, list_=list_, prizes=prizes
        )
        digest = rows_sha256(found.rows)
        registrar.take(
            PublishStandings(
                tournament=tournament,
                after=found.after,
                tie_breaks=found.codes,
                rows_sha256=digest,
            )
        )
        made[:] = [found]
        return ()

    receipt = ledger.append([f"tournament:{tournament}"], plan, request)
    return receipt, made[0]


def _tie_breaks(record: TournamentRecord, asked: str | None) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks that are asked for, else those announced, else those of habit."""
    system, rules = record.version.system, record.desk.rules
    if asked is None and rules is not None and rules.tie_breaks:
        return of_rules(rules, record.version.starts_on, system)
    if asked is None:
        return habitual(system, record.version.rounds or record.last_round)
    return announced(asked, record.version.starts_on, system)


def tournament_crosstable(
    ledger: Ledger,
    tournament: str,
    *,
    after: int | None = None,
    tie_breaks: str | None = None,
    list_: str | None = None,
    as_known_at: int | None = None,
) -> Crosstable:
    """Returns the crosstable of a tournament as it is printed; see ``tournament_standings``."""
    _, record, _ = _known(ledger, tournament, as_known_at)
    made = tournament_standings(
        ledger,
        tournament,
        after=after,
        tie_breaks=tie_breaks,
        list_=list_,
        as_known_at=as_known_at,
    )
    return crosstable_report(participants_of(record), made)


def _known(
    ledger: Ledger, tournament: str, as_known_at: int | None
) -> tuple[Facts, TournamentRecord, int]:
    """Returns the facts, a tournament as known at a seq (default: now), and the seq."""
    facts = ledger.facts()
    record = require_tournament(ledger, tournament, facts.seq)  # that none of it is missing
    seq = facts.seq if as_known_at is None else min(as_known_at, facts.seq)
    if seq < facts.seq:
        record = require_tournament(ledger, tournament, seq)
    return facts, record, seq


def first_day_ratings(
    ledger: Ledger, facts: Facts, record: TournamentRecord, list_: str | None, seq: int
) -> tuple[str, dict[str, int]] | None:
    """Returns a list and its ratings on a tournament's first day; None where there are none.

    Without a list it is the one that was ordered to rate the tournament, or the only one that rates
    its rate of play.
    """
    day = record.version.starts_on
    if list_ is not None:
        return list_, rating_on(ledger, list_, day, seq)
    fit = _rating_lists(facts, record, seq)
    if len(fit) != 1:
        return None
    ratings = rating_on(ledger, fit[0], day, seq)
    return (fit[0], ratings) if ratings else None


def _rating_lists(facts: Facts, record: TournamentRecord, seq: int) -> list[str]:
    """Returns the lists that were ordered to rate a tournament, else those of its rate of play."""
    known = AsOf(facts, seq)
    there = [name for name, of in facts.lists.items() if of.adoptions[0].seq <= seq]
    fit = [
        name
        for name in there
        if known.list(name).defined.rate_of_play in (None, record.version.rate_of_play)
    ]
    return [name for name in fit if name in record.rated_in] or fit


# Titles


def tournament_titles(
    ledger: Ledger, tournament: str, name: str, finals_from: int | None = None
) -> TitleReport:
    """Returns the title report of an event, by the ratings of a list on its first day.

    With ``finals_from`` only the games from that round on count, as a player may ask of an event
    with a preliminary group (chapter III, section III).

    Raises:
        NotFound: no such tournament or list.
        InputRefused: the finals are asked for of an all-play-all, which section III does not rule.
    """
    facts = ledger.facts_of(name)
    record = require_tournament(ledger, tournament, facts.seq)
    if finals_from is not None and record.version.system is System.ROUND_ROBIN:
        raise InputRefused("title.finals_of_all_play_all", tournament=tournament)
    known = AsOf(facts, facts.seq)
    ratings = _ratings_of(known, name, [record])[record.version.starts_on]
    return title_report(TitleEvent(record, known, ratings, finals_from or 1), ledger.people(facts))


@dataclass(frozen=True, slots=True)
class PlayerTitles:
    """A player's events, held against each title, and what they come to together."""

    report: TitleReport
    progress: list[TitleProgress]


def player_titles(
    ledger: Ledger, player: str, name: str, finals: Mapping[str, int] | None = None
) -> PlayerTitles:
    """Returns a player's results for titles; where the list is of one rate of play, in its events.

    ``finals`` says of which tournaments the games from a round on count only.

    Raises:
        NotFound: no such player or list.
        InputRefused: finals are asked for of an all-play-all, or where the player did not play.
    """
    facts = ledger.facts_of(name)
    known = AsOf(facts, facts.seq)
    index = int(known.merged_into[ledger.player_index(facts, player)])
    ids, played = facts.tournament_ids, known.tournaments_of_player(index).tolist()
    streams = [f"tournament:{ids[tournament]}" for tournament in played]
    rate = known.list(name).defined.rate_of_play
    records = [
        record
        for record in ledger.register(streams, facts.seq).tournaments.values()
        if rate in (None, record.version.rate_of_play)
    ]
    records.sort(key=lambda record: (record.version.ends_on, record.version.tournament))
    finals = finals or {}
    _require_finals(player, finals, records)
    ratings = _ratings_of(known, name, records)
    people = ledger.people(facts)
    together = TitleReport([], [])
    for record in records:
        about = record.version
        rated = ratings[about.starts_on]
        event = TitleEvent(record, known, rated, finals.get(about.tournament, 1))
        found = title_report(event, people, index)
        together.rows.extend(found.rows)
        together.stages.extend(found.stages)
    return PlayerTitles(together, [progress_of(known, index, title, together) for title in Title])


def _require_finals(
    player: str, finals: Mapping[str, int], records: Iterable[TournamentRecord]
) -> None:
    """Refuses finals of an event that has none, or in which the player did not play."""
    systems = {record.version.tournament: record.version.system for record in records}
    for tournament in finals:
        if tournament not in systems:
            raise InputRefused("title.finals_without", player=player, tournament=tournament)
        if systems[tournament] is System.ROUND_ROBIN:
            raise InputRefused("title.finals_of_all_play_all", tournament=tournament)


def tournament_preview(ledger: Ledger, tournament: str, list_: str | None = None) -> EventPreview:
    """Returns what an event has come to so far, under the list that rates it.

    Without a list it is the one that was ordered to rate it, or the only one of its rate of play.

    Raises:
        NotFound: no such tournament or list, or several lists to choose from.
        InputRefused: it ended before the list began.
    """
    facts = ledger.facts()
    record = require_tournament(ledger, tournament, facts.seq)
    fit = [list_] if list_ is not None else _rating_lists(facts, record, facts.seq)
    name = fit[0] if len(fit) == 1 else only_list(facts)
    of = listed_tournament(ledger, tournament, name)
    ratings = _ratings_of(of.known, name, [record])[record.version.starts_on]
    outcome = calculated(facts, name, facts.seq, of.period)
    event = TitleEvent(record, of.known, ratings)
    return event_preview(event, outcome, of.tournament, ledger.people(facts), seq=facts.seq)


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
    asked = [index for index, of_period in days.items() if of_period]
    if not asked:
        return found
    until = timeline.period_at(max(asked))
    for outcome in replayed_from(Timeline.at_head(facts, name), min(asked), until):
        rating = outcome.opening.rating
        for day in days[outcome.period.index]:
            rated = (player for player in players[day] if rating[player] != UNRATED)
            found[day] = {facts.player_ids[player]: int(rating[player]) for player in rated}
    return found


# Ratings


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament by its index, and the period of a list in which it falls, as known now."""

    timeline: Timeline
    tournament: int
    period: Period

    @property
    def known(self) -> AsOf:
        """What is known."""
        return self.timeline.known

    def rating(self) -> Column:
        """Returns everybody's rating at the start of the period, under the id that counts now."""
        facts = self.known.facts
        opening = calculated(facts, self.timeline.name, facts.seq, self.period).opening
        return opening.carried(self.known.merged_into).rating


def listed_tournament(ledger: Ledger, tournament: str, name: str) -> ListedTournament:
    """Finds a tournament in a list: in the period that rates it, else in that in which it ended.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, and no period of the list rates it.
    """
    facts = ledger.facts_of(name)
    known = AsOf(facts, facts.seq)
    index = facts.tournament_index.get(tournament)
    version = None if index is None else known.tournament(index)
    if index is None or version is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    timeline = Timeline(known, name)
    rated_in = int(timeline.rated_in(np.array([index]))[0])
    if rated_in >= 0:
        return ListedTournament(timeline, index, timeline.period_at(rated_in))
    # The list rates none of its games: what counts is the list in which it ended.
    periods = timeline.periods(version.ends_on)
    if not periods:
        raise InputRefused(
            "list.tournament_before_first",
            tournament=tournament,
            on=version.ends_on,
            list=name,
            first=timeline.list.defined.first_on,
        )
    return ListedTournament(timeline, index, periods[-1])


_K = 20  # where the list's regulation has no K of the established


def tournament_worksheet(
    ledger: Ledger, tournament: str, name: str, k: int | None = None
) -> Worksheet:
    """Returns the worksheet, by the ratings at the start of the period that rates the tournament.

    Without a K it is the one of the established in the regulation of that period.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, does not count, not everybody played
            everybody, or too few players are rated for a mean.
    """
    of = listed_tournament(ledger, tournament, name)
    on = (name, of.period.name)
    if k is None:
        parameters = of.timeline.regulation(of.period).parameters
        k = int(getattr(parameters, "k_established", _K))
    return worksheet(
        of.known, of.tournament, of.rating(), ledger.people(of.known.facts), on=on, k=k
    )
