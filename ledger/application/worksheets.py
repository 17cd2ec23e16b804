"""The worksheet of an all-play-all in a ledger."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.application.tournaments import listed_tournament
from ledger.reports.worksheet import Worksheet, worksheet

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
    facts = ledger.facts()
    of = listed_tournament(ledger, facts, tournament, name)
    on = (name, of.period.name)
    if k is None:
        parameters = of.timeline.regulation(of.period).parameters
        k = int(getattr(parameters, "k_established", _K))
    return worksheet(of.known, of.tournament, of.rating(), ledger.people(facts), on=on, k=k)
