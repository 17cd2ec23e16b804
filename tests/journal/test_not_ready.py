"""A server that starts or recovers is waited for, some seconds; then it is said what it does."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import closing, suppress

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import DatabaseError
from ledger.journal.stores import postgres
from ledger.journal.stores.database import diagnose, dialect_of, open_journal
from tests.journal.drafts import fill

_NEGOTIATIONS = {80877103, 80877104}  # SSLRequest, GSSENCRequest
_WORDS = [
    "the database system is starting up",
    "the database system is in recovery mode",
    "the database system is not yet accepting connections",
    "the database system is shutting down",
]


class StartingServer:
    """Refuses connections as a server does that starts; then hands them on to a real one."""

    def __init__(self, real: str, refusals: int, words: str = _WORDS[0]) -> None:
        self._real = conninfo_to_dict(real)
        self._left = refusals
        self._words = words.encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open = [self._listener]
        self._threads: list[threading.Thread] = []
        self.refused = 0
        self._start(self._serve)

    @property
    def url(self) -> str:
        port = self._listener.getsockname()[1]
        return f"postgresql://postgres@127.0.0.1:{port}/{self._real['dbname']}"

    def close(self) -> None:
        for end in self._open:
            with suppress(OSError):  # wakes who waits for it
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)
        for end in self._open:
            end.close()

    def _start(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                startup = _startup(client)
                if self._left:
                    self._left -= 1
                    self.refused += 1
                    client.sendall(_error(self._words))
                    client.shutdown(socket.SHUT_RDWR)
                else:
                    server = self._connected()
                    self._open.append(server)
                    server.sendall(startup)
                    for ends in ((client, server), (server, client)):
                        self._start(_pump, *ends)

    def _connected(self) -> socket.socket:
        host, port = str(self._real["host"]), self._real.get("port") or 5432
        if not host.startswith("/"):
            return socket.create_connection((host, int(port)))
        made = socket.socket(socket.AF_UNIX)
        made.connect(f"{host}/.s.PGSQL.{port}")
        return made


def _startup(client: socket.socket) -> bytes:
    """Returns a client's first message; encryption is declined."""
    while True:
        head = client.recv(8, socket.MSG_WAITALL)
        length, code = struct.unpack("!II", head)
        if code not in _NEGOTIATIONS:
            return head + client.recv(length - len(head), socket.MSG_WAITALL)
        client.sendall(b"N")


def _error(words: bytes) -> bytes:
    fields = b"SFATAL\0VFATAL\0C57P03\0M" + words + b"\0\0"
    return b"E" + struct.pack("!I", len(fields) + 4) + fields


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_READY_SECONDS", 0.5)
    monkeypatch.setattr(postgres, "_POLL_SECONDS", 0.05)


def test_a_server_that_gets_ready_is_waited_for(postgres_url: str) -> None:
    with closing(StartingServer(postgres_url, refusals=3)) as server:
        journal = open_journal(server.url)
        fill(journal)
        assert journal.head().seq == 10
        journal.close()
        assert server.refused == 3


@pytest.mark.parametrize("words", _WORDS)
def test_a_server_that_does_not_is_not_ready_yet(postgres_url: str, words: str) -> None:
    with closing(StartingServer(postgres_url, refusals=1_000, words=words)) as server:
        with pytest.raises(DatabaseError) as caught:
            open_journal(server.url)
        assert server.refused > 2
        trouble = diagnose(server.url).trouble
    assert caught.value.message.key == "database.not_ready"
    assert caught.value.exit_code == 6
    assert words in str(caught.value)
    assert trouble is not None
    assert trouble.message.key == "database.not_ready"


def test_who_is_refused_otherwise_does_not_wait(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_READY_SECONDS", 60)
    words = 'password authentication failed for user "ana"'
    with closing(StartingServer(postgres_url, refusals=1_000, words=words)) as server:
        with pytest.raises(DatabaseError) as caught:
            open_journal(server.url)
        assert server.refused <= 2  # libpq asks again by itself, without encryption
    assert caught.value.message.key == "database.no_login"


def test_the_state_of_a_session_says_so_too() -> None:
    error = psycopg.errors.CannotConnectNow("der Server startet")
    meaning = dialect_of("postgresql://ana@host/club").meaning(error)
    assert meaning.message.key == "database.not_ready"
