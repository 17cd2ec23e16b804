"""A claim as it comes by a form or from a program: the statement, the game, and whether in time."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request

from ledger.answers.claims import (
    ClaimDeadline,
    claim_deadline,
    claimable_tournament,
    questioned_game,
)
from ledger.errors import InputRefused, NotFound
from ledger.identifiers import Seq
from ledger.reports.statement import Statement
from ledger.typed_values import integer_in
from ledger.wording import Message
from web.access import account_of
from web.accounts.attempts import client_address
from web.asked_view import newest_for, site_of
from web.fields import LARGEST
from web.office.store import office_of
from web.read_models.answers import edition_asked, statement_of
from web.read_models.model_store import store_of
from web.submissions.claims import ClaimDesk, StatementPlace


def claim_desk(request: Request) -> ClaimDesk:
    """Returns the desk of claims; raises ``NotFound`` where the site has no office."""
    return ClaimDesk(office_of(request), site_of(request))


def statement_meant(request: Request, words: Mapping[str, str]) -> Statement:
    """Returns the statement that a claim is about; raises ``NotFound`` where there is none."""
    player, name, period = (words.get(key, "") for key in ("player", "list", "period"))
    if not (player and name and period):
        raise NotFound("claim.no_statement")
    view = newest_for(request)
    edition = edition_asked(view, name, period, None, recalculated=False)
    return statement_of(store_of(request), view, player, name, period, edition)


def deadline_of(request: Request, statement: Statement) -> ClaimDeadline:
    """Returns until when claims about a statement are taken, as the federation settles it."""
    days = site_of(request).settings.federation.claim_days
    return newest_for(request).ask(claim_deadline, statement.list, statement.period, days)


def receive_claim(request: Request, words: Mapping[str, str], secret: str) -> None:
    """Keeps a claim by the words of a form; ``secret`` is that of its link.

    Raises:
        InputRefused: it comes too late, or as ``ClaimDesk.make``.
        NotFound: there is no such statement.
        Conflict: as ``ClaimDesk.make``.
    """
    statement = statement_meant(request, words)
    deadline = deadline_of(request, statement)
    if deadline.on is not None and deadline.is_over:
        whom = site_of(request).settings.federation.claims_to or Message.of("claim.federation")
        raise InputRefused("claim.too_late", on=deadline.on.isoformat(), to=whom)
    seq = integer_in(words.get("game", ""), least=1, most=LARGEST)
    if words.get("game") and (seq is None or seq not in statement.seqs):
        raise InputRefused("claim.which_game")
    game = None if seq is None else newest_for(request).ask(questioned_game, Seq(seq))
    player = statement.player.id or ""
    tournament = _played(request, words.get("tournament", ""), player)
    place = StatementPlace(player, statement.list, statement.period, tournament)
    claim_desk(request).make(
        place, game, words, secret=secret, address=client_address(request),
        account=account_of(request),
    )  # fmt: skip


def _played(request: Request, tournament: str, player: str) -> str | None:
    """Returns a tournament that a player is in; None for another one, or none."""
    if not tournament:
        return None
    players = newest_for(request).ask(claimable_tournament, tournament).players
    return tournament if any(each.id == player for each in players) else None
