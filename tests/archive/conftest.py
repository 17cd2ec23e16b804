"""Small files, so that a small ledger has several of them, each with several groups of rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.application import segments
from ledger.archive import writer
from ledger.archive.files import ArchiveTable
from ledger.archive.writer import write_archive
from tests.archive.club import filled


def _cut_small(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(writer, "EVENTS_IN_PART", 30)
    rows = property(lambda table: 1 if table is ArchiveTable.SEGMENTS else 7)
    patch.setattr(ArchiveTable, "group_rows", rows)
    patch.setattr(segments, "LEAST_EVENTS", 10)
    patch.setattr(segments, "MOST_EVENTS", 50)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    _cut_small(monkeypatch)


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the shipped example."""
    made = tmp_path_factory.mktemp("example") / "archive"
    with pytest.MonkeyPatch.context() as patch:
        _cut_small(patch)
        write_archive(filled().journal, made)
    return made


@pytest.fixture
def folder(archived: Path, tmp_path: Path) -> Path:
    """A copy of the archive, to be changed."""
    return Path(shutil.copytree(archived, tmp_path / "archive"))
