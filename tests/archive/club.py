"""The shipped example as a ledger: two periods published, one of them twice, events sealed."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from ledger.archive import writer
from ledger.archive.files import ArchiveTable
from ledger.archive.journal import ArchiveJournal
from ledger.archive.proof import ArchiveProof
from ledger.derived import segments
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, PersonalDocument, SealedSegment, StoredEvent, no_progress
from ledger.operations.commands import CorrectResult
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.ledgers import define, do, empty_ledger, import_text, publish_period

Everything = tuple[
    list[Commit], list[StoredEvent], list[PersonalDocument] | dict[str, str], list[SealedSegment]
]


def cut_small(patch: pytest.MonkeyPatch) -> None:
    """Lets files be short, so that a small ledger has several of them, with several groups."""
    patch.setattr(writer, "EVENTS_IN_PART", 30)
    rows = property(lambda table: 1 if table is ArchiveTable.SEGMENTS else 7)
    patch.setattr(ArchiveTable, "group_rows", rows)
    patch.setattr(segments, "LEAST_EVENTS", 10)
    patch.setattr(segments, "MOST_EVENTS", 50)


def filled(journal: Journal | None = None) -> Ledger:
    """Returns the ledger on a journal, by default one in memory."""
    ledger = empty_ledger(journal)
    define(ledger)
    folder = resources.files("ledger.examples").joinpath("enf_2010")
    for name, list_ in (("players.csv", "ENF"), ("ymca.csv", None)):
        text = folder.joinpath(name).read_text(encoding="utf-8")
        import_text(ledger, text, list_=list_, name=name)
    publish_period(ledger, "2010-07")
    import_text(ledger, folder.joinpath("agosto.csv").read_text(encoding="utf-8"))
    publish_period(ledger, "2010-08")
    do(
        ledger,
        CorrectResult(
            tournament="ymca-2010",
            round=5,
            white="3400190",
            black="3404510",
            result=Result.parse("1/2-1/2"),
        ),
    )
    publish_period(ledger, "2010-07")
    ledger.facts()
    return ledger


def everything(journal: Journal) -> Everything:
    """Returns all that a journal holds."""
    return (
        list(journal.commits()),
        list(journal.events()),
        journal.personal_documents(),
        list(journal.segments()),
    )


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Returns all files of an archive."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def restore(archive: ArchiveJournal, journal: Journal, *, upto: int | None = None) -> bool:
    """Puts an archive into a journal, as ``import_archive`` does into a ledger."""
    return ArchiveProof(archive, "restore", no_progress, upto).into(journal)
