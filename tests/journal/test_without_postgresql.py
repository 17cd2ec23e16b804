"""Where the driver of PostgreSQL is not installed everything else works, and it is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_WITHOUT = (
    "import sys; sys.modules['psycopg'] = None; "
    "from cli.main import main; main(sys.argv[1:])"
)  # fmt: skip


def run(*words: str, cwd: Path) -> tuple[int, str]:
    """Runs a command where psycopg cannot be imported; returns exit code and stderr."""
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, "--lang", "en", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_file_needs_no_driver_of_a_server(tmp_path: Path) -> None:
    for words in (
        ("init",),
        ("player", "add", "1", "Ana"),
        ("player", "show", "1"),
        ("export", "archive", "archive"),
        ("verify", "--db", "archive:archive"),
        ("doctor",),
        ("verify",),
    ):
        code, err = run(*words, cwd=tmp_path)
        assert code == 0, (words, err)


@pytest.mark.parametrize("command", ["init", "verify", "doctor"])
def test_a_server_needs_the_extra(tmp_path: Path, command: str) -> None:
    code, err = run(command, "--db", "postgresql://ana:hunter-2@host/club", cwd=tmp_path)
    assert code == 6
    assert "install rating-ledger with its extra 'postgresql'" in err
    assert "postgresql://ana:***@host/club" in err.replace("+psycopg", "")
    assert "hunter-2" not in err
