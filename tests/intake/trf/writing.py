"""Writes lines of report files for tests, by the printed columns, without the code under test."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.intake.document_copy import Copy
from ledger.intake.documents import Supplied
from ledger.intake.trf import parse as trf
from ledger.intake.trf.report import TrfReport


def text_of(data: bytes, encoding: str | None = None) -> str:
    """Returns the text of a file, as an import decodes it."""
    with Copy(data) as copy:
        copy.decode(encoding)
        return copy.text()


def parse(data: bytes, encoding: str | None = None, given: Supplied = trf.NOTHING) -> TrfReport:
    """Reads a file."""
    return trf.parse(text_of(data, encoding), given)


def player(
    number: int | str,
    name: str = "Aguirre, Nora",
    *rounds: str,
    sex: str = "",
    title: str = "",
    rating: str = "",
    federation: str = "",
    fide: str = "",
    birth: str = "",
    points: str = "",
    rank: str = "",
) -> str:
    """Returns a 001 record; a round is written in its eight columns, ``   2 w 1``."""
    line = (
        f"001 {number:>4} {sex:1}{title:<3} {name:<33} {rating:>4} {federation:3} {fide:>11} "
        f"{birth:<10} {points:>4} {rank:>4}"
    )
    return (line + "".join(f"  {each:<8}" for each in rounds)).rstrip()


def team(number: int, name: str, *players: int) -> str:
    """Returns a 310 record."""
    line = f"310 {number:>3} {name:<32} {'ABC':<5} {1800:>6} {'2.0':>6} {'2.5':>6} {1:>3} "
    return line + "".join(f" {each:>4}" for each in players)


def file(*lines: str, newline: str = "\n") -> bytes:
    """Returns a file of lines, each with its end, in UTF-8."""
    return "".join(line + newline for line in lines).encode()


def pairing(first: Iterable[str], second: Iterable[str], *more: str) -> bytes:
    """Returns a file of two players with these rounds."""
    return file(player(1, "Aguirre, Nora", *first), player(2, "Barrientos, Ciro", *second), *more)


ROUND_DATES = "132".ljust(91) + "11/03/04  11/03/05  11/03/06"
# Start numbers where the ledger has ids.
IDS = {number: str(number) for number in range(10_000)}
GOOD = "".join(
    line + "\n"
    for line in (
        "012 Torneo de los Volcanes",
        "022 Quetzaltenango",
        "032 GUA",
        "042 2011/03/04",
        "052 2011/03/06",
        "062 6",
        "092 Individual: Swiss-System",
        "102 Castillo, Rebeca",
        "122 90 min + 30 sec",
        ROUND_DATES,
        "XXR 3",
        player(
            1, "Aguirre, Nora", "   2 w 1", "   6 b 1", "   3 w =",
            sex="w", rating="1912", federation="GUA", fide="990001", birth="1990/05/17",
            points="2.5", rank="1",
        ),
        player(
            2, "Barrientos, Ciro", "   1 b 0", "   3 w +", "0000 - H",
            sex="m", title="CM", rating="1850", federation="GUA", fide="990002",
            birth="1978/00/00", points="1.5", rank="3",
        ),
        player(
            3, "Castañeda Ordóñez, Inés", "   4 w =", "   2 b -", "   1 b 0",
            sex="w", rating="1720", federation="ESA", points="0.5", rank="5",
        ),
        player(
            4, "Dardón, Teófilo", "   3 b =", "   5 w W", "0000 - U",
            sex="m", rating="0", federation="GUA", fide="0", points="2.5", rank="2",
        ),
        player(
            5, "Escobar, Leandro", "   6 w 0", "   4 b L", "0000 - Z",
            sex="m", federation="HON", points="0.0", rank="6",
        ),
        player(
            6, "Fuentes, Abril", "   5 b 1", "   1 w 0",
            sex="w", rating="1688", points="1.0", rank="4",
        ),
        "013 Los Cerros".ljust(36) + "   1    3    5",
    )
)  # fmt: skip
"""A good file: every kind of result and bye, an absence, an asymmetric pair (=/0 in round 3)."""


def good_with(old: str, new: str) -> bytes:
    """Returns the good file with one text in it replaced; the text stands there exactly once."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new).encode()
