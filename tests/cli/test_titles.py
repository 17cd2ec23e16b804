"""Titles at the command line, end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import begin_ledger, run
from tests.ledgers import PLAYERS_HEADER
from tests.titles.events import FEDERATIONS, event

EVENT = ("tournament", "titles", "t", "--list", "ENF")
PLAYER = ("player", "titles", "A", "--list", "ENF")


@pytest.fixture(scope="module")
def titled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("titles")
    rows = [f"{p},Player {p},{fed},,,2490,0,100\n" for p, fed in FEDERATIONS.items()]
    (folder / "players.csv").write_text(PLAYERS_HEADER + "".join(rows))
    (folder / "t.csv").write_text(event())
    (folder / "u.csv").write_text(event("u", "2012-05-02"))
    (folder / "v.csv").write_text(event("v", "2013-08-01"))
    return begin_ledger(
        folder,
        *(("player", "title", player, "GM", "--on", "2010-07-01") for player in "IJK"),
        ("player", "title", "H", "IM", "--on", "2010-07-01"),
        *(("import", f"{name}.csv") for name in "tuv"),
    )


def test_an_event_in_every_format_says_the_same(titled: Path) -> None:
    data = run(*EVENT, "--format", "json", cwd=titled).json()
    assert set(data) == {"tournament", "list", "results", "stages", "state"}
    assert data["state"] == "recalculated"
    assert len(data["results"]) == 22
    mine = next(row for row in data["results"] if (row["id"], row["for"]) == ("A", "GM"))
    assert (mine["category"], mine["percent"], mine["needed"], mine["points"]) == (10, 60, "6", "6")
    lines = run(*EVENT, "--format", "jsonl", cwd=titled).out.splitlines()
    assert [json.loads(line) for line in lines] == data["results"]
    rows = list(csv.DictReader(io.StringIO(run(*EVENT, "--format", "csv", cwd=titled).out)))
    assert [row["made"] == "yes" for row in rows] == [row["made"] for row in data["results"]]


def test_the_table_says_what_fails(titled: Path) -> None:
    # A cell may go on in the next line.
    assert "5 points: 6 are needed" in run(*EVENT, cwd=titled, COLUMNS="200").out
    spanish = run("--lang", "es", *EVENT, cwd=titled, COLUMNS="200").out
    assert "5 puntos: se necesitan 6" in spanish
    assert "logrado" in spanish


def test_who_was_near_is_shown_and_the_others_are_counted(titled: Path) -> None:
    results = run(*EVENT, "--format", "json", cwd=titled).json()["results"]
    near = [row for row in results if len(row["fails"]) <= 1]
    assert 0 < len(near) < len(results) == 22
    table = run(*EVENT, cwd=titled, COLUMNS="200").out
    assert table.count("Player ") == len(near)
    assert f"{len(near)} of 22 results: those that were made" in table
    everybody = run(*EVENT, "--all", cwd=titled, COLUMNS="200").out
    assert everybody.count("Player ") == 22
    assert "--all" not in everybody


def test_an_event_in_which_nobody_was_near_is_a_sentence(folder: Path) -> None:
    words = ("tournament", "titles", "ymca-2010", "--list", "ENF")
    assert run(*words, cwd=folder).out.startswith("Nobody made a result for a title, or failed by")
    assert "los 32 resultados" in run("--lang", "es", *words, cwd=folder).out


def test_who_has_no_result_is_told_so(folder: Path) -> None:
    words = ("player", "titles", "3400190", "--list", "ENF")
    told = run(*words, cwd=folder, COLUMNS="200").out
    assert "GM: no result yet (needed are 3 within 3 years, or 2 with at least 25 games)" in told
    assert "IM: sin resultado hasta ahora" in run("--lang", "es", *words, cwd=folder).out


def test_a_players_results_together(titled: Path) -> None:
    data = run(*PLAYER, "--format", "json", cwd=titled).json()
    assert set(data) == {"player", "list", "titles", "results", "stages", "state"}
    assert data["state"] == "recalculated"
    assert [(each["for"], each["fulfilled_on"]) for each in data["titles"]] == [
        ("GM", "2013-08-01"),
        ("IM", "2013-08-01"),
    ]
    assert {row["tournament"] for row in data["results"]} == {"t", "u", "v"}
    table = run(*PLAYER, cwd=titled).out
    assert "GM: fulfilled on 2013-08-01, by 3 results with 30 games within 3 years" in table
    assert "IM: no result yet" in run("player", "titles", "K", "--list", "ENF", cwd=titled).out
    assert (
        "GM: held since 2010-07-01" in run("player", "titles", "K", "--list", "ENF", cwd=titled).out
    )


def test_an_event_while_it_goes_on(titled: Path) -> None:
    words = ("tournament", "live", "t", "--list", "ENF")
    data = run(*words, "--format", "json", cwd=titled).json()
    assert (data["preview"], data["round"], data["rounds"]) == (True, 11, 11)
    mine = next(row for row in data["players"] if row["id"] == "A")
    assert [(norm["for"], norm["left"], norm["to_make"]) for norm in mine["norms"]] == [
        ("GM", 0, "0"),
        ("IM", 0, "0"),
    ]
    table = run(*words, cwd=titled, COLUMNS="80").out
    assert "A preview: games to come decide." in table
    assert max(map(len, table.splitlines())) <= 80
    assert "Vista previa" in run("--lang", "es", *words, cwd=titled).out


def test_finals_by_round(titled: Path) -> None:
    refused = run(*PLAYER, "--finals", "t:2", cwd=titled)
    assert refused.code == 4
    assert "section III" in refused.err
    assert "TOURNAMENT:ROUND" in run(*PLAYER, "--finals", "t", cwd=titled).err
    assert run(*EVENT, "--finals-from", "2", cwd=titled).code == 4


def test_a_stage_of_the_championship(titled: Path) -> None:
    flags = ("interzonal", "qualifying-1", "--reason", "calendar of 1972")
    assert run("tournament", "flag", "u", *flags, cwd=titled).code == 0
    table = run("tournament", "titles", "u", "--list", "ENF", cwd=titled).out
    assert "By the stage of the world championships" in table
    assert "II 1 B a" in table
    assert "GM: by u (II 1 B a), 2012-05-02" in run(*PLAYER, cwd=titled).out
    assert run("tournament", "flag", "u", "--reason", "wrong event", cwd=titled).code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "live", "nothing"),
        ("tournament", "live", "t", "--list", "XXX"),
        ("tournament", "titles", "nothing", "--list", "ENF"),
        ("tournament", "titles", "t", "--list", "XXX"),
        ("player", "titles", "nobody", "--list", "ENF"),
        ("player", "titles", "A", "--list", "XXX"),
    ],
)
def test_what_is_not_there(titled: Path, words: tuple[str, ...]) -> None:
    assert run(*words, cwd=titled).code == 7
