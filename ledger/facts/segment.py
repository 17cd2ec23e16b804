"""Sealed segments: what the fold makes of a range of events, packed into columns.

A segment is disposable: it says nothing that its events do not say, it is read instead of them
because that is a hundred times faster, and it is dropped and made again at will. Games are rows of
small integers; the few other events that the facts are made of stay events. All bytes are
little-endian, so that the same events give the same segment on every machine.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ledger.facts.columns import Column

FORMAT = 1
# The rows of the games, in the order of ``GameColumns`` but for what came later: the type of each
# column. ``seq`` counts from the segment's first; ``supersedes`` is the seq of the earlier word.
ROW_TYPES = {
    "seq": "<i4",
    "supersedes": "<i8",
    "tournament": "<i4",
    "round": "<i2",
    "white": "<i4",
    "black": "<i4",
    "white_halves": "<i1",
    "black_halves": "<i1",
    "ending": "<i1",
}
_EFFECT_TYPE = "<i4"

# seq, type, version, effective_on, payload
OtherEvent: TypeAlias = tuple[int, str, int, str, str]


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A segment's content: the games' columns, the first effect of every event, other events."""

    rows: dict[str, Column]
    effects: Column
    others: list[OtherEvent]


def pack(
    first_seq: int, rows: dict[str, Column], effects: Column, others: list[OtherEvent]
) -> bytes:
    """Packs the content of a segment; the same content gives the same bytes before compression."""
    heading = {
        "format": FORMAT,
        "first_seq": first_seq,
        "events": len(effects),
        "rows": len(rows["seq"]),
        "others": others,
    }
    parts = [json.dumps(heading, ensure_ascii=True, separators=(",", ":")).encode(), b"\n"]
    relative = rows | {"seq": rows["seq"] - first_seq}
    parts += [_narrow(relative[name], type_) for name, type_ in ROW_TYPES.items()]
    parts.append(_narrow(effects, _EFFECT_TYPE))
    return zlib.compress(b"".join(parts), level=1)


def unpack(data: bytes) -> Unpacked | None:
    """Returns the content of a segment; None for one of another format."""
    content = zlib.decompress(data)
    end = content.index(b"\n")
    heading = json.loads(content[:end])
    if heading["format"] != FORMAT:
        return None
    at = end + 1
    rows: dict[str, Column] = {}
    for name, type_ in ROW_TYPES.items():
        column, at = _wide(content, at, heading["rows"], type_)
        rows[name] = column
    rows["seq"] = rows["seq"] + heading["first_seq"]
    effects, at = _wide(content, at, heading["events"], _EFFECT_TYPE)
    assert at == len(content), "a segment is as long as it says"
    return Unpacked(rows, effects, [tuple(other) for other in heading["others"]])


def same(one: bytes, other: bytes) -> bool:
    """Whether two segments hold the same, however they were compressed."""
    return zlib.decompress(one) == zlib.decompress(other)


def _narrow(column: Column, type_: str) -> bytes:
    narrow: NDArray[np.signedinteger] = column.astype(type_)
    assert (narrow == column).all(), f"a figure does not fit {type_}"
    return narrow.tobytes()


def _wide(content: bytes, at: int, count: int, type_: str) -> tuple[Column, int]:
    made = np.frombuffer(content, dtype=type_, count=count, offset=at).astype(np.int64)
    return made, at + count * np.dtype(type_).itemsize
