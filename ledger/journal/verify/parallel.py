"""Lets a second process verify a long journal together with this one.

Both take range after range from the front, so that what is made of the events can be used in their
order, and no more of it waits than a few ranges. The other process is this Python again, started so
that it imports nothing but what is installed; it is asked and answers in frames of MessagePack.
Where it cannot be started, is of another version, or dies, everything is done here.
"""

from __future__ import annotations

import contextlib
import importlib
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self, TypeAlias, TypeVar

import msgspec

import ledger
from ledger.children import environment, interpreter
from ledger.errors import LedgerError
from ledger.journal.gc_pause import collector_resting
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Head, Progress
from ledger.journal.verify.ranges import (
    EventRange,
    PageReader,
    PageReading,
    RangeResult,
    event_ranges,
    verify_range,
)
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.journal.verify.walk import VerifiedPrefix

LEAST_EVENTS = 200_000
"""Of a shorter journal half is verified before the other process has begun."""

RANGE_EVENTS = 25_000
_ALONE = 10
"""So many times as long are ranges where nobody shares them: an archive reads whole groups."""
_AHEAD = 3
"""So many ranges the other process is asked for in advance, that it never waits."""
_WAITING = 8
"""So many ranges at most wait here for their turn."""
_HEAD_BYTES = 8
_LONGEST = 1 << 30
_PATIENCE = 300.0
"""Seconds for one range, after which the other process counts as gone."""
_PROGRAM = (
    "import sys; from ledger.journal.verify import parallel; "
    "parallel.work(sys.stdin.buffer, sys.stdout.buffer)"
)


@dataclass(frozen=True, slots=True)
class _Start:
    """What the other process is told first: which code it must be, and what it is to read."""

    code: str
    url: str
    reader: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class _Frame:
    """The other process's answer: what is right of a range and, if all is, what was made of it."""

    found: RangeResult
    made: bytes | None


_Answer: TypeAlias = tuple[RangeResult, Any]
"""The same, with what was made as a value."""
_T = TypeVar("_T")


def verify_prefix(
    journal: Journal,
    head: Head,
    reading: PageReading | None,
    progress: Progress,
    *,
    start: VerifiedPrefix | None = None,
    cuts: Collection[int] = (),
) -> tuple[VerifiedPrefix, dict[int, CompactRange]]:
    """Returns what is right of a journal before its first fault, and the trees at the cuts there.

    Args:
        journal: the store.
        head: where to end.
        reading: what else is to be made of the events.
        progress: is told "verify", the events done and their total.
        start: what is verified already; by default nothing. It grows.
        cuts: seqs at which the tree is wanted.
    """
    prefix = start or VerifiedPrefix()
    is_long = head.seq - prefix.last_seq >= LEAST_EVENTS
    url = journal.elsewhere() if is_long else None
    most = RANGE_EVENTS if url else RANGE_EVENTS * _ALONE
    trees: dict[int, CompactRange] = {}
    try:
        upto = min(head.seq, journal.last_event())
        ranges = event_ranges(journal, prefix, upto, most, cuts)
    except (LedgerError, *UNEXPECTED_VALUES):
        return prefix, trees  # it comes again when it is looked at closely
    reader, tell = reading.reader if reading else None, _forward(progress)
    here = _ThisProcess(journal, ranges, reader, tell)
    with _OtherProcess(url if len(ranges) > 1 else None, reader) as other:
        for place, its in enumerate(ranges):
            found, made = _answer(place, here, other)
            if not found.add_to(prefix, its):
                break
            if reading is not None:
                reading.take(made)
            if its.last_seq in cuts:
                trees[its.last_seq] = (prefix.within or prefix.tree).copy()
            tell("verify", its.last_seq, ranges[-1].last_seq)
    return prefix, trees


def _forward(progress: Progress) -> Progress:
    """Returns what tells each place once: those looked at elsewhere come later than others."""
    last = 0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if done > last:
            last = done
            progress(what, done, total)

    return tell


def _answer(place: int, here: _ThisProcess, other: _OtherProcess) -> _Answer:
    """Returns what is found of a range, and verifies others while that is done elsewhere."""
    found = here.found
    while place not in found:
        while here.left and other.free():
            asked = here.left.popleft()
            other.ask(asked, here.ranges[asked])
        found |= other.answers()
        if place in found:
            pass
        elif not other.has(place):
            here.verify(place)
        elif here.left and len(found) < _WAITING:
            here.verify(here.left[0])
        else:
            found |= other.answers(wait=True)
    return found.pop(place)


