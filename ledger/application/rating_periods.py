"""Which period somebody names when he says where a tournament is rated."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.application.lists import only_list, require_period
from ledger.registrar.commands import RatedIn


def rated_in(ledger: Ledger, text: str) -> RatedIn:
    """Returns the list and period of ``LIST:PERIOD``; ``PERIOD`` is one of the only list.

    Raises:
        NotFound: there is no such list or period, no list at all, or several to choose from.
    """
    facts = ledger.facts()
    list_, _, period = text.rpartition(":")
    if not list_:
        list_ = only_list(facts)
    require_period(ledger, facts, list_, period)
    return RatedIn(list_, period)
