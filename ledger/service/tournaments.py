"""What is recorded of a tournament as a whole: prizes of categories, and its standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from ledger.answers.tournaments import StandingsAsked, require_tournament, tournament_standings
from ledger.errors import Problem
from ledger.facts.as_of import AsOf
from ledger.operations.commands import AnnouncePrizes, PublishStandings
from ledger.registrar.registrar import Registrar
from ledger.reports.categories import Category, require_bodies
from ledger.reports.standings import Standings, rows_sha256
from ledger.service.ledger import Ledger, Receipt, Request, body_of


def announce_prizes(ledger: Ledger, command: AnnouncePrizes, request: Request) -> Receipt:
    """Announces the prizes of categories.

    Raises:
        InputRefused: a category is none, its club or region is unknown, the event is one of teams,
            or it has begun.
    """
    facts = ledger.facts()
    known = AsOf(facts, facts.seq)
    for text, _ in command.prizes:
        require_bodies(known, Category.parse(text, ledger.federation.age_groups))
    if require_tournament(ledger, command.tournament, facts.seq).desk.teams:
        raise command.refused("category.of_teams")
    return ledger.execute([command], replace(request, body=request.body or body_of([command])))


def publish_standings(
    ledger: Ledger,
    tournament: str,
    request: Request,
    *,
    prizes: Sequence[int] | None = None,
    **wanted: Unpack[StandingsAsked],
) -> tuple[Receipt, Standings]:
    """Records that standings went out, by the digest of their rows; see ``tournament_standings``.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: no such tie-break, or the same standings went out last.
    """
    published: list[Standings] = []

    def plan(registrar: Registrar) -> Sequence[Problem]:
        found = tournament_standings(ledger, tournament, prizes=prizes, **wanted)
        digest = rows_sha256(found.rows)
        registrar.take(
            PublishStandings(
                tournament=tournament,
                after=found.after,
                tie_breaks=found.codes,
                rows_sha256=digest,
            )
        )
        published[:] = [found]
        return ()

    receipt = ledger.append([f"tournament:{tournament}"], plan, request)
    if not published:  # the same request was carried out before
        published.append(tournament_standings(ledger, tournament, prizes=prizes, **wanted))
    return receipt, published[0]
