"""Every heading of a table has its word in the texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from cli.tables import KINDS
from ledger.wording import sentences

CLI = Path(__file__).parents[2] / "cli"
COLUMNS = {key.removeprefix("column.") for key in sentences("en") if key.startswith("column.")}


def test_what_is_known_of_a_column_is_of_one_that_there_is() -> None:
    assert set(KINDS) <= COLUMNS


def headings(module: ast.Module) -> Iterator[str]:
    """Yields the literal headings of a module's tables, also those of its tuples of headings."""
    tuples = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Call) or ast.unparse(node.func).split(".")[-1] != "table":
            continue
        for given in node.args:
            named = given.value if isinstance(given, ast.Starred) else given
            if isinstance(named, ast.Name):
                named = tuples.get(named.id, named)
            for each in named.elts if isinstance(named, ast.Tuple) else [named]:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.value


def test_every_heading_is_in_the_texts() -> None:
    found = {
        (path.name, heading)
        for path in CLI.rglob("*.py")
        for heading in headings(ast.parse(path.read_text("utf-8")))
    }
    assert {heading for _, heading in found} >= {"id", "name", "rating"}
    assert {(file, heading) for file, heading in found if heading not in COLUMNS} == set()
