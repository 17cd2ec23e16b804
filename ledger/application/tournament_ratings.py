"""The ratings with which a list meets a tournament."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.application.ledger import Ledger
from ledger.calendar import Period
from ledger.errors import InputRefused, NotFound
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.lists.publications import calculated
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament by its index, and the period of a list in which it falls, as known now."""

    facts: Facts
    timeline: Timeline
    tournament: int
    period: Period

    @property
    def known(self) -> AsOf:
        """What is known."""
        return self.timeline.known

    def rating(self) -> Column:
        """Returns everybody's rating at the start of the period, under the id that counts now."""
        opening = calculated(self.facts, self.timeline.name, self.facts.seq, self.period).opening
        return opening.carried(self.known.merged_into).rating


def listed_tournament(ledger: Ledger, facts: Facts, tournament: str, name: str) -> ListedTournament:
    """Finds a tournament in a list: in the period that rates it, else in that in which it ended.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, and no period of the list rates it.
    """
    ledger.require_list(facts, name)
    known = AsOf(facts, facts.seq)
    index = facts.tournament_index.get(tournament)
    version = None if index is None else known.tournament(index)
    if index is None or version is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    timeline = Timeline(known, name)
    rated_in = int(timeline.rated_in(np.array([index]))[0])
    if rated_in >= 0:
        return ListedTournament(facts, timeline, index, timeline.period_at(rated_in))
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
    return ListedTournament(facts, timeline, index, periods[-1])
