"""How a tournament stands is said alike in the line of all and of the one."""

from __future__ import annotations

import pytest

from ledger.answers.tournaments import require_tournament
from ledger.operations.commands import RuleOnTournament
from ledger.reports.tournaments import state_of, tournament_lines
from tests.ledgers import NOW, do, games, import_text, ledger_of

STATES = {
    (): "open",
    ("close",): "closed",
    ("reject",): "rejected",
    ("annul",): "annulled",
    ("close", "reject"): "rejected",
    ("close", "annul"): "annulled",
    ("reject", "accept"): "open",
    ("close", "reject", "accept"): "closed",
}


@pytest.mark.parametrize(("rulings", "state"), STATES.items(), ids=str)
def test_a_tournament_stands_as_its_line_says(rulings: tuple[str, ...], state: str) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, games("T", "1,,A,B,1-0"))
    for ruling in rulings:
        do(ledger, RuleOnTournament(tournament="T", ruling=ruling, on=NOW.date()))  # type: ignore[arg-type]
    facts = ledger.facts()
    (line,) = tournament_lines(facts)
    assert line.state == state_of(require_tournament(ledger, "T", facts.seq)) == state
