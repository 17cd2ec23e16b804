"""How changes at the desk look below standings and crosstables: a sentence each, and the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cli.output import say


def change_lines(changes: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yields a sentence for each change, given as JSON data."""
    for change in changes:
        line = say(f"change.{change['kind'].replace('-', '_')}", **_values(change))
        codes = (code.replace("-", "_") for code in change["deviations"])
        said = [line, *(say(f"against.{code}") for code in codes)]
        if change["reason"]:
            said.append(say("standings.reason", reason=change["reason"]))
        yield " ".join(said)


def _values(change: dict[str, Any]) -> dict[str, Any]:
    rules = ", ".join(say(f"rule.{name}") for name in change["rules"]) or "–"
    return {**change, "rules": rules}
