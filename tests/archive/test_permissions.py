"""Who may read an archive: the names its owner alone, everything a group where that is said."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from ledger.archive.journal import ArchiveJournal
from ledger.archive.proof import prove
from ledger.archive.writer import write_archive
from ledger.errors import DatabaseError
from tests.archive.club import filled
from tests.journal.users import umask


def modes_in(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in (folder, *folder.rglob("*"))
    }


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_names_are_for_the_owner(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        write_archive(filled().journal, tmp_path / "archive")
    modes = modes_in(tmp_path / "archive")
    assert modes["personal/000001.parquet"] == 0o600
    assert modes["events/000001.parquet"] == 0o666 & ~mask
    prove(ArchiveJournal(tmp_path / "archive"))


def test_what_a_killed_one_has_left_is_for_its_owner_and_goes_with_the_next(tmp_path: Path) -> None:
    journal = filled().journal

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        (place,) = tmp_path.glob(".archive.*.partial")
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        shutil.copytree(place, place.with_name(".archive.0123abcd.partial"))
        raise Killed

    with pytest.raises(Killed):
        write_archive(journal, tmp_path / "archive", progress=killed)
    (tmp_path / ".archive.mine.partial").mkdir()
    assert (tmp_path / ".archive.0123abcd.partial").is_dir()
    write_archive(journal, tmp_path / "archive")
    assert {path.name for path in tmp_path.iterdir()} == {"archive", ".archive.mine.partial"}


def test_the_place_of_another_who_is_writing_stays(tmp_path: Path) -> None:
    journal = filled().journal
    met: list[object] = []

    def at_once(*_: object) -> None:
        if not met:
            met.append(None)
            write_archive(journal, tmp_path / "archive")

    with pytest.raises(DatabaseError):
        write_archive(journal, tmp_path / "archive", progress=at_once)
    prove(ArchiveJournal(tmp_path / "archive"))
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_shared_archive_is_for_the_group_too(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        write_archive(filled().journal, tmp_path / "archive", shared=True)
    modes = modes_in(tmp_path / "archive")
    assert modes["personal/000001.parquet"] == 0o660
    folders = {modes.pop(name) for name in (".", "commits", "events", "personal", "segments")}
    assert all(mode & 0o070 == 0o070 for mode in folders)
    assert all(mode & 0o060 == 0o060 for mode in modes.values())
    prove(ArchiveJournal(tmp_path / "archive"))
