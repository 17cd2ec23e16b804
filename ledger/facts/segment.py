"""Sealed segments: what the fold makes of a range of events, packed into columns.

A segment is disposable: it says nothing that its events do not say, it is read instead of them
because that is a hundred times faster, and it is dropped and made again at will. It has two parts.
The *heading* is small and read whenever a ledger is opened: tables of what is few, where the rows
of each tournament are, and, as they are, the other events that facts are made of. The *rows* are
those of a block (see ``blocks``), read only when somebody asks for one of its periods; the heading
has their digest. All figures are little-endian and nothing is compressed, so that the same events
give the same bytes on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ledger.facts.arrays import AnyColumn, column_types
from ledger.facts.blocks import GameDirectory, require_within
from ledger.facts.runs import Effects
from ledger.facts.tables import EVERY_LIST, NOT_TOLD, RATES, SYSTEMS, TABLES, Tables
from ledger.identifiers import Seq

FORMAT = 5
_ALIGNED = 8
_TEXT = "text."

# seq, type, version, effective_on, payload
OtherEvent: TypeAlias = tuple[Seq, str, int, str, str]


@dataclass(frozen=True, kw_only=True)
class Content(Tables):
    """What the heading of a segment says; ``texts`` are packed (see ``ids``), by name.

    ``list`` of seeds and Ks is a position in ``names``.
    """

    first_seq: int
    last_seq: int
    row_count: int
    rows_sha256: str
    directory: GameDirectory
    effects: Effects
    names: list[str]
    texts: Mapping[str, bytes]
    others: list[OtherEvent]

    def check(self, players: int, tournaments: int, bodies: int) -> None:
        """Raises ``ValueError`` unless every index is of something.

        Args:
            players: how many there are, with those of the segment.
            tournaments: the same.
            bodies: the same.
        """
        directory, names = self.directory, len(self.names)
        if len(directory.start) != len(directory.tournament):
            raise ValueError("a directory has a start for every tournament")
        require_within(directory.tournament, 0, tournaments)
        require_within(np.diff(directory.start), 0, self.row_count + 1)
        if directory.start[:1].any():
            raise ValueError("a directory begins with the first row")
        require_within(directory.start, 0, self.row_count + 1)
        for table in (self.seeds, self.ks):
            require_within(table.player, 0, players)
            require_within(table.list, EVERY_LIST, names)
        require_within(self.affiliations.player, 0, players)
        for of_body in (self.affiliations.club, self.affiliations.region):
            require_within(of_body, NOT_TOLD, bodies)
        for of_tournaments in (self.entered, self.closed):
            require_within(of_tournaments.tournament, 0, tournaments)
        require_within(self.tournaments.rate, 0, len(RATES))
        require_within(self.tournaments.system, 0, len(SYSTEMS))


def pack(content: Content) -> bytes:
    """Returns a heading; the same content gives the same bytes."""
    first = content.first_seq
    parts: dict[str, AnyColumn] = {
        "directory.tournament": content.directory.tournament.astype("<i4"),
        "directory.start": content.directory.start.astype("<i4"),
        "directory.seq": (content.directory.seq - first).astype("<i4"),
        "effects.first": (content.effects.first - first).astype("<i4"),
        "effects.day": content.effects.day.astype("<i4"),
    }
    for name, kind in TABLES.items():
        table = getattr(content, name)
        parts[f"{name}.seq"] = (table.seq - first).astype("<i4")
        for column, type_ in [*column_types(kind).items()][1:]:
            parts[f"{name}.{column}"] = _narrow(getattr(table, column), type_)
    packed = [(name, part.dtype.str, part.tobytes()) for name, part in parts.items()]
    packed += [(f"{_TEXT}{name}", "S1", text) for name, text in content.texts.items()]
    heading = {
        "format": FORMAT,
        "first_seq": first,
        "last_seq": content.last_seq,
        "rows": content.row_count,
        "rows_sha256": content.rows_sha256,
        "names": content.names,
        "others": content.others,
        "columns": [(name, type_, len(data)) for name, type_, data in packed],
    }
    line = json.dumps(heading, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
    return b"".join(_padded(data) for data in (line, *(data for _, _, data in packed)))


def unpack(heading: bytes) -> Content | None:
    """Returns what a heading says; None for one of another format."""
    end = heading.index(b"\n") + 1
    said = json.loads(heading[:end])
    if said["format"] != FORMAT:
        return None
    first = said["first_seq"]
    columns: dict[str, AnyColumn] = {}
    texts: dict[str, bytes] = {}
    at = _whole(end)
    for name, type_, length in said["columns"]:
        if name.startswith(_TEXT):
            texts[name.removeprefix(_TEXT)] = heading[at : at + length]
        else:
            count = length // np.dtype(type_).itemsize
            columns[name] = np.frombuffer(heading, dtype=type_, count=count, offset=at)
        if name.endswith((".seq", ".first")):
            columns[name] = columns[name].astype(np.int64) + first
        at += _whole(length)
    if at != len(heading):
        raise ValueError("a heading is as long as it says")
    tables: dict[str, Any] = {
        name: kind(*(columns[f"{name}.{column}"] for column in column_types(kind)))
        for name, kind in TABLES.items()
    }
    return Content(
        first_seq=first,
        last_seq=said["last_seq"],
        row_count=said["rows"],
        rows_sha256=said["rows_sha256"],
        # Copied, so that the bytes of the heading need not be kept for it.
        directory=GameDirectory(
            columns["directory.tournament"].copy(),
            columns["directory.start"].copy(),
            columns["directory.seq"],
        ),
        effects=Effects(columns["effects.first"], columns["effects.day"], said["last_seq"]),
        names=said["names"],
        texts=texts,
        others=[tuple(other) for other in said["others"]],
        **tables,
    )


def digest(data: bytes) -> str:
    """Returns the digest of a part of a segment, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _narrow(column: AnyColumn, type_: str) -> AnyColumn:
    narrow: AnyColumn = column.astype(type_)
    assert (narrow == column).all(), f"a figure does not fit {type_}"
    return narrow


def _padded(data: bytes) -> bytes:
    return data + b" " * (_whole(len(data)) - len(data))


def _whole(length: int) -> int:
    return -(-length // _ALIGNED) * _ALIGNED
