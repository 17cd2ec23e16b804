"""Works on a ledger and tells every file operation: ``python -m tests.faults.recorder``.

It is a process with the shim. Words: a folder with a ledger (see ``club``), and a new file for the
operations. Among them are marks: JSON of the head as it was when something was acknowledged.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
from contextlib import chdir, closing
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Engine, event

from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from tests.cli.running import run_here
from tests.faults.club import DATABASE, ERASED
from tests.faults.shim import mark, record
from tests.ledgers import NOW, do

FEW_PAGES = 8  # of the log, after which it goes into the file; SQLite's own figure is 1,000
COMMITS = 20


def acknowledged(erased: bool = False) -> None:  # noqa: FBT001, FBT002 - its only argument
    """Marks where the ledger ends, and whether somebody was erased."""
    with closing(open_journal(DATABASE)) as journal:
        mark(json.dumps({**asdict(journal.head()), "erased": erased}))


def one_by_one() -> None:
    """Records some commits through one connection, with a log that is short."""
    with closing(open_journal(DATABASE)) as journal:
        ledger = Ledger(journal, clock=lambda: NOW)
        for number in range(COMMITS):
            on = dt.date(2010, 9, 1) + dt.timedelta(days=number)
            do(ledger, c.AssignK(player=ERASED, list="ENF", k=20 + number % 2, on=on))
            mark(json.dumps({**asdict(journal.head()), "erased": False}))


def _short_log(connection: object, _record: object) -> None:
    connection.execute(f"PRAGMA wal_autocheckpoint = {FEW_PAGES}")  # type: ignore[attr-defined]


def main() -> None:
    _, folder, file = sys.argv
    os.environ.update(RATING_LEDGER_STATE=f"{folder}/state")
    record(Path(folder), Path(file))
    with chdir(folder):
        for words in (("import", "september.csv"), ("publish", "ENF", "2010-08")):
            assert run_here(*words).code == 0, words
            acknowledged()
        event.listen(Engine, "connect", _short_log)
        one_by_one()
        event.remove(Engine, "connect", _short_log)
        assert run_here("player", "erase", ERASED, "--reason", "asked for").code == 0
        acknowledged(erased=True)
        assert run_here("publish", "ENF", "2010-09").code == 0
        acknowledged(erased=True)


if __name__ == "__main__":
    main()
