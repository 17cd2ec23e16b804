"""An archive from a stranger takes little memory and no time, whatever it declares."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ledger.archive import layout, manifest
from ledger.archive.files import ORDERED, REPEATED, ArchiveTable
from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME
from ledger.archive.parts import Parts
from ledger.archive.proof import prove
from ledger.archive.writer import PartWriter, write_archive
from ledger.errors import LedgerError, VerificationFailed
from ledger.identifiers import Seq
from ledger.journal.records import Commit
from tests.archive.club import filled
from tests.archive.mutations import rehash, write
from tests.cli.running import run_here

EVENTS = "events/000001.parquet"


def refused(folder: Path) -> VerificationFailed:
    with pytest.raises(VerificationFailed) as failed:
        prove(ArchiveJournal(folder))
    return failed.value


def rewritten(folder: Path, change: Callable[[pa.Table], pa.Table], **options: Any) -> None:
    """Writes a file of events anew, as the writer does but for what is said, and all digests."""
    rows = change(pq.read_table(folder / EVENTS))
    names = rows.column_names
    usual: dict[str, Any] = {
        "compression": "zstd",
        "use_dictionary": [name for name in names if name in REPEATED],
        "write_statistics": [name for name in names if name in ORDERED],
        "row_group_size": 7,
    }
    pq.write_table(rows, folder / EVENTS, **(usual | options))
    rehash(folder)


def same(rows: pa.Table) -> pa.Table:
    return rows


def with_column(name: str, values: Callable[[int], pa.Array]) -> Callable[[pa.Table], pa.Table]:
    """Returns what replaces a column."""

    def change(rows: pa.Table) -> pa.Table:
        place = rows.column_names.index(name)
        return rows.set_column(place, rows.schema.field(name), values(len(rows)))

    return change


def payloads(length: int) -> Callable[[pa.Table], pa.Table]:
    """Returns what puts the same long text into every payload."""
    return with_column("payload", lambda rows: pa.array(["a" * length] * rows))


# A process of its own between: who is forked from this one begins with all of its memory.
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


ASKED = """
import sys
from cli.main import _run
codes = {_run([*words.split(), "--db", sys.argv[1]]) for words in sys.argv[2:]}
sys.exit(codes.pop() if len(codes) == 1 else 1)
"""


def peak_megabytes(folder: Path, *commands: str) -> int:
    """Runs commands on an archive, which all are to refuse; returns the memory they took."""
    asked = (sys.executable, "-c", ASKED, f"archive:{folder}", *commands)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *asked],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, peak = map(int, done.stdout.split())
    assert code == VerificationFailed.exit_code
    return peak >> (20 if sys.platform == "darwin" else 10)


def test_as_it_is_written_it_is_read(folder: Path) -> None:
    rewritten(folder, same)
    prove(ArchiveJournal(folder))


@pytest.mark.parametrize(
    "options",
    [
        {"use_dictionary": ["payload"], "dictionary_pagesize_limit": 1 << 30},
        {"use_dictionary": False, "column_encoding": {"payload": "DELTA_BYTE_ARRAY"}},
        {"use_dictionary": False},
    ],
    ids=["dictionary", "prefixes", "compression"],
)
def test_a_small_file_that_stands_for_gigabytes(folder: Path, options: dict[str, Any]) -> None:
    rewritten(folder, payloads(14_000_000), **options)
    assert (folder / EVENTS).stat().st_size < 200_000
    assert refused(folder).message.key == "archive.file_unlike"
    # Nothing is answered from the other files: the segments are gone too.
    said = json.loads((folder / NAME).read_text(encoding="utf-8"))
    said["segments"] = []
    write(folder, said)
    assert peak_megabytes(folder, "verify", "list show ENF") < 400


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "snappy"},
        {"compression": "none"},
        {"data_page_version": "2.0"},
        {"write_page_index": True},
        {"use_dictionary": True},
        {"use_dictionary": False, "column_encoding": {"seq": "DELTA_BINARY_PACKED"}},
        {"use_byte_stream_split": ["seq"], "use_dictionary": False},
        {"row_group_size": 30},
    ],
    ids=str,
)
def test_what_the_writer_does_not_write_is_not_read(folder: Path, options: dict[str, Any]) -> None:
    rewritten(folder, same, **options)
    failed = refused(folder)
    assert failed.message.key in {"archive.file_unlike", "archive.file_rows"}
    assert str(folder / EVENTS) in str(failed)


def test_columns_of_columns(folder: Path) -> None:
    rewritten(folder, lambda rows: rows.append_column("more", pa.array([[1]] * len(rows))))
    assert refused(folder).message.key == "archive.file_columns"


def test_text_that_is_none(folder: Path) -> None:
    raw = with_column("payload", lambda rows: pa.array([b"\xff"] * rows).view(pa.string()))
    rewritten(folder, raw)
    assert refused(folder).message.key == "archive.file_unreadable"


def varint(number: int) -> bytes:
    """Returns a positive number as Thrift's compact protocol has it."""
    number, made = number << 1, bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def test_a_footer_that_says_less_than_the_pages(folder: Path) -> None:
    """Arrow takes the size of a page from its head, whatever the footer says of the column."""
    rewritten(folder, payloads(10_000_000), use_dictionary=False)
    path = folder / EVENTS
    data = path.read_bytes()
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    columns = pq.ParquetFile(path).metadata
    end = data[footer:]
    groups = range(columns.num_row_groups)
    for size in {columns.row_group(g).column(7).total_uncompressed_size for g in groups}:
        less = varint(size % 2**20 + 2**20 * 2)
        assert len(less) == len(varint(size))
        end = end.replace(varint(size), less)
    path.write_bytes(data[:footer] + end)
    lied = pq.ParquetFile(path).metadata.row_group(0).column(7).total_uncompressed_size
    assert lied < 8_000_000
    rehash(folder)
    failed = refused(folder)
    assert failed.message.key == "archive.file_unlike"
    assert "bytes of payload" in str(failed)


