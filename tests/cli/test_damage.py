"""Damage of the database, as a user meets it: exit codes and sentences."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run
from tests.journal.test_damage import hollow


def test_a_tournament_is_not_imported_a_second_time(folder: Path) -> None:
    hollow(f"sqlite:///{folder / 'rating-ledger.db'}", "tournament:ymca-2010")
    before = run("verify", "--format", "json", cwd=folder)
    assert (before.code, before.json()["ok"]) == (3, False)
    assert "events_stream" in before.json()["findings"][0]["message"]
    games = folder / "ymca.csv"
    games.write_text(games.read_text().replace("Festival ", ""))  # else it is recognised
    again = run("import", "ymca.csv", cwd=folder)
    assert again.code == 3, "whether its games are recorded elsewhere is read first"
    assert "tournament:ymca-2010" in again.err
    assert "Traceback" not in again.err
    doctor = run("doctor", cwd=folder)
    assert doctor.code == 6
    assert "events_stream" in doctor.err
    assert run("verify", "--format", "json", cwd=folder).json()["events"] == before.json()["events"]
