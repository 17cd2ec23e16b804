"""``verify --checkpoint`` and its key, ``segments --drop``, a clock that was set back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.journal.records import KeptSnapshot, SealedSegment
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sql import SqlJournal
from tests.cli.running import run
from tests.journal.drafts import draft


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A folder with a small ledger, a key and checkpoints, signed and not."""
    assert run("init", cwd=tmp_path).code == 0
    assert run("player", "add", "1", "Ana", cwd=tmp_path).code == 0
    public = run("key", "me", "me.key", cwd=tmp_path).out
    signed = run("checkpoint", "--key", "me.key", cwd=tmp_path).out
    for name, text in (
        ("public", public),
        ("signed", signed),
        ("unsigned", run("checkpoint", cwd=tmp_path).out),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "signature", "told"),
    [
        ((), None, ""),
        (("--checkpoint", "unsigned"), "unsigned", ""),
        (("--checkpoint", "signed"), "not checked", "signature not checked"),
        (("--checkpoint", "signed", "--key", "PUBLIC"), "checked", ""),
        (("--checkpoint", "signed", "--key", "SECRET"), "checked", ""),
        (("--checkpoint", "signed", "--key", "public"), "checked", ""),
        (("--checkpoint", "signed", "--key", "me.key"), "checked", ""),
        (("--key", "PUBLIC"), None, "--key was not used"),
    ],
)
def test_whether_a_signature_was_checked(
    ledger: Path, words: tuple[str, ...], signature: str | None, told: str
) -> None:
    texts = {
        "PUBLIC": (ledger / "public").read_text().strip(),
        "SECRET": (ledger / "me.key").read_text().strip(),
    }
    given = [texts.get(word, word) for word in words]
    done = run("verify", *given, "--format", "json", cwd=ledger)
    assert done.code == 0, done.err
    assert done.json()["signature"] == signature
    assert told in done.err
    assert bool(done.err) == bool(told)


def test_a_page_that_should_be_signed_and_is_not(ledger: Path) -> None:
    public = (ledger / "public").read_text().strip()
    done = run("verify", "--checkpoint", "unsigned", "--key", public, cwd=ledger)
    assert done.code == 3
    assert "no signature of me" in done.err


def test_a_key_signs_from_its_file_or_as_text_and_a_public_one_never(ledger: Path) -> None:
    secret, public = ((ledger / name).read_text().strip() for name in ("me.key", "public"))
    signed = (ledger / "signed").read_text()
    assert run("checkpoint", "--key", secret, cwd=ledger).out == signed
    for key in ("public", public):
        refused = run("checkpoint", "--key", key, cwd=ledger)
        assert (refused.code, refused.out) == (4, "")
        assert "is a public key" in refused.err
    missing = run("checkpoint", "--key", "mi.key", cwd=ledger)
    assert (missing.code, "mi.key" in missing.err) == (4, True)


KEPT = {
    "segment": lambda journal: journal.keep_segment(SealedSegment(1, 1, 1, "r", "s", b"", b"")),
    "snapshot": lambda journal: journal.keep_snapshots(
        [KeptSnapshot("ENF", 1, 1, "key", "r", "s", b"")]
    ),
}


@pytest.mark.parametrize("keep", KEPT.values(), ids=KEPT)
def test_dropping_says_whether_there_was_anything(
    folder: Path, keep: Callable[[SqlJournal], bool]
) -> None:
    journal = open_journal(str(folder / "rating-ledger.db"))
    journal.drop_segments()
    journal.drop_snapshots()
    assert keep(journal)
    journal.close()
    assert "are thrown away" in run("segments", "--drop", cwd=folder).err
    again = run("segments", "--drop", cwd=folder)
    assert again.code == 0
    assert "there was nothing to throw away" in again.err


def test_a_clock_that_was_set_back_is_noted(ledger: Path) -> None:
    journal = open_journal(str(ledger / "rating-ledger.db"))
    ahead = dt.datetime(2999, 1, 1, tzinfo=dt.UTC)
    journal.append(draft(), expected_seq=journal.head().seq, recorded_at=ahead)
    journal.close()
    done = run("player", "add", "2", "Beto", cwd=ledger)
    assert done.code == 0
    assert "recorded as of its instant, 2999-01-01T00:00:00.000000Z" in done.err
    done = run("player", "add", "3", "Caro", "--format", "json", cwd=ledger)
    (note,) = done.json()["notes"]
    assert "recorded instants never go back" in note


def test_asking_for_a_period_of_the_far_future_leaves_nothing_behind(folder: Path) -> None:
    assert run("list", "show", "ENF", "2015-01", cwd=folder).code == 0
    done = run("verify", cwd=folder)
    assert (done.code, "snapshot" in done.err) == (0, False)
