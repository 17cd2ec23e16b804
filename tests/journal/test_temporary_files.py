"""A temporary folder that is full, or that is none: said so, and nothing is stored."""

from __future__ import annotations

import io
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import DatabaseError, InputRefused
from ledger.intake.document_copy import Copy
from ledger.journal.spool import Spool
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text

FULL = 1 << 16


@pytest.fixture
def full_folder() -> Iterator[None]:
    """Lets no file grow beyond 64 KiB: the system refuses to write more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))


def fill(shelf: Spool) -> None:
    for number in range(1_000):
        shelf.put((number, "x" * 1_000), number % 7)


@pytest.mark.usefixtures("full_folder")
def test_a_shelf_says_that_the_temporary_folder_is_full() -> None:
    with pytest.raises(DatabaseError) as refusal:
        fill(Spool(limit=10))
    assert refusal.value.exit_code == 6
    assert tempfile.gettempdir() in str(refusal.value)
    assert "TMPDIR" in str(refusal.value)


@pytest.mark.usefixtures("no_folder")
def test_a_shelf_says_that_no_file_can_be_made() -> None:
    with pytest.raises(DatabaseError, match="temporary folder"):
        fill(Spool(limit=10))


@pytest.mark.usefixtures("full_folder")
@pytest.mark.parametrize("byte", [b"a", "é".encode("cp1252")])
def test_a_copy_says_that_the_temporary_folder_is_full(byte: bytes) -> None:
    with pytest.raises(DatabaseError, match="temporary folder"):
        Copy(io.BytesIO(byte * 3_000_000))


def test_the_decoded_text_of_a_copy_may_be_what_does_not_fit() -> None:
    """In UTF-8 it is longer than the copy, which is in memory still."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Copy("ñ".encode("cp1252") * 900_000) as copy:
        resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, before[1]))
        try:
            with pytest.raises(DatabaseError, match="temporary folder"):
                copy.decode(None)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_folder")
def test_an_import_into_a_full_temporary_folder_stores_nothing() -> None:
    ledger = empty_ledger()
    players = "".join(f"P{number},Player {number},,,,,,\n" for number in range(6_000))
    with pytest.raises(DatabaseError, match="temporary folder"):
        import_text(ledger, PLAYERS_HEADER + players)
    assert ledger.journal.head().seq == 0


class Breaking(io.BytesIO):
    """A file on a disk that fails."""

    def read(self, _size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_a_file_that_cannot_be_read_to_its_end_is_refused() -> None:
    with pytest.raises(InputRefused, match="read to its end"):
        Copy(Breaking())
