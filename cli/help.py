"""Help in the language of messages.

The code says its help in English, once, where an option is declared. ``help_es.toml`` has each of
these texts in Spanish, and Typer's own headings. A test fails where a text has no Spanish.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any


class HelpTexts:
    """What is said in another language instead of English; see ``help_es.toml``."""

    def __init__(self, texts: Mapping[str, str], words: Mapping[str, str]) -> None:
        self.texts = texts
        self._words = words

    def text(self, english: str | None) -> str | None:
        """Returns a help text, or the English one where there is no other."""
        return None if english is None else self.texts.get(english, english)

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
    said = catalogue(lang)
    if said is not None:
        _translate(command, said)
    return command


def _translate(command: Any, said: HelpTexts) -> None:
    command.help, command.short_help = said.text(command.help), said.text(command.short_help)
    command.context_class = _context_of(command.context_class, said.words)
    for metavar in ("options_metavar", "subcommand_metavar"):
        if getattr(command, metavar, None):
            setattr(command, metavar, said.words(getattr(command, metavar)))
    for parameter in command.params:
        if hasattr(parameter, "help"):
            parameter.help = said.text(parameter.help)
    for each in getattr(command, "commands", {}).values():
        _translate(each, said)


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
