"""The worksheet of an all-play-all in a ledger."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.application.tournament_ratings import listed_tournament
from ledger.reports.worksheet import Worksheet, worksheet


def tournament_worksheet(ledger: Ledger, tournament: str, name: str, k: int) -> Worksheet:
    """Returns the worksheet, by the ratings at the start of the period that rates the tournament.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, not everybody played everybody, or too few
            players are rated for a mean.
    """
    facts = ledger.facts()
    of = listed_tournament(ledger, facts, tournament, name)
    on = (name, of.period.name)
    return worksheet(of.known, of.tournament, of.rating(), ledger.people(facts), on=on, k=k)
