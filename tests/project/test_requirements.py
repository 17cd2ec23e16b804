"""What is installed is what is tested: pinned, with hashes, under licences that are known."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from release.licences import licences

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = ("run", "archive", "dask", "desk", "postgresql", "web", "build", "dev")
PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0",
    "PSF-2.0", "Zlib",
}  # fmt: skip
WEAK_COPYLEFT = {"LGPL-3.0-only", "MPL-2.0"}  # the second: a list of domains in fido2


def pinned(file: str) -> dict[str, set[str]]:
    """Returns the packages of a lock file with their versions (by platform there may be two)."""
    found: dict[str, set[str]] = {}
    text = (ROOT / "requirements" / f"{file}.txt").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("file", [*FILES, "witness"])
def test_every_package_has_one_version_and_hashes(file: str) -> None:
    text = (ROOT / "requirements" / f"{file}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[^\s#])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) >= len(pinned(file)) > 0
    for block in blocks:
        assert re.match(r"[a-z0-9._-]+==\S+", block), block
        assert "--hash=sha256:" in block, block


@pytest.mark.parametrize("file", FILES)
def test_what_is_tested_is_what_is_installed(file: str) -> None:
    tested = pinned("dev")
    assert {name: tested.get(name) for name in pinned(file)} == pinned(file)


def test_the_project_is_built_with_what_is_locked() -> None:
    (required,) = PROJECT["build-system"]["requires"]
    name, version = required.split("==")
    assert pinned("build")[name] == {version}
    assert PROJECT["dependency-groups"]["build"] == [required]


def test_the_driver_of_postgresql_is_an_extra() -> None:
    assert set(pinned("postgresql")) - set(pinned("run")) == {"psycopg", "psycopg-binary", "tzdata"}


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
