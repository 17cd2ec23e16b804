"""Every heading of a table has its word in the texts, and it is known whether it is a figure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from cli.tables import KINDS
from ledger.desk.tie_breaks.registry import NAMED
from ledger.wording import sentences

CLI = Path(__file__).parents[2] / "cli"
COLUMNS = {key.removeprefix("column.") for key in sentences("en") if key.startswith("column.")}
# Ids, dates, periods, words and digests, written to the left.
TEXTS = {
    "account", "actor", "adopted_value", "aim", "allowed", "article", "birth_date", "black", "by",
    "calendar", "cause", "challenged", "challenger", "clause", "closes", "colour",
    "computed_digest", "computing_code", "counts", "decided_by", "default",
    "effective_on", "end", "erased_on", "excluded_because", "federation", "first", "group",
    "id", "key", "list", "made", "match", "merged_into", "norm_gm", "norm_im", "note", "override",
    "package", "parameter", "period", "policy", "rate_of_play", "rated_at",
    "reason", "recorded_at", "recorded_code", "recorded_digest", "regulation", "relying_party",
    "result", "role",
    "root", "says", "sex", "signed_by", "since", "source", "start", "state", "step", "system",
    "table", "team", "title", "titles", "total", "tournament", "type", "unit", "url", "value",
    "what", "when", "where", "white", "witness", "wrong",
}  # fmt: skip


def test_it_is_said_of_every_column_whether_it_holds_texts_or_figures() -> None:
    tie_breaks = {code.replace("-", "_") for code in NAMED}  # standings say it of these themselves
    told = COLUMNS - set(KINDS) - tie_breaks
    assert told == TEXTS, "a new column stands in KINDS or is a text"
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
