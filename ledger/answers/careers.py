"""Careers of players: what all games in a list come to, and head to head with one opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from ledger.answers.directory import last_day_in_force, listed_ratings
from ledger.answers.people_pages import numbered_tournament
from ledger.errors import NotFound
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Facts
from ledger.identifiers import PlayerIndex
from ledger.lists.people import People
from ledger.lists.publications import publications
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.careers import (
    CareerGames,
    CareerSource,
    Meetings,
    PlayerCareer,
    career,
    games_rated,
    meetings,
    period_note,
)
from ledger.reports.list_ranks import ListRank, rank_in, rank_rows
from ledger.reports.statement import PersonRef
from ledger.views.list_editions import newest_editions, require_period
from ledger.views.view import LedgerView


def player_career(view: LedgerView, player: str, name: str) -> PlayerCareer:
    """Returns a player's career in a list, as known now; raises as ``career_source`` does."""
    return career(career_source(view, player, name), _rank(view, player, name))


def meetings_of(view: LedgerView, player: str, opponent: str, name: str) -> Meetings:
    """Returns the head to head of two players in a list; raises as ``career_source`` does."""
    source = career_source(view, player, name)
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    return meetings(source, known.counts_as(view.player_index(facts, opponent)))


def career_source(view: LedgerView, player: str, name: str) -> CareerSource:
    """Returns what a career is made of, by a replay of the list.

    Raises:
        NotFound: no such player or list, or the player is not in it.
    """
    facts = view.facts_of(name)
    known = AsOf(facts, facts.seq)
    index = known.counts_as(view.player_index(facts, player))
    published = {each.period for each in publications(facts, name)}
    parts, notes = [CareerGames.none()], {}
    for outcome in replay(Timeline.at_head(facts, name), last_period(facts, name)):
        games = games_rated(outcome, index)
        is_out = outcome.period.name in published
        notes[outcome.period.index] = period_note(outcome, games, is_out=is_out)
        parts.append(games)
    if not any(each.list == name for each in listed_ratings(view, player)):
        raise NotFound("player.not_in_list", player=player, list=name)
    games = CareerGames.joined(parts)
    tournaments = {
        each: named
        for each in np.unique(games.tournament).tolist()
        if (named := numbered_tournament(known, each))
    }
    people = view.people(facts)
    return CareerSource(
        PersonRef.of(people, index), name, games, notes, tournaments, partial(_named, people)
    )


def _named(people: People, players: Sequence[int]) -> Mapping[int, PersonRef]:
    people.read(players)
    distinct = {PlayerIndex(each) for each in players if each != NOBODY}
    return {each: PersonRef.of(people, each) for each in distinct}


def _rank(view: LedgerView, player: str, name: str) -> ListRank | None:
    """Returns a player's rank in the newest edition; None without a rating in it."""
    edition = newest_editions(view).get(name)
    if edition is None:
        return None
    facts = view.facts()
    period = require_period(facts, name, edition.period, edition.basis_seq)
    then = view.calculated(facts, name, edition.basis_seq, period)
    index = then.timeline.known.counts_as(view.player_index(facts, player))
    return rank_in(then, index)


class NewestRanks:
    """What is said of the newest edition of a list, and the ranks in it: it looks at a walk.

    ``ranks`` are ``rank_rows``, once the edition was met: of who is of which club on the last day
    on which the list holds, as known now.
    """

    def __init__(self, facts: Facts, edition: ListPublished) -> None:
        self._known = AsOf(facts, facts.seq)
        self._edition = edition
        self._holds_until = last_day_in_force(facts, edition.list, edition.period)
        self._index = require_period(facts, edition.list, edition.period).index
        self._following: str | None = None
        self.ranks: list[tuple[str, str, int, int]] = []

    def about(self) -> tuple[int, str, int, str | None]:
        """Returns its rows, since when it holds, until which year, and the period after it."""
        edition = self._edition
        since = edition.published_on.isoformat()
        return edition.row_count, since, self._holds_until.year, self._following

    def take(self, outcome: PeriodOutcome) -> None:
        """Takes the next period, as known now."""
        if outcome.period.index == self._index + 1:
            self._following = outcome.period.name

    def take_edition(self, publication: ListPublished, then: PeriodOutcome) -> None:
        """Takes an edition as it was calculated."""
        if publication == self._edition:
            self.ranks = [*rank_rows(then, self._known, self._holds_until)]
