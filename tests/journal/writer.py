"""One of several writers, who decides again whenever somebody else was faster."""

from __future__ import annotations

import datetime as dt
from contextlib import closing

from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.stores.database import open_journal
from tests.journal.drafts import draft, game


def write(journal: Journal, name: str, commits: int) -> None:
    """Appends so many commits of one to three events under keys with the name."""
    for number in range(commits):
        asked = draft(*(game(n, name) for n in range(1 + number % 3)), key=f"{name} {number}")
        while True:
            try:
                journal.append(
                    asked, expected_seq=journal.head().seq, recorded_at=dt.datetime.now(dt.UTC)
                )
            except HeadMoved:
                continue
            break


def write_at(url: str, name: str, commits: int) -> None:
    """Does the same in a process of its own."""
    with closing(open_journal(url)) as journal:
        write(journal, name, commits)
