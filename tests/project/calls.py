"""How many Python functions a tap at the desk calls, and a player's page that nobody asked before.

``python -m tests.project.calls`` prints both, and the milliseconds of a tap (median of fifteen).
They count the same on every machine; between two versions of this program they can be compared.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from types import FrameType
from typing import Any

from ledger.journal.stores.database import open_journal
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.ledgers import NOW
from tests.web.test_desk import PART
from tests.web.test_tap_costs import ROUND, TAPPED, desk_of, tap, with_event
from web.rendering import compile_pages

OTHERS = 2_000  # players who are registered and do not play
TAPS = 15


def called(what: Callable[[], object]) -> int:
    """Returns how many Python functions are called while something is done, by all threads."""
    calls = 0

    def note(_frame: FrameType, event: str, _about: Any) -> None:
        nonlocal calls
        calls += event == "call"

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        what()
    finally:
        threading.setprofile(None)
        sys.setprofile(None)
    return calls


def main() -> None:
    """Makes an event of a hundred in its second round, and counts."""
    write = sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        url = f"sqlite:///{place / 'ledger.db'}"
        assert run("init", "--db", url, cwd=place).code == 0
        with closing(open_journal(url)) as journal:
            with_event(Ledger(journal, lambda: NOW), OTHERS)
        with closing(open_journal(url)) as journal:
            board = count(TAPPED + 1)
            desk = desk_of(Ledger(journal, lambda: NOW), place)
            desk.get(f"/desk/t/rounds/{ROUND}")
            tap(desk, next(board), PART)
            calls = called(lambda: tap(desk, next(board), PART))
            seconds = []
            for _ in range(TAPS):
                began = perf_counter()
                tap(desk, next(board), PART)
                seconds.append(perf_counter() - began)
            write(f"a tap: {calls} calls, {median(seconds) * 1_000:.1f} ms\n")
        with closing(open_journal(url)) as journal:
            site = desk_of(Ledger(journal, lambda: NOW), place / "other")
            compile_pages()  # as a site does when it starts
            site.get("/regulations")
            calls = called(lambda: site.get("/players/P1"))
            write(f"a player's page, cold: {calls} calls\n")


if __name__ == "__main__":
    main()
