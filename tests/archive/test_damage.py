"""Whatever is changed in an archive is found and named, before anything is believed or stored."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, Manifest, read_manifest
from ledger.archive.proof import prove
from ledger.errors import DatabaseError, LedgerError, VerificationFailed
from ledger.journal.stores.memory import MemoryJournal
from ledger.service.archives import open_ledger
from tests.archive.club import restore

FILES = (
    NAME,
    "commits/000001.parquet",
    "events/000001.parquet",
    "events/000003.parquet",
    "personal/000001.parquet",
    "segments/000001.parquet",
)


def failure(folder: Path) -> LedgerError:
    """Returns why the archive can neither be proved nor restored."""
    journal = MemoryJournal()
    with pytest.raises(LedgerError) as proving:
        prove(ArchiveJournal(folder))
    with pytest.raises(LedgerError) as restoring:
        restore(ArchiveJournal(folder), journal)
    assert str(restoring.value) == str(proving.value)
    assert journal.head().seq == 0
    return proving.value


def forged(folder: Path, **changed: object) -> None:
    """Writes the manifest anew, as somebody would who knows how."""
    manifest = read_manifest(folder).model_copy(update=changed)
    (folder / NAME).write_text(manifest.text(), encoding="utf-8", newline="\n")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("where", [0, 0.3, 0.5, 0.8, 1])
def test_one_byte(folder: Path, file: str, where: float) -> None:
    path = folder / file
    data = bytearray(path.read_bytes())
    data[int(where * (len(data) - 1))] ^= 0x20
    path.write_bytes(data)
    found = failure(folder)
    assert isinstance(found, VerificationFailed)
    assert str(path) in str(found)


@pytest.mark.parametrize("file", FILES)
def test_cut_off(folder: Path, file: str) -> None:
    path = folder / file
    path.write_bytes(path.read_bytes()[:-10])
    found = failure(folder)
    assert found.exit_code == 3
    assert str(path) in str(found)


@pytest.mark.parametrize("file", FILES[1:])
def test_missing(folder: Path, file: str) -> None:
    path = folder / file
    path.unlink()
    with pytest.raises(VerificationFailed) as failed:
        ArchiveJournal(folder)
    assert failed.value.message.key == "archive.file_missing"
    assert str(path) in str(failed.value)


def test_no_manifest(folder: Path) -> None:
    (folder / NAME).unlink()
    with pytest.raises(DatabaseError) as failed:
        open_ledger(f"archive:{folder}")
    assert failed.value.message.key == "archive.missing"


def test_a_newer_version(folder: Path) -> None:
    said = json.loads((folder / NAME).read_text(encoding="utf-8")) | {"version": 3, "extra": {}}
    (folder / NAME).write_text(json.dumps(said), encoding="utf-8")
    found = failure(folder)
    assert found.message.key == "archive.newer"
    assert found.exit_code == 6


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": "rating-ledger archive"}'])
def test_something_else_than_a_manifest(folder: Path, text: str) -> None:
    (folder / NAME).write_text(text, encoding="utf-8")
    assert failure(folder).message.key in {"archive.missing", "archive.manifest"}


@pytest.mark.parametrize("file", ["../events.parquet", "/etc/passwd", "events/../../x.parquet"])
def test_a_file_elsewhere(folder: Path, file: str) -> None:
    first, *others = read_manifest(folder).commits
    forged(folder, commits=(first.model_copy(update={"file": file}), *others))
    assert failure(folder).message.key == "archive.manifest"


class TestForged:
    """With a manifest that fits the files, the hashes of the ledger still tell."""

    def test_the_head(self, folder: Path) -> None:
        head = read_manifest(folder).head.model_copy(update={"root": "0" * 64})
        forged(folder, head=head)
        assert failure(folder).message.key == "archive.head"

    def test_the_root_of_a_file(self, folder: Path) -> None:
        first, *others = read_manifest(folder).events
        forged(folder, events=(first.model_copy(update={"root": "0" * 64}), *others))
        assert failure(folder).message.key == "archive.manifest"

    def test_a_published_list(self, folder: Path) -> None:
        first, *others = read_manifest(folder).lists
        other = first.model_copy(update={"output_sha256": "0" * 64})
        forged(folder, lists=(other, *others))
        assert failure(folder).message.key == "archive.manifest"
        forged(folder, lists=tuple(others))
        assert failure(folder).message.key == "archive.manifest"

    def test_the_rows_of_a_file(self, folder: Path) -> None:
        (personal,) = read_manifest(folder).personal or ()
        forged(folder, personal=(personal.model_copy(update={"rows": personal.rows - 1}),))
        assert failure(folder).message.key == "archive.file_rows"

    def test_the_groups_of_a_file(self, folder: Path) -> None:
        (part,) = read_manifest(folder).commits
        forged(folder, commits=(part.model_copy(update={"row_groups": part.row_groups + 1}),))
        assert failure(folder).message.key == "archive.file_rows"

    def test_a_file_in_the_place_of_another(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        self.replaced(folder, manifest, (folder / manifest.segments[0].file).read_bytes())
        assert failure(folder).message.key in {"archive.file_columns", "archive.file_rows"}

    def test_a_file_that_is_no_parquet(self, folder: Path) -> None:
        self.replaced(folder, read_manifest(folder), b"PAR1 no PAR1")
        assert failure(folder).message.key == "archive.file_unreadable"

    def replaced(self, folder: Path, manifest: Manifest, data: bytes) -> None:
        (personal,) = manifest.personal or ()
        (folder / personal.file).write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        update = {"bytes": len(data), "sha256": digest, "rows": manifest.segments[0].rows,
                  "row_groups": manifest.segments[0].row_groups}  # fmt: skip
        changed = {"personal": (personal.model_copy(update=update),)}
        text = manifest.model_copy(update=changed).text()
        (folder / NAME).write_text(text, encoding="utf-8", newline="\n")
