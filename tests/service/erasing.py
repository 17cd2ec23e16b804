"""A process that erases player A and dies on the way.

The points of death: behind the statement that stores the ``event``, behind the ``deletion`` of
documents, before the ``commit``, before the ``vacuum`` or the ``checkpoint``.
"""

from __future__ import annotations

import datetime as dt
import os
import signal
from dataclasses import replace

from sqlalchemy import Engine, event

from ledger.journal.stores.database import open_journal
from ledger.journal.stores.postgres import PostgresDialect
from ledger.operations.commands import ErasePlayer
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from tests.forked import forked
from tests.ledgers import NOW, request

_BEFORE = {"commit": "COMMIT", "vacuum": "VACUUM", "checkpoint": "PRAGMA wal_checkpoint"}
_BEHIND = {
    "event": ("INSERT INTO events",),
    "deletion": ("DELETE FROM personal", "SELECT journal_forget"),
}


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str) -> None:
    """Prepares the moment of death."""
    before, behind = _BEFORE.get(point), _BEHIND.get(point)
    if behind is not None:
        event.listen(
            Engine, "after_cursor_execute",
            lambda _c, _u, statement, *_: die() if statement.startswith(behind) else None,
        )  # fmt: skip
    if before is not None:
        event.listen(
            Engine, "before_cursor_execute",
            lambda _c, _u, statement, *_: die() if statement.startswith(before) else None,
        )  # fmt: skip
    if point == "commit":
        event.listen(Engine, "commit", die)
    if point == "event":  # which PostgreSQL gets by COPY, the last before the document's deletion
        PostgresDialect.insert = die  # type: ignore[method-assign, assignment]


def kill(url: str, point: str) -> None:
    """Lets a process die at a point."""
    process = forked(erase_until, url, point)
    process.join()
    assert process.exitcode == -signal.SIGKILL, f"{point}: it ended with {process.exitcode}"
    process.close()


def erase_until(url: str, point: str) -> None:
    ledger = Ledger(open_journal(url), clock=lambda: NOW)
    arm(point)
    # A key of its own: this process counts its requests anew.
    asked = replace(request("a letter"), idempotency_key="erasure")
    erase_player(ledger, ErasePlayer(player="A", on=dt.date(2026, 1, 1)), asked)
