"""All games in one file, taken in as the command does it: recorded, read back and sealed.

``raw-file`` writes the rows of that commit bare, beside which it is measured.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.bare_rows import into_sqlite
from benchmarks.histories import GAMES_HEADER, first_of
from benchmarks.measuring import Place, Watch
from ledger.calendar import Calendar
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal, upgrade
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list

_LIST = "NAT"
_NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)


def import_file(place: Place, watch: Watch) -> None:
    """The games of all months, one file, into a SQLite ledger that has the players."""
    path = _database(place)
    for each in place.ledgers.glob(f"{path.name}*"):
        each.unlink()
    _with_players(place, path)
    games = _games(place)
    with watch.running(), closing(open_journal(str(path))) as journal:
        ledger = Ledger(journal, clock=lambda: _NOW)
        with watch.running_part("record"), games.open("rb") as data:
            receipt = import_document(ledger, Document(name=games.name, data=data), _request())
        with watch.running_part("read back and seal"):
            ledger.seal(receipt)
    watch.figures = {"events": receipt.last_seq - receipt.first_seq + 1}


def raw_file(place: Place, watch: Watch) -> None:
    """The rows of that commit by ``executemany``."""
    with closing(open_journal(str(_database(place)))) as journal:
        last = journal.head().commit_id
    into_sqlite(place.scratch / "raw.db", _database(place), last, watch)


def _database(place: Place) -> Path:
    return place.ledgers / "one-file.db"


def _with_players(place: Place, path: Path) -> None:
    upgrade(str(path))
    with closing(open_journal(str(path))) as journal:
        ledger = Ledger(journal, clock=lambda: _NOW)
        define_list(
            ledger,
            _LIST,
            regulation=place.regulation,
            parameters={},
            calendar=Calendar.MONTHLY,
            first_on=first_of(0),
            policy="restate",
            rate_of_play=None,
            closes_days_before=0,
            request=Request("benchmark", "to be measured", "define", "define"),
        )
        players = (place.history / "players.csv").read_bytes()
        import_document(ledger, Document(name="players.csv", data=players, list=_LIST), _request())


def _games(place: Place) -> Path:
    """Makes one file of those of all months."""
    path = place.scratch / "games.csv"
    with path.open("w", encoding="utf-8") as out:
        out.write(GAMES_HEADER)
        for month in sorted(place.history.glob("games-*.csv")):
            out.write(month.read_text(encoding="utf-8").removeprefix(GAMES_HEADER))
    return path


def _request() -> Request:
    return Request("benchmark", "to be measured", "", "")


ONE_FILE: dict[str, Callable[[Place, Watch], None]] = {
    "import-file": import_file,
    "raw-file": raw_file,
}
