"""People who were erased do not come back out of an archive."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from ledger.archive.journal import ArchiveJournal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations.commands import ErasePlayer
from ledger.service.archives import export_archive, import_archive
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.wording import Message
from tests.hidden_names import NAME, forms
from tests.ledgers import NOW, PLAYERS_HEADER, define, empty_ledger, import_text, publish_period
from tests.ledgers import request as asked

ERASE = ErasePlayer(player="A", on=dt.date(2026, 1, 1))


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    define(made)
    said = f'A,"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\n'
    import_text(made, PLAYERS_HEADER + said, list_="ENF")
    publish_period(made, "2010-07")
    return made


def people_in(folder: Path) -> str:
    return "".join(ArchiveJournal(folder).personal_documents().values())


def test_an_archive_written_on_lets_go_of_them(ledger: Ledger, tmp_path: Path) -> None:
    export_archive(ledger, tmp_path / "out")
    assert NAME in people_in(tmp_path / "out")
    erase_player(ledger, ERASE, asked())
    export_archive(ledger, tmp_path / "out")
    assert NAME not in people_in(tmp_path / "out")
    found = verify(Ledger(ArchiveJournal(tmp_path / "out"), clock=lambda: NOW))
    assert (found.findings, found.integrity.erased) == ((), 1)


def restored(folder: Path, upto: int | None = None) -> Ledger:
    """Returns a new ledger that was made from an archive."""
    target = Ledger(MemoryJournal(), clock=lambda: NOW)
    import_archive(target, folder, upto=upto)
    return target


def named(ledger: Ledger) -> bool:
    return NAME in "".join(ledger.journal.personal_documents().values())


def test_an_older_copy_does_not_know_and_its_people_are_erased_again(
    ledger: Ledger, tmp_path: Path
) -> None:
    export_archive(ledger, tmp_path / "before")
    erase_player(ledger, ERASE, asked())
    there = restored(tmp_path / "before")
    assert (named(there), verify(there).findings) == (True, ())
    erase_player(there, ERASE, asked("again, after restoring"))
    assert (named(there), verify(there).findings) == (False, ())


def test_a_state_from_before_out_of_an_archive_that_knows_has_no_name(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Its events say nothing of the erasure: the documents are missed, until it is said again."""
    export_archive(ledger, tmp_path / "out")
    before = ledger.journal.head().seq
    erase_player(ledger, ERASE, asked())
    export_archive(ledger, tmp_path / "out")
    there = restored(tmp_path / "out", before)
    assert there.journal.head().seq == before
    assert not named(there)
    found = [finding.message.key for finding in verify(there).findings]
    assert found == ["verify.personal_gone", "verify.list_digest"]
    erase_player(there, ERASE, asked("again, after restoring"))
    assert verify(there).findings == ()


@pytest.mark.parametrize("dry_run", [True, False])
def test_documents_that_should_be_gone_are_not_taken_over(
    ledger: Ledger, tmp_path: Path, *, dry_run: bool
) -> None:
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    before = dict(journal._personal)
    erase_player(ledger, ERASE, asked())
    journal._personal.update(before)
    export_archive(ledger, tmp_path / "out")
    assert NAME in people_in(tmp_path / "out")
    told: list[Message] = []
    target = Ledger(MemoryJournal(), clock=lambda: NOW, notice=told.append)
    import_archive(target, tmp_path / "out", dry_run=dry_run)
    assert [(message.key, dict(message.values)["count"]) for message in told] == [
        ("archive.erased", 1)
    ]
    there = "".join(target.journal.personal_documents().values())
    assert not any(form in there.encode() for form in forms().values())
    if not dry_run:
        assert target.journal.head() == ledger.journal.head()
        assert verify(target).findings == ()
