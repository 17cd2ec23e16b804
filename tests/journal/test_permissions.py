"""Files are made for their owner, or for a group where that is said; what is there stays."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ledger.errors import DatabaseError, InputRefused
from ledger.journal.stores import permissions
from ledger.journal.stores.database import diagnose, open_journal, upgrade
from ledger.journal.stores.permissions import PRIVATE, SHARED, make_beside, open_new
from tests.journal.drafts import append, draft, fill
from tests.journal.users import umask, without_privileges


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes_in(folder: Path) -> dict[str, int]:
    return {path.name: mode_of(path) for path in folder.iterdir()}


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o777])
@pytest.mark.parametrize("mode", [PRIVATE, SHARED])
def test_a_file_has_its_mode_whatever_the_umask(tmp_path: Path, mode: int, mask: int) -> None:
    with umask(mask):
        os.close(open_new(tmp_path / "new", mode))
    assert mode_of(tmp_path / "new") == mode


def test_a_file_is_never_open_to_others_before_it_has_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    set_mode = permissions._set_mode

    def spy(descriptor: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        set_mode(descriptor, mode)

    monkeypatch.setattr(permissions, "_set_mode", spy)
    with umask(0):
        os.close(open_new(tmp_path / "new", SHARED))
    assert seen == [PRIVATE]


def test_what_is_there_is_not_made_anew(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        open_new(tmp_path / "link", PRIVATE)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("mask", [0, 0o077])
@pytest.mark.parametrize(("shared", "mode"), [(False, PRIVATE), (True, SHARED)])
def test_every_file_of_a_new_database_has_the_same_mode(
    tmp_path: Path, mode: int, mask: int, *, shared: bool
) -> None:
    path = tmp_path / "club.db"
    with umask(mask):
        upgrade(str(path), shared=shared)
        journal = open_journal(str(path))
        fill(journal)
        reading = journal.events()
        next(reading)
        names = ("club.db", "club.db-shm", "club.db-wal", "club.db.lock")
        assert modes_in(tmp_path) == dict.fromkeys(names, mode)
        journal.close()


def test_a_link_to_a_database_that_is_not_there_yet(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    assert upgrade(str(tmp_path / "link.db"))
    assert mode_of(tmp_path / "real.db") == PRIVATE


@pytest.mark.parametrize("shared", [False, True])
def test_an_existing_database_keeps_its_mode(tmp_path: Path, *, shared: bool) -> None:
    path = tmp_path / "club.db"
    upgrade(str(path))
    path.chmod(0o644)
    assert not upgrade(str(path), shared=shared)
    journal = open_journal(str(path))
    fill(journal)
    journal.close()
    assert mode_of(path) == 0o644


def test_the_lock_file_follows_the_database(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    upgrade(str(path))
    for mode, wanted in ((0o644, 0o644), (0o660, 0o660), (0o400, 0o600), (0o755, 0o644)):
        path.chmod(mode)
        lock = path.with_name("club.db.lock")
        lock.unlink()
        with umask(0o077):
            assert make_beside(lock, path) == wanted
        assert mode_of(lock) == wanted
    lock.chmod(0o640)
    make_beside(lock, path)
    assert mode_of(lock) == 0o640


@pytest.mark.parametrize(("user", "owner"), [(0, 1234), (1000, -1)])
def test_the_lock_file_is_given_to_the_owner_of_the_database_by_who_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, owner: int
) -> None:
    given = []
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "fchown", lambda _, *owners: given.append(owners))
    path = tmp_path / "club.db"
    path.touch()
    model = os.stat_result((0o100640, 0, 0, 1, 1234, 5678, 0, 0, 0, 0))
    stat_of = Path.stat
    monkeypatch.setattr(Path, "stat", lambda of, **_: model if of == path else stat_of(of))
    assert make_beside(tmp_path / "club.db.lock", path) == 0o640
    assert given == [(owner, 5678)]


def test_who_may_not_open_the_lock_file_is_told_its_name(shared_folder: Path) -> None:
    path = shared_folder / "club.db"
    upgrade(str(path))
    lock = path.with_name("club.db.lock")
    shared_folder.chmod(0o777)
    path.chmod(0o666)
    lock.chmod(0o444)
    with without_privileges():
        journal = open_journal(str(path))
        with pytest.raises(DatabaseError) as caught:
            append(journal, draft())
        assert journal.head().seq == 0
        journal.close()
    assert caught.value.message.key == "database.lock_file"
    assert f"its lock file {lock} belongs to {lock.owner()}" in str(caught.value)
    assert str(lock) in caught.value.message.within("es")
    lock.chmod(0o666)
    with without_privileges():
        journal = open_journal(str(path))
        append(journal, draft())
        journal.close()


def test_a_server_has_no_file_to_share(postgres_url: str) -> None:
    with pytest.raises(InputRefused) as caught:
        upgrade(postgres_url, shared=True)
    assert caught.value.message.key == "database.shared"


@pytest.mark.parametrize(
    ("mode", "may"),
    [
        (0o600, "-"),
        (0o660, "-"),
        (0o604, "read"),
        (0o602, "write"),
        (0o666, "read, write"),
    ],
)
def test_a_diagnosis_says_what_others_may(shared_folder: Path, mode: int, may: str) -> None:
    path = shared_folder / "club.db"
    upgrade(str(path))
    path.chmod(mode)
    facts = diagnose(str(path)).facts
    assert (facts["permissions"], facts["others_may"]) == (f"{mode:04o}", may)
    shared_folder.chmod(0o700)
    assert diagnose(str(path)).facts["others_may"] == "-"


def test_the_log_of_a_database_counts_as_well(shared_folder: Path) -> None:
    path = shared_folder / "club.db"
    upgrade(str(path))
    journal = open_journal(str(path))
    fill(journal)
    path.with_name("club.db-wal").chmod(0o644)
    assert diagnose(str(path)).facts["others_may"] == "read"
    journal.close()
