"""How many answers the site gave and how long they took, as Prometheus reads it.

Several workers share a folder: each writes what it counted into a file of its own there, at most
once a second, and whoever is asked adds them up. Labels are methods, templates of routes and
statuses; nothing else of a request is counted.
"""

from __future__ import annotations

import json
import os
import time
from bisect import bisect_left
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_EVERY: Final = 1.0  # seconds between two files
_KNOWN_KEYS: Final = 2_048
_SLOWER: Final = "+Inf"
_COUNTS: Final = "rating_ledger_answers_total"
_TIMES: Final = "rating_ledger_answer_seconds"


class Metrics:
    """Counts answers.

    Args:
        folder: which all workers of the site share; None for a site with one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._file = None if folder is None else folder / f"{os.getpid()}.json"
        self._written = 0.0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts an answer."""
        place = bisect_left(SECONDS, seconds)
        bound = str(SECONDS[place]) if place < len(SECONDS) else _SLOWER
        with self._lock:
            self._counts[_key("answers", method, route, str(status))] += 1
            self._counts[_key("bucket", route, bound)] += 1
            self._counts[_key("microseconds", route)] += round(seconds * 1_000_000)
            self._write()

    def text(self) -> str:
        """Returns what was counted, by all workers, in the text format of Prometheus."""
        with self._lock:
            found = self._counts.copy()
        found.update(self._of_others())
        return "\n".join([*_answers(found), *_seconds(found), ""])

    def _of_others(self) -> Counter[str]:
        found: Counter[str] = Counter()
        if self._file is not None:
            for file in self._file.parent.glob("*.json"):
                if file != self._file:
                    with suppress(OSError, ValueError):  # it is being replaced
                        found.update(json.loads(file.read_text("utf-8")))
        return found

    def _write(self) -> None:
        now = time.monotonic()
        if self._file is None or now - self._written < _EVERY:
            return
        self._written = now
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self._counts), "utf-8")
        new.replace(self._file)


@lru_cache(_KNOWN_KEYS)
def _key(*text: str) -> str:
    """Returns under which key something is counted: what it is, and its labels."""
    return json.dumps(text)


def _answers(found: Counter[str]) -> list[str]:
    lines = [f"# HELP {_COUNTS} Answers by method, route and status.", f"# TYPE {_COUNTS} counter"]
    for key in sorted(found):
        kind, *labels = json.loads(key)
        if kind == "answers":
            method, route, status = map(_label, labels)
            labels_ = f'method="{method}",route="{route}",status="{status}"'
            lines.append(f"{_COUNTS}{{{labels_}}} {found[key]}")
    return lines


def _seconds(found: Counter[str]) -> list[str]:
    lines = [f"# HELP {_TIMES} How long answers took.", f"# TYPE {_TIMES} histogram"]
    routes = sorted(labels[0] for kind, *labels in map(json.loads, found) if kind == "microseconds")
    for route in routes:
        sum_of, named = 0, f'route="{_label(route)}"'
        for bound in (*map(str, SECONDS), _SLOWER):
            sum_of += found[_key("bucket", route, bound)]
            lines.append(f'{_TIMES}_bucket{{{named},le="{bound}"}} {sum_of}')
        whole = found[_key("microseconds", route)] / 1_000_000
        lines += [f"{_TIMES}_sum{{{named}}} {whole}", f"{_TIMES}_count{{{named}}} {sum_of}"]
    return lines


def _label(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
