"""Processes that kill themselves at work, one after the other."""

from __future__ import annotations

import os
import signal
from typing import Any

import alembic.command  # noqa: F401 - once, and not in every process that upgrades
from sqlalchemy import Engine, event

from ledger.derived import segments
from ledger.journal.stores.database import open_journal, upgrade
from ledger.journal.stores.postgres import PostgresDialect
from ledger.service.ledger import Ledger
from tests.forked import forked
from tests.journal.drafts import NOON, draft, game

_done = 0


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def count(limit: int) -> None:
    """Counts a statement, and dies after the last."""
    global _done  # noqa: PLW0603 - a script that lives as long as its counter
    _done += 1
    if _done >= limit:
        die()


def arm(point: str) -> None:
    """Prepares the moment of death."""
    if point == "commit":
        event.listen(Engine, "commit", lambda _connection: die())
        event.listen(Engine, "before_cursor_execute", _before)
        return
    if point == "end":
        return
    limit = int(point)
    event.listen(Engine, "after_cursor_execute", lambda *_: count(limit))
    copy = PostgresDialect.insert

    def counted(*given: Any) -> None:
        copy(*given)
        count(limit)

    PostgresDialect.insert = counted  # type: ignore[method-assign, assignment]


def _before(_connection: object, _cursor: object, statement: str, *_: object) -> None:
    if statement == "COMMIT":
        die()


def crash(url: str, work: str, *points: str) -> None:
    """Lets processes die at the points, one after the other.

    Args:
        url: that of a database.
        work: ``append``, ``upgrade`` or ``seal`` (25 events at a time).
        points: the number of SQL statements (COPY included) after which a process dies, or
            ``commit`` for the moment before the commit, or ``end``: as soon as the append is
            acknowledged.
    """
    for point in points:
        process = forked(work_until, url, work, point)
        process.join()
        assert process.exitcode == -signal.SIGKILL, f"{point}: it ended with {process.exitcode}"
        process.close()


def work_until(url: str, work: str, point: str) -> None:
    """Begins a work, and dies at the point; only an upgrade may come to its end."""
    if work == "upgrade":
        arm(point)
        upgrade(url)
        return
    journal = open_journal(url)
    if work == "seal":
        segments.LEAST_EVENTS, segments.MOST_EVENTS = 10, 25
        arm(point)
        Ledger(journal, clock=lambda: NOON).facts()
        die()
    arm(point)
    events = draft(*(game(number) for number in range(50)), key="crash")
    journal.append(events, expected_seq=journal.head().seq, recorded_at=NOON)
    die()
