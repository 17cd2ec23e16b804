"""The causes of a difference sum to it, whatever becomes known and however oddly it is told."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.player_questions import why_of
from ledger.errors import LedgerError
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Result
from tests.differential.support import LIST
from tests.laws.histories import PLAYERS, History
from tests.laws.support import law
from tests.ledgers import do, publish_period

DAY = dt.date(2010, 7, 12)
ODD = ("1-0a", "0-1a", "0-0", "1/2-0", "+/-", "-/-", "1-0s", "1-0", "1/2-1/2")


def oddly_corrected(history: History) -> None:
    """Records something of the past as no arbiter would like to; or not, where it is refused."""
    chance = history.chance
    name = chance.choice(list(history.events))
    round_, white, black, _ = chance.choice(history.events[name].games)
    result = Result.parse(chance.choice(ODD))
    player, into = chance.sample(PLAYERS, 2)
    pairing = {"tournament": name, "round": round_, "white": white, "black": black}
    command: c.Command = chance.choice((
        c.CorrectResult(**pairing, result=result),  # type: ignore[arg-type]
        c.CorrectResult(**pairing, result=result, rating_only=True),  # type: ignore[arg-type]
        c.CorrectResult(**pairing, result=None, rating_only=True),  # type: ignore[arg-type]
        c.AnnulResult(**pairing),  # type: ignore[arg-type]
        c.MergePlayers(player=player, into=into, on=DAY),
        c.AssignK(player=player, k=chance.choice((10, 40)), list=None, on=DAY, as_correction=True),
    ))  # fmt: skip
    try:
        do(history.ledger, command)
    except LedgerError:
        history.learn()


@pytest.mark.parametrize("regulation", ["enf-2010", "fide-standard"])
def test_the_causes_sum_whatever_becomes_known(regulation: str) -> None:
    @law(4)
    @given(st.integers(0, 10_000))
    def holds(seed: int) -> None:
        history = History.begun(MemoryJournal(), regulation, seed)
        ledger, first = history.ledger, history.first
        late = first + dt.timedelta(days=40)
        periods = [f"{day.year}-{day.month:02}" for day in (first, late)]
        for _ in range(2):
            for period in periods:
                publish_period(ledger, period, LIST)
            for _ in range(3):
                oddly_corrected(history)
        now = (f"{first.year + 1}-{first.month:02}", None)
        editions = [(period, 1) for period in periods]
        for before in editions:
            for after in (now, (periods[1], 1)):
                for player in PLAYERS:
                    told = why_of(ledger, player, LIST, before, after)
                    assert sum(told.totals().values()) == told.after - told.before

    holds()
