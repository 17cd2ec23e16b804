"""``init --shared``, ``key`` and ``doctor``: who may read and write what the commands make."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.journal.users import umask


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
@pytest.mark.parametrize(("words", "mode"), [((), 0o600), (("--shared",), 0o660)])
def test_a_new_ledger(tmp_path: Path, words: tuple[str, ...], mode: int, mask: int) -> None:
    with umask(mask):
        assert run("init", *words, cwd=tmp_path).code == 0
        done = run("player", "add", "1", "Ana", cwd=tmp_path)
    assert done.code == 0, done.err
    modes = {path.name: mode_of(path) for path in tmp_path.iterdir()}
    assert modes == {"rating-ledger.db": mode, "rating-ledger.db.lock": mode}


def test_sharing_what_is_there_is_left_to_its_owner(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    done = run("init", "--shared", cwd=tmp_path)
    assert done.code == 0
    assert "chmod g+rw rating-ledger.db*" in done.err
    assert mode_of(tmp_path / "rating-ledger.db") == 0o600


def test_an_exported_archive(folder: Path) -> None:
    assert run("export", "archive", "mine", cwd=folder).code == 0
    assert run("export", "archive", "ours", "--shared", cwd=folder).code == 0
    assert mode_of(folder / "mine/personal/000001.parquet") == 0o600
    assert mode_of(folder / "ours/personal/000001.parquet") == 0o660
    assert run("verify", "--db", "archive:ours", cwd=folder).code == 0


def test_a_secret_key_is_its_owners(tmp_path: Path) -> None:
    with umask(0):
        assert run("key", "me", "me.key", cwd=tmp_path).code == 0
    assert mode_of(tmp_path / "me.key") == 0o600
    secret = (tmp_path / "me.key").read_text()
    again = run("key", "me", "me.key", cwd=tmp_path)
    assert again.code == 4
    assert "me.key" in again.err
    assert (tmp_path / "me.key").read_text() == secret


@pytest.mark.parametrize(
    ("mode", "told"), [(0o600, ""), (0o604, "can read"), (0o606, "can change")]
)
def test_the_doctor_sees_who_else_may(shared_folder: Path, mode: int, told: str) -> None:
    run("init", cwd=shared_folder)
    (shared_folder / "rating-ledger.db").chmod(mode)
    done = run("doctor", "--format", "json", cwd=shared_folder)
    assert done.code == 0
    assert told in done.err
    assert bool(done.err) == bool(told)
    assert done.json()["permissions"] == f"{mode:04o}"
    if told:
        spanish = run("--lang", "es", "doctor", cwd=shared_folder)
        assert "chmod -R o-rw rating-ledger.db*" in spanish.err


def test_the_doctor_sees_who_may_read_the_names_of_an_archive(
    folder: Path, shared_folder: Path
) -> None:
    archive = shared_folder / "archive"
    assert run("export", "archive", str(archive), cwd=folder).code == 0
    doctor = ("doctor", "--format", "json", "--db", f"archive:{archive}")
    assert run(*doctor, cwd=folder).json()["others_may"] == "-"
    (archive / "personal/000001.parquet").chmod(0o644)
    assert run(*doctor, cwd=folder).json()["others_may"] == "read"
