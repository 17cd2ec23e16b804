"""What a Parquet file of an archive may look like inside: what the writer of archives makes.

Arrow allocates what a file declares before it finds out what is there, and a few bytes of an
encoding can stand for gigabytes. So the footer is read here first, and before a column is read the
head of each of its pages: nothing is left to declare that was not looked at. What is read is then
at most as much as ``MOST_COLUMN_BYTES`` a column and group of rows, and no more than a thousand
times what is on the disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ledger.archive.files import REPEATED, ArchiveTable
from ledger.archive.thrift import BINARY, I32, I64, CompactReader, Fields, Malformed
from ledger.errors import VerificationFailed

MOST_COLUMN_BYTES = 1 << 28
"""At most so many bytes are in a column of a group of rows."""
_SMALL_BYTES = 1 << 22
_MOST_RATIO = 1_000
_MAGIC = b"PAR1"
_TAIL = 8
_FOOTER_BYTES, _CHUNK_BYTES = 1 << 16, 1 << 10
_PAGE_HEAD_BYTES = 1 << 12
_FEW = 64  # more than the columns of any table
_INT64, _BYTE_ARRAY = 2, 6
_REQUIRED, _OPTIONAL = 0, 1
_ZSTD = 6
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 0, 2, 3, 8
_ENCODINGS = {_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY}

_SCHEMA: Fields = {
    1: ("type", I32), 2: ("type_length", I32), 3: ("repetition", I32), 4: ("name", BINARY),
    5: ("children", I32),
}  # fmt: skip
_CHUNK_DATA: Fields = {
    1: ("type", I32), 2: ("encodings", [I32]), 3: ("path", [BINARY]), 4: ("codec", I32),
    5: ("values", I64), 6: ("uncompressed", I64), 7: ("compressed", I64), 9: ("data_page", I64),
    10: ("index_page", I64), 11: ("dictionary_page", I64), 14: ("bloom_filter", I64),
}  # fmt: skip
_CHUNK: Fields = {
    1: ("file", BINARY), 3: ("data", _CHUNK_DATA), 4: ("offset_index", I64),
    6: ("column_index", I64), 8: ("crypto", {}), 9: ("encrypted", BINARY),
}  # fmt: skip
_GROUP: Fields = {1: ("columns", [_CHUNK]), 3: ("rows", I64)}
_FILE: Fields = {
    2: ("schema", [_SCHEMA]), 3: ("rows", I64), 4: ("groups", [_GROUP]), 8: ("encryption", {}),
    9: ("signing_key", BINARY),
}  # fmt: skip
_PAGE: Fields = {
    1: ("type", I32), 2: ("uncompressed", I32), 3: ("compressed", I32),
    5: ("data", {1: ("values", I32), 2: ("encoding", I32), 3: ("levels", I32)}),
    7: ("dictionary", {1: ("values", I32), 2: ("encoding", I32)}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A column of a group of rows: where its pages begin and end, and how many values they have."""

    start: int
    end: int
    values: int


