"""Help and errors of usage in the language of messages.

The code says its help in English, once, where an option is declared. ``help_es.toml`` has each of
these texts in Spanish, and Typer's own headings. A test fails where a text has no Spanish.

What is wrong with a command line Typer finds and says in English; its sentences are turned into
ours, which quote the input and say what is allowed. A sentence that is not known stays as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

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
    "Missing argument {name}. Choose from:{choices}": "usage.no_argument_of",
    "Missing argument {name}.": "usage.no_argument",
    "Missing option {name}. Choose from:{choices}": "usage.needed_option_of",
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


SPANISH: Final = dict[str, str]()
"""The Spanish of what operations declare, by the English; who offers one puts it here."""


class HelpTexts:
    """What is said in another language instead of English; see ``help_es.toml``."""

    def __init__(self, texts: Mapping[str, str], words: Mapping[str, str]) -> None:
        self.texts = texts
        self._words = words

    def text(self, english: str | None) -> str | None:
        """Returns a help text, or the English one where there is no other."""
        if english is None:
            return None
        return self.texts.get(english) or SPANISH.get(english, english)

    def words(self, line: str) -> str:
        """Returns a line with Typer's own words for headings and defaults replaced."""
        for english, other in self._words.items():
            line = line.replace(english, other)
        return line


@cache
def catalogue(lang: str) -> HelpTexts | None:
    """Returns the catalogue of a language; None for English, in which the code is written."""
    file = resources.files("cli").joinpath(f"help_{lang}.toml")
    if not file.is_file():
        return None
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return HelpTexts(read["texts"], read["words"])


def translated(command: Any, lang: str) -> Any:
    """Returns a Typer command that says its help in a language, and so do its subcommands."""
    sentences_ = catalogue(lang)
    if sentences_ is not None:
        _translate(command, sentences_)
    return command


def _translate(command: Any, texts: HelpTexts) -> None:
    command.help, command.short_help = texts.text(command.help), texts.text(command.short_help)
    command.context_class = _context_of(command.context_class, texts.words)
    for metavar in ("options_metavar", "subcommand_metavar"):
        if getattr(command, metavar, None):
            setattr(command, metavar, texts.words(getattr(command, metavar)))
    for parameter in command.params:
        if hasattr(parameter, "help"):
            parameter.help = texts.text(parameter.help)
    for each in getattr(command, "commands", {}).values():
        _translate(each, texts)


@cache
def _context_of(base: Any, words: Callable[[str], str]) -> Any:
    """Returns a class of contexts whose help has other headings."""

    class Formatter(base.formatter_class):  # type: ignore[misc]  # the base is Typer's own
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, words("Usage: ") if prefix is None else prefix)

        def write_heading(self, heading: str) -> None:
            super().write_heading(words(heading))

        def write_dl(self, rows: Any, *more: Any, **named: Any) -> None:
            super().write_dl([(first, words(second)) for first, second in rows], *more, **named)

    class Context(base):  # type: ignore[misc]  # the same
        formatter_class = Formatter

    return Context


def misuse(error: Any) -> str:
    """Returns how a command is used and what is wrong, as lines; secrets are masked."""
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
    from pydantic import ValidationError

    text: str = error.format_message()
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        key = _KINDS.get(first["type"])
        if key is not None:
            limits = {name: str(limit) for name, limit in first.get("ctx", {}).items()}
            name = text.removeprefix("Invalid value for ").split(":")[0]
            return _said(key, lang, name=name, value=str(first["input"]), **limits)
    for sentence, key in _KEYS.items():
        if found := _pattern(sentence).fullmatch(text):
            # Typer writes some choices one a line.
            values = {
                name: " ".join(value.split()) if name == "choices" else value
                for name, value in found.groupdict().items()
            }
            return _said(key, lang, **values)
    return text.removeprefix(_OF_NOTHING_NAMED)


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Returns what finds a sentence with its values."""
    literal, *rest = _PLACE.split(sentence)
    parts = [re.escape(literal)]
    for name, after in zip(rest[::2], rest[1::2], strict=True):
        parts += [f"(?P<{name}>.+?)", re.escape(after)]
    return re.compile("".join(parts), re.DOTALL)
