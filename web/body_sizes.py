"""How long the body of a request may be, and what is said of a longer one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable
from http import HTTPStatus
from typing import Final

from ledger.wording import Message
from web.problems import RequestRefused
from web.settings import LARGEST_FILE

LARGEST_BODY: Final = 128 * 1024
"""Bytes of a body that is no file, nor a form with one."""
LARGEST_WITH_FILE: Final = LARGEST_FILE + LARGEST_BODY
"""Bytes of a form with such a file: beside it a form may be as long as any other."""

TOO_LARGE: Final = "rating_ledger.too_large"
"""In the scope of a request whose body is not read: the sentence that says how long it may be."""


def body_too_large() -> Message:
    """Returns what is said of a body that is longer than ``LARGEST_BODY``."""
    return Message.of("web.large_body", most=LARGEST_BODY // 1024)


def file_too_large() -> Message:
    """Returns what is said of a file that is longer than ``LARGEST_FILE``."""
    return Message.of("submission.too_large", most=LARGEST_FILE // 1_000_000)


async def measured(
    body: AsyncIterable[bytes], most: int, refusal: Message
) -> AsyncGenerator[bytes, None]:
    """Yields a body as it comes.

    Raises:
        RequestRefused: it is longer than ``most`` bytes (413); ``refusal`` says so.
    """
    length = 0
    async for chunk in body:
        length += len(chunk)
        if length > most:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, refusal)
        yield chunk
