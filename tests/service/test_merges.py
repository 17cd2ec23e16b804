"""Two ids of one person, who may look like two people."""

from __future__ import annotations

import pytest

from ledger.errors import Conflict
from ledger.operations.commands import MergePlayers
from ledger.service.ledger import Ledger
from ledger.service.merges import merge_all
from ledger.service.operations import carry_out
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text, request

PEOPLE = """\
A,"Soto, Ana",CHI,w,1990,,,
B,"Soto Pérez, Ana",CHI,w,1991,,,
C,"Soto, Ana",CHI,m,1990,,,
D,"Soto, Ana",CHI,w,1960,,,
E,"Rojas, Eva",CHI,w,1990,,,
F,"Soto, Ana",,,,,,
"""


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    import_text(made, PLAYERS_HEADER + PEOPLE, decisions=(("all", ""),))
    return made


def merge(player: str, *, anyway: bool = False) -> MergePlayers:
    on = empty_ledger().today
    return MergePlayers(player=player, into="A", on=on, anyway=anyway)


@pytest.mark.parametrize("player", ["B", "F"])
def test_who_may_be_one_is_merged(ledger: Ledger, player: str) -> None:
    assert carry_out(ledger, merge(player), request()).events


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("C", "sex: Soto, Ana m, Soto, Ana w"),
        ("D", "Soto, Ana was born in 1960, Soto, Ana in 1990"),
        ("E", "the names Rojas, Eva and Soto, Ana have no word in common"),
    ],
)
def test_who_look_like_two_are_merged_when_somebody_says_so_again(
    ledger: Ledger, player: str, why: str
) -> None:
    with pytest.raises(Conflict) as refusal:
        carry_out(ledger, merge(player), request())
    assert refusal.value.message.key == "player.merge_unlike"
    assert [str(each.message) for each in refusal.value.details] == [why]
    assert carry_out(ledger, merge(player, anyway=True), request()).events


def test_of_several_none_is_merged_where_one_looks_like_two(ledger: Ledger) -> None:
    before = ledger.journal.head()
    with pytest.raises(Conflict):
        merge_all(ledger, [merge("B"), merge("C")], request())
    assert ledger.journal.head() == before
