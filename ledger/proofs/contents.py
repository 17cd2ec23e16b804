"""What a proof is about: the event that the leaf was made of, and a row that the event commits to.

It stands in the extra data of a proof, as lines of UTF-8::

    rating-ledger/event@v1          rating-ledger/row@v1
    the envelope, the leaf's bytes  the envelope of a list.published
    the header of its commit        the row, the bytes of a leaf of its own tree
                                    index 12
                                    the hashes from that leaf to the event's rows_root

Envelope, header and row are canonical JSON (RFC 8785), as they are hashed: see
``journal.envelope`` and ``lists.committed_rows``. Nothing here is believed before it is hashed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from ledger.errors import VerificationFailed
from ledger.proofs.lines import NO_TEXT, as_read, hashes, number, refused, written

_EVENT: Final = "rating-ledger/event@v1"
_ROW: Final = "rating-ledger/row@v1"
_INDEX: Final = "index "
_SHOWN: Final = 60
_ENVELOPE_KEYS: Final = {
    "commit": str, "effective_on": str, "event_id": str, "payload": str, "seq": int,
    "stream": str, "type": str, "version": int,
}  # fmt: skip
_ROW_KEYS: Final = {"games": int, "id": str, "identity": str, "k": int, "rating": int}


@dataclass(frozen=True, slots=True)
class EventContent:
    """An event by its envelope, and the header of its commit: who, when, why."""

    envelope: str
    header: str

    def extra(self) -> bytes:
        """Returns the extra data."""
        return _data(_EVENT, self.envelope, self.header)


@dataclass(frozen=True, slots=True)
class RowContent:
    """A row of a published list, its path to the root of the rows, and the publication."""

    envelope: str
    row: str
    index: int
    path: tuple[bytes, ...]

    def extra(self) -> bytes:
        """Returns the extra data."""
        return _data(_ROW, self.envelope, self.row, f"{_INDEX}{self.index}", *written(self.path))


Content: TypeAlias = EventContent | RowContent


def _data(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_content(extra: bytes) -> Content:
    """Reads the extra data; what it says is not checked yet.

    Raises:
        VerificationFailed: it is none that this program writes, or no UTF-8.
    """
    lines = as_read(extra).split("\n")
    if any(map(NO_TEXT.search, lines)):
        raise refused(2, "proof.extra", lines[0])
    match lines:
        case [kind, envelope, header, ""] if kind == _EVENT:
            return EventContent(envelope, header)
        case [kind, envelope, row, at, *path, ""] if kind == _ROW and at.startswith(_INDEX):
            return RowContent(envelope, row, number(at.removeprefix(_INDEX), 4), hashes(path, 5))
        case _:
            raise refused(2, "proof.extra", lines[0])


def said_in(content: Content) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns an envelope, and its payload, as data.

    Raises:
        VerificationFailed: they are not in canonical form, or lack something.
    """
    envelope = _object(content.envelope, _ENVELOPE_KEYS)
    if envelope.keys() != _ENVELOPE_KEYS.keys():
        raise VerificationFailed("proof.canonical", text=content.envelope[:_SHOWN])
    return envelope, _object(envelope["payload"], {})


def row_in(content: RowContent) -> dict[str, Any]:
    """Returns a row as data; raises as ``said_in``."""
    return _object(content.row, _ROW_KEYS)


def header_in(content: EventContent, digest: str) -> dict[str, Any]:
    """Returns the header of the commit with a digest, as data.

    Raises:
        VerificationFailed: it is that of another commit, or not in canonical form.
    """
    if sha256(content.header.encode()).hexdigest() != digest:
        raise VerificationFailed("proof.commit", text=content.header[:_SHOWN])
    return _object(content.header, {"actor": str, "reason": str, "recorded_at": str})


def _object(text: str, keys: dict[str, type]) -> dict[str, Any]:
    """Reads an object; one that is written otherwise may be read otherwise by other programs."""
    try:
        found = json.loads(text, parse_float=_no_float, parse_constant=_no_float)
        again = json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    except (ValueError, RecursionError):
        found, again = None, ""
    if (
        not isinstance(found, dict)
        or again != text
        or any(type(found.get(name)) is not kind for name, kind in keys.items())
    ):
        raise VerificationFailed("proof.canonical", text=text[:_SHOWN])
    return found


def _no_float(text: str) -> float:
    raise ValueError(text)
