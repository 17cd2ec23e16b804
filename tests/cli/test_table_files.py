"""``export ratings|postings|lists``: files under their names when they are whole."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.running import begin_ledger, run_here
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER

TABLES = ("ratings", "postings", "lists")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of two players and one game, published."""
    folder = tmp_path_factory.mktemp("made")
    players = PLAYERS_HEADER + "A,Ana,CHI,,,1500,,20\nB,Beto,,,,1600,,20\n"
    (folder / "players.csv").write_text(players, encoding="utf-8")
    about = "T,Copa,2010-07-01,2010-07-02,swiss,classical,"
    (folder / "games.csv").write_text(f"{GAMES_HEADER}{about},1,,A,B,1-0\n", encoding="utf-8")
    return begin_ledger(
        folder,
        ("import", "games.csv"),
        ("publish", "ENF", "2010-07"),
    )


@pytest.fixture(autouse=True)
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of its own."""
    monkeypatch.chdir(shutil.copytree(made, tmp_path, dirs_exist_ok=True))


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx"])
@pytest.mark.parametrize("table", TABLES)
def test_a_file_by_its_suffix(table: str, suffix: str) -> None:
    done = run_here("export", table, "ENF", "--output", f"out.{suffix}")
    assert (done.code, done.out) == (0, "")
    rows = 4 if table == "ratings" else 2  # of July and of August, which is open
    assert f"out.{suffix}: {rows} " in done.err
    assert {path.name for path in Path().glob("*out*")} == {f"out.{suffix}"}
    if suffix == "parquet":
        assert pq.read_table(io.BytesIO(Path("out.parquet").read_bytes())).num_rows == rows


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_players_come_back_as_they_were(suffix: str) -> None:
    more = PLAYERS_HEADER + 'C,"Cruz, Ñusta",PER,w,1990-05-01,,,\nD,Dina,,,1985,,,\n'
    Path("more.csv").write_text(more, encoding="utf-8")
    assert run_here("import", "more.csv").code == 0
    file = f"out.{suffix}"
    assert run_here("export", "players", "--list", "ENF", "-o", file).code == 0
    again = run_here("import", file, "--format", "json")
    assert (again.code, json.loads(again.out)["events"]) == (0, [])
    assert run_here("--db", "other.db", "init").code == 0
    there = run_here("--db", "other.db", "import", file)
    assert (there.code, "4 players" in there.out) == (0, True)
    text = run_here("--db", "other.db", "export", "players", "-o", "there.csv")
    assert text.code == 0
    assert run_here("export", "players", "-o", "here.csv").code == 0
    assert Path("there.csv").read_bytes() == Path("here.csv").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_games_come_back_as_they_were(suffix: str) -> None:
    about = "U,Open =1,2010-07-03,2010-07-05,swiss,rapid,0.75"
    results = (
        "1,2010-07-04,A,B,½-½",
        "2,,A,B,+/-",
        "3,,B,A,-/-",
        "4,,A,,H",
        "5,,A,B,1-0a",
        "6,,A,B,0-1s",
    )
    text = GAMES_HEADER + "".join(f"{about},{result}\n" for result in results)
    Path("more.csv").write_text(text, encoding="utf-8")
    assert run_here("import", "more.csv").code == 0
    file = f"out.{suffix}"
    assert run_here("export", "games", "-o", file).code == 0
    again = run_here("import", file, "--format", "json")
    assert (again.code, json.loads(again.out)["events"]) == (0, [])
    for words in (("init",), ("import", "players.csv"), ("import", file)):
        assert run_here("--db", "other.db", *words).code == 0
    assert run_here("--db", "other.db", "export", "games", "-o", "there.csv").code == 0
    assert run_here("export", "games", "-o", "here.csv").code == 0
    assert Path("there.csv").read_bytes() == Path("here.csv").read_bytes()
    assert len(Path("here.csv").read_text(encoding="utf-8").splitlines()) == 1 + 1 + len(results)


def test_players_have_the_newest_ratings_of_a_list() -> None:
    rows = run_here("export", "players", "--list", "ENF").out.splitlines()
    ratings = {row["player"]: (row["rating"], row["rated_games"]) for row in csv.DictReader(
        run_here("export", "ratings", "ENF").out.splitlines()
    )}  # fmt: skip
    found = {row["id"]: (row["rating"], row["games"]) for row in csv.DictReader(rows)}
    assert found == ratings  # the last period of each


def test_standard_output_is_csv() -> None:
    header, *rows = run_here("export", "ratings", "ENF").out.splitlines()
    assert header == "list,period,in_force_on,player,opening,rating,games,rated_games,k,active"
    assert rows[0].startswith('"ENF","2010-07","2010-08-01","A",1500,')


def test_a_published_list_comes_back_as_players() -> None:
    assert run_here("export", "lists", "ENF", "-o", "list.xlsx").code == 0
    assert run_here("--db", "other.db", "init").code == 0
    done = run_here("--db", "other.db", "import", "list.xlsx")
    assert (done.code, "players" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ratings", "X"), 7),
        (("ratings", "ENF", "-o", "out.ods"), 4),
        (("ratings", "ENF", "-o", "nowhere/out.csv"), 4),
        (("ratings", "ENF", "--format", "ods"), 2),
    ],
)
def test_what_cannot_be_written(words: tuple[str, ...], code: int) -> None:
    done = run_here("export", *words)
    assert done.code == code
    assert words[-1] in done.err
    assert not list(Path().glob("*out*"))
