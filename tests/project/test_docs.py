"""What can go stale is generated or held against the program."""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from pathlib import Path

import pytest

from ledger.regulations import code
from ledger.regulations.interface import Regulation
from ledger.regulations.registry import OWN

ROOT = Path(__file__).parents[2]
GENERATE = runpy.run_path(str(ROOT / "docs" / "generate.py"))
FILES: list[tuple[Path, str]] = list(GENERATE["files"]())
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MOST_WORDS = 25_000
GENERATED_TABLE = re.compile(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", re.DOTALL)


@pytest.mark.parametrize(("path", "text"), FILES, ids=[path.name for path, _ in FILES])
def test_generated_files_are_up_to_date(path: Path, text: str) -> None:
    assert path.read_text(encoding="utf-8") == text, "run: python3 dev.py docs"


def test_no_schema_is_left_over() -> None:
    there = set((ROOT / "docs" / "events").glob("*.json"))
    assert there == {path for path, _ in FILES if path.suffix == ".json"}


def test_no_page_of_a_regulation_is_left_over() -> None:
    there = set((ROOT / "docs" / "regulations").glob("*"))
    generated = {path for path, _ in FILES if path.parent.name == "regulations"}
    assert there == generated | GENERATE["WRITTEN_BY_HAND"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_entry_of_the_changelog_is_whole_and_stands_once() -> None:
    """Two branches that change one entry can be merged into its first half and the whole of it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)
    assert len(entries) > 100
    assert [each for each in entries if not each.endswith((".", ".)", ":"))] == []
    first_lines = [each.partition("\n")[0] for each in entries]
    assert {each for each in first_lines if first_lines.count(each) > 1} == set()


def test_every_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    reference = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for words in re.findall(r"^rating-ledger ([a-z]+(?: [a-z]+)?)", readme, re.MULTILINE):
        first = words.split()[0]
        assert f"`rating-ledger {words}" in reference or f"`rating-ledger {first}" in reference


@pytest.mark.parametrize("name", ["rating-ledger", "rating-ledger-backup"])
def test_a_unit_finds_the_settings_beside_its_ledger(name: str) -> None:
    unit = (ROOT / "docs" / "deploy" / f"{name}.service").read_text("utf-8")
    folder = re.search(r"^WorkingDirectory=(.+)$", unit, re.MULTILINE)
    assert folder
    assert f"--db {folder[1]}/rating-ledger.db" in unit


def test_an_upgrade_puts_a_backup_aside_on_which_the_new_version_does_not_write() -> None:
    page = (ROOT / "docs" / "administration.md").read_text("utf-8")
    unit = (ROOT / "docs" / "deploy" / "rating-ledger-backup.service").read_text("utf-8")
    folder = re.search(r"rating-ledger backup (\S+)", unit)
    assert folder
    steps = (
        "systemctl stop rating-ledger\n", "systemctl start rating-ledger-backup\n",
        f"cp -a {folder[1]} /var/backups/before\n", "pip install", "rating-ledger init\n",
        "systemctl start rating-ledger\n",
    )  # fmt: skip
    upgrade = page.partition("## 7. Upgrade")[2].partition("\n## ")[0]
    places = [upgrade.find(step) for step in steps]
    assert min(places) >= 0
    assert places == sorted(places)


def test_the_nginx_of_distributions_reads_the_configuration() -> None:
    """Debian 12 and Ubuntu 24.04 have one that knows no directive ``http2`` (it came in 1.25.1)."""
    configuration = (ROOT / "docs" / "deploy" / "nginx.conf").read_text("utf-8")
    assert not re.search(r"^\s*http2\s", configuration, re.MULTILINE)
    assert re.search(r"^\s*listen 443 ssl http2;", configuration, re.MULTILINE)


def test_every_regulation_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Rating systems")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([^`]+)`", " ".join(rows))) == sorted(OWN)


@pytest.mark.parametrize("regulation", OWN.values(), ids=OWN)
def test_every_clause_of_a_coverage_table_is_implemented_where_it_says(
    regulation: type[Regulation],
) -> None:
    """Each name is a module of the regulation's code, or something that is defined in one."""
    modules = code._sources(regulation.__module__, "ledger.regulations", "ledger.rating")
    assert modules is not None
    source = "\n".join(inspect.getsource(sys.modules[module]) for module in modules)
    names = {module.rpartition(".")[2] for module in modules}
    for clause in regulation.COVERAGE:
        if clause.where.startswith("not covered"):
            continue
        for name in clause.where.split(",")[0].split("."):
            defined = re.search(rf"^ *((def|class) {name}\b|{name} ?[:=])", source, re.MULTILINE)
            assert defined or name in names, f"{clause.article}: {name}"


def test_who_reads_all_of_the_documentation_reads_few_words() -> None:
    """Of the pages in ``docs``, but what a program writes: the commands, and tables of benchmarks.

    A word is what stands between blanks and has a letter or a figure.
    """
    written = [page for page in (ROOT / "docs").glob("*.md") if page.name != "cli.md"]
    texts = [GENERATED_TABLE.sub("", page.read_text(encoding="utf-8")) for page in written]
    words = [word for text in texts for word in text.split() if re.search(r"\w", word)]
    assert len(words) <= MOST_WORDS
