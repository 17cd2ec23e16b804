"""Lets a second process check a long journal together with this one.

Both take stretch after stretch from the front, so that what is made of the events can be used in
their order, and no more of it waits than a few stretches. The other process is this Python again,
started so that it imports nothing but what is installed; it is asked and answers in frames of
MessagePack. Where it cannot be started, is of another version, or dies, everything is done here.
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
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Self

import msgspec

import ledger
from ledger.children import environment, interpreter
from ledger.errors import LedgerError
from ledger.journal.gc_pause import collector_resting
from ledger.journal.merkle import HASH_BYTES, CompactRange
from ledger.journal.records import Commit, Head, Journal, Progress
from ledger.journal.verify.bulk_walk import (
    MADE_ANEW,
    Accepted,
    Intact,
    PageReader,
    PageReading,
    Stretch,
    accepted,
    stretches,
)

LEAST_EVENTS = 200_000
"""Of a shorter journal half is looked at before the other process has begun."""

STRETCH_EVENTS = 25_000
_ALONE = 10
"""So many times as long are stretches where nobody shares them: an archive reads whole groups."""
_AHEAD = 3
"""So many stretches the other process is asked for in advance, that it never waits."""
_WAITING = 8
"""So many stretches at most wait here for their turn."""
_HEAD_BYTES = 8
_LONGEST = 1 << 30
_PATIENCE = 300.0
"""Seconds for one stretch, after which the other process counts as gone."""
_PROGRAM = (
    "import sys; from ledger.journal.verify import parallel; "
    "parallel.work(sys.stdin.buffer, sys.stdout.buffer)"
)


def look(
    journal: Journal,
    head: Head,
    gleaning: PageReading | None,
    progress: Progress,
    *,
    start: Intact | None = None,
    cuts: Collection[int] = (),
) -> tuple[Intact, dict[int, CompactRange]]:
    """Returns what is intact of a journal, and the trees at the cuts that were reached.

    Args:
        journal: the store.
        head: where to end.
        gleaning: what else is to be made of the events.
        progress: is told "verify", the events done and their total.
        start: what is known to be right already; by default nothing.
        cuts: seqs at which the tree is wanted.
    """
    so_far = start or Intact()
    url = journal.elsewhere() if head.seq - so_far.reached >= LEAST_EVENTS else None
    most = STRETCH_EVENTS if url else STRETCH_EVENTS * _ALONE
    try:
        upto = min(head.seq, journal.last_event())
        parts = stretches(journal, so_far, upto, most, cuts)
    except (LedgerError, *MADE_ANEW):
        return so_far, {}  # it comes again when it is looked at closely
    gleaner = gleaning.gleaner if gleaning else None
    with _Other(url if len(parts) > 1 else None, gleaner) as other:
        return _together(journal, so_far, parts, other, gleaning, progress, cuts)


def _together(
    journal: Journal,
    so_far: Intact,
    parts: Sequence[Stretch],
    other: _Other,
    gleaning: PageReading | None,
    progress: Progress,
    cuts: Collection[int],
) -> tuple[Intact, dict[int, CompactRange]]:
    """Adds up what is found of the stretches, in their order; they may be looked at in another."""
    trees: dict[int, CompactRange] = {}
    tell = _forward(progress)
    here = _Here(journal, parts, gleaning, tell)
    for place, part in enumerate(parts):
        its, made = _answer(place, here, other)
        if not (so_far.go_on(part, its) and its.is_whole):
            break
        if gleaning is not None:
            gleaning.take(made)
        if part.last_seq in cuts:
            trees[part.last_seq] = (so_far.within or so_far.tree).copy()
        tell("verify", part.last_seq, parts[-1].last_seq)
    return so_far, trees


def _forward(progress: Progress) -> Progress:
    """Returns what tells each place once: those looked at elsewhere come later than others."""
    last = 0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if done > last:
            last = done
            progress(what, done, total)

    return tell


def _answer(place: int, here: _Here, other: _Other) -> tuple[Accepted, Any]:
    """Returns what is found of a stretch, and does others while it is looked at elsewhere."""
    found = here.found
    while place not in found:
        while here.left and other.free():
            asked = here.left.popleft()
            other.ask(asked, here.parts[asked])
        found |= other.answers()
        if place in found:
            pass
        elif not other.has(place):
            here.look(place)
        elif here.left and len(found) < _WAITING:
            here.look(here.left[0])
        else:
            found |= other.answers(wait=True)
    return found.pop(place)


class _Here:
    """The stretches that this process looks at itself, and what was found of all of them."""

    def __init__(
        self,
        journal: Journal,
        parts: Sequence[Stretch],
        gleaning: PageReading | None,
        progress: Progress,
    ) -> None:
        self.parts = parts
        self.left = deque(range(len(parts)))
        self.found: dict[int, tuple[Accepted, Any]] = {}
        self._journal = journal
        self._gleaning = gleaning
        self._progress = progress

    def look(self, place: int) -> None:
        """Looks at a stretch."""
        with contextlib.suppress(ValueError):
            self.left.remove(place)  # unless the other one was asked and is gone
        gleaner = self._gleaning.gleaner() if self._gleaning else None
        total = self.parts[-1].last_seq
        found = accepted(self._journal, self.parts[place], self._progress, gleaner, total=total)
        self.found[place] = found, gleaner.made() if gleaner and found.is_whole else None


class _Other:
    """The other process, for as long as it is needed; without a URL there is none.

    Args:
        url: under which it opens the journal.
        gleaner: what it shows the events.
    """

    def __init__(self, url: str | None, gleaner: type[PageReader] | None) -> None:
        self._url = url
        self._gleaner = gleaner
        self._asked: deque[int] = deque()
        self._answers: queue.SimpleQueue[tuple[Accepted, Any] | None] = queue.SimpleQueue()
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
            gleaner = self._gleaner
            named = [gleaner.__module__, gleaner.__qualname__] if gleaner else None
            self._say({"code": _code(), "url": self._url, "gleaner": named})
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
        self._say(asdict(part))

    def answers(self, *, wait: bool = False) -> dict[int, tuple[Accepted, Any]]:
        """Returns what it has found; if asked to wait, at least one, unless it is gone."""
        found: dict[int, tuple[Accepted, Any]] = {}
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
            with contextlib.suppress(EOFError, OSError, msgspec.MsgspecError, *MADE_ANEW):
                while True:
                    self._answers.put(_answered(_received(self._process.stdout), self._gleaner))
        finally:
            self._answers.put(None)


# The other process


def work(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Is the other process: looks at what it is asked to, as long as somebody asks."""
    about = _received(asked)
    if about["code"] != _code():
        return
    from ledger.journal.stores.database import journal_at  # noqa: PLC0415 - which knows this module's users

    journal, gleaner = journal_at(about["url"]), _class(about["gleaner"])
    with collector_resting(), contextlib.suppress(EOFError):
        while True:
            said = _received(asked)
            before = Commit(**said.pop("before")) if said["before"] else None
            made = gleaner() if gleaner else None
            found = accepted(journal, Stretch(**(said | {"before": before})), gleaner=made)
            _send(answers, _answer_of(found, made))


