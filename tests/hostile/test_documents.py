"""Mutated documents: each is taken in whole or refused with a contracted exit code."""

from __future__ import annotations

import random

import pytest

from tests.cli.running import Ran
from tests.hostile.ledgers import example, federation, hold
from tests.hostile.mutations import mutated
from tests.intake.test_fide_list import TEXT, XML
from tests.intake.trf.writing import GOOD
from tests.profile import count, seeded

DOCUMENTS = {
    "players": example("players.csv"),
    "games": example("agosto.csv"),
    "recorded games": example("ymca.csv"),
    "report": GOOD.encode(),
    "list": TEXT.encode(),
    "list in XML": XML.encode(),
}
OPTIONS: tuple[tuple[str, ...], ...] = (
    (), ("--list", "ENF"), ("--as-correction", "--reason", "x"), ("--dry-run",),
    ("--format", "json"), ("--lang", "es"), ("--encoding", "cp1252"), ("--encoding", "utf-16"),
    ("--kind", "trf"), ("--kind", "games"), ("--kind", "players"), ("--kind", "fide-list"),
    ("--list", "ENF", "--on", "2010-09-01"), ("--rate-of-play", "blitz"),
)  # fmt: skip
PARTS = 20


def imported(chance: random.Random) -> Ran:
    """Imports one mutated document, more often than not without options."""
    data = mutated(DOCUMENTS[chance.choice([*DOCUMENTS])], chance)
    options = chance.choice(OPTIONS) if chance.random() < 0.5 else ()
    before = ("--lang", "es") if "--lang" in options else ()
    words = (*before, "import", "-", *(options if not before else ()))
    with federation() as journal:
        try:
            return hold(journal, *words, stdin=data)
        except BaseException as error:
            error.add_note(f"{words} {data!r}")
            raise


@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_documents(part: int) -> None:
    with seeded(part) as chance:
        codes = {imported(chance).code for _ in range(count(5_000, 200) // PARTS)}
    assert codes & {4, 5}, "some are refused"
