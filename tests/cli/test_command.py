"""How functions become commands: groups of options are taken apart, and put together again."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated

import typer

from cli.command import expanded
from cli.main import MODULES
from cli.options import GameArguments, ReasonedWriteOptions, ReceiptFormat, WriteOptions

Top = Annotated[int, typer.Option("--top")]


def test_a_group_stands_where_its_parameter_does_and_what_is_needed_stands_first() -> None:
    def function(game: GameArguments, top: Top = 0, *, to: ReasonedWriteOptions) -> None:
        """Do it."""

    made = expanded(function)
    assert list(inspect.signature(made).parameters) == [
        "tournament", "round", "white", "black", "reason", "top",
        "db", "dry_run", "format", "actor", "second", "sign_with",
    ]  # fmt: skip
    assert made.__doc__ == "Do it."


def test_the_function_is_given_its_groups() -> None:
    given: list[object] = []

    def function(name: str, top: Top = 0, *, to: WriteOptions) -> None:
        given.extend((name, top, to))

    values = {
        "db": "x.db", "dry_run": True, "format": ReceiptFormat.JSON, "actor": "ana",
        "second": "luis", "sign_with": None,
    }  # fmt: skip
    expanded(function)(name="A", top=3, reason="because", **values)
    asked = WriteOptions(
        db="x.db", dry_run=True, format=ReceiptFormat.JSON, actor="ana", second="luis",
        reason="because",
    )  # fmt: skip
    assert given == ["A", 3, asked]


def test_every_module_of_commands_is_registered() -> None:
    folder = Path(__file__).parents[2] / "cli" / "commands"
    assert {file.stem for file in folder.glob("*.py")} == {*MODULES, "__init__"}
