"""Decodes documents: byte order mark, then UTF-8, then cp1252, or the encoding that was asked for.

The encoding is decided on the whole document. What is not UTF-8 everywhere is cp1252 where at most
one in ten of its places that are not ASCII reads as UTF-8 (see ``Census``); otherwise it is UTF-8
with a wrong byte in it, and refused. Positions in problems count characters of the decoded text. A
latin-1 file without the undefined bytes of cp1252 is read as cp1252, which says the same for every
letter.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ledger.errors import InputRefused, Problem
from ledger.wording import Message

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WITH_BOM: Final = {
    "utf-8": ("utf-8",),
    "utf-8-sig": ("utf-8",),
    "utf-16": ("utf-16-le", "utf-16-be"),
    "utf-16-le": ("utf-16-le",),
    "utf-16-be": ("utf-16-be",),
}
"""Which marks may stand before a text in an encoding; the first is the encoding without one."""
_SIGNATURES: Final = (
    (b"PK\x03\x04", "zip (.zip, .xlsx, .ods)"),
    (b"\xd0\xcf\x11\xe0", "Excel (.xls)"),
    (b"\x1f\x8b", "gzip (.gz)"),
    (b"%PDF", "PDF"),
)
_LONGEST: Final = 4
"""As many bytes as the longest mark or signature."""
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""What ``surrogateescape`` makes of a byte that is not UTF-8."""
_OTHER_TO_ONE: Final = 10
"""Of so many places that are not ASCII one may read as UTF-8 in a file that is cp1252."""


@dataclass(frozen=True, slots=True)
class Text:
    r"""A decoded document, without its byte order mark; line ends as they are.

    ``newline`` is the first line end found, ``"\n"`` where there is none.
    """

    text: str
    encoding: str
    bom: bytes
    newline: str

    def encoded(self) -> bytes:
        """Returns the bytes it was decoded from."""
        return self.bom + self.text.encode(self.encoding)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to decode a document: its mark, the encoding, and the key of the refusal.

    ``is_guess`` says that cp1252 is left where this fails (see ``Census``).
    """

    bom: bytes
    encoding: str
    refusal: str
    is_guess: bool = False


CP1252: Final = Attempt(b"", "cp1252", "text.undecodable")


class Census:
    """Counts the places of a document that are not ASCII: a character of UTF-8, or any other byte.

    Args:
        blocks: the document, in pieces of any size.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self.utf8 = 0
        self.other = 0
        for block in blocks:
            self._count(self._decoder.decode(block))
        self._count(self._decoder.decode(b"", final=True))

    @property
    def is_cp1252(self) -> bool:
        r"""Whether at most one in ten of the places reads as UTF-8.

        >>> Census([b"Pe\xf1a"]).is_cp1252, Census(["Peña".encode()]).is_cp1252
        (True, False)
        """
        return self.utf8 * _OTHER_TO_ONE <= self.utf8 + self.other

    def _count(self, text: str) -> None:
        if text.isascii():
            return
        other = len(_ESCAPED.findall(text))
        self.utf8 += len(text) - len(text.encode("ascii", "ignore")) - other
        self.other += other


def decode(data: bytes, encoding: str | None = None) -> Text:
    """Decodes a document.

    Args:
        data: its bytes.
        encoding: what it is said to be in, by a name that Python knows; None to find out.

    Raises:
        InputRefused: it is not text, or not in the encoding; line and column of the first bad
            byte, in characters.
    """
    attempt = first_attempt(data[:_LONGEST], encoding)
    if attempt.is_guess:
        try:
            return _text(data, attempt)
        except UnicodeDecodeError:
            attempt = CP1252 if Census([data]).is_cp1252 else attempt
    return _or_refused(data, attempt)


def first_attempt(head: bytes, encoding: str | None = None) -> Attempt:
    """Returns how to decode a document that begins so.

    Raises:
        InputRefused: it is no text, or there is no such encoding.
    """
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise InputRefused("text.not_text", kind=kind)
    allowed = None if encoding is None else _allowed(encoding)
    for bom, of_bom in _BOMS:
        if head.startswith(bom) and (allowed is None or of_bom in allowed):
            return Attempt(bom, of_bom, "text.other_encoding")
    if allowed is not None:
        return Attempt(b"", allowed[0], "text.other_encoding")
    return Attempt(b"", "utf-8", "text.wrong_byte", is_guess=True)


def split_lines(text: str) -> list[tuple[str, str]]:
    r"""Splits a text into lines with their ends: LF, CRLF or CR, and no other character.

    The last line has no end, and is left out when it is empty.

    >>> split_lines("a\r\nb\rc")
    [('a', '\r\n'), ('b', '\r'), ('c', '')]
    """
    lines: list[tuple[str, str]] = []
    start = 0
    for end in _LINE_END.finditer(text):
        lines.append((text[start : end.start()], end.group()))
        start = end.end()
    if start < len(text):
        lines.append((text[start:], ""))
    return lines


def _allowed(encoding: str) -> tuple[str, ...]:
    """Returns which marks go with the encoding that was asked for."""
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise InputRefused("text.unknown_encoding", encoding=encoding) from error
    return _WITH_BOM.get(name, (name,))


def _or_refused(data: bytes, attempt: Attempt) -> Text:
    encoding = attempt.encoding
    try:
        return _text(data, attempt)
    except UnicodeDecodeError as error:
        body = data[len(attempt.bom) :]
        before = body[: error.start].decode(encoding, errors="replace")
        problem = _behind(before, "text.bad_byte", byte=f"0x{body[error.start]:02X}")
        raise InputRefused(attempt.refusal, problem, encoding=encoding) from error
    except (UnicodeError, LookupError) as error:  # codecs that are not for text: idna, hex, …
        raise InputRefused("text.unknown_encoding", encoding=encoding) from error


def _text(data: bytes, attempt: Attempt) -> Text:
    text = data[len(attempt.bom) :].decode(attempt.encoding)
    if "\0" in text:
        before = text.split("\0", 1)[0]
        raise InputRefused("text.binary", _behind(before, "text.nul"))
    end = _LINE_END.search(text)
    return Text(text, attempt.encoding, attempt.bom, end.group() if end else "\n")


def _behind(before: str, key: str, **values: object) -> Problem:
    """Returns a problem at the character that follows the text before it."""
    lines = _LINE_END.split(before)
    return Problem(Message.of(key, **values), len(lines), len(lines[-1]) + 1)
