"""What programs call stays: commands with their options, the API's paths and fields, exit codes.

More may come in any version; what is pinned here goes, or asks for more, only with a new major
version (``docs/versions.md``). ``python -m tests.golden.test_interface`` pins what there is now,
and names what went; with ``--check`` it only says whether all of it is pinned, as a release asks.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from cli import command_line
from cli.main import BUG, INTERRUPTED, USAGE
from ledger import errors
from web.api.description import description

PINNED = Path(__file__).parent / "data" / "interface.json"
Words: TypeAlias = dict[str, list[str]]
"""What there is by the name of what has it: its parts, those that must be given with a ``!``."""

_METHODS = {"get", "post", "put", "patch", "delete"}


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yields every command with its arguments, in order, and its options."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
        for name, each in getattr(command, "commands", {}).items():
            yield from walk(each, (*words, name))
        if not hasattr(command, "commands"):
            yield " ".join(words), sorted(word for each in command.params for word in said(each))

    def said(parameter: Any) -> Iterator[str]:
        must = "!" if parameter.required else ""
        if parameter.param_type_name == "argument":
            # Its place is what a program knows; a name as Python wants it is its own affair.
            yield f"{parameter.name.rstrip('_')}{must}"
        else:
            yield f"{'/'.join(parameter.opts)}{must}"
            yield from parameter.secondary_opts

    return walk(command_line.commands("en"), ())


def paths() -> Iterator[tuple[str, list[str]]]:
    """Yields every method and path of the API with its parameters."""
    for path, methods in description()["paths"].items():
        shared = methods.get("parameters", [])
        for method in sorted(_METHODS & set(methods)):
            asked = [*shared, *methods[method].get("parameters", [])]
            words = [
                f"{each['in']} {each['name']}{'!' if each.get('required') else ''}"
                for each in asked
                if "name" in each
            ]
            yield f"{method} {path}", sorted(words)


def shapes() -> Iterator[tuple[str, list[str]]]:
    """Yields every shape of the API's JSON with the names of its fields."""
    for name, shape in description()["components"]["schemas"].items():
        if "properties" in shape:
            yield name, sorted(shape["properties"])


def exits() -> Iterator[tuple[str, list[str]]]:
    """Yields what a command can end with."""
    yield "bug", [str(BUG)]
    yield "usage", [str(USAGE)]
    yield "interrupted", [str(INTERRUPTED)]
    for name in (
        "VerificationFailed", "InputRefused", "Conflict", "DatabaseError", "NotFound",
        "NothingChecked",
    ):  # fmt: skip
        yield name, [str(getattr(errors, name).exit_code)]


NOW: dict[str, Words] = {
    "commands": dict(commands()),
    "exits": dict(exits()),
    "paths": dict(paths()),
    "shapes": dict(shapes()),
}


def broken(then: Words, now: Words) -> list[str]:
    """Returns what a program that was written then would miss now.

    >>> broken({"list show": ["name", "--period"]}, {"list show": ["name!", "--format"]})
    ['list show: --period', 'list show: name!']
    >>> broken({"list show": ["name!"]}, {"list show": ["--sort", "name"], "list sort": ["name!"]})
    []
    """
    missing = [name for name in then if name not in now]
    for name in then.keys() & now.keys():
        before, after = set(then[name]), set(now[name])
        there = {word.removesuffix("!") for word in after}
        missing += [f"{name}: {word}" for word in before if word.removesuffix("!") not in there]
        asked = {word for word in after if word.endswith("!")} - before
        missing += [f"{name}: {word}" for word in asked]
    return sorted(missing)


@pytest.mark.parametrize("what", NOW)
def test_what_was_there_is_there(what: str) -> None:
    pinned: dict[str, Words] = json.loads(PINNED.read_text("utf-8"))
    assert pinned[what]
    assert broken(pinned[what], NOW[what]) == []


def test_a_word_that_goes_is_found_and_so_is_one_that_must_be_given() -> None:
    for what, words in NOW.items():
        name = max(words, key=lambda each: len(words[each]))
        assert broken(words, {key: its for key, its in words.items() if key != name}) == [name]
        gone = words[name][0]
        assert broken(words, words | {name: words[name][1:]}) == [f"{name}: {gone}"]
        assert broken(words, words | {name: [*words[name], "more!"]}) == [f"{name}: more!"], what


def main() -> None:
    """Pins what there is, or says what is not pinned."""
    pinned = json.loads(PINNED.read_text("utf-8")) if PINNED.exists() else {}
    if "--check" in sys.argv:
        sys.exit(0 if pinned == NOW else "not all of the interface is pinned")
    for what, words in NOW.items():
        sys.stdout.writelines(
            f"gone: {what}: {each}\n" for each in broken(pinned.get(what, {}), words)
        )
    PINNED.write_text(json.dumps(NOW, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
