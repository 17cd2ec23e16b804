"""An empty office for a test: a copy of one that is made once, since making its tables is dear."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from ledger.views.view import Clock
from web.office.store import Office, open_office, utc_now


def office_file(folder: Path) -> Path:
    """Returns the file of the office of a folder; it is made if it is not there."""
    file = folder / "office.db"
    if not file.exists():
        file.write_bytes(_empty())
    return file


def new_office(folder: Path, clock: Clock = utc_now) -> Office:
    """Opens the office of a folder, an empty one if there is none."""
    return open_office(f"sqlite:///{office_file(folder)}", clock)


@cache
def _empty() -> bytes:
    """Returns the file of an office that nobody has written to."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "office.db"
        open_office(f"sqlite:///{file}").close()
        return file.read_bytes()
