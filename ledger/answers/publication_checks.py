"""What is looked at before a period of a list goes out.

Columns of two calculated periods are compared; of games only their number is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ledger.answers.open_events import open_events
from ledger.answers.period_states import period_states
from ledger.answers.publication_bounds import ExceededBound, ListSteps
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column, Facts
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import Timeline
from ledger.reports.late_reports import LateReport, late_reports
from ledger.views.list_editions import editions_of, require_period
from ledger.views.view import LedgerView
from ledger.wording import Message

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class RatedTournament(JsonForm):
    """A tournament that the period rates; ``late``: it ended in an earlier period."""

    tournament: str
    name: str
    games: int
    late: bool


@dataclass(frozen=True, slots=True)
class ListedPlayer(JsonForm):
    """A player who is on the list and was not on the one before, or the other way round."""

    id: str
    name: str
    rating: int


@dataclass(frozen=True, slots=True)
class RatingMove(JsonForm):
    """By how much a player's rating moves from the list before to this one."""

    id: str
    name: str
    before: int
    after: int
    change: int


@dataclass(frozen=True, slots=True)
class FederationShare(JsonForm):
    """How many players of a federation are on the list; None: nobody said of which."""

    federation: str | None
    players: int


@dataclass(frozen=True, slots=True)
class PublicationCheck(JsonForm):
    """What a period of a list comes to beside the list it replaces, and what is to be looked at.

    That is the last edition of the period, and for a first one the list before it.

    ``new`` and ``gone`` are all, ``up`` and ``down`` the greatest moves; ``federations`` are those
    of the list but for the most frequent one. ``restated`` are earlier periods whose list as known
    now is another than their last edition. ``exceeded`` must be acknowledged before an edition 1
    goes out. ``late_reports`` came after the last publication, and no list rates them.
    """

    list: str
    period: str
    edition: int
    players: int
    before: int
    tournaments: tuple[RatedTournament, ...]
    unfinished: tuple[Message, ...]
    new: tuple[ListedPlayer, ...]
    gone: tuple[ListedPlayer, ...]
    up: tuple[RatingMove, ...]
    down: tuple[RatingMove, ...]
    federations: tuple[FederationShare, ...]
    restated: tuple[str, ...]
    exceeded: tuple[ExceededBound, ...]
    late_reports: tuple[LateReport, ...] = ()


def check_publication(
    view: LedgerView, name: str, period_name: str, *, with_earlier: bool = True
) -> PublicationCheck:
    """Returns what is looked at before a period goes out; raises ``NotFound``.

    Whether earlier periods would be other lists takes longer than the rest: without it ``restated``
    is empty.
    """
    facts = view.facts()
    period = require_period(facts, name, period_name)
    steps = ListSteps(view, facts, name, period)
    people = view.people(facts)
    states = period_states(view, name) if with_earlier else ()
    last = facts.lists[name].publications[-1:]
    since = last[0][1].basis_seq if last else facts.seq
    return PublicationCheck(
        list=name,
        period=period_name,
        edition=len(editions_of(facts, name, period_name)) + 1,
        players=int(np.count_nonzero(steps.is_listed)),
        before=int(np.count_nonzero(steps.was_listed)),
        tournaments=tuple(_tournaments(facts, steps.now)),
        unfinished=tuple(each.message for each in open_events(view, facts, name, period)),
        new=tuple(_listed(people, steps.new, steps.after)),
        gone=tuple(_listed(people, steps.gone, steps.before)),
        up=tuple(_moves(people, steps, descending=True)),
        down=tuple(_moves(people, steps, descending=False)),
        federations=tuple(_federations(people, np.flatnonzero(steps.is_listed))),
        restated=tuple(
            each.period.name
            for each in states
            if each.state == "restated" and each.period.index < period.index
        ),
        exceeded=tuple(steps.exceeded()),
        late_reports=tuple(late_reports(AsOf(facts, facts.seq), since, name)),
    )


def _tournaments(facts: Facts, outcome: PeriodOutcome) -> Iterator[RatedTournament]:
    known, games = Timeline.at_head(facts, outcome.timeline.name).known, outcome.games
    first_day = outcome.period.starts_on.toordinal()
    ends_on = known.tournaments.ends_on
    places, row_of = np.unique(games.tournament, return_inverse=True)
    counts = np.bincount(row_of[games.black != NOBODY], minlength=len(places))  # a bye is no game
    names = known.tournament_names if len(places) else ()
    for place, count in zip(places.tolist(), counts.tolist(), strict=True):
        is_late = bool(ends_on[place] < first_day)
        yield RatedTournament(facts.tournament_ids[place], names[place], count, is_late)


def _listed(people: People, players: Column, ratings: Column) -> Iterator[ListedPlayer]:
    of = zip(people.ids(players), people.names(players), ratings[players].tolist(), strict=True)
    yield from sorted((ListedPlayer(*each) for each in of), key=lambda each: -each.rating)


def _moves(people: People, steps: ListSteps, *, descending: bool) -> Iterator[RatingMove]:
    moved = -steps.moved if descending else steps.moved
    least = np.argsort(moved, kind="stable")[:_SHOWN]
    players = least[moved[least] < 0]
    columns = (steps.before, steps.after, steps.moved)
    values = (people.ids(players), people.names(players), *(c[players].tolist() for c in columns))
    yield from (RatingMove(*each) for each in zip(*values, strict=True))


def _federations(people: People, players: Column) -> Iterator[FederationShare]:
    _own, *others = Counter(people.federations(players)).most_common() or [(None, 0)]
    yield from (FederationShare(*each) for each in others)
