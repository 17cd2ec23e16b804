"""No circle of imports, run or deferred or for types; what is deferred has a reason."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

from tests.project.test_code import Function, modules

EXAMPLES = Path(__file__).parents[2] / "examples"
# What is loaded where it is used, and not before.
EXTRAS = {"authlib", "dask", "distributed", "httpx2", "joserfc", "psycopg", "pyarrow", "web"}
SLOW = {  # most of the time that --help takes would be theirs
    "alembic", "cli.main", "cli.output", "cryptography", "http.client", "importlib.metadata",
    "msgspec", "numpy",
    "pydantic", "python_calamine", "rich", "secrets", "rapidfuzz", "sqlalchemy", "xlsxwriter",
    "ledger.intake.event_rules", "ledger.intake.headings", "zoneinfo",  # milliseconds
}  # fmt: skip
ELSEWHERE = {"resource"}  # not on Windows


def dotted(path: str) -> str:
    """Returns the name that a module is imported by."""
    return ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")


def imported(node: ast.AST, known: Collection[str]) -> Iterator[str]:
    """Yields the modules that an import names: known ones, or those of others."""
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(source), names=names, level=0):
            within = (f"{source}.{each.name}" for each in names)
            yield from {name if name in known else source for name in within}


def loading(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that are run when a module is loaded."""
    for node in body:
        yield node
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=inner):
                yield from loading(inner)
            case ast.If(body=inner) | ast.Try(body=inner) | ast.With(body=inner):
                yield from loading(inner)


def graph() -> dict[str, set[str]]:
    """Returns what each module of the program imports, wherever in it that stands."""
    known = {dotted(path): module for path, module in modules().items()}
    return {
        name: {each for node in ast.walk(module) for each in imported(node, known)}
        for name, module in known.items()
    }


@cache
def at_once() -> dict[str, set[str]]:
    """Returns what each module of the program imports when it is loaded."""
    known = {dotted(path): module for path, module in modules().items()}
    return {
        name: {each for node in loading(module.body) for each in imported(node, known)}
        for name, module in known.items()
    }


def loaded_by(*names: str) -> set[str]:
    """Returns the modules that are there once these are: themselves and what they import."""
    found: set[str] = set()
    left = {*names}
    while left:
        name = left.pop()
        found.add(name)
        left |= {*at_once().get(name, ()), *name.rpartition(".")[:1]} - found - {""}
    return found


def deferred() -> Iterator[tuple[str, str, set[str]]]:
    """Yields where an import stands in a function, its module, and what it names."""
    for path, module in modules().items():
        for function in ast.walk(module):
            if isinstance(function, Function):
                for node in ast.walk(function):
                    if found := {*imported(node, at_once())}:
                        yield f"{path} {function.name}", dotted(path), found


def circle(of: dict[str, set[str]]) -> list[str]:
    """Returns modules that import each other, the first of them last again; none, if none do."""
    try:
        TopologicalSorter(of).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_modules_import_each_other() -> None:
    known = graph()
    assert circle({name: found & known.keys() for name, found in known.items()}) == []


@pytest.mark.parametrize(
    "source",
    [
        "from a import b",
        "import a.b",
        "from a.b import Name",
        "if TYPE_CHECKING:\n    from a.b import Name",
        "def late():\n    from a.b import Name",
    ],
)
def test_every_import_counts(source: str) -> None:
    found = (imported(node, {"a", "a.b"}) for node in ast.walk(ast.parse(source)))
    assert "a.b" in chain.from_iterable(found)


def test_a_circle_is_named() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_an_import_in_a_function_has_a_reason() -> None:
    """It loads an extra, or what takes time, and nothing has loaded that before."""
    commands = {name for name in at_once() if name.startswith("cli.commands.")}
    face = loaded_by("cli.main", *commands)
    idle = set()
    for place, module, names in deferred():
        is_face = module.startswith("cli") and module != "cli.program"  # which loads it
        there = loaded_by(module) | (face if is_face else set())
        for name in names:
            new = loaded_by(name) - there
            if not new & (EXTRAS | SLOW | ELSEWHERE):
                idle.add(f"{place}: {name}")
    assert idle == set()


def test_a_process_that_works_for_the_site_loads_nothing_that_answers_requests() -> None:
    loaded = loaded_by("web.jobs.process", "web.read_models.builder")
    assert {"ledger.service.ledger", "sqlalchemy"} <= loaded
    assert loaded & {"fastapi", "starlette", "uvicorn", "jinja2"} == set()


def test_no_import_is_relative() -> None:
    levels = {
        f"{path}:{node.lineno}"
        for path, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.level
    }
    assert levels == set()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: str(path.name))
def test_an_example_finds_what_it_imports(path: Path) -> None:
    assert callable(runpy.run_path(str(path), run_name=path.stem)["main"])
