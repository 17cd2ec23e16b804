"""An archive of many small files and segments, and a real cluster of two processes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.archive import writer
from ledger.archive.files import ArchiveTable
from ledger.archive.writer import write_archive
from ledger.cluster.dask import OnDask, on_dask
from ledger.derived import segments
from tests.cluster.federation import filled


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the federation."""
    made = tmp_path_factory.mktemp("distributed") / "archive"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "EVENTS_IN_PART", 150)
        rows = property(lambda table: 1 if table is ArchiveTable.SEGMENTS else 40)
        patch.setattr(ArchiveTable, "group_rows", rows)
        patch.setattr(segments, "LEAST_EVENTS", 10)
        patch.setattr(segments, "MOST_EVENTS", 300)
        write_archive(filled().journal, made)
    return made


@pytest.fixture
def folder(archived: Path, tmp_path: Path) -> Path:
    """A copy of the archive, to be changed."""
    return Path(shutil.copytree(archived, tmp_path / "archive"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[OnDask]:
    """Two worker processes on the loopback interface."""
    with on_dask(workers=2) as engine:
        yield engine


@pytest.fixture
def dask(cluster: OnDask) -> OnDask:
    """The cluster with both of its workers; who was killed has been replaced."""
    cluster.client.wait_for_workers(2, timeout=30)
    return cluster
