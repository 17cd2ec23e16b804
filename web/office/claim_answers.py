"""What those say of claims who played the game, as who decides may read it: by their players.

An account counts while it is somebody's: whoever was erased, or lost it, has said nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ledger.json_form import JsonForm
from ledger.wording import Message
from web.office.claims import KeptClaim, answers_to
from web.office.player_ties import TiedPlayer, tied_player
from web.office.store import Office


@dataclass(frozen=True, slots=True)
class SaidOfClaim(JsonForm):
    """What somebody who played the game said of a claim; ``words`` may be thrown away."""

    player: str
    name: str | None
    opponent: bool
    confirms: bool
    words: str

    @property
    def message(self) -> Message:
        """A sentence for people, without the words."""
        role = "claim.opponent" if self.opponent else "claim.player"
        who = Message.of(role, name=self.name or self.player)
        return Message.of("claim.confirms_it" if self.confirms else "claim.sees_otherwise", who=who)


@dataclass(frozen=True, slots=True)
class ClaimsPeople:
    """Who is who in claims.

    Attributes:
        office: where claims and accounts are kept.
        meant: returns the player whom the id of an account's tie means now; None: nobody.
        same: returns all ids of the person with an id.
    """

    office: Office
    meant: Callable[[str], TiedPlayer | None]
    same: Callable[[str], Collection[str]]

    def of_account(self, account: str | None) -> TiedPlayer | None:
        """Returns the player whose an account is; None where it is nobody's."""
        if account is None:
            return None
        with self.office.reading() as connection:
            tied = tied_player(connection, account)
        return None if tied is None else self.meant(tied)

    def claiming(self, claim: KeptClaim) -> TiedPlayer | None:
        """Returns the player who made a claim about themselves; None where somebody else did."""
        claimant = self.of_account(claim.account)
        if claimant is None:
            return None
        concerned = claim.players | {claim.player}
        return None if concerned.isdisjoint(self.same(claimant.id)) else claimant

    def answers(self, claim: KeptClaim) -> list[SaidOfClaim]:
        """Returns what those say of a claim who played the game."""
        with self.office.reading() as connection:
            kept = answers_to(connection, claim.id)
        if not kept:
            return []
        claimant = self.claiming(claim)
        own = self.same(claim.player if claimant is None else claimant.id)
        found = []
        for answer in kept:
            person = self.of_account(answer.account)
            if person is not None and not claim.players.isdisjoint(self.same(person.id)):
                found.append(
                    SaidOfClaim(
                        person.id, person.name, person.id not in own, answer.confirms, answer.words
                    )
                )
        return found
