"""The short script says of every proof what the program says, and knows nothing of it."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import InputRefused
from ledger.proofs.policy import parse_policy
from tests.cli.test_proofs import given
from tests.proofs.forgeries import CASES, Case, policy

SCRIPT = Path(__file__).parents[2] / "examples" / "check_proof.py"


@pytest.fixture(scope="module")
def main() -> Callable[[], None]:
    found: dict[str, Any] = runpy.run_path(str(SCRIPT))
    entry: Callable[[], None] = found["main"]
    return entry


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_script_says_the_same(
    case: Case,
    main: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["check_proof.py", *given(case, tmp_path)])
    if not case.refused:
        main()
        assert capsys.readouterr().out
        return
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    assert capsys.readouterr().err == f"refused: {case.refused}\n"


@pytest.mark.parametrize(
    ("more", "holds"),
    [
        ("\n".join(f"group g{n + 1} any g{n}" for n in range(198)), True),
        ("\n".join(f"group g{n + 1} any g{n}" for n in range(199)), False),
        ("#\tcosigned-within: 3 days", True),
        ("#\ufeffcosigned-within: 3 days", False),
        ("#\xa0cosigned-within: 3 days", False),
        ("#" * 60_000, True),
        ("#" * 70_000, False),
    ],
    ids=["200 groups", "201 groups", "a tab", "a BOM", "a wide blank", "long", "too long"],
)
def test_the_limits_of_a_policy_are_those_of_the_program(
    *, more: str, holds: bool, tmp_path: Path
) -> None:
    words = given(CASES[0], tmp_path)
    text = policy("none", "group g0 any two", more)
    Path(tmp_path / "policy").write_text(text)
    with nullcontext() if holds else pytest.raises(InputRefused):
        parse_policy(text)
    command = [sys.executable, str(SCRIPT), *words, "--policy", "policy"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == ((0, "") if holds else (3, "refused: policy\n"))


def test_it_runs_by_itself(tmp_path: Path) -> None:
    words = [sys.executable, "-I", str(SCRIPT), *given(CASES[0], tmp_path)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "words",
    ["missing --key {key}", "a.proof missing --key {key}", "a.proof --key missing",
     "a.proof --key binary", "a.proof --policy missing"],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_said_in_a_line(tmp_path: Path, words: str) -> None:
    given(CASES[0], tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    said = words.format(key=CASES[0].key).split()
    command = [sys.executable, "-I", str(SCRIPT), *said]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr


def test_it_imports_the_standard_library_and_what_verifies_signatures() -> None:
    modules = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert modules - sys.stdlib_module_names == {"cryptography"}
