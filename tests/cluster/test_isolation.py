"""The processes of a cluster import nothing from the folder the program is started in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.cluster.dask import OnDask
from ledger.errors import InputRefused
from tests.canaries import Canaries
from tests.cli.running import COMMAND

ROOT = Path(__file__).parents[2]
AS_INSTALLED = (sys.executable, COMMAND)
ISOLATED = (sys.executable, "-I", COMMAND)


def replayed(
    start: tuple[str, ...], archive: Path, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a replay on a cluster of one process in a folder."""
    words = ("replay", "ENF", "--db", str(archive), "--engine", "dask", "--workers", "1")
    env = {name: v for name, v in os.environ.items() if name != "PYTHONPATH"} | environment
    return subprocess.run(
        [*start, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("start", "path"), [(AS_INSTALLED, None), (ISOLATED, ".")])
def test_no_canary_is_heard(
    archived: Path, tmp_path: Path, start: tuple[str, ...], path: str | None
) -> None:
    canaries = Canaries(tmp_path / "hostile")
    environment = {} if path is None else {"PYTHONPATH": path}
    done = replayed(start, archived, canaries.folder, **environment)
    assert canaries.heard == []
    assert done.returncode == 0, done.stderr


def test_files_of_dask_lie_where_nobody_else_writes(dask: OnDask) -> None:
    """Dask puts the folder it keeps them in first on the path, in this process too."""
    for path in (sys.path, *dask.client.run(lambda: sys.path).values()):
        folders = [Path(folder) for folder in path if "dask-scratch-space" in folder]
        assert folders
        for folder in folders:
            private = next(each for each in folder.parents if "rating-ledger-" in each.name)
            assert private.stat().st_mode & 0o077 == 0


def test_workers_see_neither_the_current_folder_nor_the_variable(dask: OnDask) -> None:
    here = str(Path.cwd())
    told = dask.client.run(lambda: (os.environ.get("PYTHONPATH"), sys.flags.safe_path, sys.path))
    for variable, safe, path in told.values():
        assert variable is None
        assert safe
        assert "" not in path
        assert here not in path or here == str(ROOT)


def test_a_python_that_ignores_its_environment_is_refused(archived: Path, tmp_path: Path) -> None:
    canaries = Canaries(tmp_path / "hostile")
    done = replayed((sys.executable, "-E", COMMAND), archived, canaries.folder)
    assert (done.returncode, canaries.heard) == (InputRefused.exit_code, [])
    assert "start it with -I" in done.stderr
