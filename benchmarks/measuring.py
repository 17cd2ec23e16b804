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

    @property
    def database(self) -> Path:
        """The ledger that was imported from the history, its list under the regulation."""
        return self.ledgers / f"{self.regulation}.db"


@dataclass(slots=True)
class Watch:
    """Adds up the seconds of what is measured, and of its parts; ``figures`` are what it found.

    ``cpu_seconds`` are those in which this process computed: where they are far fewer, it waited
    for the disk, for a server, or for others on the same machine.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs the watch."""
        start, computed = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start
            self.cpu_seconds += time.process_time() - computed

    @contextmanager
    def running_part(self, part: str) -> Iterator[None]:
        """Keeps the seconds of a part by its name, while the watch is running."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.parts[part] = self.parts.get(part, 0.0) + time.perf_counter() - start

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data, with this process's most memory and the load around it."""
        load = os.getloadavg()[0]
        return {**asdict(self), "peak_mb": round(peak_mb(), 1), "load": round(load, 1)}


class NotInstalledError(Exception):
    """What is to be measured is not there; that is a result, not a failure."""


def peak_mb() -> float:
    """Returns the most memory this process has held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / _KILO / (_KILO if sys.platform == "darwin" else 1)
