"""``tournament standings``, ``tournament crosstable`` and ``tournament score-sheet``."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.running import run

RUIZ = "3404510"
STANDINGS = ("tournament", "standings", "ymca-2010")
CROSSTABLE = ("tournament", "crosstable", "ymca-2010")
SCORE_SHEET = ("tournament", "score-sheet", "ymca-2010")
LISTED = "median,solkoff,sonneborn-berger,direct,blacks,kashdan,lots:2010"


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "words",
    [
        STANDINGS,
        (*STANDINGS, "--tie-breaks", LISTED, "--prizes", "1000,500,300"),
        (*STANDINGS, "--explain", RUIZ, "--tie-breaks", f"{LISTED},rating-percentage"),
        CROSSTABLE,
        SCORE_SHEET,
    ],
)
def test_a_screen_of_80_columns_is_enough(
    folder: Path, words: tuple[str, ...], language: str
) -> None:
    done = run("--lang", language, *words, cwd=folder, COLUMNS="80")
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Salinas" in done.out


def test_the_json_that_was_promised(folder: Path) -> None:
    made = run(*STANDINGS, "--format", "json", cwd=folder).json()
    assert set(made) >= {"tournament", "after", "rows"}
    assert (made["tournament"], made["after"]) == ("ymca-2010", 5)
    assert made["rows"][4] == {
        "rank": 5,
        "number": 9,
        "id": "28858",
        "name": "Perez Islas, Victor",
        "rating": 1609,
        "points": "3",
        "tie_breaks": {"solkoff": "14.5", "median": "7.5", "sonneborn-berger": "7.5"},
        "decided_by": "solkoff",
        "federation": "CHI",
        "withdrew_from": None,
        "expelled": False,
        "cancelled": False,
        "temporary": False,
        "prize": None,
    }


def test_every_format_says_the_same(folder: Path) -> None:
    words = (*STANDINGS, "--after", "3", "--prizes", "90,60,30", "--format")
    data = run(*words, "json", cwd=folder).json()
    assert data["after"] == 3
    lines = [json.loads(line) for line in run(*words, "jsonl", cwd=folder).out.splitlines()]
    assert lines == data["rows"]
    rows = list(csv.DictReader(io.StringIO(run(*words, "csv", cwd=folder).out)))
    assert [row["id"] for row in rows] == [row["id"] for row in data["rows"]]
    assert rows[0]["solkoff"] == data["rows"][0]["tie_breaks"]["solkoff"]
    assert sum(int(row["prize"]) for row in rows) == 180


class TestExplain:
    """Each value of a player, opponent by opponent."""

    @pytest.mark.parametrize("player", [RUIZ, "7", "ruiz"])
    def test_by_id_number_or_name(self, folder: Path, player: str) -> None:
        done = run(*STANDINGS, "--explain", player, "--format", "json", cwd=folder).json()
        assert done["player"]["id"] == RUIZ
        assert [value["tie_break"] for value in done["values"]] == [
            "solkoff", "median", "sonneborn-berger",
        ]  # fmt: skip
        # The opponents made 1, 3½, 4½, 2½ and 4: the median leaves out 1 and 4½.
        parts = done["values"][1]["parts"]
        assert [part["amount"] for part in parts] == ["1", "3.5", "4.5", "2.5", "4"]
        assert [part["note"] for part in parts] == ["cut", "", "cut", "", ""]
        assert done["values"][1]["value"] == "10"

    def test_what_is_special_is_said(self, folder: Path) -> None:
        shown = run(*STANDINGS, "--explain", "6", "--tie-breaks", "median,lots:x", cwd=folder).out
        assert "not played, cut" in shown
        shown = run(*STANDINGS, "--explain", "1", "--tie-breaks", "solkoff,direct", cwd=folder).out
        assert "not asked" in shown
        words = (*STANDINGS, "--explain", RUIZ, "--tie-breaks", "rating-percentage,lots:x")
        shown = run(*words, cwd=folder).out
        assert "1 player is not rated, the first is number 10" in shown
        assert "drawn by lot among 5" in shown
        assert "sorteo entre 5" in run("--lang", "es", *words, cwd=folder).out

    def test_who_stands_in_and_is_cut_is_said_to_be_both(self, folder: Path) -> None:
        words = (*STANDINGS, "--tie-breaks", "BH/C1", "--explain", "6")
        assert "stands in, cut" in run(*words, cwd=folder).out

    def test_rows_are_parts(self, folder: Path) -> None:
        done = run(*STANDINGS, "--explain", "7", "--format", "csv", cwd=folder)
        rows = list(csv.DictReader(io.StringIO(done.out)))
        assert len(rows) == 15
        assert rows[0]["tie_break"] == "solkoff"

    def test_who_does_not_play(self, folder: Path) -> None:
        assert run(*STANDINGS, "--explain", "nobody", cwd=folder).code == 7


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((*STANDINGS, "--tie-breaks", "fame"), 4, "there are: median"),
        ((*STANDINGS, "--tie-breaks", "lots"), 4, "lots:SEED"),
        ((*STANDINGS, "--prizes", "10,-5"), 4, "whole numbers"),
        ((*STANDINGS, "--prizes", "50,100"), 4, "'50,100' cannot be prizes: 100 stands after 50"),
        ((*STANDINGS, "--list", "XXX"), 7, "XXX"),
        (("tournament", "standings", "nothing"), 7, "nothing"),
        ((*STANDINGS, "--after=-1"), 2, "-1"),
        ((*STANDINGS, "--after", "99"), 7, "round 99 of ymca-2010: it has 5 rounds so far"),
        ((*CROSSTABLE, "--after", "6"), 7, "round 6 of ymca-2010"),
        ((*SCORE_SHEET, "--after", "6"), 7, "round 6 of ymca-2010"),
        (("tournament", "cards", "ymca-2010", "--after", "6"), 7, "round 6 of ymca-2010"),
        (("tournament", "crosstable", "nothing"), 7, "nothing"),
        (("tournament", "score-sheet", "nothing"), 7, "nothing"),
        ((*STANDINGS, "--explain", "7", "--format", "html"), 2, "not a page to print"),
    ],
)
def test_what_is_refused(folder: Path, words: tuple[str, ...], code: int, says: str) -> None:
    done = run(*words, cwd=folder)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


@pytest.mark.parametrize(
    ("language", "says"), [("en", "ARO is not used: 1 player is"), ("es", "ARO no se usa: 1")]
)
def test_a_tie_break_that_cannot_be_used_is_named(folder: Path, language: str, says: str) -> None:
    words = ("--lang", language, *STANDINGS, "--tie-breaks", "ARO,BH/C1")
    assert says in run(*words, cwd=folder).out


def test_points_for_the_pairing_only_are_marked(folder: Path) -> None:
    game = ("ymca-2010", "6", "3407128", "3400190")
    for words in (("adjournment", *game), ("adjudication", *game, "1-1a", "--temporary")):
        done = run("record", *words, "--anyway", cwd=folder)
        assert done.code == 0, done.err
    shown = run(*STANDINGS, cwd=folder, COLUMNS="200").out
    assert "points that are temporary, for games that are not over: 1, 3" in shown
    assert run("tournament", "close", "ymca-2010", cwd=folder).code == 0
    shown = run(*STANDINGS, cwd=folder, COLUMNS="200").out
    assert "final standings after 6 rounds" in shown
    assert "do not count in final standings" in shown
    assert run(*STANDINGS, "--format", "json", cwd=folder).json()["rows"][0]["points"] == "4.5"


def test_who_withdrew_is_marked(folder: Path) -> None:
    assert run("record", "withdrawal", "ymca-2010", "3404510", "6", cwd=folder).code == 0
    assert "(withdrew, round 6)" in run(*STANDINGS, cwd=folder, COLUMNS="200").out


def all_play_all(folder: Path) -> None:
    header = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
    rows = (
        "1,,A,B,+/-", "2,,B,C,1-0", "3,,C,A,1/2-1/2", "4,,A,D,1-0",
    )  # fmt: skip
    about = "apa,<Cup & Co>,2010-09-01,2010-09-05,round-robin,classical,,"
    (folder / "apa.csv").write_text(header + "".join(f"{about}{row}\n" for row in rows))
    people = "id,name,federation,sex,birth_date,rating,k,games\n"
    (folder / "p.csv").write_text(people + "".join(f"{p},Player <{p}>,CHI,,,,,\n" for p in "ABCD"))
    for words in (
        ("import", "p.csv"), ("import", "apa.csv"), ("record", "withdrawal", "apa", "D", "5"),
    ):  # fmt: skip
        done = run(*words, cwd=folder)
        assert done.code == 0, done.err


class TestCrosstable:
    """The square of an all-play-all, on a screen and on paper."""

    def test_own_squares_defaults_and_who_is_cancelled(self, folder: Path) -> None:
        all_play_all(folder)
        shown = run("tournament", "crosstable", "apa", cwd=folder, COLUMNS="200").out
        assert re.search(r"1 +Player <A> +X +① +½ +\(1\) +1.5", shown)
        assert re.search(r"2 +Player <B> +⓪ +X +1 +1 ", shown)
        assert re.search(r"─\n +4 +Player <D> +\(0\) +X? ", shown)
        assert (
            "score cancelled"
            in run("tournament", "standings", "apa", cwd=folder, COLUMNS="200").out
        )

    def test_a_page_to_print(self, folder: Path) -> None:
        all_play_all(folder)
        made = run("--lang", "es", "tournament", "crosstable", "apa", "--format=html", cwd=folder)
        assert made.out.startswith("<!DOCTYPE html>")
        assert '<html lang="es">' in made.out
        assert "&lt;Cup &amp; Co&gt;: cuadro cruzado" in made.out
        assert "<Cup" not in made.out
        assert '<td class="own">X</td><td><span class="circled">1</span></td>' in made.out
        assert '<tr class="apart"><td>4</td>' in made.out

    def test_every_format_says_the_same(self, folder: Path) -> None:
        all_play_all(folder)
        words = ("tournament", "crosstable", "apa", "--format")
        data = run(*words, "json", cwd=folder).json()
        assert data["rows"][0]["squares"] == {"2": ["+"], "3": ["½"], "4": ["(1)"]}
        lines = [json.loads(line) for line in run(*words, "jsonl", cwd=folder).out.splitlines()]
        assert lines == data["rows"]
        rows = list(csv.DictReader(io.StringIO(run(*words, "csv", cwd=folder).out)))
        assert [rows[0][column] for column in ("1", "3", "points")] == ["", "½", "1.5"]

    def test_a_swiss_has_a_column_for_each_round(self, folder: Path) -> None:
        shown = run(*CROSSTABLE, "--after", "2", cwd=folder, COLUMNS="200").out
        assert re.search(r"no +name +1 +2 +points", shown)
        assert "2w1" in shown


class TestScoreSheet:
    """Totals after each round, on a screen, on paper and for programs."""

    WORDS = ("tournament", "score-sheet", "apa")

    def test_totals_defaults_and_who_is_cancelled(self, folder: Path) -> None:
        all_play_all(folder)
        shown = run(*self.WORDS, cwd=folder, COLUMNS="200").out
        assert "score sheet after round 4" in shown
        assert re.search(r"no +name +1 +2 +3 +4 +points", shown)
        assert re.search(r"1 +Player <A> +1① +1 +1½ +\(1½\) +1\.5 ", shown)
        assert re.search(r"2 +Player <B> +0① +1 +1 +1 +1 ", shown)
        assert re.search(r"─\n +4 +Player <D> +0 +0 +0 +\(0\) +0 ", shown)

    def test_a_page_to_print(self, folder: Path) -> None:
        all_play_all(folder)
        made = run("--lang", "es", *self.WORDS, "--format=html", cwd=folder).out
        assert '<html lang="es">' in made
        assert "&lt;Cup &amp; Co&gt;: hoja de puntuación" in made
        assert '<span class="circled">1</span></td>' in made
        assert '<tr class="apart"><td>4</td>' in made

    def test_every_format_says_the_same(self, folder: Path) -> None:
        words = (*SCORE_SHEET, "--after", "3", "--format")
        data = run(*words, "json", cwd=folder).json()
        assert (data["after"], len(data["rows"][0]["totals"])) == (3, 3)
        lines = [json.loads(line) for line in run(*words, "jsonl", cwd=folder).out.splitlines()]
        assert lines == data["rows"]
        rows = list(csv.DictReader(io.StringIO(run(*words, "csv", cwd=folder).out)))
        assert [row["id"] for row in rows] == [row["id"] for row in data["rows"]]
        for row, of_json in zip(rows, data["rows"], strict=True):
            assert row["3"].rstrip("①⓪") == of_json["totals"][2]["total"] == row["points"]


class TestPageForTheWall:
    """Standings as a page to print."""

    def test_it_says_what_the_screen_says(self, folder: Path) -> None:
        all_play_all(folder)
        words = ("tournament", "standings", "apa", "--prizes", "90,60", "--format", "html")
        made = run("--lang", "es", *words, cwd=folder).out
        assert made.startswith("<!DOCTYPE html>")
        assert "<h1>&lt;Cup &amp; Co&gt;: clasificación" in made
        assert "<th>premio</th>" in made
        assert '<td class="name">Player &lt;B&gt;</td><td>CHI</td>' in made
        assert '<tr class="apart"><td></td><td>4</td>' in made

    def test_sentences_stand_below_and_ratings_above(self, folder: Path) -> None:
        made = run(*STANDINGS, "--tie-breaks", "ARO", "--format", "html", cwd=folder).out
        assert re.search(r"<p>ratings of .*</p>\n<table>", made)
        assert re.search(r"</table>\n<p>ARO is not used: 1 player is", made)
        assert "prize" not in made
