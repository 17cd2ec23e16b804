"""Comparisons, monitors, performances and live lists, as a commission asks for them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.running import run

RUIZ = "3404510"
COMPARE = (
    "regulation", "compare", "ENF", "--with", "enf-2010", "--param", "k_others=30",
    "--from", "2010-07", "--to", "2010-08",
)  # fmt: skip
ASKED = {
    "compare": COMPARE,
    "monitor": ("list", "monitor", "ENF"),
    "performance": ("performance", RUIZ, "--tournament", "ymca-2010", "--list", "ENF"),
    "live": ("live", "ENF"),
}
ROWS = {"compare": "players", "monitor": "periods", "performance": "rounds", "live": "rows"}


def is_person(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"id", "name"}


@pytest.mark.parametrize("what", list(ASKED))
@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_format_says_the_same(folder: Path, what: str, lang: str) -> None:
    words = ("--lang", lang, *ASKED[what], "--format")
    rows = run(*words, "json", cwd=folder).json()[ROWS[what]]
    lines = [json.loads(line) for line in run(*words, "jsonl", cwd=folder).out.splitlines()]
    table = list(csv.DictReader(io.StringIO(run(*words, "csv", cwd=folder).out)))
    assert rows
    assert len(rows) == len(lines) == len(table)
    # In CSV a person is two columns, id and name.
    columns = [
        column
        for name, value in lines[0].items()
        for column in ([name, f"{name}_name"] if is_person(value) else [name])
    ]
    assert list(table[0]) == columns
    if what != "monitor":
        assert lines == rows
    shown = run(*words, "table", cwd=folder)
    assert shown.code == 0
    assert "{" not in shown.out


def test_a_comparison_touches_nothing_and_draws(folder: Path) -> None:
    before = (folder / "rating-ledger.db").read_bytes()
    done = run(*COMPARE, "--svg", "a.svg", "--format", "json", cwd=folder)
    assert done.code == 0, done.err
    assert "a.svg" in done.err
    assert (folder / "rating-ledger.db").read_bytes() == before
    made = done.json()
    assert (made["own"], made["other"]) == ("enf-2010", "enf-2010 (k_others=30)")
    assert {row["regulation"] for row in made["quality"]} == {"own", "other"}
    drawn = ET.parse(folder / "a.svg").getroot()  # noqa: S314 - our own
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "enf-2010 (k_others=30)" in texts


@pytest.mark.parametrize("part", ["players", "distribution", "inflation", "quality", "calibration"])
def test_each_part_of_a_comparison_as_csv(folder: Path, part: str) -> None:
    words = (*COMPARE, "--rows", part, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*words, cwd=folder).out)))
    assert rows
    assert all(None not in row for row in rows)


def test_the_own_regulation_changes_nothing(folder: Path) -> None:
    words = ("regulation", "compare", "ENF", "--with", "enf-2010", "--from", "2010-07")
    made = run(*words, "--to", "2010-08", "--format", "json", cwd=folder).json()
    assert {player["difference"] for player in made["players"]} == {0}
    assert made["differences"]["spread"] == "0.00"


def test_a_comparison_gives_its_verdict_first_and_the_rest_on_request(folder: Path) -> None:
    short, full = run(*COMPARE, cwd=folder).out, run(*COMPARE, "--full", cwd=folder).out
    verdict = run(*COMPARE, "--format", "json", cwd=folder).json()["verdict"]
    assert verdict["advantage"]["brier"].lstrip("-") in short
    assert short.index("Predictions:") < short.index("Inflation:") < short.index("largest")
    assert len(verdict["largest"]) <= 10
    assert all(player["id"] in short for player in verdict["largest"])
    assert "calibration" not in short
    assert "calibration" in full


def test_a_monitor_shows_its_sum_first_and_each_period_on_request(folder: Path) -> None:
    words = ("list", "monitor", "ENF")
    short, full = run(*words, cwd=folder).out, run(*words, "--full", cwd=folder).out
    # 24336 brought in, 1662 of a newcomer, 5.825 by unequal K (5.975 and -0.15) and the rounding.
    assert "+5.825" in short
    assert "+5.975" not in short
    assert "+5.975" in full


def test_the_points_of_a_monitor_sum_to_the_change(folder: Path) -> None:
    made = run("list", "monitor", "ENF", "--format", "json", cwd=folder).json()
    july, august = made["periods"]
    assert july["sources"] == {"brought-in": "24336", "unequal-k": "5.975", "rounding": "-0.975"}
    assert august["sources"] == {"newcomers": "1662", "unequal-k": "-0.15", "rounding": "0.15"}
    assert (july["after"], august["before"], august["change"]) == (24341, 24341, 1662)
    assert (made["before"], made["after"]) == (0, 26003)
    only = ("list", "monitor", "ENF", "--from", "2010-08", "--control", RUIZ, "--format", "json")
    assert run(*only, cwd=folder).json()["control"] == [RUIZ]


def test_a_performance_says_its_steps(folder: Path) -> None:
    words = ("performance", RUIZ, "--tournament", "ymca-2010", "--list", "ENF")
    made = run(*words, "--format", "json", cwd=folder).json()
    # Against 1252, 2116, 2267 and 1955: 7590 / 4; the game with a newcomer does not count.
    assert (made["opponents_mean"], made["rc"], made["points"]) == ("1897.5", 1898, "2")
    assert (made["percent"], made["d_of_p"], made["performance"]) == (50, 0, 1898)
    assert [row["counts"] for row in made["rounds"]] == [True, True, True, False, True]


def test_an_undefined_performance_is_called_so(folder: Path) -> None:
    document = (
        "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
        f"win,Win,2010-08-20,2010-08-20,swiss,classical,,1,,{RUIZ},3405958,1-0\n"
    )
    (folder / "win.csv").write_text(document)
    assert run("import", "win.csv", cwd=folder).code == 0
    words = ("performance", RUIZ, "--tournament", "win", "--list", "ENF")
    assert "undefined" in run(*words, "--table", "1972", cwd=folder).out
    made = run(*words, "--format", "json", cwd=folder).json()
    assert made["performance"] == made["rc"] + 800


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (7, ("live", "XXX")),
        (7, ("performance", RUIZ, "--tournament", "nothing", "--list", "ENF")),
        (7, ("performance", "28858", "--tournament", "nothing", "--list", "ENF")),
        (4, ("list", "monitor", "ENF", "--from", "2010-08", "--to", "2010-07")),
        (4, ("list", "monitor", "ENF", "--control", "E-0009")),
        (7, ("list", "monitor", "ENF", "--control", "nobody")),
        (7, (*COMPARE, "--with", "no-such")),
        (4, (*COMPARE, "--param", "first_rating_games=0")),
        (4, (*COMPARE, "--svg", "no-such-folder/a.svg")),
        (2, ("regulation", "compare", "ENF", "--with", "enf-2010")),
    ],
)
def test_what_is_refused(folder: Path, code: int, words: tuple[str, ...]) -> None:
    done = run(*words, cwd=folder)
    assert done.code == code, done
    assert done.err
    assert done.out == ""


def test_a_bad_parameter_names_its_clause(folder: Path) -> None:
    done = run(*COMPARE, "--param", "first_rating_games=0", cwd=folder)
    assert "III, bucket" in done.err
