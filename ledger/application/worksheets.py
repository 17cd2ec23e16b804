"""The worksheet of an all-play-all in a ledger."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.errors import NotFound
from ledger.facts.known import Known
from ledger.lists.published import calculated
from ledger.replay.timeline import Timeline
from ledger.reports.worksheet import Worksheet, worksheet


def tournament_worksheet(ledger: Ledger, tournament: str, name: str, k: int) -> Worksheet:
    """Returns the worksheet, by the ratings at the start of the period that rates the tournament.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: not everybody played everybody, or too few players are rated for a mean.
    """
    facts = ledger.facts()
    ledger.require_list(facts, name)
    known = Known(facts, facts.seq)
    index = facts.tournament_index.get(tournament)
    version = None if index is None else known.tournament(index)
    if index is None or version is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    period = Timeline(known, name).periods(version.ends_on)[-1]
    rating = calculated(facts, name, facts.seq, period).opening.rating
    people = ledger.people(facts)
    return worksheet(known, index, rating, people, on=(name, period.name), k=k)
