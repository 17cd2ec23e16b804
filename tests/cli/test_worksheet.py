"""The worksheet of an all-play-all at the command line, end to end."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER

SHEET = ("tournament", "worksheet", "T", "--list", "NAT")
GROUP = [
    ("A", "B", "0-1"), ("A", "C", "1-0"), ("A", "D", "1/2-1/2"), ("B", "C", "1-0"),
    ("B", "D", "1/2-1/2"), ("C", "D", "1-0"),
]  # fmt: skip


def event(
    name: str,
    games: list[tuple[str, str, str]],
    system: str = "round-robin",
    year: int = 1972,
) -> str:
    return "".join(
        f"{name},Cup,{year}-03-01,{year}-03-09,{system},classical,,{n},,{a},{b},{result}\n"
        for n, (a, b, result) in enumerate(games, start=1)
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worksheet")
    rated = "".join(
        f"{p},Player {p},,,,{r},,100\n" for p, r in (("A", 2300), ("B", 2360), ("C", 2240))
    )
    rest = "D,Player D,,,,,,\nE,Player E,,,,,,\n"
    (folder / "players.csv").write_text(PLAYERS_HEADER + rated + rest)
    games = event("T", GROUP)
    games += event("open", GROUP[:-1])
    games += event("swiss", GROUP, "swiss")
    games += event("early", GROUP, year=1971)
    games += event("new", [("A", "D", "1-0"), ("A", "E", "1/2-1/2"), ("D", "E", "1-0")])
    everything = [(a, b, "1-0" if a == "A" else r) for a, b, r in GROUP]
    games += event("full", everything)
    (folder / "games.csv").write_text(GAMES_HEADER + games)
    for words in (
        ("init",),
        ("list", "define", "NAT", "--regulation", "fide-1972", "--calendar", "annual",
         "--first", "1972-01-01"),
        ("import", "players.csv", "--list", "NAT"),
        ("import", "games.csv"),
    ):  # fmt: skip
        done = run(*words, cwd=folder)
        assert done.code == 0, done.err
    return folder


def test_the_columns_by_hand(played: Path) -> None:
    sheet = run(*SHEET, "--format", "json", cwd=played).json()
    assert (sheet["players"], sheet["games_each"], sheet["rated"]) == (4, 3, 3)
    # R+ 2300; scores 1.5, 2.5, 1: D(P) 0, 273 (83.3 %), -125 (33.3 %); times 3/4: 0, 205, -94.
    assert (sheet["rated_mean"], sheet["mean_adjusted_d"], sheet["group_mean"]) == (2300, 37, 2263)
    assert sheet["k"] == 10  # the list's own, k_established
    first = sheet["rows"][0]
    assert first == {
        "place": 1,
        "id": "B",
        "name": "Player B",
        "rating": 2360,
        "points": "2.5",
        "percent": "83",
        "d_of_p": 273,
        "adjusted_d": 205,
        "performance": 2468,
        "difference": 97,
        "expected": "0.63",
        "n_times_p": "2.5",
        "expected_score": "2.0",
        "above_expectation": "0.5",
        "change": 5,
        "new_rating": 2365,
    }
    new = next(row for row in sheet["rows"] if row["id"] == "D")
    assert (new["rating"], new["change"], new["new_rating"]) == (None, None, new["performance"])


def test_every_format_says_the_same(played: Path) -> None:
    rows = run(*SHEET, "--format", "json", cwd=played).json()["rows"]
    lines = run(*SHEET, "--format", "jsonl", cwd=played).out.splitlines()
    assert [json.loads(line) for line in lines] == rows
    as_csv = list(csv.DictReader(io.StringIO(run(*SHEET, "--format", "csv", cwd=played).out)))
    assert [row["new_rating"] for row in as_csv] == [str(row["new_rating"]) for row in rows]


def test_the_printed_sheet(played: Path) -> None:
    out = run(*SHEET, "--k", "40", cwd=played).out
    assert "R+ 2300 · Ra 2263 · K 40 for all" in out
    assert "(2468)" in out
    assert "+20" in out
    assert "mean adjusted D(P) of the rated: 37" in out
    spanish = run("--lang", "es", *SHEET, cwd=played).out
    assert "D(P) ajustada media de los clasificados: 37" in spanish


@pytest.mark.parametrize(
    ("tournament", "because"),
    [
        ("open", "must be an all-play-all"),
        ("swiss", "must be an all-play-all"),
        ("new", "1 of its players are rated"),
        ("full", "has no D(P)"),
        ("early", "before NAT began on 1972-01-01"),
    ],
)
def test_what_has_no_worksheet(played: Path, tournament: str, because: str) -> None:
    done = run("tournament", "worksheet", tournament, "--list", "NAT", cwd=played)
    assert done.code == 4
    assert because in done.err


def test_a_regulation_without_first_ratings_says_so(played: Path) -> None:
    words = ("list", "define", "OLD", "--regulation", "elo-linear", "--calendar", "annual",
             "--first", "1972-01-01")  # fmt: skip
    assert run(*words, cwd=played).code == 0
    done = run("explain", "D", "--list", "OLD", "--period", "1972", cwd=played)
    assert "the regulation gives no first rating" in done.out
    assert "a first rating needs" not in done.out


@pytest.mark.parametrize(
    ("ruling", "said", "spanish"),
    [
        (("tournament", "reject"), "it is rejected", "está rechazado"),
        (("annul", "tournament"), "it is annulled", "está anulado"),
    ],
)
def test_what_does_not_count_has_no_worksheet(
    played: Path, tmp_path: Path, ruling: tuple[str, str], said: str, spanish: str
) -> None:
    folder = shutil.copytree(played, tmp_path / "work")
    done = run(*ruling, "T", "--reason", "test", cwd=folder)
    assert done.code == 0, done.err
    done = run(*SHEET, cwd=folder)
    assert done.code == 4
    assert said in done.err
    assert spanish in run("--lang", "es", *SHEET, cwd=folder).err


@pytest.mark.parametrize("words", [("nothing", "--list", "NAT"), ("T", "--list", "XXX")])
def test_what_is_not_there(played: Path, words: tuple[str, ...]) -> None:
    assert run("tournament", "worksheet", *words, cwd=played).code == 7
