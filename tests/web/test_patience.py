"""A connection on which no request arrives is closed; one on which something happens is not."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
import uvicorn

from web import limits
from web.limits import ImpatientProtocol

SOON = 0.2  # seconds, instead of those that real clients get
KEPT_ALIVE = 3600  # seconds: that a connection ends is never owed to it
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def answers(_scope: Any, _receive: Any, send: Any) -> None:
    """Takes longer than a client may take to ask."""
    await asyncio.sleep(3 * SOON)
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


async def heard(*parts: bytes) -> bytes:
    """Returns what somebody hears who sends some parts and then waits."""
    config = uvicorn.Config(
        answers, http=ImpatientProtocol, lifespan="off", log_level="critical",
        timeout_keep_alive=KEPT_ALIVE,
    )  # fmt: skip
    config.load()
    server = uvicorn.Server(config)

    def protocol() -> ImpatientProtocol:
        return ImpatientProtocol(config, server.server_state, {})

    listening = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with suppress(ConnectionError):  # it is closed while something is still being sent
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(SOON / 10)
        try:
            return await asyncio.wait_for(reader.read(), 30)
        except ConnectionError:
            return b""
        finally:
            writer.close()


@pytest.mark.parametrize(
    "parts",
    [(), (b"GET / HT",), tuple(bytes([byte]) for byte in REQUEST[:-2]), (b"GET /\r\n", b"x: ")],
)
def test_who_does_not_ask_is_hung_up_on(
    parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SLOWEST_HEAD", SOON)
    assert b"200" not in asyncio.run(heard(*parts))


def test_who_asks_is_answered_however_long_that_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLOWEST_HEAD", SOON)
    assert asyncio.run(heard(REQUEST)).endswith(b"ok")


def test_the_next_request_has_as_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLOWEST_HEAD", SOON)
    said = asyncio.run(heard(REQUEST, b"GET / HTTP/1.1\r\nHo"))
    assert said.count(b"200 OK") == 1
