"""The command line: the commands of the word that is typed, or all, put together by Typer."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from cli import output, settings
from cli.command import DESTROYING, LOADING, REGISTERED
from cli.help import translated
from cli.options import Db
from cli.output import say

MODULES: Final[Mapping[str, Sequence[str]]] = {
    "init": (
        "init",
        "example",
        "demo",
    ),
    "tournament_demo": ("demo-tournament",),
    "import_": ("import",),
    "exports": (
        "export",
        "import",
    ),
    "lists": (
        "list",
        "period",
        "publish",
        "agenda",
    ),
    "query": (
        "explain",
        "why",
        "history",
        "log",
        "performance",
        "forecast",
        "live",
    ),
    "replays": ("replay",),
    "maintenance": (
        "verify",
        "checkpoint",
        "key",
        "segments",
        "doctor",
    ),
    "proofs": (
        "prove",
        "check",
    ),
    "witnesses": ("witness",),
    "regulations": ("regulation",),
    "players": (
        "player",
        "k",
    ),
    "erasure": ("player",),
    "tournaments": ("tournament",),
    "entries": ("tournament",),
    "rounds": ("tournament",),
    "standings": ("tournament",),
    "desk": ("tournament",),
    "ladders": ("ladder",),
    "record": (
        "correct",
        "record",
        "annul",
    ),
    "corrections": ("correction",),
    "accounts": ("account",),
    "submissions": ("submission",),
    "webhooks": ("webhook",),
    "claims": ("claim",),
    "retractions": ("undo",),
    "backups": (
        "backup",
        "restore",
        "copy",
    ),
    "serve": ("serve",),
}
"""The modules of ``cli.commands`` in the order of ``--help``, each with its commands' first words.

