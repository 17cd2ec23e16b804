"""Facts, undo, undo of undo, merge and split by chance: only what holds in the end is answered."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from hypothesis import given

from ledger.errors import LedgerError
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from tests.matrix.held_facts import answers, ledger_conflicts, only_held_facts
from tests.matrix.test_undo_of_occupied_places import (
    FIRST,
    annul,
    ask,
    base,
    bye,
    correct,
    enter,
    enter_team,
    game,
    link,
    merge,
    number,
    register,
    rules,
    seed,
)
from tests.profile import CHANCES, examples

_RESULTS = ("1-0", "0-1", "1/2-1/2", "+/-", "*", "1-0a")
Act = Callable[[random.Random], c.Input]


def _two(chance: random.Random, players: str = "AABBCCDEX") -> tuple[str, str]:
    one, other = chance.sample(players, 2)
    return one, other


def _assign_numbers(chance: random.Random) -> c.Input:
    return number(*chance.sample("ABCDE", chance.choice((4, 5))))


ACTS: tuple[Act, ...] = (
    lambda chance: game(*_two(chance), chance.choice(_RESULTS), chance.randint(1, 2)),
    lambda chance: game(*_two(chance), chance.choice(_RESULTS), chance.randint(1, 2)),
    lambda chance: game(*_two(chance, "ACX"), chance.choice(_RESULTS), chance.randint(1, 2), "U"),
    lambda chance: annul(*_two(chance), chance.randint(1, 2)),
    lambda chance: annul(*_two(chance, "AB")),
    lambda chance: bye(chance.choice("ABX"), chance.choice(("half", "zero")), chance.randint(1, 2)),
    lambda chance: annul(chance.choice("AB"), None, chance.randint(1, 2)),
    lambda chance: correct(chance.choice(("1-0", "0-1"))),
    lambda chance: enter(chance.choice("EFNX"), chance.choice((None, 5, 6))),
    lambda chance: enter(chance.choice("AFX"), None, "U"),
    _assign_numbers,
    lambda chance: c.WithdrawPlayer(
        tournament="T", player=chance.choice("ABEX"), from_round=chance.randint(1, 2)
    ),
    lambda chance: c.ReturnPlayer(tournament="T", player=chance.choice("ABEX"), from_round=2),
    lambda chance: link(chance.choice("ABFNX"), chance.choice(("3400001", "3400002", ""))),
    lambda chance: register(chance.choice("GN"), chance.choice((None, "3400001"))),
    lambda chance: merge(*_two(chance, "AFNXY")),
    lambda chance: c.SplitPlayer(player=chance.choice("AFNXY")),
    lambda chance: seed(chance.choice("ANX")),
    lambda chance: c.AssignK(
        player=chance.choice("AF"), k=chance.choice((10, 20)), list="ENF", on=FIRST
    ),
    lambda chance: enter_team(chance.choice(("t1", "t2")), tuple(chance.sample("ABCD", 2)), 1),
    lambda _: rules("T"),
)


def take_a_step(ledger: Ledger, chance: random.Random) -> None:
    """Records something by chance, or takes back what a commit recorded; it may be refused."""
    first, last = chance.choice((4, 7, 7, 7, 7, 7, 7, 7)), ledger.journal.head().commit_id
    if last >= first and chance.random() < 0.4:
        step: c.Input = c.UndoCommit(commit=chance.randint(max(first, last - 6), last))
    else:
        step = chance.choice(ACTS)(chance)
    with suppress(LedgerError):
        ask(ledger, step)


@given(CHANCES)
@examples(25)
def test_a_ledger_answers_as_if_only_what_holds_was_recorded(chance: random.Random) -> None:
    ledger = base()
    for _ in range(chance.randint(5, 60)):
        take_a_step(ledger, chance)
        if chance.random() < 0.05:
            answers(ledger)  # what was read before is read on
    assert [*map(str, ledger_conflicts(ledger))] == []
    found = answers(ledger)
    assert found == answers(only_held_facts(ledger))
    assert found == answers(Ledger(ledger.journal, ledger.clock))
