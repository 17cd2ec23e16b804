"""A real ``rating-ledger serve`` for tests, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cli.running import COMMAND

_ORIGIN = re.compile(r"https?://[^\s;]+")
_LONGEST = 30  # seconds until a process must have ended


@dataclass(frozen=True, slots=True)
class Served:
    """A site that runs: how browsers call it, the address it listens on, and its process."""

    origin: str
    here: str
    process: subprocess.Popen[str]

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ends the process by a signal; returns its exit code."""
        self.process.send_signal(by)
        return self.process.wait(_LONGEST)


@contextmanager
def served(db: Path | str | None, *options: str, log: Path) -> Iterator[Served]:
    """Serves a ledger (a file, a URL, an archive), or the default one, on a free port.

    What it writes goes to ``log``. It is stopped at the end, whatever became of it.
    """
    named = () if db is None else ("--db", str(db))
    with log.open("a", encoding="utf-8") as err:
        told = log.stat().st_size
        process = subprocess.Popen(
            [COMMAND, "serve", "--port", "0", *named, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, text=True,
            env=_isolated(),
        )  # fmt: skip
        try:
            yield Served(*_places(process, log, told), process)
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(_LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            process.stdout.close()


def _places(process: subprocess.Popen[str], log: Path, told: int) -> tuple[str, str]:
    """Returns the origin and the address that a site says it is at, as soon as it listens."""
    assert process.stdout is not None
    said = process.stdout.readline()
    found = _ORIGIN.findall(said)
    assert found, (said, log.read_text("utf-8")[told:])
    return found[0], found[-1]


def _isolated() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("RATING_LEDGER") or name == "RATING_LEDGER_STATE"
    }
    return {**kept, "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
