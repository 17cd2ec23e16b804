"""Tables on a screen of 80 columns, in both languages: no line is longer, and no row is broken.

Only a sentence, a digest or what an event says may stand below its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from cli.tables import Kind, Table
from tests.cli.running import run

SCREEN = 80
OF_EXAMPLE = """
explain 3404510 --period 2010-07
explain E-0009 --period 2010-07 --exact
why 3404510 --from 2010-07 --to 2010-08
history 3404510
performance 3404510 --tournament ymca-2010
live
log
list list
list show ENF 2010-07
list monitor --full
period list
player list
player show 3404510
player titles 3404510
regulation list
regulation show enf-2010
regulation show fide-standard
regulation show fenamac-1973
regulation compare --with elo-linear --from 2010-07 --to 2010-08
replay ENF
segments
doctor
tournament list
tournament show ymca-2010
tournament titles ymca-2010 --list ENF --all
correct result ymca-2010 5 3400190 3404510 1/2-1/2 --reason sheet --dry-run
"""
OF_TOURNAMENT = """
tournament list
tournament show abierto
tournament round abierto 1
tournament standings abierto
tournament standings abierto --explain M07
tournament standings abierto --tie-breaks median,solkoff,sonneborn-berger,kashdan,direct
tournament crosstable abierto
tournament score-sheet abierto
tournament cards abierto M05
tournament live abierto
tournament titles abierto --list NL --all
player titles M07
explain M07
log --tournament abierto
"""


def command_lines(said: str) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in said.split("\n") if line]


@pytest.fixture(scope="module")
def after_tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tournament of the demonstration."""
    folder = tmp_path_factory.mktemp("tournament")
    assert run("demo-tournament", "there", cwd=folder).code == 0
    return folder / "there"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The headings below the first line of rows, of each table that was written."""
    found: list[list[str]] = []
    decks_of = Table._decks

    def decks(table: Table, lines: list[tuple[str, ...]], width: int) -> list[object]:
        made = decks_of(table, lines, width)
        below = (table._columns[place] for deck in made[1:] for place in deck.places)
        found.append([column.title for column in below if column.kind is not Kind.LONG])
        return list(made)

    monkeypatch.setattr(Table, "_decks", decks)
    return found


def written(folder: Path, language: str, said: str) -> Iterator[tuple[str, str]]:
    """Yields what each command writes."""
    for words in command_lines(said):
        done = run("--lang", language, *words, cwd=folder, COLUMNS=str(SCREEN))
        assert done.code == 0, (words, done.err)
        yield " ".join(words), done.out


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_row_of_the_example_is_broken(
    folder: Path, language: str, broken: list[list[str]]
) -> None:
    check(written(folder, language, OF_EXAMPLE), broken)


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_row_of_a_tournament_is_broken(
    after_tournament: Path, language: str, broken: list[list[str]]
) -> None:
    check(written(after_tournament, language, OF_TOURNAMENT), broken)


def check(answers: Iterator[tuple[str, str]], broken: list[list[str]]) -> None:
    for words, out in answers:
        assert broken, f"{words} writes no table"
        assert not any(broken), f"{words}: {broken}"
        assert not [line for line in out.splitlines() if cell_len(line) > SCREEN], words
        broken.clear()


@pytest.mark.parametrize(
    ("language", "legend"),
    [("en", "medi.: median, Solk.: Solkoff"), ("es", "medi.: mediana, Solk.: Solkoff")],
)
def test_a_name_stands_in_one_line_before_headings_are_whole(
    after_tournament: Path, language: str, legend: str
) -> None:
    (_, out), *_ = written(after_tournament, language, "tournament standings abierto")
    lines = out.splitlines()
    for name in ("Sepúlveda Peña, Raúl", "Villarreal Garza, Ángel", "Treviño Sáenz, María Inés"):
        assert [line for line in lines if name in line], out
    assert legend in lines


def test_many_tie_breaks_leave_a_name_two_lines(after_tournament: Path) -> None:
    said = (
        "tournament standings abierto --tie-breaks median,solkoff,sonneborn-berger,kashdan,direct"
    )
    for language in ("en", "es"):
        (_, out), *_ = written(after_tournament, language, said)
        lines = out.splitlines()
        for first, second in (("Núñez Treviño,", "Óscar"), ("Elizondo Cárdenas,", "Íñigo")):
            place = next(at for at, line in enumerate(lines) if first in line)
            assert lines[place + 1].strip() == second
        assert "Kas.: Kashdan, dir.: direct" in out
    wide = run(*said.split(), cwd=after_tournament, COLUMNS="200").out
    assert "Kas." not in wide
