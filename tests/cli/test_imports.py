"""A file that is imported again, otherwise read."""

from __future__ import annotations

from pathlib import Path

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
    assert "recorded before" in again.out
    other = run("import", "p.csv", "--encoding", "utf-8", cwd=tmp_path)
    assert "recorded before" not in other.out
    assert "Peña" in other.out + other.err


def test_another_kind_is_another_request(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PLAYERS_HEADER + "A,Ana,MEX,,,,,\n")
    assert run("init", cwd=tmp_path).code == 0
    assert run("import", "p.csv", cwd=tmp_path).code == 0
    other = run("import", "p.csv", "--kind", "games", cwd=tmp_path)
    assert other.code == 4, other.out
