"""The house keeps its order: one name for one thing, plain names, functions of a page."""

from __future__ import annotations

import ast
import doctest
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("ledger", "cli", "web", "migrations")
MOST_LINES, MOST_PARAMETERS = 60, 10
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Class names that two modules may share: at most four, each with its reason.
TWICE: set[str] = set()
# They say how a module came to be, or where it stands, and not what it is.
NO_NAMES = {
    "ahead", "ask", "at_hand", "beside", "elsewhere", "exact", "intact", "keep", "known", "late",
    "light", "own_sides", "plain", "shelf", "standing", "start",
}  # fmt: skip
# Nouns that end like participles.
NOUNS = {
    "caching", "checking", "masking", "matching", "paging", "rendering", "rounding", "routing",
    "seed", "spelling", "wording",
}  # fmt: skip


@cache
def modules() -> dict[str, ast.Module]:
    """Returns every module of the program, by its path."""
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in paths}


def functions() -> Iterator[tuple[str, Function]]:
    """Yields every function and method, named by its module and itself."""
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, Function):
                yield f"{path} {node.name}", node


def parameters(function: Function) -> int:
    given = function.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def test_no_class_is_defined_in_two_modules() -> None:
    found = defaultdict(set)
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(path)
    assert {name for name, paths in found.items() if len(paths) > 1} <= TWICE
    assert len(TWICE) <= 4


def test_a_module_is_called_by_a_noun() -> None:
    names = {Path(path).stem for path in modules()} - NOUNS
    assert not names & NO_NAMES
    assert not {name for name in names if re.search(r"(ed|ing|ly)$", name)}


def test_a_function_is_at_most_a_page_long() -> None:
    long = {name for name, f in functions() if (f.end_lineno or 0) - f.lineno >= MOST_LINES}
    assert not long


def test_a_function_has_at_most_ten_parameters() -> None:
    assert {name for name, f in functions() if parameters(f) > MOST_PARAMETERS} == set()


def test_no_class_has_a_second_name() -> None:
    for path, module in modules().items():
        classes = {
            name
            for node in module.body
            for name in (
                [node.name]
                if isinstance(node, ast.ClassDef)
                else [each.asname or each.name for each in node.names]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            if re.fullmatch(r"_?[A-Z]\w*[a-z]\w*", name)
        }
        for node in module.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Name):
                assert node.value.id not in classes, f"{path}:{node.lineno}"


def test_no_type_has_two_names() -> None:
    found = defaultdict(set)
    for path, module in modules().items():
        for node in module.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
                name = ast.unparse(node.targets[0])
                if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name):
                    found[ast.unparse(node.value)].add(f"{path} {name}")
    assert not {kind: names for kind, names in found.items() if len(names) > 1}


def test_every_example_of_a_docstring_is_true() -> None:
    run = 0
    for path in modules():
        if ">>>" in (ROOT / path).read_text("utf-8"):
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            result = doctest.testmod(import_module(name))
            assert result.failed == 0, name
            run += result.attempted
    assert run > 100
