"""What an account must be when something is recorded in its name, asked at the very head.

A face finds out who somebody is when a request begins. Until it is recorded it may wait, for the
turn of another writer too, and a role be revoked meanwhile. So a request carries what is required,
and ``Ledger.append_decided`` asks the facts of the head that it drafts for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import RightsLacking
from ledger.facts.accounts import AccountFacts
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.terms import Role

_NONE: Final = AccountFacts("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredRights:
    """What the account that asks for something must be when it is recorded.

    ``roles`` are those of which it must have one; none: any account will do. ``everywhere``: the
    role of an arbiter who is limited to tournaments is not enough. ``tournament`` is where an
    arbiter must be one, and whose report must not be handed in; an officer may at all. ``since`` is
    the seq of the ledger when its owner signed in: no role, nor every way in, was taken after it.
    """

    account: str
    roles: frozenset[Role] = frozenset()
    everywhere: bool = False
    tournament: str | None = None
    since: Seq

    def check(self, facts: Facts) -> None:
        """Raises ``RightsLacking`` where the account is not what is required, by the facts."""
        rights = facts.accounts.get(self.account, _NONE)
        held = rights.roles
        if self.everywhere and rights.tournaments is not None:
            held -= {Role.ARBITER}
        if rights.revoked > self.since or (self.roles and not self.roles & held):
            raise RightsLacking("account.rights_lost", account=self.account)
        if self.tournament is None or Role.OFFICER in held:
            return
        if rights.tournaments is not None and self.tournament not in rights.tournaments:
            raise RightsLacking("account.rights_lost", account=self.account)
        if is_handed_in(facts, self.tournament):
            raise RightsLacking("web.handed_in", tournament=self.tournament)


def is_handed_in(facts: Facts, tournament: str) -> bool:
    """Whether a tournament's report was handed in, by the facts; one that is unknown is open."""
    index = facts.tournament_index.get(tournament)
    return index is not None and bool(facts.is_closed[index])
