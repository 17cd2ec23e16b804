"""A file that is imported again, otherwise read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.ledgers import PLAYERS_HEADER


def test_another_encoding_is_another_request(tmp_path: Path) -> None:
    """What was read wrongly is not told to have been recorded before."""
    text = PLAYERS_HEADER + "A,Peña,MEX,,,,,\n"
    (tmp_path / "p.csv").write_bytes(text.encode("utf-8"))
    assert run("init", cwd=tmp_path).code == 0
    first = run("import", "p.csv", "--encoding", "cp1252", cwd=tmp_path)
    assert first.code == 0, first.err
    again = run("import", "p.csv", "--encoding", "cp1252", cwd=tmp_path)
    assert "Recorded before" in again.out
    other = run("import", "p.csv", "--encoding", "utf-8", cwd=tmp_path)
    assert "Recorded before" not in other.out
    assert "Peña" in other.out + other.err


def test_another_kind_is_another_request(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PLAYERS_HEADER + "A,Ana,MEX,,,,,\n")
    assert run("init", cwd=tmp_path).code == 0
    assert run("import", "p.csv", cwd=tmp_path).code == 0
    other = run("import", "p.csv", "--kind", "games", cwd=tmp_path)
    assert other.code == 4, other.out


def test_what_is_wrong_with_the_bytes_of_a_file_names_it(folder: Path) -> None:
    content = b"id,name\n7,\x81 and \xe9\n"
    (folder / "socios.csv").write_bytes(content)
    done = run("import", "socios.csv", cwd=folder)
    assert done.code == 4
    assert "\n  socios.csv:2:3: the byte 0x81 is no character here\n" in done.err


def test_a_checkpoint_that_is_not_there_is_said_as_any_other_file(folder: Path) -> None:
    done = run("verify", "--checkpoint", "nowhere.txt", cwd=folder)
    said = "nowhere.txt cannot be read: there is no such file or folder\n"
    assert (done.code, done.err) == (4, said)


@pytest.mark.parametrize(
    ("words", "next_step"),
    [
        (("history", "nobody"), "'player find'"),
        (("tournament", "round", "ymca-2010", "1"), "'tournament show'"),
    ],
)
def test_what_is_not_there_is_said_with_where_to_look(
    folder: Path, words: tuple[str, ...], next_step: str
) -> None:
    for language in ("en", "es"):
        done = run("--lang", language, *words, cwd=folder)
        assert (done.code, next_step in done.err) == (7, True), done.err
