"""What a regulation of another package may do with its rules for plain games, and with steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ledger.answers.lists import show
from ledger.answers.player_questions import explain
from ledger.facts.columns import Column
from ledger.facts.tables import NO_MERIT
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Calculation, Sides, Step, StepKind
from ledger.regulations.early_systems import EloLinear
from ledger.regulations.enf_2010 import Enf2010
from ledger.regulations.interface import Events
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
)

GAME = "T,T,2010-07-02,2010-07-03,swiss,classical,{merit},1,,A,B,1-0\n"


def test_merits_may_be_calculated_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament's merit is kept in few bits, and 1000 * 40 needs more."""

    def two_fifths(_: Enf2010, of: Events) -> Column:
        return np.where(of.merit == NO_MERIT, 100, of.merit * 40 // 100)

    monkeypatch.setattr(Enf2010, "merits", two_fifths)
    ledger = empty_ledger()
    define(ledger)
    players = "A,A,CHI,,,1500,20,50\nB,B,CHI,,,1500,20,50\n"
    import_text(ledger, PLAYERS_HEADER + players, list_="ENF")
    import_text(ledger, GAMES_HEADER + GAME.format(merit="10.00"))
    ratings = {row.id: row.rating for row in show(ledger, "ENF", "2010-07").rows}
    assert ratings == {"A": 1540, "B": 1460}
    assert explain(ledger, "A", "ENF", "2010-07").closing == 1540


def test_who_does_not_play_may_get_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = EloLinear.calculate

    def with_steps(
        rules: EloLinear, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        made = usual(rules, sides, states, particulars, k)
        idle = np.setdiff1d(np.flatnonzero(states.rating > 0), sides.player)
        steps = tuple(Step(int(player), -1, StepKind.BONUS, -made.units) for player in idle)
        return replace(made, steps=steps)

    monkeypatch.setattr(EloLinear, "calculate", with_steps)
    ledger = empty_ledger()
    define(ledger, regulation="elo-linear")
    players = "A,A,CHI,,,1500,20,0\nB,B,CHI,,,1500,20,0\nZ,Z,CHI,,,1800,20,0\n"
    import_text(ledger, PLAYERS_HEADER + players, list_="ENF")
    import_text(ledger, GAMES_HEADER + GAME.format(merit=""))
    ratings = {row.id: row.rating for row in show(ledger, "ENF", "2010-07").rows}
    assert ratings["Z"] == 1799
