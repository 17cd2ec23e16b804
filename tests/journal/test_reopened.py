"""Who cannot see writers looks again before he says that something was changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.errors import VerificationFailed
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sqlite import SqliteDialect
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.views.view import looked_at_again
from tests.archive.club import filled
from tests.journal.databases import connected, drop_triggers
from tests.journal.drafts import append, draft, game
from tests.ledgers import NOW


@pytest.fixture
def file(sqlite_url: str) -> Path:
    journal = open_journal(sqlite_url)
    filled(journal)
    journal.close()
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def immutable(file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in a folder that the reader may not write, as SQLite is told."""
    log = Path(f"{file}-wal")
    monkeypatch.setattr(
        SqliteDialect, "_mode", lambda _: "ro" if log.exists() else "ro&immutable=1"
    )
    return file


def torn(file: Path) -> None:
    """Leaves the file as a writer may for a moment: an event is not what it was hashed as."""
    drop_triggers(f"sqlite:///{file}")
    with connected(f"sqlite:///{file}") as driver:
        driver.execute("UPDATE events SET payload = 'x' WHERE seq = 90")


def test_a_torn_state_is_no_finding(immutable: Path, tmp_path: Path) -> None:
    """The file is whole again when it is looked at a second time."""
    whole = shutil.copy(immutable, tmp_path / "whole.db")
    torn(immutable)
    ledger = Ledger(open_journal(str(immutable)), clock=lambda: NOW)
    seen = []

    def look() -> int:
        seen.append(1)
        try:
            return ledger.facts().seq
        finally:
            if len(seen) == 1:
                shutil.copy(whole, immutable)

    assert looked_at_again(ledger.journal, look) == ledger.journal.head().seq
    assert len(seen) == 2
    assert not verify(ledger).findings
    ledger.journal.close()


def test_what_stays_wrong_is_one(immutable: Path) -> None:
    torn(immutable)
    ledger = Ledger(open_journal(str(immutable)), clock=lambda: NOW)
    assert not ledger.journal.reopened()
    with pytest.raises(VerificationFailed):
        ledger.facts()
    keys = {finding.message.key for finding in verify(ledger).findings}
    assert "verify.leaf" in keys
    ledger.journal.close()


def test_what_was_appended_meanwhile_is_seen(
    immutable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = open_journal(str(immutable))
    before = reader.head().seq
    with monkeypatch.context() as patch:
        patch.setattr(SqliteDialect, "_mode", lambda _: "rw")
        writer = open_journal(str(immutable))
        append(writer, draft(game(99)))
        writer.close()
    assert reader.reopened()
    assert not reader.reopened()
    assert reader.head().seq == before + 1
    reader.close()


def test_who_sees_writers_need_not_look_again(file: Path) -> None:
    journal = open_journal(str(file))
    append(journal, draft(game(99)))
    assert not journal.reopened()
    journal.close()
