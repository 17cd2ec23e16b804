"""Small files, so that a small ledger has several of them, each with several groups of rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.archive.writer import write_archive
from tests.archive.club import cut_small, filled


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the shipped example."""
    made = tmp_path_factory.mktemp("example") / "archive"
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch)
        write_archive(filled().journal, made)
    return made


@pytest.fixture
def folder(archived: Path, tmp_path: Path) -> Path:
    """A copy of the archive, to be changed."""
    return Path(shutil.copytree(archived, tmp_path / "archive"))
