"""The parameters of a regulation as fields of a form, as the regulation declares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ledger.answers.regulations import regulation_sheet
from ledger.errors import InputRefused, NotFound, Problem
from ledger.operations.kinds import FieldKind
from ledger.operations.lists import NewList, NewRegulation
from ledger.operations.operation import Input, WordsRefused
from ledger.regulations.description import read_parameters
from ledger.regulations.registry import found
from ledger.reports.regulations import ParameterLine
from ledger.typed_values import parameters_of
from ledger.wording import Message, Wording
from web.forms import FormField

_FIELD: Final = "parameter:"
_TOGETHER: Final = "parameters"
_REGULATION: Final = "regulation"
_OR: Final = " | "


def parameter_fields(regulation: str, wrong: Mapping[str, Message]) -> Sequence[FormField]:
    """Returns the fields of a regulation's parameters; none of one that is not there.

    ``wrong`` says what is wrong with fields, by name.
    """
    try:
        sheet = regulation_sheet(regulation)
    except NotFound:
        return ()
    sheets = zip(sheet.within("en").parameters, sheet.within("es").parameters, strict=True)
    return [
        FormField(
            name=f"{_FIELD}{english.parameter}",
            kind=FieldKind(
                label=Wording(_label(english, "en"), _label(spanish, "es")),
                offers=tuple(english.allowed.split(_OR)) if _is_choice(english) else (),
                is_choice=_is_choice(english),
            ),
            is_needed=english.default is None,
            problem=wrong.get(f"{_FIELD}{english.parameter}"),
        )
        for english, spanish in sheets
    ]


def _label(line: ParameterLine, language: str) -> str:
    name = line.parameter.replace("_", " ")
    values = {"name": name[:1].upper() + name[1:], "clause": line.clause, "usual": line.default}
    return Message.of("submission.parameter", **values).within(language)


def _is_choice(line: ParameterLine) -> bool:
    return _OR in line.allowed and "…" not in line.allowed


def together(words: Mapping[str, str]) -> dict[str, str]:
    """Returns typed words with those of single parameters as the lines of one field."""
    single = {
        name.removeprefix(_FIELD): word.strip()
        for name, word in words.items()
        if name.startswith(_FIELD) and word.strip()
    }
    lines = [words.get(_TOGETHER, ""), *(f"{name}={word}" for name, word in single.items())]
    others = {name: word for name, word in words.items() if not name.startswith(_FIELD)}
    return others | ({_TOGETHER: "\n".join(filter(None, lines))} if single else {})


def apart(words: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Returns the fields of a form with a field for each parameter that stands in the lines."""
    lines = [line for text in words.get(_TOGETHER, ()) for line in text.splitlines()]
    pairs = (line.partition("=") for line in lines)
    return {f"{_FIELD}{name.strip()}": [value] for name, _, value in pairs} | dict(words)


def check_parameters(command: Input) -> None:
    """Raises ``WordsRefused`` for an unknown regulation, and for parameters that do not fit it."""
    if not isinstance(command, NewList | NewRegulation):
        return
    try:
        model = found(command.regulation).PARAMETERS
        read_parameters(model, parameters_of(command.parameters))
    except NotFound as error:
        raise WordsRefused({_REGULATION: error.message}) from error
    except InputRefused as error:
        problems = [Problem(error.message), *error.details]
        raise WordsRefused({_field(each.message): each.message for each in problems}) from error


def _field(message: Message) -> str:
    """Returns the field that a refusal is about: a parameter, or the regulation."""
    name = dict(message.values).get("name")
    return _REGULATION if name is None else f"{_FIELD}{name}"
