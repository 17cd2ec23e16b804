"""The store's folders: one user's own, whole files, few of them, and none of before an erasure."""

from __future__ import annotations

import errno
import os
import stat
from itertools import count
from pathlib import Path

import pytest

from ledger.derived import store as module
from ledger.derived.private_folders import state_of_user
from ledger.derived.store import (
    DerivedStore,
    EntryKey,
    EntryKind,
    EntryPlace,
    NotWritten,
    store_of_user,
)

ONE, OTHER = (EntryKey(EntryKind.SEGMENT, number * 64) for number in "12")
FILES = [EntryKey(EntryKind.TREE, root) for root in "abcd"]
SHARED = pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> DerivedStore:
    return DerivedStore(None if request.param == "memory" else tmp_path / "state")


def written(path: Path) -> None:
    path.write_text("content")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# Keys


def test_everything_that_an_entry_follows_from_is_in_its_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = {EntryKey(kind, "a").digest for kind in EntryKind}
    assert len(kinds) == len(EntryKind)
    key = EntryKey(EntryKind.LIST, "a", ("ENF", "2010-07", None))
    others = (
        EntryKey(EntryKind.LIST, "b", ("ENF", "2010-07", None)),
        EntryKey(EntryKind.LIST, "a", ("ENF", "2010-07", 1)),
        EntryKey(EntryKind.LIST, "a", ("ENF2", "010-07", None)),
    )
    digest = key.digest
    assert digest not in {other.digest for other in others}
    monkeypatch.setattr(EntryKind.LIST, "format", 0)
    assert key.digest != digest


# Vouchers


def test_a_voucher_that_is_kept_is_found(store: DerivedStore) -> None:
    assert store.note(ONE) is None
    store.vouch(ONE, "é")
    assert store.note(ONE) == "é"
    assert store.note(OTHER) is None
    store.vouch(ONE)
    assert store.note(ONE) == ""


def test_entries_are_the_owners_alone(tmp_path: Path) -> None:
    store = DerivedStore(tmp_path)
    store.vouch(ONE)
    store.keep(FILES[0], written)
    for name in ("vouchers", "trees"):
        (path,) = (tmp_path / name).iterdir()
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@SHARED
def test_a_folder_that_others_can_write_to_is_not_believed(tmp_path: Path, mode: int) -> None:
    store = DerivedStore(tmp_path)
    store.vouch(ONE)
    store.keep(FILES[0], written)
    for name in ("vouchers", "trees"):
        (tmp_path / name).chmod(mode)
    assert store.note(ONE) is None
    assert store.read(FILES[0]) is None
    store.vouch(OTHER)
    with pytest.raises(NotWritten, match="others may write"):
        store.keep(FILES[1], written)
    assert len(names(tmp_path / "vouchers") | names(tmp_path / "trees")) == 2


def test_nor_is_one_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DerivedStore(tmp_path)
    store.vouch(ONE)
    store.keep(FILES[0], written)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert store.note(ONE) is None
    assert store.find(FILES[0]) is None


def test_nor_is_a_link_to_one(tmp_path: Path) -> None:
    store = DerivedStore(tmp_path / "real")
    store.vouch(ONE)
    store.keep(FILES[0], written)
    (tmp_path / "other").mkdir()
    for name in ("vouchers", "trees"):
        (tmp_path / "other" / name).symlink_to(tmp_path / "real" / name)
    assert DerivedStore(tmp_path / "other").note(ONE) is None
    assert DerivedStore(tmp_path / "other").find(FILES[0]) is None


def test_a_voucher_that_cannot_be_kept_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = DerivedStore(tmp_path / "file")
    store.vouch(ONE)
    assert store.note(ONE) is None


def test_vouchers_used_least_recently_are_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_VOUCHERS", 7)
    store, folder = DerivedStore(tmp_path), tmp_path / "vouchers"
    keys = (EntryKey(EntryKind.SNAPSHOT, "root", (number,)) for number in count())
    counting = next(key for key in keys if key.digest.startswith("00"))
    many = [key for key, _ in zip(keys, range(12), strict=False)]
    assert not any(key.digest.startswith("00") for key in many)
    for number, key in enumerate(many):
        store.vouch(key)
        os.utime(folder / key.digest, (number, number))
    assert store.note(many[0]) == "", "and this makes it a recent one"
    assert len(names(folder)) == 12, "it is looked at now and then"
    store.vouch(counting)
    assert names(folder) == {key.digest for key in (counting, many[0], *many[6:])}


# Files


def test_only_so_many_files_are_kept_and_the_oldest_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 2)
    store = DerivedStore(tmp_path)
    for key in FILES[:3]:
        store.keep(key, written)
    assert store.find(FILES[0]) is None
    assert store.find(FILES[1])
    store.keep(FILES[3], written)
    assert store.find(FILES[2]) is None
    assert store.find(FILES[1])
    assert store.find(FILES[3])


def test_a_file_takes_the_place_of_what_others_wrote(tmp_path: Path) -> None:
    store = DerivedStore(tmp_path)
    store.keep(FILES[0], lambda path: path.write_text("another"))
    store.keep(FILES[0], written)
    assert store.read(FILES[0]) == b"content"
    assert len(names(tmp_path / "trees")) == 1


def test_a_file_whose_making_fails_leaves_nothing(tmp_path: Path) -> None:
    def fails(path: Path) -> None:
        path.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        DerivedStore(tmp_path).keep(FILES[0], fails)
    assert names(tmp_path / "trees") == set()


def test_where_there_is_no_folder_no_file_is_kept() -> None:
    with pytest.raises(NotWritten):
        DerivedStore().keep(FILES[0], written)
    assert DerivedStore().read(FILES[0]) is None


def test_what_a_killed_process_left_behind_is_thrown_away_and_what_one_writes_is_not(
    tmp_path: Path,
) -> None:
    store, folder = DerivedStore(tmp_path), tmp_path / "trees"
    folder.mkdir(mode=0o700)
    (folder / ".left.part").touch()
    (folder / ".written.part").touch()
    os.utime(folder / ".left.part", (0, 0))
    path = store.keep(FILES[0], written)
    assert names(folder) == {path.name, ".written.part"}


def test_files_of_a_disk_that_may_only_be_read_by_now_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    store = DerivedStore(tmp_path)
    path = store.keep(FILES[0], written)
    path.with_name(f"{FILES[1].digest}.{'0' * 64}.entry").touch()  # damaged
    monkeypatch.setattr(os, "utime", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    assert store.find(FILES[0]) == path
    assert store.find(FILES[1]) is None


# Names


def test_what_holds_names_is_not_found_after_an_erasure_and_thrown_away(tmp_path: Path) -> None:
    key = EntryKey(EntryKind.PEOPLE, "a")
    before, after = DerivedStore(tmp_path, 3), DerivedStore(tmp_path, 4)
    path = before.keep(key, written)
    before.vouch(ONE)
    assert after.find(key) is None
    after.forget_names()
    assert not path.exists()
    assert before.note(ONE) == "", "it holds none"
    before.keep(key, written)
    assert not path.exists(), "who began before the erasure leaves nothing"
    assert after.keep(key, written).exists()


# Whose


def test_where_the_users_store_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RATING_LEDGER_STATE", str(tmp_path))
    assert store_of_user().folder(EntryPlace.DATABASE) == tmp_path / "vouchers"
    monkeypatch.delenv("RATING_LEDGER_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_of_user() == tmp_path / "rating-ledger"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_of_user() == tmp_path / ".local" / "state" / "rating-ledger"

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert state_of_user() is None
    assert store_of_user().folder(EntryPlace.DATABASE) is None
