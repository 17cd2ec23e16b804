"""Help and usage errors in both languages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from cli.command import DESTROYING
from cli.command_line import commands
from cli.help import SPANISH, catalogue
from ledger.operations.commands import OPERATIONS
from ledger.questions.question import QUESTIONS
from tests.cli.running import run_here


def _declared() -> set[str]:
    """Returns the commands that are made of what is declared, an operation or a question."""
    operations = {each.typed.words for each in OPERATIONS.values() if each.typed}
    return operations | {each.words for each in QUESTIONS}


def _commands(command: Any, *words: str) -> Iterator[tuple[str, Any]]:
    yield " ".join(words), command
    for name, each in getattr(command, "commands", {}).items():
        yield from _commands(each, *words, name)


def _texts(commands: Iterable[Any]) -> set[str]:
    return {
        text
        for command in commands
        for text in (
            command.help,
            command.short_help,
            *(getattr(parameter, "help", None) for parameter in command.params),
        )
        if text
    }


def test_every_help_text_has_its_spanish_and_there_is_no_other() -> None:
    spanish = catalogue("es")
    assert spanish is not None
    by_words = dict(_commands(commands("en")))
    ours = _declared()
    written = _texts(each for words, each in by_words.items() if words not in ours)
    assert sorted(written - spanish.texts.keys()) == []
    assert sorted(spanish.texts.keys() - written) == []
    declared = _texts(by_words[words] for words in ours)
    assert sorted(declared - SPANISH.keys() - spanish.texts.keys()) == []
    assert all(SPANISH.values())


def test_help_in_spanish_has_no_english_heading() -> None:
    for words in ((), ("list",), ("list", "define"), ("explain",)):
        out = run_here("--lang", "es", *words, "--help").out
        assert "Uso: " in out
        for english in (
            "Usage",
            "Options",
            "Commands",
            "Arguments:",
            "default:",
            "required",
            "Show",
        ):
            assert english not in out, words


@pytest.mark.parametrize("lang", [("--lang", "es"), ("--lang=es",)])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_language_may_stand_anywhere(lang: tuple[str, ...], place: int) -> None:
    words = ["list", "define", "--help"]
    words[place:place] = lang
    assert "Define una lista" in run_here(*words).out


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (["list", "shw"], "no command 'shw'. Did you mean 'show'?", "ninguna orden 'shw'"),
        (
            ["titles"],
            "'titles'. Did you mean 'player titles', 'tournament titles'?",
            "'titles'. ¿Quiso decir 'player titles', 'tournament titles'?",
        ),
        (["titels", "x"], "mean 'player titles', 'tournament titles'?", "decir 'player titles'"),
        (["list", "titles"], "'titles'. Did you mean 'player titles'", "decir 'player titles'"),
        (["tournament", "verfy"], "Did you mean 'verify'", "decir 'verify'"),
        (["explan", "x"], "Did you mean 'explain'?", "decir 'explain'?"),
        (["nonsense-of-mine"], "no command 'nonsense-of-mine'", "ninguna orden"),
        (["--nope"], "no option --nope", "ninguna opción --nope"),
        (
            ["account", "create", "x"],
            "'--role' is needed: one of arbiter, ",
            "falta la opción '--role': una",
        ),
        (["correct", "result"], "argument 'TOURNAMENT' is missing", "falta el argumento"),
        (
            ["list", "show", "ENF", "--period=2010-07"],
            "no option '--period' here: PERIOD is written alone",
            "PERIOD se escribe solo",
        ),
        (["explain", "1", "--list"], "'--list' needs a value", "'--list' necesita un valor"),
        (
            ["tournament", "standings", "x", "--explain", "--format", "json"],
            "'--explain' needs a value before '--format'",
            "'--explain' necesita un valor antes de '--format'",
        ),
        (["--db", "--no-pager", "verify"], "before '--no-pager'", "antes de '--no-pager'"),
        (["verify", "x", "y"], "too much here", "está de más"),
        (["verify", "--", "--help"], "made of --help: it is too much", "--help está de más"),
        (["k", "assign", "A", "300"], "300 is too large; 200", "300 es demasiado"),
        (["k", "assign", "A", "x"], "'x' is not a whole number", "'x' no es un número entero"),
        (["replay", "--workers", "0"], "0 is too small; 1", "0 es muy poco"),
        (["verify", "--format", "x"], "'x' is not one of 'table'", "no es ninguno de 'table'"),
        (["--lang", "xx", "verify"], "'xx' is not one of en, es", "'xx' is not one of en, es"),
    ],
)
def test_usage_errors_are_ours_in_both_languages(
    words: list[str], english: str, spanish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lang, said in (("en", english), ("es", spanish)):
        monkeypatch.setenv("RATING_LEDGER_LANG", lang)
        done = run_here(*words)
        assert done.code == 2, done.err
        assert said in done.err
        assert "Input should" not in done.err
        assert "Value error" not in done.err
        assert "Invalid value" not in done.err
        if lang == "es" and "xx" not in words:
            assert "Usage" not in done.err


def _valued(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yields each option that takes a value, behind the words of its command."""
    for each in command.params:
        if each.param_type_name == "option" and not each.is_flag:
            yield from ((*words, name) for name in each.opts if name != "--lang")
    for name, each in getattr(command, "commands", {}).items():
        yield from _valued(each, (*words, *name.split()))


