"""``tournament simulate`` and ``tournament check``, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Ran, run

SIMULATE = ("tournament", "simulate", "--players", "10", "--rounds", "4", "--seed", "7",
            "--pairing", "fenamac-1975", "--forfeits", "0.1", "--byes", "1/10")  # fmt: skip
CHECK = ("tournament", "check", "E.trf", "--pairing", "fenamac-1975")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A folder with a simulated event."""
    done = run(*SIMULATE, "--output", "E.trf", cwd=tmp_path)
    assert (done.code, done.err) == (0, "E.trf is written: 10 players, 4 rounds\n")
    return tmp_path


def changed(folder: Path, old: str, new: str) -> Ran:
    text = (folder / "E.trf").read_text(encoding="utf-8")
    assert old in text
    (folder / "E.trf").write_text(text.replace(old, new), encoding="utf-8")
    return run(*CHECK, cwd=folder)


def test_the_same_seed_is_the_same_file(event: Path) -> None:
    again = run(*SIMULATE, "--output", "F.trf", cwd=event)
    assert again.code == 0
    assert (event / "E.trf").read_bytes() == (event / "F.trf").read_bytes()
    assert run(*SIMULATE, "--output", "F.trf", cwd=event).code == 4  # it is there already


def test_a_simulated_event_has_no_difference(event: Path) -> None:
    done = run(*CHECK, cwd=event)
    assert (done.code, done.err) == (0, "")
    assert done.out == "no difference: 4 rounds paired again, points and places added up\n"
    assert run(*CHECK, "--format", "json", cwd=event).json()["differences"] == []


def test_each_difference_is_named_and_ends_with_3(event: Path) -> None:
    line = next(
        line for line in (event / "E.trf").read_text(encoding="utf-8").splitlines()
        if line.startswith("001    4")
    )  # fmt: skip
    done = changed(event, line, line[:80] + " 9.5" + line[84:])
    assert done.code == 3
    assert "4 is declared with 9.5 points; the results add up to" in done.out
    assert "1 difference from its rules" in done.err
    rows = run(*CHECK, "--format", "jsonl", cwd=event).out
    assert '"kind": "points"' in rows


def test_what_was_not_checked_is_told(event: Path) -> None:
    done = run("tournament", "check", "E.trf", cwd=event)
    assert done.code == 8
    assert "no round was paired again" in " ".join(done.err.split())
    assert done.out.startswith("the pairing system CUSTOM_SWISS is announced, and none is")
    lines = (event / "E.trf").read_text(encoding="utf-8").splitlines(keepends=True)
    silent = "".join(line for line in lines if not line.startswith("192"))
    (event / "S.trf").write_text(silent, encoding="utf-8")
    done = run("tournament", "check", "S.trf", cwd=event)
    assert done.code == 8
    assert done.out.startswith("no pairing system is announced (192, 092)")


def test_that_nothing_was_paired_again_has_a_code_of_its_own(event: Path) -> None:
    done = run("tournament", "check", "E.trf", "--format", "json", cwd=event)
    assert done.code == 8
    assert done.json()["differences"] == []
    assert json.loads(done.err)["error"] == "check.nothing_paired"
    lines = (event / "E.trf").read_text(encoding="utf-8").splitlines(keepends=True)
    # A difference stays a difference, whatever else was not checked.
    line = next(line for line in lines if line.startswith("001    4"))
    changed(event, line, line[:80] + " 9.5" + line[84:])
    assert run("tournament", "check", "E.trf", cwd=event).code == 3


def test_an_event_without_rounds_is_not_said_to_hold(tmp_path: Path) -> None:
    days = ("--start", "2026-03-01", "--end", "2026-03-02", "--rate-of-play", "classical")
    assert run("init", cwd=tmp_path).code == 0
    opened = ("tournament", "open", "T", "--name", "T", *days, "--pairing", "fenamac-1975")
    assert run(*opened, cwd=tmp_path).code == 0
    for lang, says in (("en", "there is none yet"), ("es", "aún no hay ninguna")):
        done = run("--lang", lang, "tournament", "check", "T", cwd=tmp_path)
        assert (done.code, done.out) == (8, "")
        assert says in " ".join(done.err.split())


