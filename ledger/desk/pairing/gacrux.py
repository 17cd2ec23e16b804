"""The port to ``gacrux``, the engine of FIDE for the Dutch system: a report file in, boards out.

It is a program of its own (PyPI, MIT; the extra ``desk``), without functions to call: it reads a
file (TRF26) in a folder that it shares with nobody, and answers in JSON on its standard output.
Nothing else of this project knows it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ledger.children import environment
from ledger.desk.pairing.proposal import NoPairing
from ledger.errors import InputRefused

_PACKAGE: Final = "gacrux"
_SECONDS: Final = 600
"""How long the engine may take: a hundred times what 1,000 players need."""
_PAIRED, _NONE_EXISTS = 0, (1, 2)
"""Codes of an answer: in checking a round, 1 says that the file's boards are others."""
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


def pair(text: str, round_: int) -> Answer:
    """Pairs a round.

    Args:
        text: a file (TRF26) with the numbers 1 to n and the rounds before.
        round_: the round to pair.

    Raises:
        NoPairing: the rules allow none.
        EngineMissing: the engine is not installed.
        EngineFailed: it failed, or took too long.
    """
    engine()
    with tempfile.TemporaryDirectory(prefix="desk-") as folder:
        file = Path(folder) / "round.trf"
        file.write_text(text, encoding="latin-1", errors="replace", newline="\n")
        answer = _run(file, round_)
    code = answer["status"]["code"]
    if code not in (_PAIRED, *_NONE_EXISTS):
        raise EngineFailed("dutch.engine_refused", said=_said(answer), code=code, round=round_)
    (found,) = answer["pairingResult"]["roundpairing"]
    if not found["pairs"]:
        raise NoPairing("dutch.no_pairing", round=round_)
    return Answer(
        boards=tuple((white, black) for white, black in found["pairs"]),
        brackets=tuple(_bracket(each) for each in found["pairing"] if each),
    )


def _run(file: Path, round_: int) -> dict[str, Any]:
    """Returns the engine's answer to a file."""
    # -c with -p: its own pairing of the round, group by group, whatever the file has there.
    asked = ["-i", file.name, "-c", "-p", "-m", "dutch", "-n", str(round_)]
    words = [sys.executable, "-P", "-s", "-m", f"{_PACKAGE}.pairingchecker", *asked]
    try:
        done = subprocess.run(  # noqa: S603 - its own words, no shell, a folder of its own
            words,
            cwd=file.parent,
            env=environment() | {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EngineFailed("dutch.engine_slow", round=round_, seconds=_SECONDS) from error
    try:
        answer = dict(json.loads(done.stdout))
    except (ValueError, TypeError) as error:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[-_QUOTED:]
        raise EngineFailed("dutch.engine_failed", said=said, round=round_) from error
    return answer


def _said(answer: Mapping[str, Any]) -> str:
    return "; ".join(map(str, answer["status"].get("error") or ()))[:_QUOTED]


def _bracket(found: Mapping[str, Any]) -> Bracket:
    pairs = ((each["w"], each["b"], each.get("colorrule") or "") for each in found["pairs"])
    return Bracket(pairs=tuple(pairs), down=tuple(found["downfloaters"]))
