"""What must be scored, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import begin_ledger, run
from tests.ledgers import PLAYERS_HEADER


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ana and two whose names begin alike, all rated, in a monthly list."""
    folder = tmp_path_factory.mktemp("forecast")
    people = 'A,"Soto, Ana",,,,1800,15,50\nB,"Rojas, Juan",,,,1700,15,50\nC,"Rojas, Eva",,,,,,\n'
    (folder / "players.csv").write_text(PLAYERS_HEADER + people)
    return begin_ledger(folder)


def test_a_table_says_what_each_score_brings(club: Path) -> None:
    asked = ("forecast", "soto", "--opponent", "rojas juan", "--opponent-rating", "1800")
    done = run(*asked, "--gain", "3", cwd=club)
    assert done.code == 0, done.err
    # Table 2: D 100 is 0.64, D 0 is 0.50: 15 (1.5 - 1.14) are 5.4.
    assert "To gain 3 points, score 1.5 of 2 points." in done.out
    assert "+5.4" in done.out
    assert "Rojas, Juan" in done.out
    spanish = run("--lang", "es", *asked, cwd=club)
    assert "Se esperan 1.14 puntos en 2 partidas" in spanish.out


def test_json_has_every_score(club: Path) -> None:
    done = run("forecast", "A", "--opponent-rating", "1800", "--format", "json", cwd=club)
    data = json.loads(done.out)
    assert [(s["score"], s["change"], s["rating"]) for s in data["scores"]] == [
        ("0", "-7.5", 1792), ("0.5", "0", 1800), ("1", "7.5", 1808),
    ]  # fmt: skip
    rows = run("forecast", "A", "--opponent-rating", "1800", "--format", "csv", cwd=club).out
    assert rows.splitlines()[0].startswith("score,change,rating")


def test_a_name_that_fits_two_is_refused(club: Path) -> None:
    done = run("forecast", "A", "--opponent", "rojas", cwd=club)
    assert done.code == 4
    assert "fits 2 players" in done.err
    assert run("forecast", "A", "--opponent-rating", "5000", cwd=club).code != 0
