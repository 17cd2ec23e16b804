"""A folder with the example in it: July published, August imported."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.running import begin_ledger


def _make(folder: Path) -> None:
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    for name in "players.csv", "ymca.csv", "agosto.csv":
        (folder / name).write_bytes(examples.joinpath(name).read_bytes())
    begin_ledger(
        folder,
        ("import", "ymca.csv"),
        ("publish", "ENF", "2010-07"),
        ("import", "agosto.csv"),
    )


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example")
    _make(folder)
    return folder


@pytest.fixture
def folder(made_once: Path, tmp_path: Path) -> Path:
    """A copy of its own."""
    return Path(shutil.copytree(made_once, tmp_path / "work"))
