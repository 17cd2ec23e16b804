"""Sends one request to a witness, and reads an answer that may be anything.

It is in no hurry to believe: no redirect is followed, an answer has a few kilobytes, and all of it
has to be there in time, however slowly it comes.
"""

from __future__ import annotations

import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from typing import IO, Any, Final, TypeAlias
from urllib.parse import urlsplit

from ledger.errors import InputRefused

SECONDS: Final = 15.0
MOST_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class WitnessReply:
    """A status of HTTP, and the text; what is no UTF-8 is replaced, and longer ones are cut."""

    status: int
    text: str


Post: TypeAlias = Callable[[str, bytes], WitnessReply]
"""Sends bytes to an address; raises ``OSError``, ``TimeoutError`` where it takes too long."""


def check_address(url: str) -> None:
    """Raises ``InputRefused`` for what is no plain address of a witness: http or https, a host."""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or "@" in url or "?" in url or "#" in url or not url.isprintable():
        raise InputRefused("witness.bad_address", url=url)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody elsewhere: a redirect is an answer as any other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post(url: str, data: bytes, seconds: float = SECONDS) -> WitnessReply:
    """Sends a request as ``Post`` says; after so many seconds nobody waits for it any more."""
    answers = queue.SimpleQueue[WitnessReply | Exception]()

    def send() -> None:
        try:
            answers.put(_sent(url, data, seconds))
        except (OSError, HTTPException, ValueError) as error:
            answers.put(error)

    # One byte now and then would be in time each time: so another thread waits.
    threading.Thread(target=send, daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except queue.Empty as error:
        raise TimeoutError from error
    if isinstance(found, OSError):
        raise found
    if isinstance(found, Exception):
        raise OSError(str(found)) from found
    return found


def _sent(url: str, data: bytes, seconds: float) -> WitnessReply:
    request = urllib.request.Request(  # noqa: S310 - see check_address
        url, data, {"Content-Type": "text/plain; charset=utf-8"}, method="POST"
    )
    opener = urllib.request.build_opener(_Stay)
    try:
        with opener.open(request, timeout=seconds) as answer:
            return _read(answer.status, answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return _read(refused.code, refused)
    except urllib.error.URLError as error:
        if isinstance(error.reason, OSError):
            raise error.reason from error
        raise OSError(error.reason) from error


def _read(status: int, answer: IO[bytes]) -> WitnessReply:
    return WitnessReply(status, answer.read(MOST_BYTES).decode(errors="replace"))