class FileLayout:
    """Where the columns of a file are; its footer is checked when this is made.

    ``table`` says what its rows are, ``rows`` how many it should have, ``groups`` in how many.

    Raises:
        VerificationFailed: the file is not as the writer makes it.
    """

    def __init__(
        self, file: BinaryIO, path: Path, table: ArchiveTable, rows: int, groups: int
    ) -> None:
        self._path = path
        self._table = table
        self._checked: set[tuple[int, str]] = set()
        footer = self._footer(file, groups)
        self.most_string, self.most_items = len(footer), max(groups, _FEW)
        said = self._struct(footer, _FILE, "footer", self.most_items)
        self._refuse(said, "encryption", "signing_key")
        self._check_schema(said.get("schema", []))
        made = said.get("groups", [])
        sizes = [group.get("rows", 0) for group in made]
        if (said.get("rows"), sum(sizes), len(sizes)) != (rows, rows, groups):
            raise VerificationFailed("archive.file_rows", file=path, rows=rows)
        if any(not 0 < size <= table.group_rows for size in sizes):
            raise self._unlike("rows of a group")
        self.group_rows = sizes
        self._chunks = [self._columns(group, size) for group, size in zip(made, sizes, strict=True)]

    def check(self, file: BinaryIO, group: int, columns: Iterable[str]) -> None:
        """Checks the heads of all pages of columns of a group of rows, once.

        Raises:
            VerificationFailed: a page is not as the writer makes it, or too large.
        """
        for column in columns:
            if (group, column) not in self._checked:
                self._check_pages(file, column, self._chunks[group][column])
                self._checked.add((group, column))

    def _footer(self, file: BinaryIO, groups: int) -> bytes:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - _TAIL))
        tail = file.read(_TAIL)
        length = int.from_bytes(tail[:4], "little")
        most = _FOOTER_BYTES + groups * len(self._table.columns) * _CHUNK_BYTES
        if tail[4:] != _MAGIC or length > end - _TAIL - len(_MAGIC):
            raise self._unreadable("no footer")
        if length > most:
            raise self._unlike(f"footer of {length} bytes")
        self._end = end - _TAIL - length
        file.seek(self._end)
        return file.read(length)

    def _check_schema(self, elements: list[dict[str, Any]]) -> None:
        """Checks that there are the table's columns, each plain."""
        wanted = [
            {
                "type": _INT64 if field.type == "int64" else _BYTE_ARRAY,
                "repetition": _OPTIONAL if field.nullable else _REQUIRED,
                "name": field.name.encode(),
            }
            for field in self._table.schema()
        ]
        if not elements or elements[0].get("children") != len(wanted) or elements[1:] != wanted:
            raise VerificationFailed("archive.file_columns", file=self._path)

    def _columns(self, group: dict[str, Any], rows: int) -> dict[str, _Chunk]:
        """Returns where the columns of a group are, by name."""
        chunks, names = group.get("columns", []), self._table.columns
        if len(chunks) != len(names):
            raise self._unlike("columns of a group")
        return {
            name: self._chunk(chunk, name, rows) for name, chunk in zip(names, chunks, strict=True)
        }

    def _chunk(self, chunk: dict[str, Any], name: str, rows: int) -> _Chunk:
        data = chunk.get("data", {})
        self._refuse(chunk, "file", "offset_index", "column_index", "crypto", "encrypted")
        self._refuse(data, "index_page", "bloom_filter")
        first, compressed = data.get("data_page", -1), data.get("compressed", -1)
        start = data.get("dictionary_page", first)
        if data.get("path") != [name.encode()] or data.get("codec") != _ZSTD:
            raise self._unlike(f"path or compression of {name}")
        if not set(data.get("encodings", [])) <= _ENCODINGS or data.get("values") != rows:
            raise self._unlike(f"encoding or values of {name}")
        if not len(_MAGIC) <= start <= first < start + compressed <= self._end:
            raise self._unlike(f"place of {name}")
        if not 0 <= data.get("uncompressed", -1) <= _most(compressed):
            raise self._unlike(f"size of {name}")
        return _Chunk(start, start + compressed, rows)

    def _check_pages(self, file: BinaryIO, name: str, chunk: _Chunk) -> None:
        """Checks that pages fill a chunk, hold its values, and say sizes that are admitted."""
        at, values, size = chunk.start, 0, 0
        while at < chunk.end:
            file.seek(at)
            head = CompactReader(file.read(min(_PAGE_HEAD_BYTES, chunk.end - at)), 0)
            page = self._page(head, name, first=at == chunk.start)
            values += page.get("data", {}).get("values", 0)
            size += page["uncompressed"]
            at += head.at + page["compressed"]
        if at != chunk.end or values != chunk.values:
            raise self._unlike(f"pages of {name}")
        if size > _most(chunk.end - chunk.start):
            raise self._unlike(f"{size} bytes of {name}")

    def _page(self, head: CompactReader, name: str, *, first: bool) -> dict[str, Any]:
        """Reads the head of a page: a dictionary only first, and where the writer makes one."""
        try:
            page = head.struct(_PAGE)
        except Malformed as error:
            raise self._unreadable(f"{name}: {error}") from error
        repeated = name in REPEATED
        kind, data, dictionary = (page.get(each) for each in ("type", "data", "dictionary"))
        if min(page.get("uncompressed", -1), page.get("compressed", -1)) < 0:
            raise self._unlike(f"size of a page of {name}")
        if kind == _DATA_PAGE and data is not None and dictionary is None:
            good = data.get("encoding") in (_ENCODINGS - {_RLE} if repeated else {_PLAIN})
            good = good and data.get("values", -1) >= 0 and data.get("levels") == _RLE
        else:
            good = kind == _DICTIONARY_PAGE and repeated and first and data is None
            good = good and (dictionary or {}).get("encoding") in {_PLAIN, _PLAIN_DICTIONARY}
        if not good:
            raise self._unlike(f"a page of {name}")
        return page

    def _struct(self, data: bytes, fields: Fields, what: str, most: int) -> dict[str, Any]:
        try:
            return CompactReader(data, most).struct(fields)
        except Malformed as error:
            raise self._unreadable(f"{what}: {error}") from error

    def _refuse(self, said: dict[str, Any], *names: str) -> None:
        """Refuses what the writer never writes."""
        for name in names:
            if name in said:
                raise self._unlike(name.replace("_", " "))

    def _unlike(self, what: str) -> VerificationFailed:
        return VerificationFailed("archive.file_unlike", file=self._path, what=what)

    def _unreadable(self, why: str) -> VerificationFailed:
        return VerificationFailed("archive.file_unreadable", file=self._path, why=why)


def _most(compressed: int) -> int:
    """Returns how many bytes a column may take that is so long on the disk."""
    return min(MOST_COLUMN_BYTES, _SMALL_BYTES + _MOST_RATIO * compressed)
