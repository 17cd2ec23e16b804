"""What is installed is what is tested: pinned, with hashes, under licences that are known."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from release.licences import licences
from release.lock_files import INCLUDED, NoCommonVersion, lock_of, shortened, text_of

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "requirements"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = ("run", "archive", "dask", "desk", "postgresql", "web", "build", "release", "dev")
PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0",
    "PSF-2.0", "Zlib",
}  # fmt: skip
WEAK_COPYLEFT = {"LGPL-3.0-only", "MPL-2.0"}  # the second: a list of domains in fido2


def pinned(file: str) -> dict[str, set[str]]:
    """Returns the packages of a lock file with their versions (by platform there may be two)."""
    found: dict[str, set[str]] = {}
    text = text_of(LOCKS, file)
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("file", [*FILES, "witness"])
def test_every_package_has_one_version_and_hashes(file: str) -> None:
    text = text_of(LOCKS, file)
    blocks = re.split(r"^(?=[^\s#])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) >= len(pinned(file)) > 0
    for block in blocks:
        assert re.match(r"[a-z0-9._-]+==\S+", block), block
        assert "--hash=sha256:" in block, block


@pytest.mark.parametrize("file", [each for each in FILES if each != "release"])
def test_what_is_tested_is_what_is_installed(file: str) -> None:
    tested = pinned("dev")
    assert {name: tested.get(name) for name in pinned(file)} == pinned(file)


@pytest.mark.parametrize("file", FILES)
def test_a_lock_file_pins_only_what_those_it_includes_do_not(file: str) -> None:
    own = (LOCKS / f"{file}.txt").read_text(encoding="utf-8")
    included = INCLUDED.get(file, ())
    assert re.findall(r"^-r (.+)\.txt$", own, re.MULTILINE) == [*included]
    pin = re.compile(r"^[a-z0-9._-]+==.*$", re.MULTILINE)
    for name in included:
        assert not {*pin.findall(own)} & {*pin.findall(text_of(LOCKS, name))}


def test_what_installs_all_the_rest_is_taken_from_the_lock_with_its_hashes() -> None:
    whole = text_of(LOCKS, "dev")
    lines = lock_of(whole, "uv").splitlines()
    assert re.fullmatch(r"uv==\S+ \\", lines[0])
    rest = [line for line in lines[1:] if not line.lstrip().startswith("#")]
    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in rest)
    assert len(rest) > 1


def test_who_else_needs_a_package_is_still_said(tmp_path: Path) -> None:
    numpy = "numpy==2.4.0 \\\n    --hash=sha256:00\n"
    (tmp_path / "run.txt").write_text(f"# made\n{numpy}    # via rating-ledger\n")
    whole = f"# made\ndask==1 \\\n    --hash=sha256:11\n{numpy}    # via\n    #   dask\n"
    assert shortened(whole, tmp_path, ("run",)) == (
        "# made\n-r run.txt\ndask==1 \\\n    --hash=sha256:11\n# numpy==2.4.0\n    # via dask\n"
    )


def test_files_that_cannot_be_installed_together_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text("numpy==2.4.0 \\\n    --hash=sha256:00\n")
    with pytest.raises(NoCommonVersion, match="numpy=="):
        shortened("numpy==2.5.0 \\\n    --hash=sha256:11\n", tmp_path, ("run",))


def test_the_project_is_built_with_what_is_locked() -> None:
    (required,) = PROJECT["build-system"]["requires"]
    name, version = required.split("==")
    assert pinned("build")[name] == {version}
    assert PROJECT["dependency-groups"]["build"] == [required]


def test_the_driver_of_postgresql_is_an_extra() -> None:
    assert set(pinned("postgresql")) - set(pinned("run")) == {"psycopg", "psycopg-binary"}


def test_arrow_is_an_extra() -> None:
    assert set(pinned("archive")) - set(pinned("run")) == {"pyarrow"}


def test_the_engine_of_the_desk_is_an_extra() -> None:
    assert set(pinned("desk")) - set(pinned("run")) == {"gacrux", "networkx"}


@pytest.mark.parametrize("package", sorted({*pinned("archive"), *pinned("desk")}))
def test_what_runs_is_under_a_permissive_licence(package: str) -> None:
    found = licences(package)
    assert found, f"{package} names no licence"
    assert found <= PERMISSIVE


@pytest.mark.parametrize(
    "package", sorted({*pinned("postgresql"), *pinned("web")} - {*pinned("run")})
)
def test_what_servers_add_may_be_under_a_weak_copyleft(package: str) -> None:
    found = licences(package)
    assert found, f"{package} names no licence"
    assert found <= PERMISSIVE | WEAK_COPYLEFT


def test_what_makes_the_site_is_under_a_permissive_licence() -> None:
    """Styles and scripts of Furo and Sphinx are given with the site; the rest is only run."""
    for package in ("furo", "sphinx", "sphinx-basic-ng", "snowballstemmer", "myst-parser"):
        found = licences(package)
        assert found, f"{package} names no licence"
        assert found <= PERMISSIVE
