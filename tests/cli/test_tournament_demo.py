"""``demo-tournament``: the whole event, in both languages, on a screen of 80 columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

SCREEN = 80
TOLD = {
    "en": (
        "27 has the bye: the lowest rated",  # who came late, in round 2
        "Not paired, absence announced: 5",
        "round 3 has 1 game without a result",
        "Not paired, withdrawn: 20",
        "a published round is never edited",
        "final standings after 7 rounds",
        "stands below the one above by: median",
        "no difference: 7 rounds paired again",
        "edition 1: 27 players",
    ),
    "es": ("27 descansa (bye)", "clasificación final tras 7 rondas", "edición 1: 27 jugadores"),
}


@pytest.mark.parametrize("language", ["en", "es"])
def test_an_arbiters_days_from_the_entries_to_the_list(tmp_path: Path, language: str) -> None:
    done = run("--lang", language, "demo-tournament", "there", cwd=tmp_path, COLUMNS=str(SCREEN))
    assert done.code == 0, done.err
    shown = " ".join(done.out.split())
    for said in TOLD[language]:
        assert said in shown, said
    long = [line for line in done.out.splitlines() if len(line) > SCREEN]
    assert all("sha256" in line for line in long), long
    assert (tmp_path / "there" / "rating-ledger.db").exists()


def test_the_tied_share_the_money_and_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    assert run("demo-tournament", cwd=tmp_path).code == 0
    place = tmp_path / "rating-ledger-tournament"
    standings = run("tournament", "standings", "abierto", "--format", "json", cwd=place).json()
    prizes = [row["prize"] for row in standings["rows"][:5]]
    assert prizes == [3000, 1500, 1500, 1500, 0]
    assert run("tournament", "pair", "abierto", cwd=place).code == 4
    assert run("demo-tournament", str(place), cwd=tmp_path).code == 4
