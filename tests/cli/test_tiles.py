"""``export tiles``: the tree of the example in a folder; it names nobody."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run


def test_the_tree_is_written_and_gone_on_with(folder: Path) -> None:
    run("key", "chess.example/ratings", "secret.key", cwd=folder)
    words = ("export", "tiles", "tiles", "--key", "secret.key")
    first = run(*words, "--format", "json", cwd=folder)
    assert first.code == 0, first.err
    said = first.json()
    assert (said["written"], said["left_out"]) == (3, [])
    assert (folder / "tiles" / "checkpoint").read_text().split("\n")[1] == str(said["size"])
    assert "0 files" in run(*words, cwd=folder).out
    assert run("publish", "ENF", "2010-08", cwd=folder).code == 0
    assert run(*words, "--format", "json", cwd=folder).json()["written"] == 3


def test_nobody_is_named_in_it(folder: Path) -> None:
    run("key", "chess.example/ratings", "secret.key", cwd=folder)
    assert run("export", "tiles", "tiles", "--key", "secret.key", cwd=folder).code == 0
    rows = run("player", "list", "--all", "--format", "json", cwd=folder).json()
    names = [row["name"] for row in (rows if isinstance(rows, list) else rows["players"])]
    written = b"".join(
        path.read_bytes() for path in (folder / "tiles").rglob("*") if path.is_file()
    )
    assert names
    assert [name for name in names if name.encode() in written] == []


def test_without_a_signature_nothing_is_written(folder: Path) -> None:
    done = run("export", "tiles", "tiles", cwd=folder)
    assert done.code == 4
    assert "signed checkpoint" in done.err
    assert not (folder / "tiles").exists()
