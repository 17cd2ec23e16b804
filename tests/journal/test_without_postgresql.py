"""Where the driver of PostgreSQL is not installed everything else works, and it is said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_WITHOUT = """
import json, sys
sys.modules["psycopg"] = None
from cli.main import main
for words in json.loads(sys.argv[1]):
    try:
        main(["--lang", "en", *words])
    except SystemExit as done:
        sys.stderr.write(f"<{done.code}>\\n")
"""


def run(*commands: tuple[str, ...], cwd: Path) -> str:
    """Runs commands where psycopg cannot be imported; returns stderr with each exit code."""
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, json.dumps(commands)],
        cwd=cwd, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stderr


def test_a_file_needs_no_driver_of_a_server(tmp_path: Path) -> None:
    commands = (
        ("init",),
        ("player", "add", "1", "Ana"),
        ("player", "show", "1"),
        ("export", "archive", "archive"),
        ("verify", "--db", "archive:archive"),
        ("doctor",),
        ("verify",),
    )
    err = run(*commands, cwd=tmp_path)
    assert err.count("<0>") == len(commands), err


def test_a_server_needs_the_extra(tmp_path: Path) -> None:
    server = ("--db", "postgresql://ana:hunter-2@host/club")
    commands = ("init", "verify", "doctor")
    err = run(*((command, *server) for command in commands), cwd=tmp_path)
    for said in ("<6>", "install rating-ledger with its extra 'postgresql'"):
        assert err.count(said) == len(commands)
    assert err.replace("+psycopg", "").count("postgresql://ana:***@host/club") >= len(commands)
    assert "hunter-2" not in err