def test_arguments_are_called_alike_in_usage_help_and_errors() -> None:
    for words in (("--help",), ("ana",)):
        done = run_here("account", "tie", *words)
        assert "{ACCOUNT} {PLAYER}" in done.out + done.err
        assert "player " not in done.out.partition("Options:")[0].partition("Arguments:")[2]
    assert "argument 'PLAYER' is missing" in done.err


def test_no_option_is_taken_for_the_value_of_another_one() -> None:
    wanting = list(_valued(commands("en")))
    assert ("tournament", "standings", "--explain") in wanting
    for words in wanting:
        for value in ("--help", "--fromat", "--format=json"):
            done = run_here(*words, value)
            assert (done.code, done.out) == (2, ""), words
            assert f"'{words[-1]}' needs a value before '{value}'" in done.err


def test_a_value_may_begin_as_an_option_does() -> None:
    for words in (("--reason", "-- as said --"), ("--reason=--anyway",), ("--points", "-12")):
        done = run_here("player", "adjust", "A", *words, "--nope")
        assert "no option --nope" in done.err, words


@pytest.mark.parametrize("group", [(), ("tournament",), ("account",)])
def test_no_group_is_proposed_whose_commands_all_destroy(group: tuple[str, ...]) -> None:
    done = run_here(*group, "annl")
    assert (done.code, "annul" in done.err) == (2, False), done.err


def test_help_needs_none_of_the_large_libraries() -> None:
    said = (
        "import sys, cli.main; print(*sorted({'numpy', 'pydantic', 'sqlalchemy'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["expl", "x"], "expl"),
        (["tournament", "expl"], "expl"),
        (["erase", "P1"], "erase"),
        (["account", "sign-ot", "--all"], "sign-ot"),
    ],
)
def test_an_unknown_word_is_never_taken_for_a_command_that_destroys(
    words: list[str], word: str
) -> None:
    done = run_here(*words)
    assert done.code == 2
    assert f"there is no command '{word}'" in done.err
    assert "mean" not in done.err


def test_no_slip_of_the_fingers_leads_to_a_command_that_destroys() -> None:
    def slips(word: str) -> Iterator[str]:
        for at in range(len(word)):
            yield word[:at] + word[at + 1 :]
            yield word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
            yield f"{word[:at]}x{word[at:]}"

    assert len(DESTROYING) > 10
    for group, _, last in (each.rpartition(" ") for each in DESTROYING):
        for before in ([group], [], ["list"]):
            for slip in sorted({*slips(last), last} - {last if before == [group] else ""}):
                guesses = re.findall(
                    r"'([^']+)'", run_here(*before, slip).err.partition(" mean ")[2]
                )
                meant = {*guesses, *(f"{name} {guess}" for name in before for guess in guesses)}
                assert not meant & DESTROYING, (before, slip)
