"""A package outside brings a regulation; and what happens when it is missing or broken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ledger.regulations import registry
from tests.cli.running import Ran, run, start
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ID = "liga-norte.copa-2020"
DEFINE = ("list", "define", "COPA", "--calendar", "monthly", "--first", "2020-01-01",
          "--regulation")  # fmt: skip
REASONS = """
from ledger.rating.postings import OwnReason
from liga_norte import Copa2020

class Far(Copa2020):
    ID = "liga-sur.far"
    REASONS = (OwnReason(128, "far", "1", {}),)

class Twice(Copa2020):
    ID = "liga-sur.twice"
    REASONS = (OwnReason(101, "one", "1", {}), OwnReason(101, "other", "1", {}))
"""
GAMES = "T,T,2020-01-10,2020-01-10,swiss,classical,,1,,A,B,1-0\n"


def entry_point(site: Path, package: str, *lines: str) -> Path:
    """Writes what an installation leaves of a package's entry points."""
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    section = "[rating_ledger.regulations]\n"
    (info / "entry_points.txt").write_text(section + "".join(f"{line}\n" for line in lines))
    return site


def ask(*words: str, cwd: Path, site: Path | None = None) -> Ran:
    """Runs a command where packages are installed in a folder as well; forgets them again."""
    registry.outside.cache_clear()
    try:
        with patch.object(sys, "path", [*([str(site)] if site else []), *sys.path]):
            return run(*words, cwd=cwd)
    finally:
        for name, module in list(sys.modules.items()):
            if site and Path(getattr(module, "__file__", None) or "/").is_relative_to(site):
                del sys.modules[name]
        registry.outside.cache_clear()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, as if installed."""
    site = tmp_path_factory.mktemp("outside") / "site"
    shutil.copytree(HERE / "package" / "liga_norte", site / "liga_norte")
    about = tomllib.loads((HERE / "package" / "pyproject.toml").read_text())["project"]
    points = about["entry-points"]["rating_ledger.regulations"]
    return entry_point(site, about["name"], *(f"{name} = {at}" for name, at in points.items()))


@pytest.fixture(scope="session")
def made_once(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger whose list follows the regulation, January published."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "players.csv").write_text(PLAYERS_HEADER + "A,Ana,,,,1700,,\nB,Beto,,,,1850,,\n")
    (folder / "games.csv").write_text(GAMES_HEADER + GAMES)
    for words in (
        ("init",),
        (*DEFINE, ID, "--param", "k=30"),
        ("import", "players.csv", "--list", "COPA"),
        ("import", "games.csv"),
        ("publish", "COPA", "2020-01"),
    ):
        done = ask(*words, cwd=folder, site=site)
        assert done.code == 0, done.err
    return folder


@pytest.fixture
def folder(made_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made_once, tmp_path / "work"))


def test_pip_installs_it_and_it_is_there(tmp_path: Path) -> None:
    source, target = str(tmp_path / "source"), str(tmp_path / "site")
    shutil.copytree(HERE / "package", source)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--target", target]
    subprocess.run([*pip, *options, source], check=True, cwd=tmp_path)
    done = start("regulation", "show", ID, cwd=tmp_path, PYTHONPATH=target)
    assert done.code == 0
    assert "1700 beats 1850" in done.out


class TestInstalled:
    def test_it_is_listed_with_its_package(self, site: Path, tmp_path: Path) -> None:
        done = ask("regulation", "list", "--format", "json", cwd=tmp_path, site=site)
        packages = {row["regulation"]: row["package"] for row in done.json()["regulations"]}
        assert packages[ID] == "liga-norte"
        assert packages["enf-2010"] is None

    def test_it_is_shown_article_by_article(self, site: Path, tmp_path: Path) -> None:
        done = ask("regulation", "show", ID, "--format", "json", cwd=tmp_path, site=site)
        shown = done.json()
        articles = [each["article"] for each in shown["coverage"]]
        assert articles == ["art. 1", "art. 2", "art. 3", "art. 4"]
        assert shown["parameters"][0] == {
            "parameter": "k", "default": "20", "allowed": "0 … 100", "unit": "points",
            "clause": "art. 3, K", "added_later": False,
        }  # fmt: skip
        assert shown["tables"][0]["rows"] == 3

    def test_a_list_under_it_is_published_and_explained(self, folder: Path, site: Path) -> None:
        question = ("explain", "A", "--list", "COPA", "--period", "2020-01", "--format", "json")
        said = ask(*question, cwd=folder, site=site).json()
        assert (said["opening"], said["closing"], said["change_exact"]) == (1700, 1721, "21")
        again = ask("list", "regenerate", "COPA", "2020-01", cwd=folder, site=site)
        assert again.code == 0
        words = ("regulation", "show", ID, "--list", "COPA", "--format", "json")
        adopted = ask(*words, cwd=folder, site=site).json()["adoptions"][0]
        assert adopted["same"]
        assert adopted["differences"] == [
            {"parameter": "k", "default": "20", "adopted": "30", "clause": "art. 3, K"}
        ]

    def test_what_contradicts_its_text_is_refused(self, folder: Path, site: Path) -> None:
        words = ("list", "adopt", "COPA", "--regulation", ID, "--on", "2020-02-01")
        done = ask(*words, "--param", "k_top=50", cwd=folder, site=site)
        assert done.code == 4
        assert "art. 3: k_top may not be above k" in done.err

    def test_the_laws_hold_for_it(self, site: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
             "tests/laws/test_every_regulation.py", "-k", ID],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:]
        assert " passed" in done.stdout


class TestOtherCode:
    """The text is the same, the code is not: a note names both, and the bytes decide."""

    @pytest.fixture
    def changed(self, site: Path, tmp_path: Path) -> Path:
        """The package in a later version; a line of it is another, and no figure."""
        changed = Path(shutil.copytree(site, tmp_path / "changed"))
        module = changed / "liga_norte" / "__init__.py"
        module.write_text(f"{module.read_text(encoding='utf-8')}\n# repaired\n", encoding="utf-8")
        about = changed / "liga_norte-1.0.dist-info" / "METADATA"
        about.write_text(about.read_text().replace("Version: 1.0", "Version: 1.1"))
        return changed

    def adoption(self, folder: Path, site: Path) -> dict[str, Any]:
        words = ("regulation", "show", ID, "--list", "COPA", "--format", "json")
        made: dict[str, Any] = ask(*words, cwd=folder, site=site).json()
        return dict(made["adoptions"][0])

    def test_the_adoption_recorded_what_computes(self, folder: Path, site: Path) -> None:
        recorded = self.adoption(folder, site)
        assert recorded["same_code"]
        assert recorded["recorded_code"] == recorded["computing_code"]
        code = recorded["recorded_code"]
        assert (code["distribution"], code["version"]) == ("liga-norte", "1.0")
        assert not ask("verify", cwd=folder, site=site).err

    def test_it_is_named_where_nothing_is_wrong(self, folder: Path, changed: Path) -> None:
        shown = self.adoption(folder, changed)
        assert (shown["same"], shown["same_code"]) == (True, False)
        for words in (("verify",), ("replay", "--check")):
            done = ask(*words, cwd=folder, site=changed)
            assert done.code == 0
            said = " ".join(done.err.split())
            assert f"COPA adopted {ID}" in said
            assert "liga-norte 1.0 (" in said
            assert "liga-norte 1.1 (" in said
        people = ask("--lang", "es", "regulation", "show", ID, "--list", "COPA", cwd=folder,
                     site=changed)  # fmt: skip
        assert "otro código calcula este reglamento" in " ".join(people.out.split())

    def test_it_is_named_where_figures_are_others(self, folder: Path, changed: Path) -> None:
        module = changed / "liga_norte" / "__init__.py"
        text = module.read_text(encoding="utf-8")
        assert "states.rating >= 2000" in text
        module.write_text(text.replace("rating >= 2000", "rating >= 1000"), encoding="utf-8")
        done = ask("verify", cwd=folder, site=changed)
        assert done.code == 3
        assert "liga-norte 1.1 (" in " ".join(done.err.split())

    def test_the_same_rules_are_not_adopted_anew(self, folder: Path, changed: Path) -> None:
        words = ("list", "adopt", "COPA", "--regulation", ID, "--param", "k=30")
        done = ask(*words, "--on", "2020-03-01", cwd=folder, site=changed)
        assert done.code == 4


class TestMissing:
    @pytest.mark.parametrize(
        "words",
        [
            ("list", "show", "COPA", "2020-01"),
            ("list", "regenerate", "COPA", "2020-01"),
            ("explain", "A", "--list", "COPA", "--period", "2020-01"),
            ("regulation", "show", ID, "--list", "COPA"),
            ("verify",),
        ],
        ids=lambda words: words[0],
    )
    def test_the_package_is_named(self, folder: Path, words: tuple[str, ...]) -> None:
        done = ask(*words, "--format", "json", cwd=folder)
        assert done.code == 7, done
        error = json.loads(done.err)
        assert error["error"] == "regulation.no_package"
        assert "the package liga-norte, which is not installed" in error["message"]

    def test_what_needs_no_figures_goes_on(self, folder: Path) -> None:
        assert ask("list", "list", cwd=folder).code == 0
        assert ask("log", cwd=folder).code == 0


class TestBroken:
    def tried(self, site: Path, tmp_path: Path, *words: str) -> Ran:
        return ask(*words, cwd=tmp_path, site=site)

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("x = liga_sur:Copa", "ModuleNotFoundError"),
            ("x = json:dumps", "no subclass"),
            ("x = ledger.regulations.interface:Regulation", "does not say its ID"),
            ("x = ledger.regulations.enf_2010:Enf2010", "the id enf-2010 is taken"),
            ("x = liga_norte:Copa2020", "its id must be 'liga-sur.'"),
            ("x = reasons:Far", "100 to 127, not [128]"),
            ("x = reasons:Twice", "100 to 127, not [101, 101]"),
        ],
        ids=[
            "no module",
            "no regulation",
            "unfinished",
            "an id of ours",
            "an id of another",
            "a reason no column holds",
            "two reasons of one number",
        ],
    )
    def test_it_is_named_and_the_others_go_on(
        self, site: Path, tmp_path: Path, line: str, why: str
    ) -> None:
        there = Path(shutil.copytree(site, tmp_path / "site"))
        (there / "reasons.py").write_text(REASONS)
        entry_point(there, "liga-sur", line)
        done = self.tried(there, tmp_path, "regulation", "list", "--format", "json")
        assert done.code == 3
        assert why in json.loads(done.err)["message"]
        assert "liga-sur" in done.err
        ids = [row["regulation"] for row in done.json()["regulations"]]
        assert {"enf-2010", ID} <= set(ids)
        assert self.tried(there, tmp_path, "regulation", "show", ID).code == 0

    def test_a_ledger_that_needs_it_says_why_it_cannot_be_used(
        self, folder: Path, tmp_path: Path
    ) -> None:
        there = entry_point(tmp_path / "site", "liga-norte", "copa = liga_norte:Copa2020")
        done = self.tried(there, folder, "list", "show", "COPA", "2020-01")
        assert done.code == 3
        assert "ModuleNotFoundError" in done.err

    def test_of_two_with_one_id_neither_is_used(self, site: Path, tmp_path: Path) -> None:
        there = Path(shutil.copytree(site, tmp_path / "site"))
        (info,) = there.glob("liga_norte-*.dist-info")
        points = info / "entry_points.txt"
        points.write_text(points.read_text().rstrip() + "\ntwin = liga_norte:Copa2020\n")
        done = self.tried(there, tmp_path, "regulation", "show", ID)
        assert done.code == 3
        assert "is taken" in done.err


def test_the_guide_prints_this_very_package() -> None:
    page = (ROOT / "docs" / "regulations" / "your-own.md").read_text(encoding="utf-8")
    for name in ("pyproject.toml", "liga_norte/__init__.py", "liga_norte/tables/expected_2020.csv"):
        assert (HERE / "package" / name).read_text(encoding="utf-8") in page, name
