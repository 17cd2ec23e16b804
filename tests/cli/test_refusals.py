"""What is refused is said in the reader's language, and names the file that it is about."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from ledger.disk import system_said
from ledger.wording import Message
from tests.cli.running import run, run_here

HEADER = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (("import", "nada.trf"), "there is no such file or folder", "no hay tal archivo o carpeta"),
        (("import", "there"), "it is a folder", "es una carpeta"),
        (("import", "players.csv/x"), "no folder", "no es una carpeta"),
        (("import", "x" * 300), "the name is too long", "el nombre es demasiado largo"),
        (("key", "x", "ymca.csv"), "it is there already", "ya existe"),
        (("verify", "--checkpoint", "latin.txt"), "no text in UTF-8", "no es un texto en UTF-8"),
    ],
)
def test_the_system_speaks_the_language_of_the_reader(
    folder: Path, words: tuple[str, ...], english: str, spanish: str
) -> None:
    (folder / "there").mkdir()
    (folder / "latin.txt").write_bytes(b"\xe9")
    for language, said in (("en", english), ("es", spanish)):
        done = run("--lang", language, *words, cwd=folder)
        assert (done.code, said in done.err) == (4, True), done.err
        assert words[-1] in done.err


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "permiso"), (errno.EPERM, "permiso"), (errno.ENOSPC, "no queda espacio"),
        (errno.EROFS, "solo lectura"), (errno.ECONNREFUSED, "nadie responde"),
    ],
)  # fmt: skip
def test_what_a_test_cannot_bring_about_has_words_too(number: int, said: str) -> None:
    message = system_said(OSError(number, os.strerror(number)))
    assert isinstance(message, Message)
    assert said in message.within("es")


@pytest.mark.parametrize(
    ("words", "content", "says"),
    [
        (("import", "FILE"), "", "the file is empty"),
        (("import", "FILE"), HEADER, "a header and nothing else"),
        (("import", "FILE", "--kind", "games"), "", "the file is empty"),
        (("import", "FILE"), "id,name\n", "a header and nothing else"),
        (("tournament", "enter", "agosto-2010", "--file", "FILE"), "", "the file is empty"),
    ],
)
def test_a_file_in_which_nothing_stands_is_named(
    folder: Path, words: tuple[str, ...], content: str, says: str
) -> None:
    (folder / "nothing.csv").write_text(content, encoding="utf-8")
    done = run(*(word.replace("FILE", "nothing.csv") for word in words), cwd=folder)
    assert done.code == 4
    assert done.err.startswith("nothing.csv: the file ")
    assert says in done.err


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (("player", "add", "9", " "), "Name: ' ' cannot", "Nombre: ' ' no puede"),
        (("player", "title", "3404510", "XX"), "'XX' cannot be chosen", "'XX' no se puede"),
        (("account", "create", "A b", "--role", "officer", "--reason", "x"),
         "account: 'A b' cannot", "cuenta: 'A b' no puede"),
        (("import", "FILE"), "'soon' under 'birth_date' is no", "'soon' bajo 'nacimiento' no es"),
    ],
)  # fmt: skip
def test_a_field_is_called_as_the_reader_calls_it(
    folder: Path, words: tuple[str, ...], english: str, spanish: str
) -> None:
    (folder / "FILE").write_text("id,name,birth_date\n1,Roe Ana,soon\n", encoding="utf-8")
    for language, sentence in (("en", english), ("es", spanish)):
        done = run("--lang", language, *words, cwd=folder)
        assert (done.code, sentence in done.err) == (4, True), done.err


def test_how_often_a_list_comes_is_said_in_words(folder: Path) -> None:
    define = ("list", "define", "X", "--regulation", "enf-2010", "--first", "2010-02-11")
    for calendar, english, spanish in (
        ("monthly", "a list that comes every month;", "una lista que sale cada mes;"),
        ("two-monthly", "every two months;", "cada dos meses;"),
    ):
        for language, said in (("en", english), ("es", spanish)):
            done = run("--lang", language, *define, "--calendar", calendar, cwd=folder)
            assert (done.code, said in done.err) == (4, True), done.err
            assert calendar not in done.err


LONG = (
    ("tournament", "standings", "ymca-2010", "--tie-breaks", "fame"),
    ("account", "create", "x"),
    ("list", "define", "X", "--regulation", "enf-2010", "--calendar", "x", "--first", "x"),
    ("import", "wrong.csv"),
    ("record", "result", "ymca-2010", "1", "nobody", "3400190", "1-0"),
    ("tournament", "titles", "ymca-2010", "--list", "ENF"),
)


@pytest.mark.parametrize("words", LONG, ids=" ".join)
def test_long_sentences_fit_the_screen_and_end_without_blanks(
    folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    (folder / "wrong.csv").write_text(f"{HEADER}T,{'x ' * 60},2010\n", encoding="utf-8")
    for language in ("en", "es"):
        monkeypatch.setenv("RATING_LEDGER_LANG", language)
        done = run_here(*words, terminal=True)
        written = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", done.out + done.err)
        lines = [line for line in written.splitlines() if "━" not in line]  # of progress
        assert [line for line in lines if len(line) > 80 or line.endswith(" ")] == []
        assert max(map(len, lines)) > 40


def test_a_log_has_a_sentence_in_one_line(folder: Path) -> None:
    (line,) = run(*LONG[0], cwd=folder).err.splitlines()
    assert "median, solkoff" in line
    assert line.endswith("SSSC")
