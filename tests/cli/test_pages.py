"""Every command line of the documentation is run, page after page, on the shipped example."""

from __future__ import annotations

import shutil
import urllib.request
from pathlib import Path

import pytest

from cli import settings
from ledger.service.accounts import grant_role
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.cli.pages import NOTED, ROOT, CommandLine, blocks_not_run, command_lines, pages
from tests.cli.running import run_here
from tests.ledgers import request
from tests.web.serving import served
from tests.web.test_web_client import token_of
from web.office.store import open_office, utc_now

README = "README.md"
# For who begins: in an empty folder, each going on in that of the one before it.
FOR_BEGINNERS = ("docs/first-list.md", "docs/tournament.md", "docs/questions.md")
# Each page goes on in the folder of the one before it, the first as the README leaves it; the last
# one destroys.
IN_ONE_FOLDER = ("docs/guide.md", "docs/archive.md", "docs/keeping.md", "docs/erasure.md")
ON_MORE_PROCESSES = ("docs/archive.md", "docs/scale.md")
OF_A_SITE = ("docs/api.md", "docs/web.md")
SIGNATURES = "docs/signatures.md"  # after the accounts that it speaks of
PROOFS = "docs/proofs.md"  # in the folder of its example

# What is not run, by how it begins, and why.
NOT_RUN = {
    "python3 dev.py": "installs from a package index; what it runs then, the tests run here",
    "python3 -m venv": "the program is installed already",
    "pip install": "installs from a package index",
    "RATING_LEDGER_FAULT_RUNS=1000": "takes hours; the tests run it with fewer",
    "RATING_LEDGER_SERVER_DEATHS=1000": "the same",
    "RATING_LEDGER_SITE_FAULTS=200": "the same",
    "RATING_LEDGER_POWER_CUTS=10000": "the same",
    "RATING_LEDGER_HISTORIES=50": "the same",
    "python3 benchmarks/run.py": "takes from minutes to hours",
    "benchmarks/.venv/bin/python": "the same, with other programs to compare",
    "rating-ledger replay ENF --db archive:/shared/2026-07": "needs a cluster of one's own",
}
# What stands for what a page names and this machine may not have.
HERE = {"/mnt/backup/club": "club-backup", "postgresql://…/club": "club.db"}


def run_page(page: str) -> None:
    """Runs the command lines of a page in the current folder, with the answers it shows."""
    for line in command_lines(page):
        if line.why_not or not_run(line):
            continue
        program, *words = (HERE.get(word, word) for word in line.words)
        assert program == "rating-ledger", line
        done = run_here(*words)
        assert done.code == 0, f"{line}\n{done.out}\n{done.err}"
        if line.answer is not None:
            assert done.out == line.answer, line


def not_run(line: CommandLine) -> str | None:
    """Returns how a line begins that is not run."""
    said = " ".join(line.words)
    return next((start for start in NOT_RUN if f"{said} ".startswith(f"{start} ")), None)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: an empty one, on a screen that is wide enough for a list."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command line of the README was run."""
    folder = tmp_path_factory.mktemp("read")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("LC_ALL", "C.UTF-8")
        run_page(README)
    return folder


@pytest.fixture
def after_readme(read: Path, here: Path) -> Path:
    """The current folder: as the README leaves it."""
    return Path(shutil.copytree(read, here, dirs_exist_ok=True))


@pytest.mark.usefixtures("after_readme")
@pytest.mark.parametrize(
    "order",
    [
        pytest.param(IN_ONE_FOLDER, id="one process"),
        pytest.param(ON_MORE_PROCESSES, id="more", marks=pytest.mark.slow),
    ],
)
def test_every_command_line_of_the_pages_does_what_it_says(order: tuple[str, ...]) -> None:
    for page in order:
        run_page(page)


@pytest.mark.usefixtures("here")
def test_the_pages_for_beginners_do_what_they_say() -> None:
    for page in FOR_BEGINNERS:
        run_page(page)


@pytest.mark.usefixtures("here")
def test_commits_are_signed_as_the_page_says() -> None:
    assert run_here("init").code == 0
    for name in ("ana", "eva"):
        created = run_here("account", "create", name, "--role", "administrator", "--reason", "new")
        assert created.code == 0, created.err
    run_page(SIGNATURES)


def test_a_proof_is_checked_with_the_answer_that_the_page_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT / "docs" / "proofs")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert any(line.answer for line in command_lines(PROOFS))
    run_page(PROOFS)


@pytest.mark.slow
def test_every_command_line_about_the_site_does_what_it_says(after_readme: Path) -> None:
    lines = [line for page in OF_A_SITE for line in command_lines(page) if not not_run(line)]
    curls = [line.words[1:] for line in lines if line.words[0] == "curl"]
    serves = [line.words[2:] for line in lines if line.words[:2] == ("rating-ledger", "serve")]
    others = [line.words[1:] for line in lines if line.words[1] == "export"]
    assert len(curls) + len(serves) + len(others) == len(lines)
    for words in others:
        assert run_here(*words).code == 0, words
    token = officers_token(after_readme)
    for options in serves:
        with served(None, *options, log=after_readme / "log") as site:
            asked(f"{site.here}/health/ready")
            if not options:
                for words in curls:
                    curl(words, site.here, token)


def officers_token(folder: Path) -> str:
    """Returns a token of an officer of the ledger in a folder."""
    db = folder / settings.DEFAULT_DB
    journal = open_ledger(str(db))
    grant_role(Ledger(journal, utc_now), "ana", Role.OFFICER, request=request())
    journal.close()
    return token_of(
        open_office(str(db.with_name(f"{db.stem}-office.db"))), db, "tournaments", "submissions"
    )


def curl(words: tuple[str, ...], site: str, token: str) -> None:
    """Does what a line of curl says, at a site that listens elsewhere."""
    said = iter(words)
    url, body, headers = "", None, {}
    for word in said:
        match word:
            case "-s":
                pass
            case "-H":
                name, _, value = next(said).replace("$TOKEN", token).partition(": ")
                headers[name] = value
            case "-d":
                body = next(said).encode()
            case "--data-binary":
                body = Path(next(said).removeprefix("@")).read_bytes()
            case _:
                assert not url
                url = word.replace("http://127.0.0.1:8000", site)
    asked(url, body, headers)


def asked(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> None:
    """Asks a site, which must not refuse."""
    asking = urllib.request.Request(url, body, headers or {})  # noqa: S310 - our own site
    with urllib.request.urlopen(asking, timeout=60) as answer:  # noqa: S310 - the same
        assert answer.status in {200, 201, 202}, url


def test_every_page_with_command_lines_is_run() -> None:
    run = {
        README,
        *FOR_BEGINNERS,
        *IN_ONE_FOLDER,
        *ON_MORE_PROCESSES,
        *OF_A_SITE,
        PROOFS,
        SIGNATURES,
    }
    missing = set(pages()) - run
    lines = [line for page in missing for line in command_lines(page)]
    assert [line for line in lines if not line.why_not and not not_run(line)] == []


def test_what_is_not_run_is_there_and_says_why() -> None:
    lines = [line for page in pages() for line in command_lines(page)]
    assert {not_run(line) for line in lines} - {None} == set(NOT_RUN)
    for page in pages():
        noted = (ROOT / page).read_text(encoding="utf-8").count(NOTED)
        assert noted == blocks_not_run(page), page
