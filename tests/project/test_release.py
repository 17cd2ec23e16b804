"""A release: the same bytes wherever it is built, and a bill of all that is in it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from hatch_build import NO_PLATFORM, TARGETS, compiled_for
from ledger.rating import c_kernel
from ledger.regulations.calculations import VERSIONS
from release.__main__ import main as make_release
from release.components import LOCKS, bill_of_materials, locked
from release.lock_files import text_of
from release.wheels import Copies, NotReproducible

ROOT = Path(__file__).parents[2]
SCHEMAS = files("cyclonedx.schema").joinpath("_res")
OWN = "pkg:pypi/rating-ledger@"


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(bill_of_materials(ROOT))
    return made


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    return Copies(ROOT, tmp_path_factory.mktemp("copies"), Path(sys.executable))


@pytest.mark.slow
def test_source_and_wheels_are_the_same_bytes_wherever_they_are_built(
    copies: Copies, tmp_path: Path
) -> None:
    source, pure, own = (
        copies.source(tmp_path),
        copies.wheel(tmp_path, NO_PLATFORM),
        copies.wheel(tmp_path, None),
    )
    assert source.name == f"rating_ledger-{VERSIONS[-1]}.tar.gz"
    assert pure.name == f"rating_ledger-{VERSIONS[-1]}-py3-none-any.whl"
    plain, compiled = (set(zipfile.ZipFile(wheel).namelist()) for wheel in (pure, own))
    libraries = {name for name in compiled - plain if "game_sums-" in name}
    assert len(libraries) == (c_kernel.kernel() is not None)
    assert not any(name.endswith((".so", ".pyc")) for name in plain)
    for room in ("migrations/versions/", "migrations/office/", "web/templates/", "web/static/"):
        assert any(name.startswith(room) for name in plain), room


def test_a_release_goes_into_a_new_folder(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there already"):
        make_release(Path(sys.executable), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_what_differs_from_folder_to_folder_is_no_release(copies: Copies, tmp_path: Path) -> None:
    copies._second.joinpath("ledger", "terms.py").write_text("# another\n")
    with pytest.raises(NotReproducible, match="differ"):
        copies.wheel(tmp_path, NO_PLATFORM)
    assert not list(tmp_path.iterdir())


def test_a_wheel_of_another_platform_is_never_built_without_its_loop(tmp_path: Path) -> None:
    """Whoever asks for a platform gets it compiled, or nothing; Zig is not installed here."""
    source = tmp_path / "game_sums.c"
    source.write_bytes(c_kernel.SOURCE.read_bytes())
    with pytest.raises(subprocess.SubprocessError):
        compiled_for("win_amd64", source)
    with pytest.raises(KeyError):
        compiled_for("amiga", source)
    assert list(tmp_path.iterdir()) == [source]


def test_every_usual_platform_has_a_wheel() -> None:
    for system, machines in {
        r"manylinux_2_17_": {"x86_64", "aarch64"},
        r"musllinux_1_1_": {"x86_64", "aarch64"},
        r"macosx_11_0_": {"x86_64", "arm64"},
        r"win_": {"amd64"},
    }.items():
        assert {t.removeprefix(system) for t in TARGETS if t.startswith(system)} == machines


def test_the_bill_is_as_its_standard_says(bill: dict[str, Any]) -> None:
    def schema(name: str) -> Any:
        text = SCHEMAS.joinpath(name.replace(".schema", ".SNAPSHOT.schema")).read_text("utf-8")
        return json.loads(text)

    def found(address: str) -> Any:
        return schema(address.rpartition("/")[2].partition("#")[0].replace(".SNAPSHOT", ""))

    check = jsonschema_rs.validator_for(schema("bom-1.6.schema.json"), retriever=found)
    assert [str(error) for error in check.iter_errors(bill)] == []
    refused = bill | {"components": [{"type": "nothing"}]}
    assert not check.is_valid(refused)


def test_the_bill_names_every_package_that_can_be_installed(bill: dict[str, Any]) -> None:
    pinned = {
        (name, version)
        for lock in LOCKS
        for name, version in re.findall(
            r"^([a-z0-9._-]+)==([^\s;]+)",
            text_of(ROOT / "requirements", lock),
            re.MULTILINE,
        )
    }
    named = {(each["name"], each["version"]) for each in bill["components"]}
    assert named - pinned == {("htmx.org", "2.0.6")}
    assert pinned <= named
    assert not {name for name, _ in named} & {"pytest", "mypy", "lief", "ziglang"}
    assert "GPL-" not in json.dumps(bill).replace("LGPL-3.0-only", "")


def test_the_bill_has_a_lock_file_for_every_extra() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = set(about["project"]["optional-dependencies"])
    assert extras - {"oidc"} == set(LOCKS) - {"run"}  # the site's lock file has oidc too


def test_the_bill_says_what_is_an_extra_and_who_needs_whom(bill: dict[str, Any]) -> None:
    of = {each["name"]: each for each in bill["components"]}
    assert of["pyarrow"]["scope"] == "optional"
    assert of["numpy"]["scope"] == "required"
    where = {each["value"] for each in of["numpy"]["properties"]}
    assert any("python_full_version" in each for each in where)  # a version for each Python
    extras = {each["value"] for each in of["pyarrow"]["properties"]}
    assert extras == {"archive", "web"}
    assert all(each["licenses"] for each in bill["components"])
    of_ref = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    (own,) = (ref for ref in of_ref if ref.startswith(OWN))
    assert of["numpy"]["purl"] in of_ref[own]
    assert of["mako"]["purl"] in of_ref[of["alembic"]["purl"]]
    assert {ref for refs in of_ref.values() for ref in refs} <= set(of_ref)


def test_the_bill_is_the_same_whenever_it_is_made(bill: dict[str, Any]) -> None:
    assert json.loads(bill_of_materials(ROOT)) == bill
    assert not {"serialNumber", "timestamp"} & {*bill, *bill["metadata"]}


def test_a_lock_file_is_read_with_everything_it_says() -> None:
    text = (
        "# made by a program\n"
        "cffi==2.1.1 ; platform_python_implementation != 'PyPy' \\\n"
        f"    --hash=sha256:{'0' * 64} \\\n"
        f"    --hash=sha256:{'1' * 64}\n"
        "    # via\n"
        "    #   argon2-cffi-bindings\n"
        "    #   cryptography\n"
        "numpy==2.0 \\\n"
        f"    --hash=sha256:{'2' * 64}\n"
        "    # via rating-ledger (pyproject.toml)\n"
    )
    cffi, numpy = locked(text)
    assert (cffi.purl, cffi.where) == (
        "pkg:pypi/cffi@2.1.1",
        "platform_python_implementation != 'PyPy'",
    )
    assert cffi.digests == ["0" * 64, "1" * 64]
    assert cffi.needed_by == ["argon2-cffi-bindings", "cryptography"]
    assert (numpy.where, numpy.needed_by) == ("", ["rating-ledger"])
