"""``tournament team``, ``lineup``, ``team-tables``, and what others show of teams."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

TEAMS = {"A": "Équipo Ángeles de Monterrey", "B": "Bobby Fischer", "C": "Capablanca"}


@pytest.fixture(scope="module")
def liga(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three teams of two boards and a reserve, after one round."""
    folder = tmp_path_factory.mktemp("liga")
    (folder / "players.csv").write_text(
        "id,name,federation\n"
        + "".join(f'{t}{n},"Jiménez de la {t}, Nombre {n}",MEX\n' for t in TEAMS for n in "123"),
        encoding="utf-8",
    )

    def done(*words: str) -> str:
        ran = run(*words, cwd=folder)
        assert ran.code == 0, ran.err
        return ran.out

    done("init")
    done("import", "players.csv")
    done(
        "tournament", "open", "LIGA", "--name", "Liga", "--start", "2025-06-01",
        "--end", "2025-06-01", "--system", "team-swiss", "--rate-of-play", "classical",
        "--rounds", "2",
    )  # fmt: skip
    done("tournament", "rules", "LIGA", "--pairing", "team-1975", "--team-boards", "2",
         "--tie-breaks", "solkoff,board-medians,EDE,MPvGP")  # fmt: skip
    for team, name in TEAMS.items():
        players = [f"{team}{number}" for number in "123"]
        done("tournament", "team", "LIGA", team, "--name", name, *players)
    done("tournament", "pair", "LIGA")
    done("tournament", "lineup", "LIGA", "B", "1", "B2", "Jiménez de la B, Nombre 3")
    done("tournament", "result", "LIGA", "1", "1.1", "1-0", "1.2", "-/+")
    return folder


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "words",
    [
        ("team-tables", "LIGA"),
        ("round", "LIGA"),
        ("standings", "LIGA"),
        ("standings", "LIGA", "--explain", "B"),
        ("cards", "LIGA"),
        ("crosstable", "LIGA"),
    ],
)
def test_a_screen_of_80_columns_is_enough(
    liga: Path, words: tuple[str, ...], language: str
) -> None:
    done = run("--lang", language, "tournament", *words, cwd=liga, COLUMNS="80")
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Bobby" in done.out


def test_the_tables_as_json(liga: Path) -> None:
    made = run("tournament", "team-tables", "LIGA", "--format", "json", cwd=liga).json()
    # Without ratings the numbers go by name: Bobby Fischer, Capablanca, and who has the bye.
    assert [team["points"] for team in made["teams"]] == ["1", "0", "1"]
    assert made["teams"][0]["rounds"] == [
        {
            "round": 1, "how": "played", "boards": ["2", "0"], "colour": "w", "opponent": 2,
            "points": "1", "board_points": "2",
        }
    ]  # fmt: skip
    moved_up = next(row for row in made["players"] if row["id"] == "B2")
    assert moved_up["results"] == [{"round": 1, "board": 1, "points": "1", "circled": False}]
    reserve = next(row for row in made["players"] if row["id"] == "B3")
    assert reserve["board"] is None
    assert reserve["results"][0]["circled"]


@pytest.mark.parametrize("form", ["team-tables", "round"])
def test_forms_to_print(liga: Path, form: str) -> None:
    done = run("tournament", form, "LIGA", "--format", "html", cwd=liga)
    assert done.out.startswith("<!DOCTYPE html>")
    assert "Équipo Ángeles" in done.out
    assert 'class="circled"' in done.out


def test_the_round_sheet_of_a_match(liga: Path) -> None:
    made = run("tournament", "round", "LIGA", "--format", "json", cwd=liga).json()
    [match] = made["boards"]
    assert match["result"] == "2-0"
    assert [game["white_team"] for game in match["games"]] == ["B2", "B3"]
    assert [game["points"] for game in match["games"]] == [["1", "0"], ["1", "0"]]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (4, ("team", "LIGA", "A", "A1")),
        (4, ("lineup", "LIGA", "A", "2", "A2", "A1")),
        (7, ("lineup", "LIGA", "X", "2", "A1")),
        (4, ("result", "LIGA", "1", "1", "1-0")),
        (4, ("result", "LIGA", "1", "one", "1-0")),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    liga: Path, code: int, words: tuple[str, ...]
) -> None:
    done = run("tournament", *words, cwd=liga)
    assert done.code == code
    assert done.err.strip()
    assert "Traceback" not in done.err
