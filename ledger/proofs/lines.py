"""Reads lines of a proof: each has one spelling, and whatever else stands there is refused."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Final

from ledger.errors import InputRefused, VerificationFailed
from ledger.journal.checkpoint import Checkpoint, decoded, parse, whole_number
from ledger.journal.merkle import HASH_BYTES
from ledger.wording import Message

MOST_BYTES: Final = 1 << 20
"""A longer file is no proof."""

NO_TEXT: Final = re.compile("[\ud800-\udfff]")
"""What stands in the place of a byte that is not UTF-8."""

_SHOWN: Final = 60


def as_read(data: bytes) -> str:
    """Returns the text of a file; where it is none, ``NO_TEXT`` finds it, and a reader refuses."""
    return data.decode(errors="surrogateescape")


def refused(line: int, expected: str, found: str) -> VerificationFailed:
    """Returns the failure that a line is not what has to stand there, by the key of its name."""
    what = Message.of(expected)
    return VerificationFailed("proof.form", line=line, expected=what, found=found[:_SHOWN])


def number(text: str, line: int) -> int:
    """Reads a decimal number without a leading zero, at most ``MOST_EVENTS``."""
    found = whole_number(text)
    if found is None:
        raise refused(line, "proof.a_number", text)
    return found


def hashes(lines: Iterable[str], first: int) -> tuple[bytes, ...]:
    """Reads hashes, one in base64 on each line; ``first`` is the number of their first line."""
    found = []
    for line, text in enumerate(lines, first):
        hash_ = decoded(text)
        if len(hash_) != HASH_BYTES:
            raise refused(line, "proof.a_hash", text)
        found.append(hash_)
    return tuple(found)


def written(path: Iterable[bytes]) -> list[str]:
    """Returns hashes as ``hashes`` reads them."""
    return [base64.b64encode(step).decode() for step in path]


def split(text: str) -> tuple[list[str], str]:
    """Returns the lines before the first empty one, and the text after it.

    Raises:
        VerificationFailed: the file is too long, or not in UTF-8 (see ``as_read``).
    """
    if len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        raise VerificationFailed("proof.too_long", most=MOST_BYTES)
    if (wrong := NO_TEXT.search(text)) is not None:
        line = text.count("\n", 0, wrong.start())
        raise refused(line + 1, "proof.a_text", text.split("\n")[line])
    head, _, page = text.partition("\n\n")
    return head.split("\n"), page


def signed_page(page: str) -> Checkpoint:
    """Reads a signed checkpoint that is written as every program writes it.

    Raises:
        VerificationFailed: it is no checkpoint, or not to the byte, or not signed at all.
    """
    try:
        found = parse(page)
    except InputRefused as error:
        raise VerificationFailed("proof.checkpoint", text=page[:_SHOWN]) from error
    if (
        found.note() != page
        or any(sign < " " and sign != "\n" for sign in page)
        or NO_TEXT.search(page)
    ):
        raise VerificationFailed("proof.checkpoint", text=page[:_SHOWN])
    return found
