"""An archive proved and folded part by part says what it says in one go."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, read_manifest
from ledger.archive.proof import prove
from ledger.archive.tables import ORDERED, REPEATED, ArchiveTable
from ledger.cluster.dask import OnDask
from ledger.cluster.engine import Here
from ledger.cluster.folding import fold, fold_with, segments_of
from ledger.cluster.proving import EMPTY, commits_of, prove_commits, prove_with
from ledger.errors import VerificationFailed


def rewritten(folder: Path, table: ArchiveTable, number: int, **columns: list[object]) -> None:
    """Changes columns of a file and writes a manifest that fits, as somebody who knows how."""
    manifest = read_manifest(folder)
    parts = {
        ArchiveTable.EVENTS: manifest.events,
        ArchiveTable.SEGMENTS: (manifest.segments,),
        ArchiveTable.COMMITS: (manifest.commits,),
    }
    part = parts[table][number]
    path = folder / part.file
    rows = pq.read_table(path)
    for name, values in columns.items():
        place = rows.column_names.index(name)
        field = rows.schema.field(name)
        rows = rows.set_column(place, field, pa.array(values, field.type))
    size = pq.ParquetFile(path).metadata.row_group(0).num_rows
    repeated, ordered = ([n for n in rows.column_names if n in of] for of in (REPEATED, ORDERED))
    pq.write_table(
        rows, path, row_group_size=size, compression="zstd", use_dictionary=repeated,
        write_statistics=ordered,
    )  # fmt: skip
    data = path.read_bytes()
    changed = part.model_copy(
        update={"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    )
    update: dict[str, object] = {table.value: changed}
    if table is ArchiveTable.EVENTS:
        events = list(manifest.events)
        events[number] = changed  # type: ignore[call-overload]
        update = {"events": tuple(events)}
    text = manifest.model_copy(update=update).text()
    (folder / NAME).write_text(text, encoding="utf-8", newline="\n")


def column(folder: Path, file: str, name: str) -> list[object]:
    """Reads a column of a file."""
    values: list[object] = pq.read_table(folder / file).column(name).to_pylist()
    return values


class TestProving:
    def test_every_part_begins_where_the_one_before_ends(self, archived: Path) -> None:
        archive = ArchiveJournal(archived)
        parts = commits_of(archive)
        assert len(parts) > 5
        tree = EMPTY
        for proved in map(prove_commits, parts):
            assert proved.before == tree
            tree = proved.after
        assert (tree.size, tree.root) == (archive.head().seq, archive.head().root)

    def test_here(self, archived: Path) -> None:
        archive = ArchiveJournal(archived)
        prove(archive)
        assert prove_with(Here(), archive).root == archive.head().root

    def test_on_a_cluster(self, dask: OnDask, archived: Path) -> None:
        archive = ArchiveJournal(archived)
        assert prove_with(dask, archive).root == archive.head().root

    def test_a_changed_event_is_named_by_whoever_finds_it(self, dask: OnDask, folder: Path) -> None:
        part = read_manifest(folder).events[3]
        payloads = column(folder, part.file, "payload")
        payloads[5] = str(payloads[5]).replace("p", "q", 1)
        rewritten(folder, ArchiveTable.EVENTS, 3, payload=payloads)
        with pytest.raises(VerificationFailed) as failed:
            prove_with(dask, ArchiveJournal(folder))
        assert failed.value.message.key == "verify.leaf"
        assert dict(failed.value.message.values)["seq"] == part.first_seq + 5

    def test_a_changed_root_of_a_commit(self, folder: Path) -> None:
        commits = read_manifest(folder).commits
        roots = column(folder, commits.file, "root")
        roots[7] = "0" * 64
        rewritten(folder, ArchiveTable.COMMITS, 0, root=roots)
        with pytest.raises(VerificationFailed) as failed:
            prove_with(Here(), ArchiveJournal(folder))
        assert failed.value.message.key == "verify.root"

    def test_a_part_does_not_believe_the_peaks_before_it(self, folder: Path) -> None:
        """Whoever changes the peaks of a commit is found out by its part or by the next."""
        archive = ArchiveJournal(folder)
        parts = commits_of(archive)
        ends = [part.last_commit for part in parts]
        commits = read_manifest(folder).commits
        peaks = column(folder, commits.file, "peaks")
        at = ends[2] - 1
        first, *others = str(peaks[at]).split()
        peaks[at] = " ".join([first[::-1], *others])
        rewritten(folder, ArchiveTable.COMMITS, 0, peaks=peaks)
        changed = commits_of(ArchiveJournal(folder))
        for part in changed[2:4]:
            with pytest.raises(VerificationFailed):
                prove_commits(part)

    def test_a_forged_list(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        text = manifest.model_copy(update={"lists": manifest.lists[1:]}).text()
        (folder / NAME).write_text(text, encoding="utf-8", newline="\n")
        with pytest.raises(VerificationFailed) as failed:
            prove_with(Here(), ArchiveJournal(folder))
        assert failed.value.message.key == "archive.manifest"


class TestFolding:
    def test_here(self, archived: Path) -> None:
        archive = ArchiveJournal(archived)
        folded = fold_with(Here(), archive)
        assert len(folded) > 3
        assert folded[-1].part.last_seq == archive.head().seq

    def test_on_a_cluster(self, dask: OnDask, archived: Path) -> None:
        archive = ArchiveJournal(archived)
        assert fold_with(dask, archive) == fold_with(Here(), archive)

    @pytest.mark.parametrize("what", ["rows", "heading"])
    def test_a_segment_that_says_something_else(
        self, dask: OnDask, folder: Path, what: str
    ) -> None:
        file = read_manifest(folder).segments.file
        values = column(folder, file, what)
        data = bytearray(cast(bytes, values[1]))
        data[-1] ^= 1
        values[1] = bytes(data)
        rewritten(folder, ArchiveTable.SEGMENTS, 0, **{what: values})
        archive = ArchiveJournal(folder)
        second = segments_of(archive)[1]
        assert not fold(second).right
        with pytest.raises(VerificationFailed) as failed:
            fold_with(dask, archive)
        assert failed.value.message.key == "verify.segment"
        assert dict(failed.value.message.values)["first"] == second.first_seq

    def test_segments_that_do_not_follow_each_other(self, folder: Path) -> None:
        file = read_manifest(folder).segments.file
        first = column(folder, file, "first_seq")
        first[2] = int(str(first[2])) + 1
        rewritten(folder, ArchiveTable.SEGMENTS, 0, first_seq=first)
        with pytest.raises(VerificationFailed):
            segments_of(ArchiveJournal(folder))


def test_parts_are_small(archived: Path) -> None:
    archive = ArchiveJournal(archived)
    for part in (*commits_of(archive), *segments_of(archive)):
        assert len(pickle.dumps(part)) < 2_000
