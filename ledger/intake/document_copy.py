"""A private copy of a document, of any size: as it came, and as text.

A file that changes while it is imported, or can be read but once (a pipe), is the same at every
reading of its copy.

Text is decoded by its byte order mark, then as UTF-8, then as cp1252, or in the encoding that was
asked for. This is decided on the whole document. What is not UTF-8 everywhere is cp1252 where at
most one in ten of its places that are not ASCII reads as UTF-8; otherwise it is UTF-8 with a wrong
byte in it, and refused. Positions in problems count characters of the decoded
text. A latin-1 file without the undefined bytes of cp1252 is read as cp1252, which says the same
for every letter.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final, Self

from ledger.disk import system_said
from ledger.errors import DocumentRefused, InputRefused, Problem
from ledger.intake import workbook
from ledger.intake.documents import MOST_TEXT
from ledger.journal.spool import discard, scratch

_BLOCK: Final = 1 << 20
_HEAD: Final = 1 << 16
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
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""What ``surrogateescape`` makes of a byte that is not UTF-8."""
_OTHER_TO_ONE: Final = 10
"""Of so many places that are not ASCII one may read as UTF-8 in a file that is cp1252."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to decode a document: its mark, the encoding, and the key of the refusal."""

    bom: bytes
    encoding: str
    refusal: str


_GUESS: Final = _Attempt(b"", "utf-8", "text.wrong_byte")
_CP1252: Final = _Attempt(b"", "cp1252", "text.undecodable")


