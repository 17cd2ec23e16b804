"""The type check tells apart what must not be taken for something else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PROGRAM = """
from ledger.events.tournaments import PlayerEntered
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tables import id_key
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.reports.statement import PersonRef

def seqs(known: AsOf, pairing: PairingRecord, index: int) -> None:
    known.holds(pairing.seq)
    known.holds(Seq(7))
    known.holds(index)  # refused
    known.holds(pairing.round)  # refused

def last(record: TournamentRecord) -> Seq | None:
    return record.last_round  # refused

def ids(facts: Facts, event: PlayerEntered) -> None:
    PersonRef(event.player, "Soto, Ana")
    PersonRef(facts.player_ids[0], "Soto, Ana")
    PersonRef(facts.tournament_ids[0], "Soto, Ana")  # refused
    id_key(event.tournament)
    id_key(event.player)  # refused

def indices(known: AsOf, facts: Facts, event: PlayerEntered) -> None:
    known.identity(known.counts_as(facts.player_index[event.player]))
    known.identity(facts.tournament_index[event.tournament])  # refused
    known.identity(event.starting_number)  # refused
    known.games_of_tournament(facts.player_index[event.player])  # refused
    known.holds(facts.player_index[event.player])  # refused
    known.identity(known.seq)  # refused
"""


def test_what_is_taken_for_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)  # where the type check keeps what it knows
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")
    lines = enumerate(PROGRAM.split("\n"), start=1)
    wrong = [number for number, line in lines if line.endswith("# refused")]
    output, errors, _ = api.run(["--no-error-summary", str(program)])
    assert not errors
    found = [int(number) for number in re.findall(r"program\.py:(\d+): error:", output)]
    assert found == wrong, output
