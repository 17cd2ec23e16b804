"""Decodes documents: BOM, then UTF-8, then cp1252, or the encoding that was asked for."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from ledger.errors import InputRefused, Problem
from ledger.wording import Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded document, without its byte order mark; line ends as they are."""

    text: str
    encoding: str
    bom: bytes


def decode(data: bytes, encoding: str | None) -> Text:
    """Decodes a document.

    Args:
        data: its bytes.
        encoding: what it is said to be in; None to find out.

    Raises:
        InputRefused: it is not text, or not in the encoding; line and column of the first bad byte.
    """
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError as error:
            raise InputRefused("text.unknown_encoding", encoding=encoding) from error
        return _text(data, encoding, b"")
    for bom, of_bom in _BOMS:
        if data.startswith(bom):
            return _text(data[len(bom) :], of_bom, bom)
    try:
        return _text(data, "utf-8", b"")
    except InputRefused:
        return _text(data, "cp1252", b"")


def _text(data: bytes, encoding: str, bom: bytes) -> Text:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, errors="replace")
        problem = _at(before, "text.bad_byte", byte=f"0x{data[error.start]:02X}", encoding=encoding)
        raise InputRefused("text.undecodable", problem, encoding=encoding) from error
    if "\0" in text:
        before = text.split("\0", 1)[0]
        raise InputRefused("text.binary", _at(before, "text.nul"))
    return Text(text, encoding, bom)


def _at(before: str, key: str, **values: object) -> Problem:
    """Returns a problem behind the text before it."""
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Problem(Message.of(key, **values), len(lines), len(lines[-1]) + 1)
