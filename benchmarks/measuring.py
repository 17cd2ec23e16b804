"""What one measurement is, and the process it is taken in: started cold, asked once, ended."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

_KILO = 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Where a work finds its history and its ledger, and may leave what it needs no longer."""

    history: Path
    regulation: str
    ledgers: Path
    scratch: Path
    defined: str | None = None

    @property
    def database(self) -> Path:
        """The ledger that was imported from the history.

        Its list is under the regulation, or under another one, if ``defined`` names it.
        """
        return self.ledgers / f"{self.defined or self.regulation}.db"


@dataclass(slots=True)
class Watch:
    """Adds up the seconds of what is measured, and of its parts; ``figures`` are what it found.

    ``afterwards`` are the seconds of what was done when the watch had stopped.

    ``cpu_seconds`` are those in which this process computed: where they are far fewer, it waited
    for the disk, for a server, or for others on the same machine.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)
    afterwards: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs the watch."""
        start, computed = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start
            self.cpu_seconds += time.process_time() - computed
            self.peak_mb = round(peak_mb(), 1)  # not of the checks that may follow

    @contextmanager
    def running_part(self, part: str) -> Iterator[None]:
        """Keeps the seconds of a part by its name, while the watch is running."""
        with _timed(self.parts, part):
            yield

    @contextmanager
    def then(self, what: str) -> Iterator[None]:
        """Keeps the seconds of what comes after the work and does not belong to it."""
        with _timed(self.afterwards, what):
            yield

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data, with the load around it."""
        return {**asdict(self), "load": round(os.getloadavg()[0], 1)}


@contextmanager
def _timed(into: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        into[name] = into.get(name, 0.0) + time.perf_counter() - start


class NotInstalledError(Exception):
    """What is to be measured is not there; that is a result, not a failure."""


def peak_mb() -> float:
    """Returns the most memory this process has held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / _KILO / (_KILO if sys.platform == "darwin" else 1)
