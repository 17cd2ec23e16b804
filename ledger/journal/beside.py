"""Lets another process look at a long journal while this one does something else.

It begins at the front. Whoever has nothing else to do any more takes stretches from the end, until
the two meet. The process is this Python again, with nothing of the caller's program in it; where it
cannot be started, or dies, everything is done here.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, Self

from ledger.errors import LedgerError
from ledger.journal.collector import collector_resting
from ledger.journal.entries import Head, Journal, Progress
from ledger.journal.intact import MADE_ANEW, Intact, Stretch, intact, stretches

LEAST_EVENTS = 200_000
"""Of a shorter journal half is looked at before the other process has begun."""

_STRETCH_EVENTS = 25_000
_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from ledger.journal.beside import work; work(sys.stdin.buffer, sys.stdout.buffer)"
)


def work(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Is the other process: looks at stretch after stretch, as long as somebody listens."""
    opened, parts = _load(asked)
    journal = opened()
    with collector_resting():
        for stretch in parts:
            pickle.dump(intact(journal, stretch), answers)
            answers.flush()


def look(journal: Journal, head: Head, meanwhile: Callable[[], None], progress: Progress) -> Intact:
    """Returns what is intact of a journal.

    Args:
        journal: the store.
        head: where to end.
        meanwhile: something else, of about as much work; called once.
        progress: is told "verify", the events done and their total.
    """
    parts = _parts(journal, head)
    elsewhere = journal.elsewhere()
    if len(parts) > 1 and elsewhere is not None:
        with _Other(elsewhere, parts) as other:
            meanwhile()
            return _meeting(journal, parts, other, progress)
    found = intact(journal, Stretch(None, head.commit_id, head.seq), progress)
    meanwhile()
    return found


def _parts(journal: Journal, head: Head) -> list[Stretch]:
    """Returns the stretches to look at; one, when the journal is short or cannot be divided."""
    if head.seq >= LEAST_EVENTS:
        with contextlib.suppress(LedgerError, *MADE_ANEW):
            return stretches(journal, head, _STRETCH_EVENTS)
    return [Stretch(None, head.commit_id, head.seq)]


def _meeting(
    journal: Journal, parts: Sequence[Stretch], other: _Other, progress: Progress
) -> Intact:
    front: list[Intact] = []
    back: list[Intact] = []
    while left := len(parts) - len(front) - len(back):
        # The other one is at the first of those that are left.
        answer = other.answer(wait=left == 1)
        if answer is not None:
            front.append(answer)
        elif left > 1 or other.gone:
            back.append(intact(journal, parts[left + len(front) - 1]))
        done = sum(
            _length(part) for part in (*parts[: len(front)], *parts[len(parts) - len(back) :])
        )
        progress("verify", done, parts[-1].last_seq)
    so_far = Intact()
    for part, found in zip(parts, (*front, *reversed(back)), strict=True):
        so_far.go_on(found)
        if found.commits < part.last_commit:
            break
    return so_far


def _length(part: Stretch) -> int:
    return part.last_seq - (part.before.last_seq if part.before else 0)


class _Other:
    """The other process, for as long as it is needed."""

    def __init__(self, elsewhere: Callable[[], Journal], parts: Sequence[Stretch]) -> None:
        self.gone = False
        self._asked = pickle.dumps(sys.path) + pickle.dumps((elsewhere, parts))
        self._count = len(parts)
        self._answers: queue.SimpleQueue[Intact | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # In a program that was packed into one file that file is not Python.
        if not getattr(sys, "frozen", False):
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(  # noqa: S603 - this very Python
                    [sys.executable, "-c", _PROGRAM],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def answer(self, *, wait: bool) -> Intact | None:
        """Returns the next answer, if there is one; ``gone`` says that there will be no more."""
        if self.gone:
            return None
        try:
            found = self._answers.get(block=wait)
        except queue.Empty:
            return None
        self.gone = found is None
        return found

    def _listen(self) -> None:
        if self._process is not None:
            with self._process as process, contextlib.suppress(EOFError, OSError, ValueError):
                assert process.stdin is not None
                assert process.stdout is not None
                with process.stdin:
                    process.stdin.write(self._asked)
                for _ in range(self._count):
                    self._answers.put(_load(process.stdout))
        self._answers.put(None)


def _load(file: IO[bytes]) -> Any:
    # The two ends of the pipe are the same program.
    return pickle.load(file)  # noqa: S301
