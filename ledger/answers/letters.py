"""Letters to clubs and players after a list was published."""

from __future__ import annotations

from ledger.errors import NotFound
from ledger.facts.as_of import AsOf
from ledger.reports.letters import Letters, letters
from ledger.views.list_editions import require_edition, require_period
from ledger.views.view import LedgerView


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
    players = None
    if player is not None:
        index = view.player_index(facts, player, edition.basis_seq)
        players = [outcome.timeline.known.counts_as(index)]
    found = letters(
        outcome, AsOf(facts, facts.seq), view.people(facts),
        clubs=None if club is None else [club], players=players,
    )  # fmt: skip
    if not found and club is not None:
        raise NotFound("letter.no_club", club=club, list=name, period=period_name)
    if not found and player is not None:
        raise NotFound("player.not_in_list", player=player, list=name)
    return Letters(name, period_name, edition.edition, period.in_force_on, found)
