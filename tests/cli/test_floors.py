"""Who falls below the floor of a list is unrated: nowhere is the loss of all shown as a change."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.event import do
from tests.cli.running import run
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER

PLAYERS = PLAYERS_HEADER + "".join(
    f"{id_},{name},,,1980-01-01,{rating},,50\n"
    for id_, name, rating in (("a", "Ana", 1410), ("b", "Beto", 1500), ("c", "Cira", 1450))
)
MAY = "M,May,2024-05-02,2024-05-03,swiss,classical,"
JUNE = "J,June,2024-06-08,2024-06-09,swiss,classical,"


@pytest.fixture
def fallen(tmp_path: Path) -> Path:
    """A ledger in which a has 1402 after May, published, and falls below 1400 in June."""
    (tmp_path / "players.csv").write_text(PLAYERS, encoding="utf-8")
    rows = (f"{MAY},1,,a,b,0-1", f"{JUNE},1,,a,b,0-1", f"{JUNE},2,,a,c,0-1")
    (tmp_path / "games.csv").write_text(GAMES_HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    do(tmp_path, "init")
    do(tmp_path, "list", "define", "L", "--regulation", "fide-standard", "--calendar", "monthly",
       "--first", "2024-05-01", "--param", "floor=1400")  # fmt: skip
    do(tmp_path, "import", "players.csv", "--list", "L")
    do(tmp_path, "import", "games.csv")
    do(tmp_path, "publish", "L", "2024-05")
    return tmp_path


def words(folder: Path, *command: str) -> str:
    return " ".join(do(folder, *command).out.split())


def test_every_table_says_unrated_and_from_what(fallen: Path) -> None:
    assert "3 a Ana unrated 2 from 1402 20" in words(fallen, "list", "show", "L", "2024-06")
    assert "sin rating 2 desde 1402" in words(
        fallen, "--lang", "es", "list", "show", "L", "2024-06"
    )
    assert "a Ana 1402 unrated from 1402 2" in words(fallen, "live", "L")
    assert "2024-06 unrated from 1402 2" in words(fallen, "history", "a")
    do(fallen, "publish", "L", "2024-06")
    assert "2024-06 unrated (@1) unrated from 1402 2" in words(fallen, "history", "a")
    assert "1402" in words(fallen, "why", "a", "--from", "2024-05", "--to", "2024-06")
    for command in (
        ("list", "show", "L", "2024-06"),
        ("explain", "a", "--period", "2024-06"),
        ("history", "a"),
        ("player", "show", "a"),
        ("live", "L"),
    ):
        assert "-1402" not in words(fallen, *command), command


def test_a_statement_leads_to_unrated(fallen: Path) -> None:
    told = words(fallen, "explain", "a", "--period", "2024-06")
    assert "opening 1402" in told
    assert "below the floor, with 1386 closing unrated" in told
    spanish = words(fallen, "--lang", "es", "explain", "a", "--period", "2024-06")
    assert "por debajo del piso, con 1386" in spanish
    said = run("explain", "a", "--period", "2024-06", "--format", "json", cwd=fallen).json()
    assert (said["closing"], said["removed"]) == (None, -1386)


def test_what_is_published_is_as_it_was(fallen: Path) -> None:
    do(fallen, "publish", "L", "2024-06")
    rows = run("list", "show", "L", "2024-06", "--format", "json", cwd=fallen).json()["rows"]
    assert (rows[2]["rating"], rows[2]["change"]) == (0, -1402)
    assert run("list", "regenerate", "L", "2024-06", cwd=fallen).code == 0


def test_what_a_correction_moves_is_no_loss_of_all(fallen: Path) -> None:
    """A win in June instead of a loss keeps the rating; annulled again, it is lost."""
    do(fallen, "correct", "result", "J", "1", "a", "b", "1-0", "--reason", "x")
    back = ("correct", "result", "J", "1", "a", "b", "0-1", "--reason", "x", "--dry-run")
    shown = words(fallen, *back)
    assert "a Ana 14" in shown
    assert "-14" not in shown


AUGUST = "A,August,2024-08-08,2024-08-09,swiss,classical,,1,,b,c,0-1"


@pytest.fixture
def months_later(fallen: Path) -> Path:
    """The same after June was published and others played in August; d never had a rating."""
    do(fallen, "publish", "L", "2024-06")
    rows = (AUGUST, AUGUST.replace(",1,,b,c,0-1", ",2,,b,d,1-0"))
    (fallen / "august.csv").write_text(GAMES_HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    do(fallen, "player", "add", "d", "Dora")
    do(fallen, "import", "august.csv")
    return fallen


def test_who_fell_is_unrated_in_later_periods_and_who_has_no_rating_yet_provisional(
    months_later: Path,
) -> None:
    for lang, unrated, provisional in (
        ("en", "unrated", "provisional"),
        ("es", "sin rating", "provisional"),
    ):
        shown = partial(words, months_later, "--lang", lang)
        rows = shown("list", "show", "L", "2024-08")
        assert f"a Ana {unrated} 0 20" in rows
        assert f"d Dora {provisional} 0 " in rows
        live = shown("live", "L")
        assert f"a Ana {unrated} {unrated} 0" in live
        assert f"d Dora {provisional} 0" in live
        history = shown("history", "a")
        assert f"2024-06 {unrated} (@1) {unrated} " in history
        assert f"2024-08 {unrated} 0" in history
        assert provisional not in history
        assert f"L 2024-06 {unrated} (" in shown("player", "show", "a")  # the official one
        assert f"L 2024-08 {provisional}" in shown("player", "show", "d")
        assert provisional in shown("explain", "d", "--period", "2024-08")
        assert unrated in shown("explain", "a", "--period", "2024-08")
        assert provisional not in shown("explain", "a", "--period", "2024-08")


def test_json_says_of_later_periods_what_it_said(months_later: Path) -> None:
    def answer(*command: str) -> Any:
        return do(months_later, *command, "--format", "json").json()

    assert answer("player", "show", "a")["ratings"] == [
        {
            "list": "L", "period": "2024-06", "rating": 0, "provisional": True, "edition": 1,
            "in_force_on": "2024-07-01", "state": "published",
        }
    ]  # fmt: skip
    row = next(row for row in answer("live", "L")["rows"] if row["id"] == "a")
    assert set(row) == {"rank", "id", "name", "published", "live", "difference", "games"}
    shown = answer("list", "show", "L", "2024-08")
    assert "lost" not in shown
    row = next(row for row in shown["rows"] if row["id"] == "a")
    assert (row["rating"], row["provisional"], row["change"]) == (0, True, None)
