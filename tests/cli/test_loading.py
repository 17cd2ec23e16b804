"""What a command does not need it does not load: large libraries take longer than the answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

FACE = {"fastapi", "jinja2", "starlette", "uvicorn", "web"}
FILES = {"pyarrow", "python_calamine", "xlsxwriter"}
RARE = {
    "alembic",
    "cryptography",
    "dask",
    "distributed",
    "gacrux",
    "networkx",
    "psycopg",
    "secrets",
}
CORE = {"msgspec", "numpy", "pydantic", "rich", "sqlalchemy"}
LOADED = """
import io, json, sys
from contextlib import redirect_stdout
from cli.main import main
with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
    try:
        main(sys.argv[1:])
    except SystemExit as done:
        code = done.code
print(json.dumps([code, sorted(sys.modules)]))
"""


@pytest.mark.parametrize(
    ("words", "never"),
    [
        ("--version", FACE | FILES | RARE | CORE),
        ("--help", FACE | FILES | RARE | CORE),
        ("--help --lang es", FACE | FILES | RARE | CORE),
        ("list show ENF --format csv", FACE | FILES | RARE),
        ("explain 3404510 --list ENF", FACE | FILES | RARE),
        ("verify", FACE | FILES | RARE),
    ],
)
def test_a_command_loads_no_more_than_it_needs(words: str, never: set[str], tmp_path: Path) -> None:
    if not words.startswith("--"):
        assert run("demo", ".", cwd=tmp_path).code == 0
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words.split()],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, loaded = json.loads(done.stdout)
    assert code == 0, done.stderr
    assert "cli.main" in loaded
    assert never & set(loaded) == set()
