"""Why a rating differs, where the game is told of in more than one way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.application.ledger import Ledger
from ledger.application.player_questions import why_of
from ledger.errors import LedgerError, Problem
from ledger.events.model import Dated
from ledger.events.tournaments import ResultRecorded
from ledger.journal.stores.memory import MemoryJournal
from ledger.registrar import commands as c
from ledger.registrar.registrar import Registrar
from ledger.reports.why import Cause
from ledger.results import Result
from tests.differential.support import LIST
from tests.laws.histories import PLAYERS, History
from tests.laws.support import law
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)

DAY = dt.date(2010, 7, 12)
ABOUT = "T,T,2010-07-10,2010-07-12,swiss,classical,"
FIRST, SECOND = ("2010-07", 1), ("2010-07", 2)


def published(*games: str) -> Ledger:
    """Returns a ledger of A and B, rated, and N, who is not; July 2010 is out."""
    ledger = empty_ledger()
    define(ledger)
    people = "A,A,,,,1800,20,100\nB,B,,,,1800,20,100\nN,B again,,,,,,\n"
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF")
    import_text(ledger, GAMES_HEADER + "".join(f"{ABOUT},{game}\n" for game in games))
    publish_period(ledger, "2010-07")
    return ledger


def test_two_results_of_one_pairing_that_another_program_recorded() -> None:
    ledger = published("1,,A,B,1-0")
    again = ResultRecorded(black="B", result="0-1", round=1, tournament="T", white="A")

    def plan(registrar: Registrar) -> Sequence[Problem]:
        registrar.events.append(Dated(DAY, again))
        return ()

    ledger.append(["tournament:T"], plan, request())
    publish_period(ledger, "2010-07")
    assert why_of(ledger, "A", "ENF", FIRST, SECOND).totals() == {Cause.NEW_GAMES: Fraction(-10)}


def test_a_game_against_an_id_that_was_merged_since_is_no_new_game() -> None:
    ledger = published("1,,A,N,1-0")
    do(ledger, c.MergePlayers(player="N", into="B", on=DAY))
    publish_period(ledger, "2010-07")
    told = why_of(ledger, "A", "ENF", FIRST, SECOND)
    assert told.totals() == {Cause.CORRECTIONS: Fraction(10)}
    assert (told.before, told.after) == (1800, 1810)


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
