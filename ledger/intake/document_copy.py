"""A private copy of a document: as it came, and as text; its size does not matter.

A file that changes while it is imported, or can be read but once (a pipe), is the same at every
reading of its copy. What can be decoded, and what is said of the rest, is as in ``text``.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import tempfile
from collections.abc import Iterator
from typing import IO, Final, Self

from ledger.errors import InputRefused, Problem
from ledger.intake import workbook
from ledger.intake.text import CP1252, Attempt, Census, first_attempt
from ledger.journal.temporary_files import discard, scratch
from ledger.wording import Message

_BLOCK: Final = 1 << 20
_HEAD: Final = 1 << 16


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

    def unfold(self, sheet: str | None) -> workbook.Sheet:
        """Takes a sheet of a workbook for its text (see ``workbook.read_sheet``)."""
        with self._on_disk(self._raw) as source:
            with scratch():
                text = self._file(in_memory=False)
            read = workbook.read_sheet(source, text, sheet)
        self._text = text
        return read

    def decode(self, encoding: str | None) -> None:
        """Decodes it, so that it can be read as text.

        Raises:
            InputRefused: it is not text, or not in the encoding; with the place.
        """
        self._raw.seek(0)
        attempt = first_attempt(self._raw.read(_HEAD), encoding)
        if attempt.is_guess:
            try:
                self._text = self._decoded(attempt)
            except _Undecodable:
                self._raw.seek(0)
                attempt = CP1252 if Census(_blocks(self._raw)).is_cp1252 else attempt
            else:
                return
        self._text = self._or_refused(attempt)

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
            raise InputRefused("text.unreadable", why=error.strerror or error) from error
        return digest.hexdigest()

    def _or_refused(self, attempt: Attempt) -> IO[bytes]:
        try:
            return self._decoded(attempt)
        except _Undecodable as error:
            raise InputRefused(attempt.refusal, error.problem, encoding=attempt.encoding) from error
        except (UnicodeError, LookupError) as error:
            raise InputRefused("text.unknown_encoding", encoding=attempt.encoding) from error

    def _decoded(self, attempt: Attempt) -> IO[bytes]:
        io.TextIOWrapper(io.BytesIO(), attempt.encoding).detach()  # refuses what is not for text
        decoder = codecs.getincrementaldecoder(attempt.encoding)()
        text, place = self._file(), _Place()
        nul: Problem | None = None
        self._raw.seek(len(attempt.bom))
        for block in _blocks(self._raw, ended=True):
            try:
                decoded = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                place.pass_by(error.object[: error.start].decode(attempt.encoding, "replace"))
                bad = f"0x{error.object[error.start]:02X}"
                raise _Undecodable(error, place.problem("text.bad_byte", byte=bad)) from error
            if nul is None and "\0" in decoded:
                before, _, decoded_rest = decoded.partition("\0")
                place.pass_by(before)
                nul = place.problem("text.nul")
                place.pass_by("\0" + decoded_rest)
            else:
                place.pass_by(decoded)
            _put(text, decoded.encode())
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


class _Undecodable(UnicodeDecodeError):
    """Says where."""

    def __init__(self, error: UnicodeDecodeError, problem: Problem) -> None:
        super().__init__(error.encoding, error.object, error.start, error.end, error.reason)
        self.problem = problem


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
        return Problem(Message.of(key, **values), self._line, self._column)


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
