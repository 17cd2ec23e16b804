"""FIDE's late event: -3.70 of an earlier list and -2.70 of this one are -6.40; 2194 is 2188."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.answers.lists import show
from ledger.answers.player_questions import explain, why_of
from ledger.reports.why import Cause
from ledger.service.ledger import Ledger
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
    publish_period,
)

NAME = "FIDE"
PEOPLE = (
    "P,Player,CHI,,1990-01-01,2194,10,500",
    "A,Late,CHI,,1990-01-01,1874,20,500",
    "B,Timely,CHI,,1990-01-01,1984,20,500",
)


def event(name: str, month: int, opponent: str) -> str:
    days = f"2024-{month:02}-05,2024-{month:02}-10"
    return f"{GAMES_HEADER}{name},{name},{days},swiss,classical,,1,,P,{opponent},1/2-1/2\n"


@pytest.fixture
def ledger() -> Ledger:
    """May is published without the event of May that P played."""
    made = empty_ledger()
    first_on = dt.date(2024, 5, 1)
    define(made, NAME, regulation="fide-standard", first_on=first_on, policy="next-list")
    import_text(made, PLAYERS_HEADER + "\n".join(PEOPLE) + "\n", list_=NAME)
    publish_period(made, "2024-05", NAME)
    import_text(made, event("timely", 6, "B"))
    import_text(made, event("late", 5, "A"))
    return made


def test_both_are_put_together_and_rounded_once(ledger: Ledger) -> None:
    said = explain(ledger, "P", NAME, "2024-06")
    (credit,) = said.credits
    assert (credit.credit, said.change_exact) == (Fraction("-3.70"), Fraction("-2.70"))
    assert said.rounding == Fraction("0.40")
    assert (said.opening, said.closing) == (2194, 2188)


def test_the_late_event_is_explained_game_by_game(ledger: Ledger) -> None:
    (credit,) = explain(ledger, "P", NAME, "2024-06").credits
    (game,) = credit.games
    line = game.line
    assert (line.tournament, line.opponent.id, line.rating, line.opponent_rating) == (
        "late", "A", 2194, 1874,
    )  # fmt: skip
    assert (line.k, line.expected, game.before) == (10, Fraction("0.87"), None)
    assert game.points == Fraction("-3.70")
    assert not credit.rounding
    assert not credit.lifted


def test_why_names_its_tournament(ledger: Ledger) -> None:
    found = why_of(ledger, "P", NAME, ("2024-05", 1), ("2024-06", None))
    parts = {(part.cause, part.tournament): part.points for part in found.parts}
    assert parts == {
        (Cause.NEW_GAMES, "late"): Fraction("-3.70"),
        (Cause.NEW_GAMES, "timely"): Fraction("-2.70"),
        (Cause.ROUNDING, None): Fraction("0.40"),
    }


def test_it_is_credited_once(ledger: Ledger) -> None:
    publish_period(ledger, "2024-06", NAME)
    said = explain(ledger, "P", NAME, "2024-07")
    assert (said.credits, said.opening, said.closing) == ((), 2188, 2188)
    assert {row.id: row.games for row in show(ledger, NAME, "2024-07").rows}["P"] == 0
