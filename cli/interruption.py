"""Ctrl-C: whoever interrupts a command is told what it has recorded, as the ledger says it.

An interruption may strike anywhere, in the middle of a commit too, and what was under way fails in
a way of its own: a lost connection, a child that ended. So it is noted when it comes, and the
database is asked afresh under which of the command's keys something stands.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.errors import Interrupted, LedgerError
from ledger.wording import Message

if TYPE_CHECKING:
    from types import FrameType


@dataclass(slots=True)
class Interruption:
    """Whether the command was interrupted, and what it was to record, if anything.

    ``is_by_requests`` says that it can have recorded by requests alone, as every command before it
    begins; ``keys`` are those that it has begun to carry out, by database.
    """

    is_noted: bool = False
    is_by_requests: bool = True
    keys: dict[str, list[str]] = field(default_factory=dict)

    def begin(self) -> None:
        """Forgets the command before, in the same process."""
        self.is_noted, self.is_by_requests = False, True
        self.keys.clear()


INTERRUPTION = Interruption()


def heed() -> None:
    """Notes Ctrl-C when it comes, unless the process was started to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler and _is_main_thread():
        signal.signal(signal.SIGINT, _noted)


def end() -> None:
    """Ignores Ctrl-C: all is done and said, and the exit code stands."""
    if _is_main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _noted(_signal: int, _frame: FrameType | None) -> None:
    INTERRUPTION.is_noted = True
    raise KeyboardInterrupt


def interrupted() -> Interrupted:
    """Returns what to say of an interrupted command: what it has recorded before, if anything."""
    commits: list[Message] = []
    try:
        for url, keys in INTERRUPTION.keys.items():
            commits += _recorded(url, keys)
    except (KeyboardInterrupt, LedgerError):
        return Interrupted("cli.interrupted_unsettled")
    if commits:
        return Interrupted("cli.interrupted_after", commits=tuple(commits))
    is_sure = INTERRUPTION.is_by_requests
    return Interrupted("cli.interrupted_before" if is_sure else "cli.interrupted")


def _recorded(url: str, keys: Sequence[str]) -> Iterator[Message]:
    """Yields the commits that stand under some keys of a database."""
    if not keys:
        return
    from ledger.answers.commits import settled_commits

    for number, what in settled_commits(url, keys):
        yield Message.of("cli.commit_of", commit=number, what=what)