Only those of the first word that is typed are loaded.
"""
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
    "correction": "What was corrected, and whom it moved.",
    "k": "Development coefficients.",
    "account": "Accounts of the site: who may do what.",
    "submission": "What was handed in on the site.",
    "webhook": "Addresses that are told what was recorded.",
    "claim": "What somebody said at the site is wrong.",
}
_WITHOUT_GROUP: Final = tuple(
    module for module, firsts in MODULES.items() if not _GROUPS.keys() >= {*firsts}
)
"""The modules that have commands of one word, as ``--help`` lists them beside the groups."""
_MOST_GUESSES: Final = 3
_ALIKE: Final = 0.75  # a ratio of difflib: a letter wrong, missing or too many
_LIKE_AN_OPTION: Final = re.compile(r"--[a-z][-a-z]*(=.*)?", re.DOTALL)
_COMPLETING: Final = "_RATING_LEDGER_COMPLETE"
"""Set by a shell that asks what may stand next."""


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
        arguments = {
            f"--{parameter.metavar.lower()}": parameter.metavar
            for parameter in ctx.command.params
            if parameter.param_type_name == "argument"
        }
        for word in words:
            if word == "--" or not (ctx.allow_interspersed_args or word.startswith("-")):
                return  # no options behind it, or those of another command
            option = word.partition("=")[0]
            if option in arguments.keys() - takes_value.keys():
                argument = arguments[option]
                ctx.fail(say("usage.argument_for_option", option=option, argument=argument))
            if not takes_value.get(word):
                continue
            value = next(words, "")
            if value in takes_value or _LIKE_AN_OPTION.fullmatch(value):
                ctx.fail(say("usage.option_for_value", option=word, value=value))


class _Command(_NeedsValues, TyperCommand):
    """A command; its arguments are called as the pages call them, in capitals."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """Names the arguments."""
        super().__init__(*args, **named)
        for each in self.params:
            if each.param_type_name == "argument" and each.metavar is None:
                each.metavar = (each.name or "").strip("_").upper()


class _CommandGroup(_NeedsValues, TyperGroup):
    """Commands of one word; names what is meant in the place of one that it does not have."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads words; of a command that is to say its help before those of the group.

        Typer loads Pydantic to read values, also where nobody typed one.
        """
        if "--help" in args[1:] and not args[0].startswith("-") and not ctx.resilient_parsing:
            name, command, rest = self.resolve_command(ctx, args)
            command.make_context(name, rest, parent=ctx)  # says it, and ends
        return super().parse_args(ctx, args)

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
        return [each for each in guesses if f"{ctx.info_name} {each}" not in DESTROYING]


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
        is_destroying = bool(within) and DESTROYING.issuperset(within)
        for each in within if is_destroying else (name, *within):
            if each not in DESTROYING:
                found[each.rpartition(" ")[2]].append(each)
    return dict(found)


def _like(word: str, names: Mapping[str, list[str]]) -> list[str]:
    return [name for like in get_close_matches(word, names, cutoff=_ALIKE) for name in names[like]][
        :_MOST_GUESSES
    ]


def _version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it so
    if wanted:
        from importlib.metadata import version

        output.write(f"rating-ledger {version('rating-ledger')}")
        raise typer.Exit


def _before(
    db: Db = None,
    lang: Annotated[
        str | None, typer.Option("--lang", help="Language of messages: en or es.")
    ] = None,
    no_pager: Annotated[
        bool, typer.Option("--no-pager", help="Write long tables without a pager.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where a fault of the program is.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which it is.")
    ] = False,
) -> None:
    del debug, version, lang  # looked at in main, and by its own callback
    settings.FLAGS.db = db
    settings.FLAGS.pager = not no_pager


@cache
def _put_together(modules: Sequence[str], lang: str) -> Any:
    """Returns the command line of some modules of ``cli.commands``, with its help in a language."""
    for module in modules:
        LOADING.append(module)
        import_module(f"cli.commands.{module}")
        LOADING.pop()
    registered = [each for module in modules for each in REGISTERED[module]]
    app = typer.Typer(
        name="rating-ledger",
        cls=Commands,
        help="Chess ratings as an accountable ledger: explained, correctable, reproducible.",
        no_args_is_help=True,
        suggest_commands=False,  # of all alike, those that destroy too: see ``_guesses``
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_before)
    first_words = {each.words.partition(" ")[0] for each in registered}
    first_words |= {*_GROUPS} if modules == _WITHOUT_GROUP else set()  # they are listed only
    groups = {
        name: typer.Typer(cls=_CommandGroup, suggest_commands=False, no_args_is_help=True)
        for name in _GROUPS
        if name in first_words
    }
    for name, group in groups.items():
        app.add_typer(group, name=name, help=_GROUPS[name])
    for each in registered:
        first, _, last = each.words.partition(" ")
        place, name = (groups[first], last) if first in groups else (app, each.words)
        settings = {"ignore_unknown_options": True} if each.results else None
        place.command(name, cls=_Command, context_settings=settings)(each.function)
    return translated(get_command(app), lang)


def commands(lang: str) -> Any:
    """Returns the whole command line, with its help in a language."""
    return _put_together(tuple(MODULES), lang)


def commands_for(arguments: Sequence[str]) -> Any:
    """Returns the commands that a command line needs: of its first word, or to be listed.

    All are needed to complete a word, and to say what a wrong one may mean.
    """
    lang, words = settings.language(), _words_of(arguments)
    if _COMPLETING in os.environ:
        return commands(lang)
    if not words:
        return _put_together(_WITHOUT_GROUP, lang)
    modules = tuple(module for module, firsts in MODULES.items() if words[0] in firsts)
    if not modules:
        return commands(lang)
    some = _put_together(modules, lang)
    group = getattr(some.commands.get(words[0]), "commands", None)
    if group is not None and words[1:] and words[1] not in group:
        return commands(lang)
    return some


def _words_of(arguments: Sequence[str]) -> list[str]:
    """Returns the words of a command line, but for options and the value of that before them."""
    words, rest = list[str](), iter(arguments)
    for word in rest:
        if word == "--db" and not words:
            next(rest, None)
        elif not word.startswith("-"):
            words.append(word)
    return words
