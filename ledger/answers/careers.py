"""Careers of players: what all games in a list come to, and head to head with one opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from ledger.answers.directory import listed_ratings
from ledger.answers.people_pages import numbered_tournament
from ledger.errors import NotFound
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY
from ledger.identifiers import PlayerIndex
from ledger.lists.people import People
from ledger.lists.publications import publications
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.careers import (
    CareerGames,
    CareerSource,
    ListRank,
    Meetings,
    PlayerCareer,
    RankTable,
    career,
    games_rated,
    meetings,
    period_note,
)
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
    own = PersonRef(people.id(index), people.name(index))
    return CareerSource(own, name, games, notes, tournaments, partial(_named, people))


def _named(people: People, players: Sequence[int]) -> Mapping[int, PersonRef]:
    people.read(players)
    distinct = {PlayerIndex(each) for each in players if each != NOBODY}
    return {each: PersonRef(people.id(each), people.name(each)) for each in distinct}


def _rank(view: LedgerView, player: str, name: str) -> ListRank | None:
    """Returns a player's rank in the newest edition; None without a rating in it."""
    edition = newest_editions(view).get(name)
    if edition is None:
        return None
    facts = view.facts()
    period = require_period(facts, name, edition.period, edition.basis_seq)
    then = view.calculated(facts, name, edition.basis_seq, period)
    index = then.timeline.known.counts_as(view.player_index(facts, player))
    return RankTable.of(then).rank_of(int(then.closing.rating[index]))
