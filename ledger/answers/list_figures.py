"""Figures for those who watch over a list: what another rule would do, where points go, live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.answers.lists import require_same_rate
from ledger.answers.tournaments import listed_tournament
from ledger.calendar import Period
from ledger.errors import InputRefused, NotFound
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import PlayerIndex, TournamentId
from ledger.journal.gc_pause import collector_resting
from ledger.lists.publications import calculated, editions_in_order
from ledger.regulations.registry import adopted
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import one_ahead, replay, replayed_from
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.comparison import Comparison, called, comparison
from ledger.reports.live_list import LiveList, live_list
from ledger.reports.monitor import Monitor, monitor
from ledger.reports.performance import PerformanceReport, game_lines, worth_of
from ledger.reports.statement import PersonRef
from ledger.terms import PerformanceTable
from ledger.views.list_editions import require_period, state_as_known
from ledger.views.view import LedgerView


def compare_regulations(
    view: LedgerView,
    name: str,
    *,
    regulation: str,
    parameters: Mapping[str, int | str],
    since: str,
    until: str,
    control: Sequence[str] = (),
) -> Comparison:
    """Compares a list, as known now, with what it would be under another regulation.

    Raises:
        NotFound: no such list, period, player or regulation.
        InputRefused: a parameter does not fit, the periods are in the wrong order, or somebody of
            the control group is not rated throughout.
    """
    facts = view.facts_of(name)
    first, last = _window(facts, name, since, until)
    under = adopted(regulation, parameters)
    require_same_rate(under, facts.lists[name].defined.rate_of_play)
    own = replay(Timeline.at_head(facts, name), last, restated=True)
    other = replay(Timeline.at_head(facts, name, under), last, restated=True)
    return comparison(
        one_ahead(zip(own, other, strict=True)),
        first.index,
        view.people(facts),
        _players(view, facts, control),
        called(regulation, parameters),
    )


def monitor_of(
    view: LedgerView,
    name: str,
    *,
    since: str | None,
    until: str | None,
    control: Sequence[str] = (),
    active_only: bool = False,
) -> Monitor:
    """Watches a list, as known now, from a period to another (default: from the first to the last).

    Raises:
        NotFound: no such list, period or player.
        InputRefused: the periods are in the wrong order, or somebody of the control group is not
            rated at the start and at the end.
    """
    facts = view.facts_of(name)
    first, last = _window(facts, name, since, until)
    return monitor(
        one_ahead(replay(Timeline.at_head(facts, name), last)),
        first.index,
        view.people(facts),
        _players(view, facts, control),
        active_only=active_only,
    )


def whole_window(view: LedgerView, name: str) -> tuple[str, str]:
    """Returns the first period of a list and the last; raises ``NotFound`` for no list."""
    first, last = _window(view.facts_of(name), name, None, None)
    return first.name, last.name


def effort_of(view: LedgerView, name: str) -> int:
    """Returns how much a replay of a list goes through: its games, and its players by period.

    Some ten million take a second. Raises ``NotFound`` for no list.
    """
    facts = view.facts_of(name)
    periods = last_period(facts, name).index + 1
    return sum(facts.pairing_counts) + len(facts.players) * periods


def performance_of(
    view: LedgerView, player: str, tournament: str, name: str, table: PerformanceTable
) -> PerformanceReport:
    """Returns a player's performance in a tournament, by the ratings of a list as known now.

    Raises:
        NotFound: no such list, player or tournament, or the list does not rate the player there.
        InputRefused: the tournament ended before the list began.
    """
    of = listed_tournament(view, tournament, name)
    facts = of.known.facts
    index = of.known.counts_as(view.player_index(facts, player))
    sides = of.timeline.sides(of.period)
    sides = sides.rows((sides.tournament == of.tournament) & (sides.player == index))
    if not len(sides):
        raise NotFound("study.not_in_list", player=player, tournament=tournament, list=name)
    people = view.people(facts)
    games = game_lines(sides, of.rating(), people)
    return PerformanceReport(
        player=PersonRef.of(people, index),
        tournament=TournamentId(tournament),
        list=name,
        period=of.period.name,
        table=table,
        games=games,
        worth=worth_of(games, table),
        state=state_as_known(view, name, of.period.name),
    )


@collector_resting()
def live(view: LedgerView, name: str) -> LiveList:
    """Returns the ratings as if the current period closed now; raises ``NotFound`` for no list."""
    facts = view.facts_of(name)
    published, last = _published(facts, name), last_period(facts, name)
    first = min(published[0].index + 1, last.index) if published else 0
    outcomes = replayed_from(Timeline.at_head(facts, name), first, last)
    return live_list(outcomes, published, view.people(facts), facts.seq)


def _published(facts: Facts, name: str) -> tuple[Period, int, PeriodOutcome] | None:
    """Returns the last edition of the last period that was published."""
    editions = editions_in_order(facts, name)
    if not editions:
        return None
    period, last = editions[-1]
    return period, last.edition, calculated(facts, name, last.basis_seq, period)


def _window(facts: Facts, name: str, since: str | None, until: str | None) -> tuple[Period, Period]:
    last = last_period(facts, name) if until is None else require_period(facts, name, until)
    if since is None:
        first = Timeline(AsOf(facts, facts.seq), name).periods(last.closes_on)[0]
    else:
        first = require_period(facts, name, since)
    if first.index > last.index:
        raise InputRefused("list.why_backwards", before=first.name, after=last.name)
    return first, last


def _players(view: LedgerView, facts: Facts, ids: Sequence[str]) -> list[PlayerIndex] | None:
    """Returns the players of a control group, by the index under which they count; None: all."""
    if not ids:
        return None
    known = AsOf(facts, facts.seq)
    return sorted({known.counts_as(view.player_index(facts, id_)) for id_ in ids})
