"""An import that is long leaves behind what the first question would have to make."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.derived import segments
from ledger.errors import DatabaseError
from tests.cli.running import run_here
from tests.ledgers import PLAYERS_HEADER

PLAYERS = 12


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(segments, "LEAST_EVENTS", PLAYERS)
    file = tmp_path / "players.csv"
    rows = [f"{number},Player {number},CHI,,,,,\n" for number in range(1, PLAYERS + 1)]
    file.write_text(PLAYERS_HEADER + "".join(rows), encoding="utf-8")
    assert run_here("init", "--db", "ledger.db").code == 0
    return file


def sealed() -> list[dict[str, int]]:
    segments: list[dict[str, int]] = run_here(
        "segments", "--db", "ledger.db", "--format", "json"
    ).json()["segments"]
    return segments


def test_a_long_import_is_sealed(players: Path) -> None:
    assert run_here("import", str(players), "--db", "ledger.db").code == 0
    (segment,) = sealed()
    assert (segment["first_seq"], segment["last_seq"]) == (1, PLAYERS)


def test_what_is_not_recorded_is_not_sealed(players: Path) -> None:
    assert run_here("import", str(players), "--db", "ledger.db", "--dry-run").code == 0
    assert sealed() == []


def test_a_short_import_is_left_to_readers(players: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", PLAYERS + 1)
    assert run_here("import", str(players), "--db", "ledger.db").code == 0
    assert sealed() == []


def test_what_cannot_be_sealed_was_imported_all_the_same(
    players: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise DatabaseError("database.busy")

    with monkeypatch.context() as patch:
        patch.setattr("ledger.views.view.FactsReader.read", refused)
        done = run_here("import", str(players), "--db", "ledger.db")
    assert (done.code, done.err) == (0, "")
    assert len(run_here("log", "--db", "ledger.db", "--format", "json").json()["events"]) == PLAYERS
