"""A tournament as a report file (TRF16 or TRF26), of what is recorded."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.application.lists import rating_on
from ledger.errors import NotFound
from ledger.events.personal import identity_in
from ledger.intake.trf.writer import write_report
from ledger.reports.tournaments import require_entered
from ledger.terms import TrfVersion


def tournament_report(
    ledger: Ledger, tournament: str, list_: str | None, version: TrfVersion | None = None
) -> bytes:
    """Returns the tournament as a report, UTF-8, LF (see ``intake.trf.writer``).

    Args:
        ledger: what is recorded.
        tournament: its id.
        list_: the ratings are those of this list in force on the tournament's first day; None for
            those of the report that it was recorded from.
        version: the edition; None for TRF26 where there are records that TRF16 does not know,
            otherwise TRF16.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = ledger.facts()
    register = ledger.register([f"tournament:{tournament}"], facts.seq)
    record = register.tournaments.get(tournament)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    require_entered(record)
    players = ledger.register((f"player:{player}" for player in record.entries), facts.seq).players
    documents = ledger.journal.personal_documents(
        player.version.identity for player in players.values()
    )
    identities = {
        player: identity_in(text)
        for player, known in players.items()
        if (text := documents.get(known.version.identity))
    }
    ratings = None if list_ is None else rating_on(ledger, list_, record.version.starts_on)
    return write_report(record, players, identities, ratings, version)
