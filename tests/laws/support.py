"""What the laws are tried on: small federations by chance, and their lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hypothesis import settings

from ledger.answers.lists import show
from ledger.journal.interface import Journal
from ledger.lists.rating_list import ListRow
from ledger.reports.statement import Statement
from ledger.service.ledger import Ledger
from tests.differential.independent import Event
from tests.differential.strategies import MONTHS, Federation, games_csv
from tests.differential.support import LIST, correct, new_ledger, take
from tests.ledgers import statements_of
from tests.profile import examples

PERIODS = tuple(f"{year}-{month:02}" for year, month in MONTHS)


def law(thorough: int) -> settings:
    """Returns the settings of a law: on how many federations it is tried."""
    return examples(thorough)


def filled(
    federation: Federation,
    events: Sequence[Event] | None = None,
    *,
    journal: Journal | None = None,
    policy: Literal["restate", "next-list"] = "restate",
) -> Ledger:
    """Returns a ledger that knows the federation, and the events in one document."""
    ledger = new_ledger(federation.rules, journal=journal, policy=policy)
    take(ledger, federation.players_csv(), seeds=True)
    take(ledger, games_csv(*(federation.events if events is None else events)))
    return ledger


def correct_all(ledger: Ledger, federation: Federation) -> None:
    """Carries out the federation's corrections, one by one."""
    for place in range(len(federation.corrections)):
        correct_one(ledger, federation, place)


def correct_one(ledger: Ledger, federation: Federation, place: int) -> None:
    """Carries out one of the federation's corrections."""
    event, game, result = federation.corrections[place]
    tournament = federation.events[event]
    correct(ledger, tournament.id, tournament.games[game], result)


def rows_of(ledger: Ledger) -> dict[str, Sequence[ListRow]]:
    """Returns the rows of every period, as known now."""
    return {period: show(ledger, LIST, period).rows for period in PERIODS}


def statements(ledger: Ledger, federation: Federation) -> list[Statement]:
    """Returns everybody's statement of every period, as known now."""
    told = [statements_of(ledger, LIST, period) for period in PERIODS]
    return [of_period[person.id] for of_period in told for person in federation.people]
