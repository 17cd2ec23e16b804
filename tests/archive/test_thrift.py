"""The reader of Thrift's compact protocol: what it understands, and that it refuses all else."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.archive.thrift import BINARY, I32, I64, CompactReader, Fields, Malformed

FIELDS: Fields = {1: ("small", I32), 2: ("large", I64), 4: ("text", BINARY), 5: ("list", [I32]),
                  6: ("inner", {1: ("small", I32)})}  # fmt: skip
WHOLE = bytes([0x15, 0x03, 0x16, 0xD0, 0x0F, 0x28, 0x02]) + b"ab" + bytes(
    [0x19, 0x25, 0x02, 0x04, 0x1C, 0x15, 0x02, 0x00, 0x00]
)  # fmt: skip
COLUMN: Fields = {3: ("data", {6: ("uncompressed", I64)})}
FOOTER: Fields = {
    2: ("schema", [{4: ("name", BINARY)}]), 3: ("rows", I64),
    4: ("groups", [{1: ("columns", [COLUMN]), 3: ("rows", I64)}]),
}  # fmt: skip


def read(data: bytes, most: int = 10) -> dict[str, object]:
    return CompactReader(data, most).struct(FIELDS)


def test_what_is_asked_for_is_read() -> None:
    reader = CompactReader(WHOLE + b"more", 10)
    assert reader.struct(FIELDS) == {
        "small": -2, "large": 1000, "text": b"ab", "list": [1, 2], "inner": {"small": 1},
    }  # fmt: skip
    assert reader.at == len(WHOLE)
    assert CompactReader(WHOLE, 10).struct({2: ("large", I64)}) == {"large": 1000}


def test_it_ends_before_it_should() -> None:
    for length in range(len(WHOLE)):
        with pytest.raises(Malformed):
            read(WHOLE[:length])
        with pytest.raises(Malformed):
            CompactReader(WHOLE[:length], 10).struct({})


@pytest.mark.parametrize(
    "data",
    [
        bytes([0x15, 0x02, 0x05, 0x02, 0x04, 0x00]),  # field 1 again
        bytes([0x05, 0x04, 0x02, 0x05, 0x02, 0x02, 0x00]),  # 2 before 1
        bytes([0x05, 0x82, 0x80, 0x08, 0x02, 0x00]),  # field 65537, which others take for 1
        bytes([0x16, 0x02, 0x00]),  # a wide number where a narrow one is declared
        bytes([0x49, 0xF5, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00]),  # a list of billions
        bytes([0x59, 0xB5, *[2] * 11, 0x00]),  # a list longer than wanted
        bytes([0x48, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0x00]),  # a text of 2 GB
        bytes([0x15, *[0x80] * 11, 0x00]),  # a number without end
        bytes([0x7C] + [0x1C] * 100_000),  # structures in structures
        bytes([0x79] + [0x19] * 100_000),  # lists in lists
        bytes([0x7B, 0x00, 0x00]),  # a map
        bytes([0x7F, 0x00]),  # no type
        b"",
    ],
    ids=lambda data: data[:8].hex(),
)
def test_what_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        read(data)


@given(st.binary(max_size=300))
def test_whatever_the_bytes_it_ends(data: bytes) -> None:
    reader = CompactReader(data, 10)
    try:
        reader.struct(FIELDS)
    except Malformed:
        return
    assert 0 < reader.at <= len(data)


def test_a_footer_is_read_as_arrow_reads_it(folder: Path) -> None:
    for path in folder.rglob("*.parquet"):
        data = path.read_bytes()
        length = int.from_bytes(data[-8:-4], "little")
        said = CompactReader(data[-8 - length : -8], 100).struct(FOOTER)
        arrow = pq.read_metadata(path)
        assert said["rows"] == arrow.num_rows
        assert [each["name"].decode() for each in said["schema"][1:]] == arrow.schema.names
        sizes = [
            [column["data"]["uncompressed"] for column in group["columns"]]
            for group in said.get("groups", [])
        ]
        groups = [arrow.row_group(group) for group in range(arrow.num_row_groups)]
        assert sizes == [
            [group.column(c).total_uncompressed_size for c in range(group.num_columns)]
            for group in groups
        ]
