"""How a command is registered: one function, one line with the words that people type.

``@command("list show")`` puts a function among the commands of a group. Options that several
commands share are the fields of a frozen dataclass (see ``cli.options``): a parameter of such a
type stands for all of them, and the function is given the dataclass.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar, get_type_hints

from cli.interruption import INTERRUPTION
from cli.options import ReasonedWriteOptions

Function = TypeVar("Function", bound=Callable[..., None])

DESTROYING: Final = set[str]()
"""Commands that take away what cannot be given back: no wrong word is taken for one of them."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A function under its words; ``results``: whether it takes results of games."""

    words: str
    function: Callable[..., None]
    results: bool


REGISTERED: Final = defaultdict[str, list[Registered]](list)
"""The commands by the module in which they stand."""
LOADING: Final = list[str]()
"""The modules that are being loaded, one within another."""


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
        DESTROYING.add(words)

    def add(function: Function) -> Function:
        _, _, module = function.__module__.rpartition(".")
        REGISTERED[module].append(Registered(words, expanded(function), results))
        return function

    return add


def module_being_loaded() -> str:
    """Returns the module of ``cli.commands`` in which a command is made just now."""
    return f"cli.commands.{LOADING[-1]}"


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
