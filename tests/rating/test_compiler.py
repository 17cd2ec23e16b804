"""The compiler that makes the kernel takes nothing from the folder the build is started in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_build import compiled as compile_
from ledger.rating import c_kernel

HOSTILE = '#!/bin/sh\necho "$0 in $(pwd)" >> {song}\nexit 1\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    made = tmp_path / "source" / "game_sums.c"
    made.parent.mkdir()
    made.write_bytes(c_kernel.SOURCE.read_bytes())
    return made


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: programs and a header that stop the build when they are used."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("cc", "gcc", "as", "ld", "cc1", "collect2"):
        program = folder / name
        program.write_text(HOSTILE.format(song=folder / "song.txt"))
        program.chmod(0o755)
    (folder / "stdint.h").write_text("#error this is not the compiler's\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("here", ["", ".", "./", "../hostile"])
def test_nothing_of_the_current_folder_is_run_or_read(
    source: Path, hostile: Path, monkeypatch: pytest.MonkeyPatch, here: str
) -> None:
    for name in ("CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX"):
        monkeypatch.setenv(name, here or str(hostile))
    monkeypatch.setenv("PATH", os.pathsep.join((here, os.environ["PATH"])))
    made = compile_(source)
    assert not (hostile / "song.txt").exists()
    assert (made is None) == (c_kernel.kernel() is None)


def test_it_is_called_by_its_whole_path_with_its_options(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without waiting for anything to be typed; where it stands nothing is left."""
    told = tmp_path / "told.txt"
    program = tmp_path / "bin" / "my-cc"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ncat\npwd > {told}\nprintf "%s\\n" "$0" "$@" >> {told}\n')
    program.chmod(0o755)
    monkeypatch.setenv("CC", "./bin/my-cc --option 'of two words'")
    monkeypatch.chdir(tmp_path)
    assert compile_(source) is None
    folder, called, *words = told.read_text().splitlines()
    assert called == str(program)
    assert words[:2] == ["--option", "of two words"]
    assert words[-1] == str(source)
    assert Path(folder) != tmp_path
    assert not Path(folder).exists()
