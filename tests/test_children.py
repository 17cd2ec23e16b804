"""Children import nothing from the folder they are started in, nor from PYTHONPATH."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import children
from tests.canaries import Canaries

HOME = Path(children.__file__).parent.parent
LIBRARY = Path(os.__file__).parent
PROGRAM = "import json, pickle, random, sys; print(sys.path)"


@pytest.fixture
def canaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Canaries:
    """Hostile modules in the current folder, which is also named by PYTHONPATH."""
    made = Canaries(tmp_path)
    monkeypatch.chdir(tmp_path)
    return made


def output(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


def test_the_canaries_sing_when_a_child_is_started_carelessly(canaries: Canaries) -> None:
    isolating = {"PYTHONPATH", "PYTHONSAFEPATH", "PYTHONNOUSERSITE"}  # a cluster may be running
    careless = {name: v for name, v in os.environ.items() if name not in isolating}
    output([sys.executable, "-c", PROGRAM], careless)
    assert canaries.heard


@pytest.mark.parametrize("path", ["", ".", os.pathsep, "sub:.", None])
def test_an_isolated_child_hears_none(
    canaries: Canaries, monkeypatch: pytest.MonkeyPatch, path: str | None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(canaries.folder) if path is None else path)
    by_options = output([*children.interpreter(), "-c", PROGRAM], dict(os.environ))
    by_environment = output([sys.executable, "-c", PROGRAM], children.environment())
    assert canaries.heard == []
    assert by_options == by_environment != ""
    assert str(canaries.folder) not in by_options


def test_a_child_is_isolated_from_the_user_site(tmp_path: Path) -> None:
    tell = "import sys; print(sys.flags.no_user_site, sys.flags.safe_path)"
    env = children.environment() | {"PYTHONUSERBASE": str(tmp_path)}
    assert output([sys.executable, "-c", tell], env) == "1 True\n"
    assert output([*children.interpreter(), "-c", tell], env) == "1 True\n"


def test_the_path_is_handed_on_without_what_is_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, named, kept = (tmp_path / name for name in ("here", "named", "kept"))
    for folder in (here, named, kept):
        folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to(here)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", f"{named}{os.pathsep}")
    installed = [folder for folder in sys.path if folder and Path(folder).is_absolute()]
    hostile = ["", ".", "somewhere", str(here), str(link), str(named)]
    monkeypatch.setattr(sys, "path", [*hostile, *installed, str(kept)])
    made = children.search_path()
    assert made[-1] == str(kept)
    assert not set(hostile) & set(made)
    assert {str(HOME), str(LIBRARY)} <= set(made)


def test_the_programs_own_folder_stays_wherever_one_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [str(HOME), str(LIBRARY)])
    for folder in (HOME, LIBRARY):
        monkeypatch.chdir(folder)
        assert children.search_path() == sys.path


def test_in_a_folder_that_was_deleted_children_can_still_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert "" not in children.search_path()


@pytest.mark.parametrize("set_before", ["0", None])
def test_isolation_ends_as_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_before: str | None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if set_before is not None:
        monkeypatch.setenv("PYTHONNOUSERSITE", set_before)
    variables, path = dict(os.environ), list(sys.path)
    with children.isolated():
        assert "PYTHONPATH" not in os.environ
        assert (os.environ["PYTHONSAFEPATH"], os.environ["PYTHONNOUSERSITE"]) == ("1", "1")
        assert "" not in sys.path
    assert dict(os.environ) == variables
    assert sys.path == path
