"""Changes documents and words as carelessness, other programs and malice do."""

from __future__ import annotations

import random
from collections.abc import Callable

NASTY = (
    "", " ", "-", "--", "0", "-1", "00", "4001", "99999999999999999999", "1" * 5_000, "1e999999999",
    "٣", "３", "²", "½", "1/0", "0.5", "1_0", "NaN", "inf", "None", "null", "true",
    "0000-00-00", "2010-02-30", "9999-12-31", "0001-01-01", "10000-01-01", "2010-W01-1",
    "20100723", "2010-13", "2010-07@0", "2010-07@1", "@", "=1+1", "+1", "@SUM(A1)", "\t=1", "\0",
    "\x1b[31m", "\r", "\n", "\r\n", "\x85", "\u2028", "\u202e", "\ufeff", "\U0001f600", "e\u0301",
    "\ud7ff", "a" * 400, '"', '""', "'", ";", ",", "\\", "%s", "{0}", "{x}", "$(id)", "`id`",
    "../../etc/passwd", "*", "é", "U", "H", "1-0", "0-1", "1/2-1/2", "+/-", "1-1", "1-0s",
    "ENF", "3404510", "ymca-2010",
)  # fmt: skip
_BYTES = (b"\xff", b"\xc3", b"\x81", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a", b"\xed\xa0\x80",
          b"\xf4\x90\x80\x80", b"\x0c", b"\x0b", b"\x1c", b"\x85", b'"', b"\r")  # fmt: skip
_MOST_CHANGES = 4

Chance = random.Random


def mutated(data: bytes, chance: Chance) -> bytes:
    """Returns a document with one to four changes."""
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        data = chance.choice(_CHANGES)(data, chance)
    return data


def _put_bytes(data: bytes, chance: Chance) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(_BYTES) + data[at:]


def _put_text(data: bytes, chance: Chance) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(NASTY).encode() + data[at:]


def _flip(data: bytes, chance: Chance) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def _cut(data: bytes, chance: Chance) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:start] + data[end:] if chance.random() < 0.5 else data[:end]


def _line(data: bytes, chance: Chance) -> bytes:
    """Doubles, drops, or exchanges a line."""
    lines = data.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            lines.insert(other, lines[at])
        case 1:
            del lines[at]
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _field(data: bytes, chance: Chance) -> bytes:
    """Puts something else into a field of a CSV line."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    fields = lines[at].split(b",")
    fields[chance.randrange(len(fields))] = chance.choice(NASTY).encode()
    lines[at] = b",".join(fields)
    return b"\n".join(lines)


def _columns(data: bytes, chance: Chance) -> bytes:
    """Writes over some columns of a line, as wide as before."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    line, text = lines[at], chance.choice(NASTY).encode()[:12]
    start = chance.randrange(len(line) + 1)
    lines[at] = line[:start] + text + line[start + len(text) :]
    return b"\n".join(lines)


def _encoded(data: bytes, chance: Chance) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(
        chance.choice(["cp1252", "utf-16", "utf-16-be", "utf-8-sig", "cp850"]), "replace"
    )


_CHANGES: tuple[Callable[[bytes, Chance], bytes], ...] = (
    _put_bytes, _put_text, _flip, _cut, _line, _line, _field, _field, _field, _columns, _columns,
    _encoded,
)  # fmt: skip
