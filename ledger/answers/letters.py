"""Letters to clubs and players after a list was published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ledger.answers.open_events import open_events
from ledger.calendar import Period, period_at
from ledger.errors import NotFound
from ledger.facts.arrays import Column
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.lists.publications import editions_in_order
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Reason
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import Timeline
from ledger.reports.letters import Letters, ListNeighbours, letters
from ledger.views.list_editions import require_edition, require_period
from ledger.views.view import LedgerView
from ledger.wording import Message


def letters_of(
    view: LedgerView,
    name: str,
    period_name: str,
    *,
    club: str | None = None,
    player: str | None = None,
) -> Letters:
    """Returns the letters of the last edition of a period: of all clubs, one, or about a player.

    Raises:
        NotFound: no such list, period or player, nothing was published of the period, or the club
            or the player is not on the list.
    """
    facts = view.facts_of(name)
    edition = require_edition(facts, name, period_name, None)
    period = require_period(facts, name, period_name, edition.basis_seq)
    outcome = view.calculated(facts, name, edition.basis_seq, period)
    after = _next_period(facts, name, period)
    players = None
    if player is not None:
        index = view.player_index(facts, player, edition.basis_seq)
        players = [outcome.timeline.known.counts_as(index)]
    found = letters(
        outcome, AsOf(facts, facts.seq), view.people(facts),
        ListNeighbours(_left(view, facts, outcome), _waiting(facts, outcome, after)),
        clubs=None if club is None else [club], players=players,
    )  # fmt: skip
    if player is not None:
        found = [replace(each, is_of_club=False) for each in found]
    if not found and club is not None:
        raise NotFound("letter.no_club", club=club, list=name, period=period_name)
    if not found and player is not None:
        raise NotFound("player.not_in_list", player=player, list=name)
    unfinished = tuple(each.message for each in open_events(view, facts, name, after))
    return Letters(
        name, period_name, edition.edition, period.in_force_on, found, unfinished=unfinished
    )


def _next_period(facts: Facts, name: str, period: Period) -> Period:
    return period_at(AsOf(facts, facts.seq).list(name).segments, period.index + 1)


def _left(view: LedgerView, facts: Facts, outcome: PeriodOutcome) -> Column:
    """Returns who was on the last list of an earlier period and is not on this one, by index."""
    name = outcome.timeline.name
    earlier = [
        (period, edition)
        for period, edition in editions_in_order(facts, name)
        if period.index < outcome.period.index
    ]
    if not earlier:
        return np.zeros(0, dtype=np.int64)
    period, edition = earlier[-1]
    before = view.calculated(facts, name, edition.basis_seq, period).closing
    was_listed = before.carried(outcome.timeline.known.merged_into).listed.astype(np.bool_)
    return np.flatnonzero(was_listed & ~outcome.closing.listed.astype(np.bool_))


def _waiting(
    facts: Facts, outcome: PeriodOutcome, after: Period
) -> Mapping[int, tuple[Message, ...]]:
    """Returns who waits for the next list, by index: with too few games, or with games for it."""
    found = defaultdict[int, list[Message]](list)
    closing, needed = (
        outcome.closing,
        outcome.regulation.games_for_first_rating(outcome.period.in_force_on),
    )
    buckets = closing.buckets
    games_so_far = buckets.sums(buckets.results.achieved.games).tolist()
    for player, count in zip(buckets.players.tolist(), games_so_far, strict=True):
        if closing.rating[player] == UNRATED:
            found[player].append(Message.of("letter.bucket", count=count, needed=needed))
    known = AsOf(facts, facts.seq)
    games = Timeline(known, outcome.timeline.name).games(after)
    games = games.rows(games.reason == Reason.NONE)
    sides = known.merged_into[np.concatenate([games.white, games.black])]
    players, counts = np.unique(sides, return_counts=True)
    for player, count in zip(players.tolist(), counts.tolist(), strict=True):
        found[player].append(Message.of("letter.ahead", count=count, period=after.name))
    return {player: tuple(messages) for player, messages in found.items()}