def _code() -> str:
    """Returns where this code is: both processes must run the same."""
    return str(Path(ledger.__file__).resolve())


def _class(named: Sequence[str] | None) -> type[PageReader] | None:
    if named is None:
        return None
    found: type[PageReader] = getattr(importlib.import_module(named[0]), named[1])
    return found


def _answer_of(found: Accepted, gleaner: PageReader | None) -> dict[str, Any]:
    """Returns what was found as a frame says it."""
    intact = found.intact
    return {
        "intact": {
            "commits": intact.commits,
            "seq": intact.seq,
            "tree": _tree(intact.tree),
            "within": _tree(intact.within) if intact.within else None,
            "identities": intact.identities,
            "days": sorted(intact.days),
        },
        "leaves": b"".join(found.leaves),
        "ended": asdict(found.ended) if found.ended else None,
        "is_whole": found.is_whole,
        "gleaned": gleaner.packed() if gleaner and found.is_whole else None,
    }


def _answered(said: dict[str, Any], gleaner: type[PageReader] | None) -> tuple[Accepted, Any]:
    """Returns what a frame says: the same as if it was found here."""
    its, leaves = said["intact"], said["leaves"]
    intact = Intact(
        its["commits"],
        its["seq"],
        CompactRange(*its["tree"]),
        CompactRange(*its["within"]) if its["within"] else None,
        {
            digest: (seq, commit, player)
            for digest, (seq, commit, player) in its["identities"].items()
        },
        set(its["days"]),
    )
    found = Accepted(
        intact,
        [leaves[at : at + HASH_BYTES] for at in range(0, len(leaves), HASH_BYTES)],
        Commit(**said["ended"]) if said["ended"] else None,
        said["is_whole"],
    )
    made = gleaner.unpacked(said["gleaned"]) if gleaner and said["gleaned"] is not None else None
    return found, made


def _tree(tree: CompactRange) -> tuple[int, list[bytes]]:
    return tree.size, tree.peaks


# Frames: eight bytes that say how long it is, then MessagePack


def _send(file: IO[bytes], value: object) -> None:
    data = msgspec.msgpack.encode(value)
    file.write(len(data).to_bytes(_HEAD_BYTES, "big"))
    file.write(data)
    file.flush()


def _received(file: IO[bytes]) -> Any:
    """Returns the next value; raises ``EOFError`` where there is none."""
    head = file.read(_HEAD_BYTES)
    length = int.from_bytes(head, "big")
    data = file.read(length) if len(head) == _HEAD_BYTES and length <= _LONGEST else b""
    if not data or len(data) < length:
        raise EOFError
    return msgspec.msgpack.decode(data)
