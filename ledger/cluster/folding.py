"""Folds the events of an archive segment by segment: decoded, validated, packed, compared.

What a segment has to say depends on the events before it only through what their segments say (who
has which index). So every part takes those as they are and folds its own events; that they are
right too, the other parts find out. If every part is right, all are, from the first one on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger.archive.journal import ArchiveJournal
from ledger.cluster.engine import Engine
from ledger.errors import VerificationFailed
from ledger.facts.blocks import BlockRows
from ledger.facts.builder import FactsBuilder
from ledger.facts.segment import pack, unpack
from ledger.journal.verify.bulk_walk import MADE_ANEW


@dataclass(frozen=True, slots=True)
class Segment:
    """A part: a sealed segment of an archive, by its place among them (from 0)."""

    folder: Path
    place: int
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Folded:
    """What the events of a segment come to: how many rows of games, and whether it says so."""

    part: Segment
    rows: int
    right: bool


def segments_of(archive: ArchiveJournal) -> list[Segment]:
    """Returns the parts of an archive: its sealed segments, which must follow each other.

    Raises:
        VerificationFailed: they do not, or one ends after the last event.
    """
    parts: list[Segment] = []
    last = 0
    for place, heading in enumerate(archive.segment_headings()):
        first, follows = last + 1, heading.first_seq == last + 1
        last = heading.last_seq
        if not follows or not first <= last <= archive.head().seq:
            raise VerificationFailed("verify.segment", first=heading.first_seq, last=last)
        parts.append(Segment(archive.folder, place, first, last))
    return parts


def fold(part: Segment) -> Folded:
    """Folds the events of a segment and compares what they come to with what it says.

    Raises:
        VerificationFailed: a file of the archive is not the one that was archived.
    """
    archive = ArchiveJournal(part.folder)
    builder = FactsBuilder()
    for heading in archive.segment_headings():
        if heading.last_seq >= part.first_seq:
            break
        try:
            content = unpack(heading.heading)
            if content is None or content.first_seq != builder.seq + 1:
                return Folded(part, 0, right=False)
            builder.take_sealed(content, _nothing)
        except MADE_ANEW:
            return Folded(part, 0, right=False)
    builder.take_pages(archive.pages(after=part.first_seq - 1, upto=part.last_seq))
    content, rows = builder.sealed(part.first_seq, part.last_seq)
    said = next(s for place, s in enumerate(archive.segments()) if place == part.place)
    return Folded(part, content.row_count, right=(said.heading, said.rows) == (pack(content), rows))


def _nothing() -> BlockRows:
    raise AssertionError("a fold reads no rows of segments before its own")


def fold_with(engine: Engine, archive: ArchiveJournal) -> Sequence[Folded]:
    """Folds all that is sealed in an archive on an engine's workers.

    Raises:
        VerificationFailed: a segment does not say what its events say; the first one.
    """
    folded = list(engine.map(fold, segments_of(archive)))
    for each in folded:
        if not each.right:
            raise VerificationFailed(
                "verify.segment", first=each.part.first_seq, last=each.part.last_seq
            )
    return folded