def test_a_system_that_is_not_supported_is_named(event: Path) -> None:
    text = (event / "E.trf").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines(keepends=True) if line[:3] not in ("192", "212")]
    changed_text = "".join(lines) + "192 FIDE_BURSTEIN\n212 PTS,FOO\n"
    (event / "B.trf").write_text(changed_text, encoding="utf-8")
    told = " ".join(run("tournament", "check", "B.trf", cwd=event).out.split())
    assert "the pairing system FIDE_BURSTEIN is announced, and none is" in told
    assert "no pairing system is announced" not in told
    assert "unknown, or not for such an event: FOO;" in told
    assert "places among equal points cannot be judged" in told
    assert "no tie-breaks are announced" not in told
    spanish = run("tournament", "check", "B.trf", cwd=event, RATING_LEDGER_LANG="es").out
    spanish = " ".join(spanish.split())
    assert "FIDE_BURSTEIN está anunciado, pero ninguno se admite" in spanish
    assert "no se pueden juzgar" in spanish
    named = run("tournament", "check", "B.trf", "--pairing", "fenamac-1975", cwd=event)
    assert "FIDE_BURSTEIN" not in named.out


def test_a_share_is_between_0_and_1(event: Path) -> None:
    assert run(*SIMULATE, "--unusual", "2", "--output", "G.trf", cwd=event).code == 4


def test_a_tournament_of_a_ledger_is_checked_by_its_id(event: Path) -> None:
    db = {"RATING_LEDGER_DB": str(event / "ledger.db"), "RATING_LEDGER_STATE": str(event)}
    assert run("init", cwd=event, **db).code == 0
    imported = run("import", "E.trf", "--tournament", "T", cwd=event, **db)
    assert imported.code == 0, imported.err
    done = run("tournament", "check", "T", "--pairing", "fenamac-1975", cwd=event, **db)
    assert (done.code, done.err) == (0, "")
    assert done.out == "no difference: 4 rounds paired again\n"
    assert run("tournament", "check", "U", cwd=event, **db).code == 7


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A ledger with two published rounds of an event of six."""
    (tmp_path / "players.csv").write_text(
        "id,name,rating\n" + "".join(f"{n},Player {n},{2000 - n}\n" for n in range(1, 7)),
        encoding="utf-8",
    )
    days = ("--start", "2026-03-01", "--end", "2026-03-02", "--rate-of-play", "classical")
    for words in (
        ("init",),
        ("import", "players.csv"),
        ("tournament", "open", "T", "--name", "T", *days, "--rounds", "3"),
        ("tournament", "rules", "T", "--pairing", "fenamac-1975"),
        ("tournament", "enter", "T", *"123456"),
        ("tournament", "pair", "T"),
        *(("tournament", "result", "T", "1", board, "1-0") for board in "123"),
        ("tournament", "pair", "T"),
    ):  # fmt: skip
        done = run(*words, cwd=tmp_path, **database(tmp_path))
        assert done.code == 0, (words, done.err)
    return tmp_path


def database(folder: Path) -> dict[str, str]:
    return {"RATING_LEDGER_DB": str(folder / "ledger.db"), "RATING_LEDGER_STATE": str(folder)}


def test_a_round_is_paired_again_from_what_was_known_when_it_was_published(published: Path) -> None:
    db = database(published)
    boards = run("tournament", "round", "T", "1", "--format", "json", cwd=published, **db).json()
    first = boards["boards"][0]
    players = [str(first[colour]["id"]) for colour in ("white", "black")]
    protest = run("correct", "result", "T", "1", *players, "0-1", "--reason", "a protest",
                  cwd=published, **db)  # fmt: skip
    assert protest.code == 0, protest.err
    done = run("tournament", "check", "T", cwd=published, **db)
    assert (done.code, done.err) == (0, "")


def test_boards_by_hand_are_named(published: Path) -> None:
    db = database(published)
    for board in "123":
        result = ("tournament", "result", "T", "2", board, "1/2-1/2")
        assert run(*result, cwd=published, **db).code == 0
    (published / "boards.csv").write_text("white,black\n1,2\n3,4\n5,6\n", encoding="utf-8")
    by_hand = run("tournament", "pair", "T", "--by-hand", "boards.csv", "--reason", "the hall",
                  cwd=published, **db)  # fmt: skip
    assert by_hand.code == 0, by_hand.err
    done = run("tournament", "check", "T", cwd=published, **db)
    assert done.code == 3
    assert all(line.startswith("round 3") for line in done.out.splitlines())
