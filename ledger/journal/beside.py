"""Lets another process look at a long journal together with this one.

Both take stretch after stretch from the front, so that what is made of the events can be used in
their order, and no more of it waits than a few stretches. The process is this Python again, with
nothing of the caller's program in it; where it cannot be started, or dies, everything is done here.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO, Any, Self

from ledger.errors import LedgerError
from ledger.journal.collector import collector_resting
from ledger.journal.entries import Head, Journal, Progress
from ledger.journal.intact import (
    MADE_ANEW,
    Gleaner,
    Gleaning,
    Intact,
    Stretch,
    intact,
    stretches,
)

LEAST_EVENTS = 200_000
"""Of a shorter journal half is looked at before the other process has begun."""

_STRETCH_EVENTS = 25_000
_AHEAD = 3
"""So many stretches the other process is asked for in advance, that it never waits."""
_WAITING = 8
"""So many stretches at most wait here for their turn."""
_PROTOCOL = pickle.HIGHEST_PROTOCOL
_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from ledger.journal.beside import work; work(sys.stdin.buffer, sys.stdout.buffer)"
)


def work(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Is the other process: looks at what it is asked to, as long as somebody asks."""
    opened, gleaner = _load(asked)
    journal = opened()
    with collector_resting(), contextlib.suppress(EOFError):
        while True:
            stretch = _load(asked)
            pickle.dump(_looked_at(journal, stretch, gleaner), answers, _PROTOCOL)
            answers.flush()


def look(journal: Journal, head: Head, gleaning: Gleaning | None, progress: Progress) -> Intact:
    """Returns what is intact of a journal.

    Args:
        journal: the store.
        head: where to end.
        gleaning: what else is to be made of the events.
        progress: is told "verify", the events done and their total.
    """
    parts = _parts(journal, head)
    elsewhere = journal.elsewhere()
    if len(parts) > 1 and elsewhere is not None:
        with _Other(elsewhere, gleaning.gleaner if gleaning else None) as other:
            return _together(journal, parts, other, gleaning, progress)
    gleaner = gleaning.gleaner() if gleaning else None
    found = intact(journal, Stretch(None, head.commit_id, head.seq), progress, gleaner)
    if gleaning is not None and found.gleaned is not None:
        gleaning.take(found.gleaned)
    return found


def _looked_at(journal: Journal, stretch: Stretch, gleaner: Callable[[], Gleaner] | None) -> Intact:
    return intact(journal, stretch, gleaner=gleaner() if gleaner else None)


def _parts(journal: Journal, head: Head) -> list[Stretch]:
    """Returns the stretches to look at; one, when the journal is short or cannot be divided."""
    if head.seq >= LEAST_EVENTS:
        with contextlib.suppress(LedgerError, *MADE_ANEW):
            return stretches(journal, head, _STRETCH_EVENTS)
    return [Stretch(None, head.commit_id, head.seq)]


def _together(
    journal: Journal,
    parts: Sequence[Stretch],
    other: _Other,
    gleaning: Gleaning | None,
    progress: Progress,
) -> Intact:
    """Takes the stretches in order; here and there they may be looked at in another one."""
    so_far = Intact()
    found: dict[int, Intact] = {}
    left = deque(range(len(parts)))
    gleaner = gleaning.gleaner if gleaning else None
    for place, part in enumerate(parts):
        while place not in found:
            while left and other.free():
                asked = left.popleft()
                other.ask(asked, parts[asked])
            found |= other.answers()
            if place in found:
                pass
            elif not other.has(place):
                with contextlib.suppress(ValueError):
                    left.remove(place)  # unless the other one was asked and is gone
                found[place] = _looked_at(journal, part, gleaner)
            elif left and len(found) < _WAITING:
                own = left.popleft()
                found[own] = _looked_at(journal, parts[own], gleaner)
            else:
                found |= other.answers(wait=True)
        its = found.pop(place)
        so_far.go_on(its)
        if its.commits < part.last_commit:
            break
        if gleaning is not None:
            gleaning.take(its.gleaned)
        progress("verify", part.last_seq, parts[-1].last_seq)
    return so_far


class _Other:
    """The other process, for as long as it is needed."""

    def __init__(
        self, elsewhere: Callable[[], Journal], gleaner: Callable[[], Gleaner] | None
    ) -> None:
        self._about = pickle.dumps(sys.path) + pickle.dumps((elsewhere, gleaner))
        self._asked: deque[int] = deque()
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
        if self._process is not None:
            self._say(self._about)
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
        """Whether it can be asked to look at one more."""
        return self._process is not None and len(self._asked) < _AHEAD

    def has(self, place: int) -> bool:
        """Whether it was asked to look at a stretch, and may answer yet."""
        return place in self._asked

    def ask(self, place: int, part: Stretch) -> None:
        """Asks it to look at a stretch, after those it was asked to before."""
        self._asked.append(place)
        self._say(pickle.dumps(part))

    def answers(self, *, wait: bool = False) -> dict[int, Intact]:
        """Returns what it has found; if asked to wait, at least one, unless it is gone."""
        found: dict[int, Intact] = {}
        with contextlib.suppress(queue.Empty):
            while self._asked:
                answer = self._answers.get(block=wait and not found)
                if answer is None:
                    self._gone()
                else:
                    found[self._asked.popleft()] = answer
        return found

    def _say(self, data: bytes) -> None:
        try:
            assert self._process is not None
            assert self._process.stdin is not None
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except OSError:
            pass  # then there will be no answer either

    def _gone(self) -> None:
        """Nothing that it was asked will be answered."""
        self._asked.clear()
        self.__exit__()
        self._process = None

    def _listen(self) -> None:
        """Hears what it says, to its end."""
        assert self._process is not None
        assert self._process.stdout is not None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self._answers.put(_load(self._process.stdout))
        self._answers.put(None)


def _load(file: IO[bytes]) -> Any:
    # The two ends of the pipe are the same program.
    return pickle.load(file)  # noqa: S301
