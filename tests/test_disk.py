"""A file is there whole or not at all: killed at every step, refused at every step."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.disk import UNFINISHED, whole_file

OLD, NEW = b"what was there before", b"what is there then" * 10_000
STEPS = ("pathlib.Path.touch", "pathlib.Path.open", "os.fsync", "pathlib.Path.replace")

KILLED = """
import os, pathlib, sys
from ledger.disk import whole_file

step, when, path = sys.argv[1:]
module, _, name = step.rpartition(".")
owner = os if module == "os" else pathlib.Path
real = getattr(owner, name)

def killed(*given, **named):
    if when == "after":
        real(*given, **named)
    os._exit(9)

setattr(owner, name, killed)
with whole_file(pathlib.Path(path)) as file:
    file.write(sys.stdin.buffer.read())
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("before", [OLD, None])
def test_whoever_is_killed_leaves_the_old_file_or_the_new_one(
    step: str, when: str, before: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    if before is not None:
        file.write_bytes(before)
    command = (sys.executable, "-c", KILLED, step, when, str(file))
    assert subprocess.run(command, input=NEW, check=False).returncode == 9
    is_done = (step, when) == (STEPS[-1], "after")
    assert (file.read_bytes() if file.exists() else None) == (NEW if is_done else before)
    left = set(tmp_path.iterdir()) - {file}
    assert left == set(tmp_path.glob(UNFINISHED))
    assert len(left) == (0 if is_done or (step, when) == (STEPS[0], "before") else 1)


@pytest.mark.parametrize("step", STEPS)
def test_a_disk_that_fails_leaves_the_old_file_and_nothing_else(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(OLD)

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(step, fails)
    with pytest.raises(OSError, match="No space"), whole_file(file) as out:
        out.write(NEW)
    monkeypatch.undo()
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(file, OLD)]


def test_whoever_fails_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(OLD)
    with pytest.raises(ZeroDivisionError), whole_file(file) as out:
        out.write(NEW[: 1 // 0])
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(file, OLD)]


def test_the_content_is_on_the_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = list[tuple[str, int]]()

    def told(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(what: Any, *more: Any) -> Any:
            size = os.fstat(what).st_size if isinstance(what, int) else what.stat().st_size
            steps.append((name, size))
            return real(what, *more)

        return call

    monkeypatch.setattr("os.fsync", told("fsync", os.fsync))
    monkeypatch.setattr("pathlib.Path.replace", told("replace", Path.replace))
    with whole_file(tmp_path / "file") as out:
        out.write(NEW)
    assert steps == [("fsync", len(NEW)), ("replace", len(NEW))]


def test_the_mode_is_that_of_a_file_that_is_simply_written(tmp_path: Path) -> None:
    with whole_file(tmp_path / "open") as out:
        out.write(NEW)
    (tmp_path / "written").write_bytes(NEW)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes["open"] == modes["written"]