class Copy:
    """A document's bytes and their digest, in memory while they are few.

    Raises:
        InputRefused: the source cannot be read to its end.
        DatabaseError: the temporary folder is full; also when it is decoded.
    """

    def __init__(self, source: bytes | IO[bytes]) -> None:
        with contextlib.ExitStack() as stack:
            self._stack = stack
            self._raw = self._file()
            self.sha256 = self._take(io.BytesIO(source) if isinstance(source, bytes) else source)
            self._stack = stack.pop_all()
        self._text: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def data(self) -> bytes:
        """Returns all its bytes."""
        self._raw.seek(0)
        return self._raw.read()

    @property
    def is_workbook(self) -> bool:
        """Whether it begins as a workbook does, or another zip file."""
        self._raw.seek(0)
        return self._raw.read(len(workbook.SIGNATURE)) == workbook.SIGNATURE

    def unfold(self, sheet: str | None, most_text: int = MOST_TEXT) -> workbook.Sheet:
        """Takes a sheet of a workbook for its text (see ``workbook.read_sheet``)."""
        with self._on_disk(self._raw) as source:
            with scratch():
                text = self._file(in_memory=False)
            read = workbook.read_sheet(source, text, sheet, most_text)
        self._text = text
        return read

    def decode(self, encoding: str | None) -> None:
        """Decodes it, so that it can be read as text.

        Raises:
            InputRefused: it is not text, or not in the encoding; with the place.
        """
        self._raw.seek(0)
        attempt = _first_attempt(self._raw.read(_HEAD), encoding)
        try:
            self._text = self._decoded(attempt)
        except InputRefused as refusal:
            self._raw.seek(0)
            if refusal.message.key != _GUESS.refusal or not _is_cp1252(
                _blocks(self._raw, ended=True)
            ):
                raise
            self._text = self._decoded(_CP1252)

    def head(self) -> str:
        """Returns the beginning of the text, at least down to its first line that is not blank."""
        head, length, blank = [], 0, True
        for line in self.lines():
            head.append(line)
            length += len(line)
            blank = blank and not line.strip()
            if length > _HEAD and not blank:
                break
        return "".join(head)

    def text(self) -> str:
        """Returns all its text."""
        return "".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yields the lines of the text with their ends, as a CSV reader wants them."""
        assert self._text is not None, "decode it first"
        self._text.seek(0)
        wrapped = io.TextIOWrapper(self._text, "utf-8", newline="")
        try:
            # Not "yield from wrapped": that would close the file of a reading that is broken off.
            while lines := wrapped.readlines(_HEAD):
                yield from lines
        finally:
            with contextlib.suppress(ValueError):  # the copy is closed already
                wrapped.detach()

    def _take(self, source: IO[bytes]) -> str:
        """Copies the source; returns its digest, in hexadecimal."""
        digest = hashlib.sha256()
        try:
            for block in _blocks(source):
                digest.update(block)
                _put(self._raw, block)
        except OSError as error:
            raise DocumentRefused("text.unreadable", why=system_said(error)) from error
        return digest.hexdigest()

    def _decoded(self, attempt: _Attempt) -> IO[bytes]:
        """Returns a file of the text in UTF-8."""
        encoding, text, place = attempt.encoding, self._file(), _Place()
        nul: Problem | None = None
        self._raw.seek(len(attempt.bom))
        try:
            io.TextIOWrapper(io.BytesIO(), encoding).detach()  # refuses what is not for text
            decoder = codecs.getincrementaldecoder(encoding)()
            for block in _blocks(self._raw, ended=True):
                decoded = decoder.decode(block, final=not block)
                _put(text, decoded.encode())
                if nul is None and "\0" in decoded:
                    at = decoded.index("\0")
                    place.pass_by(decoded[:at])
                    nul, decoded = place.problem("text.nul"), decoded[at:]
                place.pass_by(decoded)
        except UnicodeDecodeError as error:
            place.pass_by(error.object[: error.start].decode(encoding, "replace"))
            bad = place.problem("text.bad_byte", byte=f"0x{error.object[error.start]:02X}")
            raise InputRefused(attempt.refusal, bad, encoding=encoding) from error
        except (UnicodeError, LookupError) as error:
            raise DocumentRefused("text.unknown_encoding", encoding=encoding) from error
        if nul is not None:
            raise InputRefused("text.binary", nul)
        return text

    @contextlib.contextmanager
    def _on_disk(self, file: IO[bytes]) -> Iterator[IO[bytes]]:
        """Gives a copy of a file that another process can read, at its beginning."""
        with scratch():
            copied = tempfile.TemporaryFile()  # noqa: SIM115 - see discard
        try:
            file.seek(0)
            for block in _blocks(file):
                _put(copied, block)
            copied.seek(0)
            yield copied
        finally:
            discard(copied)

    def _file(self, *, in_memory: bool = True) -> IO[bytes]:
        file: IO[bytes] = (
            tempfile.SpooledTemporaryFile(max_size=_BLOCK)  # noqa: SIM115 - see discard
            if in_memory
            else tempfile.TemporaryFile()  # noqa: SIM115 - the same
        )
        self._stack.callback(discard, file)
        return file


class _Place:
    """The line and column behind a text that passes by in pieces."""

    def __init__(self) -> None:
        self._line = 1
        self._column = 1
        self._returned = False

    def pass_by(self, text: str) -> None:
        """Moves on behind the text."""
        if not text:
            return
        ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        self._line += ends - (self._returned and text[0] == "\n")
        last = max(text.rfind("\n"), text.rfind("\r"))
        self._column = len(text) - last if last >= 0 else self._column + len(text)
        self._returned = text[-1] == "\r"

    def problem(self, key: str, **values: object) -> Problem:
        """Returns a problem at the place."""
        return Problem.of(key, self._line, self._column, **values)


def _put(file: IO[bytes], data: bytes) -> None:
    """Writes to a private file, in memory or not."""
    with scratch():
        file.write(data)
        file.flush()


def _blocks(file: IO[bytes], *, ended: bool = False) -> Iterator[bytes]:
    """Yields what the file still holds; ``ended``, then an empty block too."""
    while block := file.read(_BLOCK):
        yield block
    if ended:
        yield b""


def _first_attempt(head: bytes, encoding: str | None) -> _Attempt:
    """Returns how to decode a document that begins so.

    Raises:
        InputRefused: it is no text, or there is no such encoding.
    """
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise DocumentRefused("text.not_text", kind=kind)
    allowed = None if encoding is None else _allowed(encoding)
    for bom, of_bom in _BOMS:
        if head.startswith(bom) and (allowed is None or of_bom in allowed):
            return _Attempt(bom, of_bom, "text.other_encoding")
    if allowed is not None:
        return _Attempt(b"", allowed[0], "text.other_encoding")
    return _GUESS


def _is_cp1252(blocks: Iterable[bytes]) -> bool:
    """Whether at most one in ten of the places of a document that are not ASCII reads as UTF-8.

    The last of the ``blocks`` is empty.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    utf8 = other = 0
    for block in blocks:
        text = decoder.decode(block, final=not block)
        if not text.isascii():
            escaped = len(_ESCAPED.findall(text))
            utf8 += len(text) - len(text.encode("ascii", "ignore")) - escaped
            other += escaped
    return utf8 * _OTHER_TO_ONE <= utf8 + other


def _allowed(encoding: str) -> tuple[str, ...]:
    """Returns which marks go with the encoding that was asked for."""
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise DocumentRefused("text.unknown_encoding", encoding=encoding) from error
    return _WITH_BOM.get(name, (name,))
