"""Other programs read an archive with nothing but a Parquet library and its manifest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from ledger.archive import parts
from ledger.archive.journal import ArchiveJournal
from ledger.errors import VerificationFailed


def test_the_manifest_and_the_files_fit(folder: Path) -> None:
    said = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    after = 0
    for part in said["events"]:
        path = folder / part["file"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == part["sha256"]
        metadata = pq.read_metadata(path)
        assert (metadata.num_rows, metadata.num_row_groups) == (part["rows"], part["row_groups"])
        seqs = pq.read_table(path).column("seq").to_pylist()
        assert seqs == list(range(part["first_seq"], part["last_seq"] + 1))
        assert part["first_seq"] == after + 1
        after = part["last_seq"]
    assert after == said["head"]["seq"]


def test_the_root_follows_from_the_leaf_hashes_alone(folder: Path) -> None:
    said = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    events = ds.dataset(folder / "events", format="parquet").to_table().sort_by("seq")
    level = [bytes.fromhex(leaf) for leaf in events.column("leaf_hash").to_pylist()]
    # RFC 9162: pairs are hashed, what is left alone goes up as it is.
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [
            hashlib.sha256(b"\x01" + pair[0] + pair[1]).digest() if len(pair) == 2 else pair[0]
            for pair in pairs
        ]
    assert level[0].hex() == said["head"]["root"]


def test_the_columns_are_those_of_the_journal(folder: Path) -> None:
    events = pq.read_table(folder / "events" / "000001.parquet")
    assert events.column_names == [
        "seq", "event_id", "commit_id", "type", "version", "effective_on", "stream", "payload",
        "leaf_hash",
    ]  # fmt: skip
    commits = pq.read_table(folder / "commits" / "000001.parquet").to_pylist()
    assert [commit["root"] for commit in commits] == [
        commit.root for commit in ArchiveJournal(folder).commits()
    ]
    people = pq.read_table(folder / "personal" / "000001.parquet").to_pylist()
    assert all(
        hashlib.sha256(one["document"].encode()).hexdigest() == one["digest"] for one in people
    )


@pytest.mark.parametrize("rows_of_a_page", [2, 3, 100])
def test_a_range_ends_where_it_ends_however_pages_are_cut(
    folder: Path, monkeypatch: pytest.MonkeyPatch, rows_of_a_page: int
) -> None:
    monkeypatch.setattr(parts, "_PAGE_ROWS", rows_of_a_page)
    archive = ArchiveJournal(folder)
    last = archive.head().seq
    for upto in range(1, last + 1):
        seqs = [event.seq for event in archive.events(after=upto - 5, upto=upto)]
        assert seqs == list(range(max(1, upto - 4), upto + 1))


def test_a_file_that_is_exchanged_between_two_readings_is_noticed(folder: Path) -> None:
    archive = ArchiveJournal(folder)
    assert list(archive.events())
    file = folder / archive.manifest.events[1].file
    other = (folder / archive.manifest.events[0].file).read_bytes()
    file.write_bytes(other)
    with pytest.raises(VerificationFailed) as failed:
        list(archive.events())
    assert failed.value.message.key == "archive.file_changed"
