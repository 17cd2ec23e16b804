"""What a request may cost: bytes of its body, and time in which it arrives."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from ledger.wording import Message as Sentence
from web.body_sizes import (
    LARGEST_BODY,
    LARGEST_WITH_FILE,
    TOO_LARGE,
    body_too_large,
    file_too_large,
)
from web.problems import refusal

TAKE_FILES: Final = ("/submissions/", "/api/v1/submissions/")
LARGEST_HEAD: Final = 16 * 1024  # bytes
SLOWEST_HEAD: Final = 15.0  # seconds until the head of a request has arrived
SLOWEST_PART: Final = 20.0  # seconds without a word, while a body arrives
SLOWEST_BODY: Final = 300.0  # seconds until a body has arrived


_LENGTH: Final = re.compile("[0-9]{1,18}")
_SAID: Final = {
    408: "web.slow_body",
    431: "web.large_head",
}


class RequestLimit:
    """Turns requests away that are too large or arrive too slowly, as an ASGI application.

    A body has ``largest`` bytes at most, ``largest_file`` where files are handed in
    (``TAKE_FILES``). ``page`` answers what is too large, as ``TOO_LARGE`` in its scope says; where
    there is none a sentence does.
    """

    def __init__(
        self,
        app: ASGIApp,
        largest: int = LARGEST_BODY,
        largest_file: int = LARGEST_WITH_FILE,
        page: ASGIApp | None = None,
    ) -> None:
        self._app = app
        self._page = page
        self._largest = largest
        self._largest_file = largest_file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _head_of(scope) > LARGEST_HEAD:  # uvicorn lets one pass that arrives at once
            await self._refuse(431, scope, receive, send)
            return
        largest = self._largest_file if _takes_file(scope) else self._largest
        headers = Headers(scope=scope).get("content-length", "0")
        if not _LENGTH.fullmatch(headers) or int(headers) > largest:
            await self._refuse(413, scope, receive, send)
            return
        body = _Body(receive, largest)
        has_begun = False

        async def tell(message: Message) -> None:
            nonlocal has_begun
            if body.refusal is not None and not has_begun:
                return  # what is made of half a body is no answer
            has_begun = True
            await send(message)

        try:
            await self._app(scope, body.receive, tell)
        except Exception:
            if body.refusal is None or has_begun:
                raise
        if body.refusal is not None and not has_begun:
            await self._refuse(body.refusal, scope, receive, send)

    async def _refuse(self, status: int, scope: Scope, receive: Receive, send: Send) -> None:
        async def close(message: Message) -> None:
            """Says that the connection ends: nobody reads what is still to come of the body."""
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update({"Connection": "close", "Cache-Control": "no-store"})
            await send(message)

        sentence = Sentence.of(_SAID.get(status, "status.other"))
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            sentence = file_too_large() if _takes_file(scope) else body_too_large()
            if self._page is not None:
                await self._page({**scope, TOO_LARGE: sentence}, receive, close)
                return
        answer = refusal(Request(scope), HTTPStatus(status), sentence)
        await answer(scope, receive, close)


class _Body:
    """Receives a body within its limits; ``refusal`` is the status where it passed one."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive = receive
        self._left = largest
        self._is_whole = False
        self.refusal: int | None = None
        self._until = asyncio.get_running_loop().time() + SLOWEST_BODY

    async def receive(self) -> Message:
        """Returns the next part."""
        if self._is_whole:  # what comes now is that the client has gone: it may take its time
            return await self._receive()
        left = self._until - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(min(SLOWEST_PART, left)):
                message = await self._receive()
        except TimeoutError as error:
            raise self._refused(408) from error
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise self._refused(413)
        self._is_whole = not message.get("more_body", False)
        return message

    def _refused(self, status: int) -> HTTPException:
        """Notes the refusal: whoever reads the body may make something else of the exception."""
        self.refusal = status
        return HTTPException(status)


def _takes_file(scope: Scope) -> bool:
    return f"{scope['path']}/".startswith(TAKE_FILES)


def _head_of(scope: Scope) -> int:
    """Returns the bytes of the head of a request."""
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


class ImpatientProtocol(H11Protocol):
    """HTTP by uvicorn, which closes a connection on which no request arrives in time."""

    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Takes data; while a request is answered nobody waits."""
        super().data_received(data)
        if self._is_answering():
            self._wait_no_more()
        elif self._waits is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Waits for the next request: its head may have begun while this one was answered."""
        super().on_response_complete()
        if not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # there is none before the first request
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._waits = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def _wait_no_more(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None

    def _give_up(self) -> None:
        self._waits = None
        if not self._is_answering() and not self.transport.is_closing():
            self.transport.close()
