"""Names are read for those who are asked for, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY
from ledger.identifiers import PlayerIndex
from ledger.lists.people import People
from tests.journal.drafts import append, with_people
from tests.ledgers import empty_ledger

PLAYERS = 200


@pytest.fixture
def asked() -> tuple[People, list[int | None]]:
    """People, and how many documents were asked for each time; None: all."""
    ledger = empty_ledger()
    append(ledger.journal, with_people(*map(str, range(PLAYERS))))
    found: list[int | None] = []

    def documents(digests: Iterable[str] | None) -> dict[str, str]:
        wanted = None if digests is None else list(digests)
        found.append(None if wanted is None else len(wanted))
        return ledger.journal.personal_documents(wanted)

    facts = ledger.facts()
    return People(AsOf(facts, facts.seq), documents), found


def test_names_that_are_asked_for_one_by_one_are_read_one_by_one(
    asked: tuple[People, list[int | None]],
) -> None:
    people, found = asked
    names = [people.name(PlayerIndex(player)) for player in range(PLAYERS)]
    assert names == [f"Núñez, {player}" for player in range(PLAYERS)]
    assert found == [1] * PLAYERS


def test_names_that_are_read_before_are_not_read_again(
    asked: tuple[People, list[int | None]],
) -> None:
    people, found = asked
    people.read([*range(150), NOBODY])
    people.read(range(140, 160))
    assert [people.name(PlayerIndex(player)) for player in (3, 149, 159)] == [
        "Núñez, 3", "Núñez, 149", "Núñez, 159",
    ]  # fmt: skip
    assert people.names(np.arange(100)) == [f"Núñez, {player}" for player in range(100)]
    assert people.name(PlayerIndex(NOBODY)) is None
    assert found == [150, 10]


def test_the_names_of_a_list_are_read_in_order(asked: tuple[People, list[int | None]]) -> None:
    people, found = asked
    assert people.names(np.arange(20)) == [f"Núñez, {player}" for player in range(20)]
    assert people.names(np.arange(PLAYERS))[-1] == f"Núñez, {PLAYERS - 1}"
    assert found == [20, None]
