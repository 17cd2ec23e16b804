"""The root of the repository holds what is named here, and no file that a run left behind."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = {
    ".containerignore", ".gitattributes", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md",
    "Containerfile", "LICENSE", "README.md", "alembic.ini", "dev.py", "hatch_build.py",
    "pyproject.toml",
}  # fmt: skip
FOLDERS = {
    ".ci", "benchmarks", "cli", "docs", "examples", "ledger", "migrations", "release",
    "requirements", "tests", "web",
}  # fmt: skip


def test_the_root_holds_no_file_that_is_not_named() -> None:
    words = ["git", "ls-files"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = {Path(line).parts for line in listed.stdout.splitlines()}
    assert {parts[0] for parts in tracked if len(parts) == 1} == FILES
    assert {parts[0] for parts in tracked if len(parts) > 1} == FOLDERS