def test_a_footer_longer_than_one_can_be(folder: Path) -> None:
    path = folder / EVENTS
    data = path.read_bytes()
    long = 1 << 20
    path.write_bytes(data[:-8] + bytes(long) + long.to_bytes(4, "little") + data[-4:])
    rehash(folder)
    assert f"footer of {long} bytes" in str(refused(folder))


@pytest.mark.parametrize("magic", [b"PARE", b"PAR2"])
def test_an_encrypted_footer(folder: Path, magic: bytes) -> None:
    path = folder / EVENTS
    path.write_bytes(path.read_bytes()[:-4] + magic)
    rehash(folder)
    assert refused(folder).message.key == "archive.file_unreadable"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rows", 10**15),
        ("row_groups", 10**15),
        ("row_groups", 1),
        ("row_groups", 31),
    ],
)
def test_a_manifest_that_says_more_than_there_can_be(folder: Path, name: str, said: int) -> None:
    made = json.loads((folder / NAME).read_text(encoding="utf-8"))
    made["personal"][0][name] = said
    write(folder, made)
    failed = refused(folder)
    assert failed.message.key == "archive.file_unlike"
    assert str(folder / "personal/000001.parquet") in str(failed)


def test_a_long_manifest_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = (folder / NAME).stat().st_size
    monkeypatch.setattr(manifest, "MOST_BYTES", size)
    ArchiveJournal(folder)
    monkeypatch.setattr(manifest, "MOST_BYTES", size - 1)
    failed = refused(folder)
    assert failed.message.key == "archive.file_unlike"
    assert str(folder / NAME) in str(failed)


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Breaks off what waits for a pipe that nobody writes to."""

    def waited(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "file", [NAME, "commits/000001.parquet", EVENTS, "segments/000001.parquet"]
)
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "device"])
def test_what_is_no_plain_file_is_refused_at_once(folder: Path, file: str, kind: str) -> None:
    path = folder / file
    elsewhere = path.rename(folder.with_name("elsewhere"))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(elsewhere if kind == "link" else Path(os.devnull))
    with within(60):
        done = run_here("--lang", "en", "verify", "--db", f"archive:{folder}")
    assert done.code == VerificationFailed.exit_code, done.err
    assert f"{path} is no plain file" in done.err


def test_a_folder_of_files_elsewhere(folder: Path) -> None:
    elsewhere = (folder / "events").rename(folder.with_name("elsewhere"))
    (folder / "events").symlink_to(elsewhere)
    assert refused(folder).message.key == "archive.file_special"


def test_a_pipe_that_appears_later_is_not_waited_for(folder: Path) -> None:
    archive = ArchiveJournal(folder)
    (folder / EVENTS).unlink()
    os.mkfifo(folder / EVENTS)
    with pytest.raises(LedgerError) as failed:
        list(archive.events())
    assert failed.value.message.key == "archive.file_special"


def test_a_long_text_in_every_row_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note of 20,000 characters on each of 25,000 commits would be 500 MB."""
    monkeypatch.undo()  # groups are as large as they really are
    reason, rows = "because " * 2_500, 25_000
    assert ArchiveTable.COMMITS.group_rows == rows
    with PartWriter(tmp_path, ArchiveTable.COMMITS) as writer:
        for number in range(1, rows + 1):
            key, seqs = str(number), (Seq(1), Seq(1))
            writer.add([Commit(number, "", "", reason, None, None, key, "", *seqs, "", "")])
        part = writer.end()
    before, most = pa.total_allocated_bytes(), 0
    parts = Parts(tmp_path)
    for number, commit in enumerate(parts.rows(ArchiveTable.COMMITS, part), 1):
        assert (commit.commit_id, commit.reason) == (number, reason)
        most = max(most, pa.total_allocated_bytes() - before)
    assert most < 50_000_000


def test_what_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MOST_COLUMN_BYTES", 500)
    with pytest.raises(VerificationFailed) as failed:
        write_archive(filled().journal, tmp_path / "archive")
    assert failed.value.message.key == "archive.file_unlike"
    assert list(tmp_path.iterdir()) == []
