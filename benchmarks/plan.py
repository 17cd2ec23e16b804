"""What can be measured, and at which sizes; by name, so that nothing large is loaded to choose.

A process begins with the most memory that the one it was started from has held: the harness must
stay smaller than what it measures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """How many players and games, over how many months.

    ``one_ledger``: there is one ledger, under the first regulation; the others are replayed over
    it. ``sealed``: it consists of segments alone, without the events they would be made of.
    """

    name: str
    players: int
    games: int
    months: int
    one_ledger: bool = False
    sealed: bool = False


SIZES = {
    size.name: size
    for size in (
        Size("tiny", 120, 1_500, 6),
        Size("tiny-sealed", 120, 1_500, 6, one_ledger=True, sealed=True),
        Size("small", 2_000, 50_000, 24),
        Size("middle", 8_000, 250_000, 40),
        Size("million", 20_000, 1_000_000, 60),
        Size("ten-million", 200_000, 10_000_000, 120, one_ledger=True),
        Size("thirty-million", 400_000, 30_000_000, 180, one_ledger=True, sealed=True),
        Size("hundred-million", 1_000_000, 100_000_000, 240, one_ledger=True, sealed=True),
    )
}
REGULATIONS = ("enf-2010", "fide-standard")

PEERS = ("riix", "elote", "skelo", "dictionary", "c-loop")
QUESTIONS = (
    "ask-rows",
    "ask-live",
    "ask-why",
    "ask-history",
    "ask-log",
    "ask-periods",
    "ask-standings",
    "ask-tournaments",
    "ask-crosstable",
    "ask-performance",
    "ask-titles",
    "ask-titles-of-player",
)
PAGES = ("page-player",)
"""A page of the site, when nothing is kept and when everything is."""

DESK = ("desk-rounds", "desk-tie-breaks", "desk-dutch")
"""What needs a seed only, and no ledger."""
WORKS = (
    "import-sqlite",
    "raw-sqlite",
    "import-file",
    "raw-file",
    "import-postgresql",
    "raw-postgresql",
    "first-reader",
    "publish-some",
    "first-show",
    "append-one",
    "replay-cold",
    "replay-warm",
    "kernel",
    "next-month",
    "publish-next",
    "correct-one-year",
    "correct-ten-years",
    "annul-ten-years",
    "explain",
    "list-show",
    "list-regenerate",
    "compare",
    "monitor",
    *QUESTIONS,
    *PAGES,
    *DESK,
    "verify",
)
"""In the order in which they need each other: the import makes the ledger of all others."""

ONCE = (
    "raw-sqlite", "import-file", "raw-file", "import-postgresql", "raw-postgresql", *DESK,
)  # fmt: skip
"""What no regulation makes faster or slower: measured with the first one alone."""

MAKING = ("import-sqlite", "first-reader", "publish-some", "first-show")
"""What the other works need; run again only when asked for or when the ledger is missing."""

UNDER_ANOTHER = ("replay-cold", "replay-warm", "kernel")
"""What can be measured under another regulation than the one the ledger's list has."""

SEALED = ("replay-cold",)
"""What is measured where there are segments alone."""