class _ThisProcess:
    """The ranges that this process verifies itself, and what was found of all of them."""

    def __init__(
        self,
        journal: Journal,
        ranges: Sequence[EventRange],
        reader: type[PageReader] | None,
        progress: Progress,
    ) -> None:
        self.ranges = ranges
        self.left = deque(range(len(ranges)))
        self.found: dict[int, _Answer] = {}
        self._journal = journal
        self._reader = reader
        self._progress = progress

    def verify(self, place: int) -> None:
        """Verifies a range."""
        with contextlib.suppress(ValueError):
            self.left.remove(place)  # unless the other one was asked and is gone
        total = self.ranges[-1].last_seq
        reader = self._reader() if self._reader else None
        found = verify_range(
            self._journal,
            self.ranges[place],
            reader,
            lambda seq: self._progress("verify", seq, total),
        )
        self.found[place] = found, reader.made() if reader and found.is_whole else None


class _OtherProcess:
    """The other process, for as long as it is needed; without a URL there is none.

    Args:
        url: under which it opens the journal.
        reader: what it shows the events.
    """

    def __init__(self, url: str | None, reader: type[PageReader] | None) -> None:
        self._url = url
        self._reader = reader
        self._asked: deque[int] = deque()
        self._answers: queue.SimpleQueue[_Answer | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # In a program that was packed into one file that file is not Python.
        if self._url is not None and not getattr(sys, "frozen", False):
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(  # noqa: S603 - this very Python
                    [*interpreter(), "-c", _PROGRAM],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    env=environment(),
                )  # fmt: skip
        if self._process is not None:
            reader = self._reader
            named = (reader.__module__, reader.__qualname__) if reader else None
            self._say(_Start(_code(), str(self._url), named))
            threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for end in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if end is not None:
                        end.close()

    def free(self) -> bool:
        """Whether it can be asked to verify one more."""
        return self._process is not None and len(self._asked) < _AHEAD

    def has(self, place: int) -> bool:
        """Whether it was asked to verify a range, and may answer yet."""
        return place in self._asked

    def ask(self, place: int, its: EventRange) -> None:
        """Asks it to verify a range, after those it was asked for before."""
        self._asked.append(place)
        self._say(its)

    def answers(self, *, wait: bool = False) -> dict[int, _Answer]:
        """Returns what it has found; if asked to wait, at least one, unless it is gone."""
        found: dict[int, _Answer] = {}
        while self._asked:
            is_wanted = wait and not found
            try:
                answer = self._answers.get(is_wanted, _PATIENCE)
            except queue.Empty:
                if is_wanted:
                    self._gone()
                break
            if answer is None:
                self._gone()
            else:
                found[self._asked.popleft()] = answer
        return found

    def _say(self, value: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # then there will be no answer either
            _send(self._process.stdin, value)

    def _gone(self) -> None:
        """Nothing that it was asked will be answered."""
        self._asked.clear()
        self.__exit__()
        self._process = None

    def _listen(self) -> None:
        """Hears what it says, to its end."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            with contextlib.suppress(EOFError, OSError, msgspec.MsgspecError, *UNEXPECTED_VALUES):
                while True:
                    frame = _received(self._process.stdout, _Frame)
                    made = None
                    if self._reader is not None and frame.made is not None:
                        made = self._reader.unpacked(frame.made)
                    self._answers.put((frame.found, made))
        finally:
            self._answers.put(None)


# The other process


def work(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Is the other process: verifies what it is asked to, as long as somebody asks."""
    start = _received(asked, _Start)
    if start.code != _code():
        return
    from ledger.journal.stores.database import journal_at  # noqa: PLC0415 - loads SQLAlchemy

    journal, reader = journal_at(start.url), _class(start.reader)
    with collector_resting(), contextlib.suppress(EOFError):
        while True:
            its = _received(asked, EventRange)
            made = reader() if reader else None
            found = verify_range(journal, its, made)
            _send(answers, _Frame(found, made.packed() if made and found.is_whole else None))


def _code() -> str:
    """Returns where this code is: both processes must run the same."""
    return str(Path(ledger.__file__).resolve())


def _class(named: tuple[str, str] | None) -> type[PageReader] | None:
    if named is None:
        return None
    module, name = named
    found: type[PageReader] = getattr(importlib.import_module(module), name)
    return found


# Frames: eight bytes that say how long it is, then MessagePack


def _send(file: IO[bytes], value: object) -> None:
    data = msgspec.msgpack.encode(value)
    file.write(len(data).to_bytes(_HEAD_BYTES, "big"))
    file.write(data)
    file.flush()


def _received(file: IO[bytes], type_: type[_T]) -> _T:
    """Returns the next value; raises ``EOFError`` where there is none."""
    head = file.read(_HEAD_BYTES)
    length = int.from_bytes(head, "big")
    data = file.read(length) if len(head) == _HEAD_BYTES and length <= _LONGEST else b""
    if not data or len(data) < length:
        raise EOFError
    return msgspec.msgpack.decode(data, type=type_)
