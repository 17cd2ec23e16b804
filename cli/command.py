"""How a command is registered: one function, one line with the words that people type.

``@command("list show")`` puts a function among the commands of a group. Options that several
commands share are the fields of a frozen dataclass (see ``cli.options``): a parameter of such a
type stands for all of them, and the function is given the dataclass.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from cli.help import translated
from cli.interruption import INTERRUPTION
from cli.options import ReasonedWriteOptions
from cli.output import say

Function = TypeVar("Function", bound=Callable[..., None])

# The first words of commands that have two, in the order of --help.
_GROUPS: Final = {
    "export": "Take the ledger out.",
    "list": "Rating lists.",
    "prove": "Proofs for whoever has no ledger; see 'check'.",
    "witness": "Witnesses: others who saw that the ledger only grew.",
    "period": "The periods of a list.",
    "regulation": "Rating systems, and what lists adopted.",
    "player": "The register of players.",
    "tournament": "Tournaments.",
    "ladder": "Ladders of clubs, and challenges on them.",
    "record": "Record one event by hand.",
    "correct": "Correct what was recorded.",
    "annul": "Annul what was never to be recorded.",
    "k": "Development coefficients.",
    "account": "Accounts of the site: who may do what.",
    "submission": "What was handed in on the site.",
}


_DESTROYING: Final = set[str]()
"""Commands that take away what cannot be given back: no wrong word is taken for one of them."""
_MOST_GUESSES: Final = 3
_ALIKE: Final = 0.75  # a ratio of difflib: a letter wrong, missing or too many
_LIKE_AN_OPTION: Final = re.compile(r"--[a-z][-a-z]*(=.*)?", re.DOTALL)


class _NeedsValues:
    """Refuses an option in the place of another one's value, which Typer would take for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads words of the command line."""
        if not ctx.resilient_parsing:  # as when a shell asks what may stand next
            self._require_values(ctx, iter(args))
        return super().parse_args(ctx, args)  # type: ignore[misc,no-any-return]  # of Typer's class

    def _require_values(self, ctx: Any, words: Iterator[str]) -> None:
        takes_value = {
            name: not parameter.is_flag
            for parameter in ctx.command.get_params(ctx)
            if parameter.param_type_name == "option"
            for name in parameter.opts
        }
        for word in words:
            if word == "--" or not (ctx.allow_interspersed_args or word.startswith("-")):
                return  # no options behind it, or those of another command
            if not takes_value.get(word):
                continue
            value = next(words, "")
            if value in takes_value or _LIKE_AN_OPTION.fullmatch(value):
                ctx.fail(say("usage.option_for_value", option=word, value=value))


class _Command(_NeedsValues, TyperCommand):
    """A command."""


class _CommandGroup(_NeedsValues, TyperGroup):
    """Commands of one word; names what is meant in the place of one that it does not have."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds the command of the words."""
        word = args[0]
        is_option = word.startswith("-")  # Typer says that there is none
        if word not in self.commands and not is_option and (guesses := self._guesses(ctx, word)):
            guess = ", ".join(map(repr, guesses))
            ctx.fail(say("usage.no_command_but", command=repr(word), guess=guess))
        return super().resolve_command(ctx, args)

    def _guesses(self, ctx: Any, word: str) -> list[str]:
        """Returns commands: the same word in other groups, else like ones, first of this group.

        Never one that destroys: whoever means it knows what it is called.
        """
        everywhere = _by_last_word(ctx.find_root().command)
        own = {name: [name] for name in self.commands}
        guesses = everywhere.get(word) or _like(word, own) or _like(word, everywhere)
        return [each for each in guesses if f"{ctx.info_name} {each}" not in _DESTROYING]


class Commands(_CommandGroup):
    """Commands of one word or two: ``import FILE``, but ``import archive DIR``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Takes two words for one where there is a command of that name."""
        two = " ".join(args[:2])
        if two in self.commands:
            args = [two, *args[2:]]
        return super().resolve_command(ctx, args)

    def _guesses(self, ctx: Any, word: str) -> list[str]:
        everywhere = _by_last_word(ctx.find_root().command)
        return everywhere.get(word) or _like(word, everywhere)


def _by_last_word(root: Any) -> dict[str, list[str]]:
    """Returns all commands by their last words, but those that destroy, and groups of these."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, command in root.commands.items():
        within = [f"{name} {last}" for last in getattr(command, "commands", {})]
        is_destroying = bool(within) and _DESTROYING.issuperset(within)
        for each in within if is_destroying else (name, *within):
            if each not in _DESTROYING:
                found[each.rpartition(" ")[2]].append(each)
    return dict(found)


def _like(word: str, names: Mapping[str, list[str]]) -> list[str]:
    return [name for like in get_close_matches(word, names, cutoff=_ALIKE) for name in names[like]][
        :_MOST_GUESSES
    ]


app = typer.Typer(
    name="rating-ledger",
    cls=Commands,
    help="Chess ratings as an accountable ledger: explained, correctable, reproducible.",
    no_args_is_help=True,
    suggest_commands=False,  # of all alike, those that destroy too: see ``_guesses``
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
_groups = {
    name: typer.Typer(cls=_CommandGroup, suggest_commands=False, no_args_is_help=True)
    for name in _GROUPS
}
for name, help_ in _GROUPS.items():
    app.add_typer(_groups[name], name=name, help=help_)


def command(
    words: str, *, results: bool = False, destroys: bool = False
) -> Callable[[Function], Function]:
    """Registers a function as the command of these words; its docstring is the help.

    Args:
        words: as they are typed: ``"verify"``, ``"list show"``.
        results: whether it takes results of games, of which ``-/+`` begins as an option does.
        destroys: whether it takes away what cannot be given back, or somebody's standing or right.
    """
    if destroys:
        _DESTROYING.add(words)
    group, _, last = words.partition(" ")
    place, name = (_groups[group], last) if group in _groups else (app, words)
    settings = {"ignore_unknown_options": True} if results else None

    def add(function: Function) -> Function:
        place.command(name, cls=_Command, context_settings=settings)(expanded(function))
        return function

    return add


@cache
def commands(lang: str) -> Any:
    """Returns the command line, with its help in a language; put together once.

    It has the commands of the modules that were loaded: all, where ``cli.main`` was.
    """
    return translated(get_command(app), lang)


def expanded(function: Callable[..., None]) -> Callable[..., None]:
    """Returns a function with the fields of its parameters' dataclasses as its own parameters.

    Parameters without a default stand before the others.
    """
    own = inspect.signature(function, eval_str=True).parameters.values()
    groups = {each.name: each.annotation for each in own if _is_group(each.annotation)}
    parameters = [each for parameter in own for each in _parameters(parameter)]
    parameters.sort(key=lambda each: each.default is not inspect.Parameter.empty)
    is_by_requests = any(issubclass(group, ReasonedWriteOptions) for group in groups.values())

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in fields(group)})
        INTERRUPTION.is_by_requests = is_by_requests
        function(**values)

    run.__doc__ = function.__doc__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run


def _parameters(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """Yields a parameter, or those that stand for the fields of its dataclass."""
    if not _is_group(parameter.annotation):
        yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        return
    hints = _hints(parameter.annotation)
    for field in fields(parameter.annotation):
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )


def _is_group(annotation: Any) -> bool:
    return is_dataclass(annotation)


@cache
def _hints(group: type) -> dict[str, Any]:
    return get_type_hints(group, include_extras=True)
