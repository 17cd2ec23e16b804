"""How functions become commands: groups of options are taken apart, and put together again."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer

from cli.command import REGISTERED, expanded
from cli.command_line import _WITHOUT_GROUP, MODULES, commands, commands_for
from cli.options import ReasonedWriteOptions, ReceiptFormat, Round, Tournament, WriteOptions

Top = Annotated[int, typer.Option("--top")]


@dataclass(frozen=True, kw_only=True)
class RoundArguments:
    """A group of arguments."""

    tournament: Tournament
    round: Round


def test_a_group_stands_where_its_parameter_does_and_what_is_needed_stands_first() -> None:
    def function(of: RoundArguments, top: Top = 0, *, to: ReasonedWriteOptions) -> None:
        """Do it."""

    made = expanded(function)
    assert list(inspect.signature(made).parameters) == [
        "tournament", "round", "reason", "top",
        "db", "dry_run", "format", "actor", "second", "sign_with", "verbose",
    ]  # fmt: skip
    assert made.__doc__ == "Do it."


def test_the_function_is_given_its_groups() -> None:
    given: list[object] = []

    def function(name: str, top: Top = 0, *, to: WriteOptions) -> None:
        given.extend((name, top, to))

    values = {
        "db": "x.db", "dry_run": True, "format": ReceiptFormat.JSON, "actor": "ana",
        "second": "luis", "sign_with": None, "verbose": True,
    }  # fmt: skip
    expanded(function)(name="A", top=3, reason="because", **values)
    asked = WriteOptions(
        db="x.db", dry_run=True, format=ReceiptFormat.JSON, actor="ana", second="luis",
        verbose=True, reason="because",
    )  # fmt: skip
    assert given == ["A", 3, asked]


def test_every_module_of_commands_is_registered() -> None:
    folder = Path(__file__).parents[2] / "cli" / "commands"
    assert {file.stem for file in folder.glob("*.py")} == {*MODULES, "__init__"}


def test_every_module_says_the_first_words_of_its_commands() -> None:
    assert commands("en").commands
    found = {
        module: {each.words.partition(" ")[0] for each in registered}
        for module, registered in REGISTERED.items()
        if module in MODULES
    }
    assert found == {module: {*firsts} for module, firsts in MODULES.items()}


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (("correct", "result", "--help"), {"record"}),
        (("--db", "x.db", "--no-pager", "player", "find", "Soto"), {"players", "erasure"}),
        (("--help",), {*_WITHOUT_GROUP}),
        (("corect", "result"), {*MODULES}),
        (("correct", "rezult"), {*MODULES}),
    ],
)
def test_only_the_modules_of_the_first_word_are_loaded(
    words: tuple[str, ...], modules: set[str], tmp_path: Path
) -> None:
    loaded = "sorted(each for each in sys.modules if each.startswith('cli.commands.'))"
    script = f"import sys; from cli.main import _run; _run({[*words]}); print('loaded', *{loaded})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("loaded"))
    others = {"init"} if "serve" in modules else set()
    assert {each.rpartition(".")[2] for each in line.split()[1:]} == modules | others


def test_a_list_of_all_commands_needs_none_that_stands_in_a_group() -> None:
    shown = commands_for(["--help"])
    assert [*shown.commands] == [*commands("en").commands]
    for name, each in commands("en").commands.items():
        assert shown.commands[name].get_short_help_str(200) == each.get_short_help_str(200)
