"""Says what is wrong with a command line, in the language of messages.

Typer finds it and says it in English; here its sentences are turned into our own, which quote the
input and say what is allowed. A sentence that Typer says and nobody here knows stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pydantic import ValidationError

from cli.settings import language
from ledger.wording import Message
from ledger.wording.masking import masked

# What Typer puts before a sentence of ours that names no argument or option of its own.
_OF_NOTHING_NAMED = "Invalid value: "
_PLACE = re.compile(r"\{(\w+)\}")

# What Typer says, and what is said instead.
_KEYS = {
    "No such command {command}. Did you mean {guess}?": "usage.no_command_but",
    "No such command {command}.": "usage.no_command",
    "No such option: {option} Did you mean {guess}?": "usage.no_option_but",
    "No such option: {option} (Possible options: {guess})": "usage.no_option_but",
    "No such option: {option}": "usage.no_option",
    "Missing argument {name}.": "usage.no_argument",
    "Missing option {name}.": "usage.needed_option",
    "Missing command.": "usage.needs_command",
    "Option {option} requires an argument.": "usage.needs_value",
    "Option {option} does not take a value.": "usage.takes_no_value",
    "Got unexpected extra argument(s) ({values})": "usage.too_much",
    "Got unexpected extra argument ({values})": "usage.too_much",
    "Invalid value for {name}: Value error, {value} is not one of {choices}.": "usage.no_choice",
    "Invalid value for {name}: {value} is not one of {choices}.": "usage.no_choice",
    "Invalid value for {name}: {why}": "usage.bad_value",
}
# The same for what Pydantic finds in a value, by its kind.
_KINDS = {
    "int_parsing": "usage.no_whole_number",
    "int_from_float": "usage.no_whole_number",
    "float_parsing": "usage.no_number",
    "decimal_parsing": "usage.no_number",
    "greater_than_equal": "usage.too_small",
    "less_than_equal": "usage.too_large",
}


def told(error: Any) -> str:
    """Returns how a command is used and what is wrong, as lines; secrets are masked.

    Args:
        error: a usage error of Typer's.
    """
    lang, context = language(), error.ctx
    if type(error).__name__ == "NoArgsIsHelpError":
        return f"{context.get_help()}\n"
    lines = []
    if context is not None:
        command = context.command_path
        lines = [context.get_usage(), _said("usage.try_help", lang, command=command), ""]
    lines.append(_said("usage.error", lang, what=_wrong(error, lang)))
    return masked("\n".join(lines)) + "\n"


def _said(key: str, lang: str, **values: object) -> str:
    return Message.of(key, **values).within(lang)


def _wrong(error: Any, lang: str) -> str:
    """Returns the sentence that says what is wrong."""
    said: str = error.format_message()
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        key = _KINDS.get(first["type"])
        if key is not None:
            limits = {name: str(limit) for name, limit in first.get("ctx", {}).items()}
            name = said.removeprefix("Invalid value for ").split(":")[0]
            return _said(key, lang, name=name, value=str(first["input"]), **limits)
    for sentence, key in _KEYS.items():
        if found := _pattern(sentence).fullmatch(said):
            return _said(key, lang, **found.groupdict())
    return said.removeprefix(_OF_NOTHING_NAMED)


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Returns what finds a sentence with its values."""
    literal, *rest = _PLACE.split(sentence)
    parts = [re.escape(literal)]
    for name, after in zip(rest[::2], rest[1::2], strict=True):
        parts += [f"(?P<{name}>.+?)", re.escape(after)]
    return re.compile("".join(parts), re.DOTALL)
