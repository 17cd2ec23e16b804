"""What is refused is said in the reader's language, and names the file that it is about."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from ledger.disk import system_said
from ledger.wording import Message
from tests.cli.running import run

HEADER = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (("import", "nada.trf"), "there is no such file or folder", "no hay tal archivo o carpeta"),
        (("import", "there"), "it is a folder", "es una carpeta"),
        (("import", "players.csv/x"), "no folder", "no es una carpeta"),
        (("import", "x" * 300), "the name is too long", "el nombre es demasiado largo"),
        (("key", "x", "--file", "ymca.csv"), "it is there already", "ya existe"),
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
