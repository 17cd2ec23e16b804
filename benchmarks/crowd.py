"""A ledger of a large federation for the web face: 500,000 players whose names are hard to show.

Names hold accents, apostrophes, writing from right to left, markup and signs that search engines
take for operators. The history is of ``benchmarks.histories``; its last periods are published.

``python -m benchmarks.crowd FOLDER`` writes it and imports it into ``FOLDER/crowd.db``.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.histories import documents, write_history
from benchmarks.plan import Size

LIST = "NAT"
CROWD = Size("crowd", 500_000, 1_000_000, 24)
_SURNAMES = (
    "García", "Núñez", "O'Higgins", "D'Angelo", "Łukasiewicz", "Müller-Lüdenscheidt", "Ñuñoa",
    "Şahin", "Đorđević", "بن علي", "כהן", "<b>Bold</b>", "&amp;co", 'Ana"Quote', "Çelik", "Åström",
    "Петров", "NEAR Soto", "Pérez*", "-Rojas", "Ibáñez", "Araya", "Muñoz", "Sepúlveda",
)  # fmt: skip
_FIRST_NAMES = (
    "José", "María", "Zoë", "Søren", "Ágnes", "محمد", "דוד", "Иван", "Nuria", "Iñaki", "Renée",
    "Jean-Luc", "Þór", "Ana", "Luis", "Óscar",
)  # fmt: skip
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "le", "mi", "no", "pu", "ra", "sé", "ti", "ño")
_FEDERATIONS = ("CHI", "CHI", "CHI", "CHI", "ARG", "PER", "BOL", "URU")


def name_of(player: int) -> str:
    """Returns the made-up name of a player by number; several have the same."""
    surname = _SURNAMES[player % len(_SURNAMES)]
    rest = player // len(_SURNAMES)
    second = "".join(_SYLLABLES[rest // 14**place % 14] for place in range(3)).capitalize()
    return f"{surname} {second}, {_FIRST_NAMES[rest % len(_FIRST_NAMES)]}"


def write_crowd(folder: Path, size: Size = CROWD) -> None:
    """Writes a history with such names into a folder."""
    write_history(size, 1, folder)
    plain = folder / "players.csv"
    named = folder / "named.csv"
    with plain.open(encoding="utf-8", newline="") as read, named.open("w", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows(_named(csv.reader(read)))
    named.replace(plain)


def _named(rows: Iterator[Sequence[str]]) -> Iterator[Sequence[str]]:
    yield next(rows)
    for number, (id_, _name, _federation, _sex, *rest) in enumerate(rows):
        federation = _FEDERATIONS[number % len(_FEDERATIONS)]
        yield id_, name_of(number), federation, "w" if number % 7 == 0 else "m", *rest


def import_crowd(folder: Path) -> Path:
    """Imports the history of a folder and publishes its list; returns where the ledger is."""
    made = folder / "crowd.db"

    def run(*words: str) -> None:
        command = [sys.executable, "-m", "cli.main", "--db", str(made), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    run("init")
    run("list", "define", LIST, "--regulation", "enf-2010", "--calendar", "monthly",
        "--first", "2014-01-01")  # fmt: skip
    run("import", str(folder / "players.csv"), "--list", LIST)
    for path, correction in documents(folder):
        as_correction = ("--as-correction", "--reason", "wrong result") if correction else ()
        run("import", str(path), *as_correction)
        if not correction and path.stem >= "games-2015-07":
            run("publish", LIST, path.stem.removeprefix("games-"), "--also-earlier")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes and imports the ledger."""
    parser = argparse.ArgumentParser(description="a large federation for the web face")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    write_crowd(folder)
    sys.stdout.write(f"{import_crowd(folder)}\n")


if __name__ == "__main__":
    main()
