"""A fixed history and its published digests; run as a program it prints them.

``python -m tests.laws.digests [DATABASE]``: in memory without a database.
"""

from __future__ import annotations

import datetime as dt
import sys
from contextlib import closing

from ledger.journal.interface import Journal
from ledger.journal.stores.database import open_journal, upgrade
from ledger.journal.stores.memory import MemoryJournal
from ledger.service.ledger import Ledger
from tests.differential.independent import Event, Game, Person, Rules
from tests.differential.strategies import Federation, games_csv
from tests.differential.support import correct, new_ledger, publish_month, take

RATINGS = (2267, None, 1955, 2116, None, 1887, 1609, 1720, 2405, None)
RESULTS = ("1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "1-0a", "+/-", "0-1s")


def history() -> Federation:
    """Ten players, a round robin and a Swiss tournament."""
    people = tuple(
        Person(f"Ñ{n}", rating, 25 if n % 4 == 0 else None, 28 if rating and n % 3 else 0)
        for n, rating in enumerate(RATINGS)
    )
    ids = [person.id for person in people]
    pairs = [(a, b) for a in range(len(ids)) for b in range(a)]
    robin = [
        Game(
            (a + b) % 9 + 1 if a < 9 else (2 * b) % 9 + 1, ids[a], ids[b], RESULTS[(a + 2 * b) % 7]
        )
        for a, b in pairs
    ]
    swiss = [
        Game(number, ids[place], ids[9 - (place + number) % 5], RESULTS[(3 * place + number) % 10])
        for number in range(1, 6)
        for place in range(5)
    ]
    july, august = dt.date(2010, 7, 24), dt.date(2010, 8, 22)
    return Federation(
        people,
        (
            Event("R", july, july, "round-robin", "rapid", None, tuple(robin)),
            Event("S", july, august, "swiss", "classical", None, tuple(swiss)),
        ),
        Rules(),
        ((0, 12, "1-0"), (1, 10, "1-0")),
    )


def digests(journal: Journal) -> list[str]:
    """Records the history, publishing, correcting and publishing again; returns every digest."""
    federation = history()
    ledger: Ledger = new_ledger(federation.rules, journal=journal)
    take(ledger, federation.players_csv(), seeds=True)
    take(ledger, games_csv(*federation.events))
    found = []
    for correction in (None, *federation.corrections):
        if correction is not None:
            place, game, result = correction
            tournament = federation.events[place]
            correct(ledger, tournament.id, tournament.games[game], result)
        for period in ("2010-07", "2010-08"):
            made = publish_month(ledger, period).list
            found.append(f"{period} {made.edition} {made.output_sha256()} {made.ratings_sha256()}")
    return found


def digests_in(url: str) -> list[str]:
    """Makes a database and returns the digests from it."""
    upgrade(url)
    with closing(open_journal(url)) as journal:
        return digests(journal)


if __name__ == "__main__":
    lines = digests_in(sys.argv[1]) if len(sys.argv) > 1 else digests(MemoryJournal())
    sys.stdout.write("".join(f"{line}\n" for line in lines))
