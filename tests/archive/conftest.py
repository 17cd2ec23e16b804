"""Small files, so that a small ledger has several of them, each with several groups of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.application import segments
from ledger.archive import writer
from ledger.archive.files import ArchiveTable
from ledger.archive.writer import write_archive
from tests.archive.club import filled


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "EVENTS_IN_PART", 30)
    rows = property(lambda table: 1 if table is ArchiveTable.SEGMENTS else 7)
    monkeypatch.setattr(ArchiveTable, "group_rows", rows)
    monkeypatch.setattr(segments, "LEAST_EVENTS", 10)
    monkeypatch.setattr(segments, "MOST_EVENTS", 50)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive of the shipped example."""
    made = tmp_path / "archive"
    write_archive(filled().journal, made)
    return made
