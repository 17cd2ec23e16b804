"""The port to ``gacrux``, the engine of FIDE for the Dutch system: a report file in, boards out.

It is a program of its own (PyPI, MIT; the extra ``desk``), without functions to call: it reads a
file (TRF26) in a folder that it shares with nobody, and answers in JSON on its standard output.
Nothing else of this project knows it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ledger.children import environment
from ledger.desk.pairing.proposal import NoPairing
from ledger.errors import InputRefused
from ledger.journal.spool import scratch, scratch_folder

_PACKAGE: Final = "gacrux"
_SECONDS: Final = 600
"""How long the engine may take: a hundred times what 1,000 players need."""
_PAIRED, _NONE_EXISTS = 0, (1, 2)
"""Codes of an answer: in checking a round, 1 says that the file's boards are others."""
# The engine's own command line, once for each file: -c with -p is its own pairing of the round,
# group by group, whatever the file has there.
_PROGRAM: Final = """
import sys
from gacrux.pairingchecker import pairingchecker
rounds = sys.argv[1:]
for place, round_ in enumerate(rounds):
    sys.argv = ["gacrux", "-i", f"{place}.trf", "-o", f"{place}.json",
                "-c", "-p", "-m", "dutch", "-n", round_]
    pairingchecker().common_main()
"""
_QUOTED: Final = 300  # characters of what the engine says of its failure


class EngineMissing(InputRefused):
    """The engine is not installed."""


class EngineFailed(InputRefused):
    """The engine gave no answer that can be used; the message quotes what it said."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A score group as it was paired, under the numbers of the file.

    ``pairs`` are White, Black (0: the bye) and the article of the colours (E.1 to E.5 of the rules
    until 2026, today 5.2.1 to 5.2.5); ``down`` go on to the next group.
    """

    pairs: tuple[tuple[int, int, str], ...]
    down: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """White and Black of each board in order (Black 0: the bye), and how it came to them."""

    boards: tuple[tuple[int, int], ...]
    brackets: tuple[Bracket, ...]


def engine() -> str:
    """Returns the engine's name and version; raises ``EngineMissing``."""
    try:
        return f"{_PACKAGE} {metadata.version(_PACKAGE)}"
    except metadata.PackageNotFoundError as error:
        raise EngineMissing("dutch.engine_missing", engine=_PACKAGE) from error


def pair(asked: Sequence[tuple[str, int]]) -> list[Answer | NoPairing]:
    """Pairs rounds, each of a file of its own; one start of the engine for all of them.

    Args:
        asked: files (TRF26) with the numbers 1 to n and the rounds before, and the round to pair.

    Returns:
        For each one an answer, or why the rules allow none.

    Raises:
        EngineMissing: the engine is not installed.
        EngineFailed: it failed, or took too long.
    """
    engine()
    with scratch_folder() as folder:
        with scratch():
            for place, (text, _) in enumerate(asked):
                file = folder / f"{place}.trf"
                file.write_text(text, encoding="latin-1", errors="replace", newline="\n")
        said = _run(folder, [round_ for _, round_ in asked])
        return [_answer(folder, place, round_, said) for place, (_, round_) in enumerate(asked)]


def _run(folder: Path, rounds: Sequence[int]) -> str:
    """Runs the engine on the files of a folder; returns what it said besides its answers."""
    words = [sys.executable, "-P", "-s", "-c", _PROGRAM, *map(str, rounds)]
    seconds = _SECONDS * len(rounds)
    try:
        done = subprocess.run(  # noqa: S603 - its own words, no shell, a folder of its own
            words,
            cwd=folder,
            env=environment() | {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EngineFailed("dutch.engine_slow", round=rounds[0], seconds=seconds) from error
    return (done.stderr or done.stdout).decode(errors="replace").strip()[-_QUOTED:]


def _answer(folder: Path, place: int, round_: int, said: str) -> Answer | NoPairing:
    try:
        found = dict(json.loads((folder / f"{place}.json").read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise EngineFailed("dutch.engine_failed", said=said, round=round_) from error
    code = found["status"]["code"]
    if code not in (_PAIRED, *_NONE_EXISTS):
        raise EngineFailed("dutch.engine_refused", said=_said(found), code=code, round=round_)
    (paired,) = found["pairingResult"]["roundpairing"]
    if not paired["pairs"]:
        return NoPairing("dutch.no_pairing", round=round_)
    return Answer(
        boards=tuple((white, black) for white, black in paired["pairs"]),
        brackets=tuple(_bracket(each) for each in paired["pairing"] if each),
    )


def _said(answer: Mapping[str, Any]) -> str:
    return "; ".join(map(str, answer["status"].get("error") or ()))[:_QUOTED]


def _bracket(found: Mapping[str, Any]) -> Bracket:
    pairs = ((each["w"], each["b"], each.get("colorrule") or "") for each in found["pairs"])
    return Bracket(pairs=tuple(pairs), down=tuple(found["downfloaters"]))
