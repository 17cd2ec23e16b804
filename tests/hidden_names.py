"""Looks for a name in the bytes of files, in every form in which programs write it."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyarrow import parquet

NAME = "Zyxwińska-Čanáry, Ána"
"""A name that stands nowhere else; its first word alone tells that it was left."""

_WORD = NAME.partition("-")[0]


def forms(word: str = _WORD) -> dict[str, bytes]:
    """Returns a word in every form in which it may stand in a file."""
    escaped = json.dumps(word)[1:-1]
    return {
        "UTF-8": word.encode(),
        "UTF-16, little end first": word.encode("utf-16-le"),
        "UTF-16, big end first": word.encode("utf-16-be"),
        "UTF-32": word.encode("utf-32-le"),
        "JSON": escaped.encode(),
        "JSON within JSON": json.dumps(escaped)[1:-1].encode(),
        "ASCII": b"Zyxwi",
        "percent": "".join(f"%{byte:02X}" for byte in word.encode()).encode(),
        "folded": b"zyxwi",
    }


def found_in(data: bytes, wanted: dict[str, bytes] | None = None) -> list[str]:
    """Returns in which forms a word stands in bytes, and in what is packed in them."""
    looked_for = wanted or forms()
    found = [form for form, text in looked_for.items() if text in data]
    for unpacked in _unpacked(data):
        found += [f"{form}, packed" for form, text in looked_for.items() if text in unpacked]
    return found


def files_with(*folders: Path, wanted: dict[str, bytes] | None = None) -> dict[str, list[str]]:
    """Returns the files below some folders in which the name is, and in which forms."""
    found = {str(path): found_in(_bytes(path), wanted) for path in _files(folders)}
    return {path: forms_ for path, forms_ in found.items() if forms_}


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file())


def _bytes(path: Path) -> bytes:
    """Return what a file holds; of a Parquet file, whose pages are packed, also its rows."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:  # a server of databases removes its own
        return b""
    if path.suffix != ".parquet":
        return data
    return data + repr(parquet.read_table(path).to_pylist()).encode()


# The head of a zlib stream or of gzip, as programs write it.
_PACKED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


def _unpacked(data: bytes) -> Iterator[bytes]:
    for match in _PACKED.finditer(data):
        stream = zlib.decompressobj(wbits=47)
        try:
            yield stream.decompress(data[match.start() :], 1 << 24)
        except zlib.error:
            continue
