"""Operations on the command line: a function for each, made of what is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

import typer

from cli.command import command, module_being_loaded
from cli.help import SPANISH
from cli.options import Key, ReasonedWriteOptions, WriteOptions
from cli.session import recording, with_players
from cli.values import today
from ledger.errors import InputRefused
from ledger.operations.kinds import FieldKind
from ledger.operations.operation import OPERATIONS, Input, Operation

WRITTEN: Final[Mapping[str, str]] = {
    "adjust-list": "the list may be left out before the period, and the share is a fraction",
    "announce-absence": "two ticks say what is announced, or that it is taken back",
    "announce-rounds": "one command announces rules and rounds, and asks for a reason where due",
    "announce-rules": "the rules are options of two commands",
    "change-rounds": "as announce-rounds",
    "change-rules": "as announce-rules",
    "correct-colours": "it is typed by the board",
    "correct-player": "what is not said stays as it is",
    "correct-tournament": "what is not said stays as it is",
    "enter-team": "the players come in the order of the boards, and the name is the id by itself",
    "erase-player": "it asks once more, and destroys what is left in files",
    "hand-in-lineup": "only players of the team are meant by their names",
    "leave-ladder": "its fields are not declared yet",
    "number-participants": "the numbers are shown",
    "open-tournament": "it announces the rules, too",
    "pair-round": "the boards are shown, and may come from a file",
    "publish": "it publishes several periods, and may leave the list out",
    "publish-standings": "it is an option of what shows them",
    "record-boards": "boards and results come in pairs",
    "record-challenge-game": "the match is found by the players",
    "rule-on-tournament": "each ruling is a command of its own",
    "settle-challenge": "the match is found by the players",
    "withdraw-challenge": "the match is found by the players",
}
"""Operations that are typed by functions of their own, or by none, with the reason."""


def offer(name: str, declaration: type[Input]) -> None:
    """Puts an operation on the command line, in its place in ``--help``.

    ``declaration`` is the class of its fields, of the module that declares it: no other is loaded.
    """
    operation = OPERATIONS[name]
    assert operation.command is declaration, f"{name} is declared by another class"
    face = operation.typed
    assert face is not None, f"{name} is typed by a function of its own"
    first = {field: operation.kinds[field] for field in face.order}
    register = command(face.words, results=face.results, destroys=face.destroys)
    register(_function(operation, {**first, **operation.kinds}))


def _function(operation: Operation, kinds: Mapping[str, FieldKind]) -> Callable[..., None]:
    """Returns the function of a command: it reads what was typed, and carries it out."""
    face = operation.typed
    reasoned = operation.needs_reason if face is None or face.reasoned is None else face.reasoned
    options = ReasonedWriteOptions if reasoned else WriteOptions

    def run(*, to: ReasonedWriteOptions, idempotency_key: str | None, **words: Any) -> None:
        from secrets import token_hex

        from ledger.service.operations import carry_out

        typed = {name: word for name, word in words.items() if word is not None}
        typed |= {name: _only(name, typed[name]) for name in leading & typed.keys()}
        values = {name: value_of(kinds[name], word) for name, word in typed.items()}
        typed_ = operation.made(values, today=today(), salt=token_hex(16))
        with recording(to, idempotency_key) as at:
            at.receipt = carry_out(at.ledger, with_players(at.ledger, typed_), at.request)

    SPANISH[operation.says.en] = operation.says.es
    needed = {name: operation.is_needed(name, kind) for name, kind in kinds.items()}
    arguments = [name for name, kind in kinds.items() if not kind.option]
    last = max((at for at, name in enumerate(arguments) if needed[name]), default=0)
    leading = {name for name in arguments[:last] if not needed[name]}
    own = [
        parameter(name, kind, needed=needed[name], is_leading=name in leading)
        for name, kind in kinds.items()
    ]
    only = inspect.Parameter.KEYWORD_ONLY
    to = inspect.Parameter("to", only, annotation=options)
    key = inspect.Parameter("idempotency_key", only, default=None, annotation=Key)
    run.__signature__ = inspect.Signature([*own, to, key])  # type: ignore[attr-defined]
    run.__doc__, run.__module__ = operation.says.en, module_being_loaded()
    return run


def _only(name: str, words: list[str]) -> str:
    """Returns the word of an argument that may be left out before others; "" where it is."""
    if len(words) > 1:
        raise InputRefused("cli.one_word", name=name.upper(), words=" ".join(words))
    return words[0] if words else ""


def value_of(kind: FieldKind, word: Any) -> Any:
    """Returns the value of what was typed; Typer has read numbers, whose bounds the kind knows."""
    match word:
        case bool() if kind.read is not str:
            return kind.read("true" if word else "")
        case str():
            return kind.read(word)
        case int() if kind.read is not str:
            return kind.read(str(word))
        case list():
            return tuple(map(kind.read, word))
        case _:
            return word


def parameter(
    name: str, kind: FieldKind, *, needed: bool, default: Any = None, is_leading: bool = False
) -> inspect.Parameter:
    """Returns an argument or option as Typer reads it off a function.

    ``is_leading``: it may be left out before arguments that may not.
    """
    SPANISH[kind.help.en] = kind.help.es
    about: dict[str, Any] = {"help": kind.help.en}
    if kind.least is not None:
        about["min"] = kind.least
    if kind.most is not None:
        about["max"] = kind.most
    type_: Any = list[kind.type] if kind.several or is_leading else kind.type  # type: ignore[name-defined]
    if is_leading:  # who stands before what is needed has no default of its own
        about |= {"default_factory": list, "show_default": False}
    if needed or is_leading:
        default = inspect.Parameter.empty
    elif kind.is_flag:
        default = False
    elif default is None:
        type_ |= None
    typed_as = (
        typer.Option(kind.option, **about)
        if kind.option
        else typer.Argument(metavar=kind.metavar, **about)
    )
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[type_, typed_as]
    )
