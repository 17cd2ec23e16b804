"""Which period somebody names when he says where a tournament is rated."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.application.lists import require_period
from ledger.errors import InputRefused
from ledger.registrar.commands import RatedIn


def rated_in(ledger: Ledger, text: str) -> RatedIn:
    """Returns the list and period of ``LIST:PERIOD``; ``PERIOD`` is one of the only list.

    Raises:
        InputRefused: there are several lists, or none.
        NotFound: there is no such list or period.
    """
    facts = ledger.facts()
    list_, _, period = text.rpartition(":")
    if not list_:
        if len(facts.lists) != 1:
            raise InputRefused("list.name_one", lists=", ".join(sorted(facts.lists)) or "-")
        (list_,) = facts.lists
    require_period(ledger, facts, list_, period)
    return RatedIn(list_, period)
