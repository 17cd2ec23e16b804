"""How many things wait for an officer: submissions, claims, newcomers, what is due.

A page of the officer counts them; the menu of every other page says what was counted lately.
"""

from __future__ import annotations

from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from fastapi import Request

from ledger.answers.agenda import agenda_of
from ledger.service.newcomers import unconfirmed_players
from ledger.terms import Role
from ledger.views.view import LedgerView
from web.access import account_of
from web.office.claims import waiting_claims
from web.office.store import office_if_any
from web.office.submissions import awaiting_count

_COUNTED_FOR: Final = 60.0  # seconds: what is recorded meanwhile may make one more, or less
_COUNTED: Final[WeakKeyDictionary[object, tuple[float, int]]] = WeakKeyDictionary()


def waiting_count(request: Request, *, anew: bool = False) -> int:
    """Returns how many things wait for the officer who asks; for others nothing is counted.

    Submissions and claims are counted each time; what the ledger says, once in a while or ``anew``.
    """
    account, office = account_of(request), office_if_any(request)
    if office is None or account is None or Role.OFFICER not in account.roles:
        return 0
    site = request.app.state.site
    counted_at, count = _COUNTED.get(site, (0.0, 0))
    if anew or not counted_at or monotonic() > counted_at + _COUNTED_FOR:
        count = site.newest().recall(_in_ledger)
        _COUNTED[site] = monotonic(), count
    with office.reading() as connection:
        return count + awaiting_count(connection) + waiting_claims(connection)


def _in_ledger(view: LedgerView) -> int:
    return len(unconfirmed_players(view).players) + len(agenda_of(view, view.today).due)
