"""The files of the shipped example: those that the README, the guide and the demonstration name."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ledger.errors import InputRefused

FILES = ("players.csv", "ymca.csv", "agosto.csv")


def write_files(folder: Path) -> None:
    """Writes the files into a folder, which is made where it is missing.

    Raises:
        InputRefused: one of them is there already, or the folder cannot be written.
    """
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise InputRefused("cli.example_there", folder=folder, files=", ".join(there))
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (folder / name).write_bytes(examples.joinpath(name).read_bytes())
    except OSError as error:
        raise InputRefused("cli.cannot_write", file=folder, why=error.strerror) from error
