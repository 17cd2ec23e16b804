"""Keeps sealed segments beside the events, reads the facts from them, and tells the bad ones.

A segment is never trusted beyond what it can show: the root it was sealed under must be the
ledger's, its digest that of its bytes, and the ranges must follow each other from the first event.
From the first one that does not show it on, the events are read instead, and all are thrown away
to be made again. Whether a segment says what its events say, ``verify`` finds out.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

from ledger.facts.fold import FactsBuilder
from ledger.facts.segment import same
from ledger.journal.entries import Head, Journal, SealedSegment

# A shorter tail is read faster than it is worth a segment; a longer one makes several.
LEAST_EVENTS = 20_000
MOST_EVENTS = 250_000


def unsealed(journal: Journal) -> tuple[FactsBuilder, int]:
    """Returns a builder with everything that is sealed, and the last seq of it."""
    builder = FactsBuilder()
    roots: dict[int, str | None] = {}
    for segment in journal.segments():
        if segment.sealed_at not in roots:
            roots[segment.sealed_at] = journal.root_at(segment.sealed_at)
        follows = segment.first_seq == builder.seq + 1
        if not (follows and _sound(segment, roots[segment.sealed_at])):
            journal.drop_segments()
            break
        if not builder.take_sealed(segment.data):
            break  # of a format that another version of this software reads
        assert builder.seq == segment.last_seq, "a segment holds the events it says"
    return builder, builder.seq


def _sound(segment: SealedSegment, root: str | None) -> bool:
    """Whether a segment is of this ledger's history and as it was sealed."""
    digest = hashlib.sha256(segment.data).hexdigest()
    return root is not None and (segment.root, segment.sha256) == (root, digest)


def seal(journal: Journal, builder: FactsBuilder, upto: int, head: Head) -> int:
    """Seals what the builder took after ``upto``, if it is worth it; returns the last seq sealed.

    The builder stands at the head. Nobody waits for it: who cannot write at once leaves it.
    """
    if head.seq - upto < LEAST_EVENTS:
        return upto
    for first in range(upto + 1, head.seq + 1, MOST_EVENTS):
        last = min(first + MOST_EVENTS - 1, head.seq)
        data = builder.sealed(first, last)
        digest = hashlib.sha256(data).hexdigest()
        segment = SealedSegment(first, last, head.seq, head.root, digest, data)
        if not journal.keep_segment(segment):
            return first - 1
    return head.seq


def wrong_segments(journal: Journal, builder: FactsBuilder) -> Iterator[SealedSegment]:
    """Yields the segments that do not say what the events say; ``builder`` took all of these."""
    for segment in journal.segments():
        in_range = 1 <= segment.first_seq <= segment.last_seq <= builder.seq
        try:
            right = in_range and same(
                segment.data, builder.sealed(segment.first_seq, segment.last_seq)
            )
        except zlib.error:
            right = False
        if not right or not _sound(segment, journal.root_at(segment.sealed_at)):
            yield segment
