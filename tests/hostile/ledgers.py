"""A small federation in memory for hostile input, and the whole command line over it."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from unittest.mock import patch

from ledger.intake.imports import Document, import_document
from ledger.journal.interface import Journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.service import archives
from ledger.service.ladders import open_ladder
from tests.cli.running import Ran, run_here
from tests.ledgers import copied, define, empty_ledger, publish_period, request

CONTRACTED = {0, 2, 3, 4, 5, 6, 7}
"""How a command may end; 1 is a fault of the program."""
_LONGEST = 10.0  # seconds
_UNSEEN = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029", "\u202e"}


def example(name: str) -> bytes:
    """Returns a document of the example: ``players.csv``, ``ymca.csv`` or ``agosto.csv``."""
    return resources.files("ledger.examples").joinpath("enf_2010", name).read_bytes()


@cache
def _federation() -> MemoryJournal:
    ledger = empty_ledger()
    define(ledger)
    import_document(ledger, Document(name="p", data=example("players.csv"), list="ENF"), request())
    import_document(ledger, Document(name="y", data=example("ymca.csv")), request())
    publish_period(ledger, "2010-07")
    import_document(ledger, Document(name="a", data=example("agosto.csv")), request())
    players, on = ["3404510", "3405958"], dt.date(2010, 9, 1)
    open_ladder(ledger, "Club", list_="ENF", players=players, on=on, as_given=True,
                request=request())  # fmt: skip
    return ledger.journal  # type: ignore[return-value]  # made in memory


@contextmanager
def federation() -> Iterator[MemoryJournal]:
    """Gives a journal of the example's federation that every command finds, whatever ``--db``."""
    journal = copied(_federation())
    with (
        patch.object(archives, "open_ledger", lambda _url: journal),
        patch.object(MemoryJournal, "close", lambda _self: None, create=True),
    ):
        yield journal


def hold(journal: Journal, *words: str, stdin: bytes = b"") -> Ran:
    """Runs a command and asserts what holds of every one, whatever its words and its input."""
    before, started = journal.head(), time.process_time()
    done = run_here(*words, stdin=stdin)
    seconds = time.process_time() - started
    assert done.code in CONTRACTED, (done.code, done.err)
    assert "Traceback" not in done.err, done.err
    assert seconds < _LONGEST, seconds
    assert done.code == 0 or journal.head() == before, "half stored"
    assert not set(done.err) & (_UNSEEN - {"\n", "\t"}), ascii(done.err)
    return done
