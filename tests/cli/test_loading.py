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
RARE = {"alembic", "cryptography", "dask", "distributed", "gacrux", "networkx", "psycopg"}
OTHERS = {"ledger.operations.commands"}  # all operations, also of other words
CORE = {"msgspec", "numpy", "pydantic", "rich", "secrets", "sqlalchemy"}
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


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the demonstration."""
    folder = tmp_path_factory.mktemp("demo")
    assert run("demo", ".", cwd=folder).code == 0
    return folder


@pytest.mark.parametrize(
    ("words", "never"),
    [
        ("--version", FACE | FILES | RARE | CORE | OTHERS),
        ("--help", FACE | FILES | RARE | CORE | OTHERS),
        ("--help --lang es", FACE | FILES | RARE | CORE),
        ("player --help", FACE | FILES | RARE | CORE | OTHERS),
        ("player add --help", FACE | FILES | RARE | CORE | OTHERS),
        ("list show ENF --format csv", FACE | FILES | RARE),
        ("explain 3404510 --list ENF", FACE | FILES | RARE),
        ("verify", (FACE | FILES | RARE) - {"cryptography"}),  # signatures
    ],
)
def test_a_command_loads_no_more_than_it_needs(words: str, never: set[str], demo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words.split()],
        cwd=demo, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, loaded = json.loads(done.stdout)
    assert code == 0, done.stderr
    assert "cli.main" in loaded
    assert never & set(loaded) == set()
