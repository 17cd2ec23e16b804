"""Without Arrow (the extra ``archive``) everything works but archives and tables as files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.cli.running import run
from tests.golden.test_release_0_1_0 import RELEASE
from tests.web.serving import started

SAID = {
    "en": "need Arrow, which is not installed: pip install 'rating-ledger[archive]'",
    "es": "necesitan Arrow, que no está instalado: pip install 'rating-ledger[archive]'",
}
ARCHIVE = f"archive:{RELEASE / 'archive'}"


MAIN_JOB = """
import json, sys
sys.modules["pyarrow"] = None
from cli.main import main
for words in json.loads(sys.argv[1]):
    try:
        main(words.split())
    except SystemExit as done:
        sys.stderr.write(f"<{words}: {done.code}>\\n")
"""


@pytest.fixture
def no_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process finds no ``pyarrow``."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)


def test_the_main_job_needs_none(tmp_path: Path) -> None:
    commands = (
        "demo there",
        "list show ENF",
        "list show ENF --format csv",
        "list regenerate ENF 2010-07",
        "explain 3404510 --list ENF",
        "why 3404510 --list ENF",
        "history 3404510 --list ENF",
        "correct result ymca-2010 5 3400190 3404510 1/2-1/2 --reason sheet --dry-run",
        "segments",
        "verify",
    )
    done = subprocess.run(
        [sys.executable, "-c", MAIN_JOB, json.dumps(commands)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
        env=os.environ | {"RATING_LEDGER_DB": str(tmp_path / "there" / "rating-ledger.db")},
    )  # fmt: skip
    assert all(f"<{words}: 0>" in done.stderr for words in commands), done.stderr


@pytest.mark.slow
def test_the_site_and_the_processes_it_begins_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("demo", "there", cwd=tmp_path).code == 0
    db = tmp_path / "there" / "rating-ledger.db"
    (tmp_path / "sitecustomize.py").write_text('import sys; sys.modules["pyarrow"] = None\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with started(db, "--cache", str(tmp_path / "cache"), log=tmp_path / "log") as site:
        for page in ("/", "/lists/ENF", "/players/3404510", "/api/v1/lists"):
            assert httpx.get(site.origin + page, timeout=60).status_code == 200, page
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


@pytest.mark.usefixtures("no_arrow")
@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize(
    "words",
    [
        "backup kept",
        f"restore {RELEASE / 'archive'}",
        f"copy {ARCHIVE} copied.db",
        "export archive kept",
        "export players",
        "export games",
        "export ratings ENF --output ratings.xlsx",
        "export postings ENF --output postings.parquet",
        "export lists ENF",
        f"import archive {RELEASE / 'archive'}",
        f"import archive {RELEASE / 'archive'} --dry-run",
        f"verify --db {ARCHIVE}",
        f"list show ENF --db {ARCHIVE}",
        f"serve --port 0 --db {ARCHIVE}",
    ],
)
def test_whatever_needs_it_says_how_it_is_installed(
    tmp_path: Path, words: str, language: str
) -> None:
    assert run("init", cwd=tmp_path).code == 0
    before = sorted(tmp_path.iterdir())
    done = run(*words.split(), "--lang", language, cwd=tmp_path)
    assert done.code == 4
    assert SAID[language] in done.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("no_arrow")
def test_the_doctor_says_that_it_is_missing(tmp_path: Path) -> None:
    found = run("doctor", "--format", "json", "--db", ARCHIVE, cwd=tmp_path)
    assert found.code == 0, found.err
    assert json.loads(found.out)["pyarrow"] == "not installed"
