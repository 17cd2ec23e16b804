"""Vouchers: kept for one user, in a folder that nobody else can write to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ledger.journal import vouchers as module
from ledger.journal.vouchers import (
    Vouchers,
    VouchersInFolder,
    VouchersInMemory,
    folder_of_user,
    vouchers_of_user,
)

ONE, OTHER = "1" * 64, "2" * 64


@pytest.fixture(params=["memory", "folder"])
def vouchers(request: pytest.FixtureRequest, tmp_path: Path) -> Vouchers:
    if request.param == "memory":
        return VouchersInMemory()
    return VouchersInFolder(tmp_path / "state" / "vouchers")


def test_what_is_kept_is_found(vouchers: Vouchers) -> None:
    assert vouchers.note(ONE) is None
    vouchers.keep(ONE, "é")
    assert vouchers.note(ONE) == "é"
    assert vouchers.note(OTHER) is None
    vouchers.keep(ONE)
    assert vouchers.note(ONE) == ""


def test_they_are_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "vouchers"
    VouchersInFolder(folder).keep(ONE)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / ONE).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [ONE]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_not_believed(tmp_path: Path, mode: int) -> None:
    kept = VouchersInFolder(tmp_path)
    tmp_path.chmod(0o700)
    kept.keep(ONE)
    tmp_path.chmod(mode)
    assert kept.note(ONE) is None
    kept.keep(OTHER)
    assert not (tmp_path / OTHER).exists()


def test_nor_is_one_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = VouchersInFolder(tmp_path)
    tmp_path.chmod(0o700)
    kept.keep(ONE)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert kept.note(ONE) is None


def test_nor_is_a_link_to_one(tmp_path: Path) -> None:
    VouchersInFolder(tmp_path / "real").keep(ONE)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert VouchersInFolder(tmp_path / "link").note(ONE) is None


def test_what_cannot_be_kept_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = VouchersInFolder(tmp_path / "file" / "vouchers")
    kept.keep(ONE)
    assert kept.note(ONE) is None


def test_those_used_least_recently_are_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    folder = tmp_path / "vouchers"
    kept = VouchersInFolder(folder)
    names = [f"{number:064x}"[::-1] for number in range(1, 13)]
    for number, name in enumerate(names):
        kept.keep(name)
        os.utime(folder / name, (number, number))
    assert kept.note(names[0]) == "", "and this makes it a recent one"
    kept.keep(ONE)
    assert len(list(folder.iterdir())) == 13, "it is looked at now and then"
    last = f"00{ONE[2:]}"
    kept.keep(last)
    left = {path.name for path in folder.iterdir()}
    assert left == {last, ONE, names[0], *names[6:]}


def test_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RATING_LEDGER_STATE", str(tmp_path))
    assert folder_of_user() == tmp_path / "vouchers"
    monkeypatch.delenv("RATING_LEDGER_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert folder_of_user() == tmp_path / "rating-ledger" / "vouchers"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of_user() == tmp_path / ".local" / "state" / "rating-ledger" / "vouchers"

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert folder_of_user() is None
    assert isinstance(vouchers_of_user(), VouchersInMemory)
