"""The type check tells apart what must not be taken for something else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PROGRAM = """
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq

def seqs(known: AsOf, pairing: PairingRecord, index: int) -> None:
    known.holds(pairing.seq)
    known.holds(Seq(7))
    known.holds(index)  # refused
    known.holds(pairing.round)  # refused

def last(record: TournamentRecord) -> Seq | None:
    return record.last_round  # refused
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
