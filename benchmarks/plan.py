"""What can be measured, and at which sizes; by name, so that nothing large is loaded to choose.

A process begins with the most memory that the one it was started from has held: the harness must
stay smaller than what it measures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """How many players and games, over how many months."""

    name: str
    players: int
    games: int
    months: int


SIZES = {
    size.name: size
    for size in (
        Size("tiny", 120, 1_500, 6),
        Size("small", 2_000, 50_000, 24),
        Size("middle", 8_000, 250_000, 40),
        Size("million", 20_000, 1_000_000, 60),
        Size("ten-million", 200_000, 10_000_000, 120),
    )
}
REGULATIONS = ("enf-2010", "fide-standard")

PEERS = ("riix", "elote", "skelo", "dictionary")
WORKS = (
    "import-sqlite",
    "raw-sqlite",
    "import-postgresql",
    "raw-postgresql",
    "publish-some",
    "append-one",
    "publish-next",
    "replay-cold",
    "replay-warm",
    "kernel",
    "correct-one-year",
    "correct-ten-years",
    "annul-ten-years",
    "explain",
    "list-show",
    "list-regenerate",
    "verify",
)
"""In the order in which they need each other: the import makes the ledger of all others."""

ONCE = ("raw-sqlite", "import-postgresql", "raw-postgresql")
"""What no regulation makes faster or slower: measured with the first one alone."""

MAKING = ("import-sqlite", "publish-some")
"""What the other works need; run again only when asked for or when the ledger is missing."""
