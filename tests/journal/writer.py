"""One of several writers: ``python -m tests.journal.writer URL NAME COMMITS``.

Appends commits of one to three events, and decides again whenever somebody else was faster.
"""

from __future__ import annotations

import datetime as dt
import sys

from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.stores.database import open_journal
from tests.journal.drafts import draft, game


def write(journal: Journal, name: str, commits: int) -> None:
    """Appends so many commits under keys with the name."""
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


if __name__ == "__main__":
    _, url, who, many = sys.argv
    opened = open_journal(url)
    try:
        write(opened, who, int(many))
    finally:
        opened.close()
