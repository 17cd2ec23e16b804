"""Keeps sealed segments beside the events, reads the facts from them, and tells the bad ones.

A segment is never trusted beyond what it can show: the root it was sealed under must be the
ledger's, its digests those of its bytes, and the ranges must follow each other from the first
event. From the first one that does not show it on, the events are read instead, and all are thrown
away to be made again. Whether a segment says what its events say, ``verify`` finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from ledger.errors import VerificationFailed
from ledger.facts.blocks import Rows
from ledger.facts.fold import FactsBuilder
from ledger.facts.segment import Content, digest, pack, unpack
from ledger.journal.entries import Head, Journal, SealedSegment, SegmentHeading, StoredRow
from ledger.wording import Message

# A shorter tail is read faster than it is worth a segment; a longer one makes several.
LEAST_EVENTS = 5_000
MOST_EVENTS = 250_000

Pages = Iterable[Sequence[StoredRow]]
Notice = Callable[[Message], None]


def say_nothing(_message: Message) -> None:
    """Tells nobody."""


def unsealed(journal: Journal, notice: Notice = say_nothing) -> FactsBuilder:
    """Returns a builder with everything that is sealed; ``notice`` hears of what is damaged."""
    builder = FactsBuilder()
    roots: dict[int, str | None] = {}
    for segment in journal.segment_headings():
        if segment.sealed_at not in roots:
            roots[segment.sealed_at] = journal.root_at(segment.sealed_at)
        follows = segment.first_seq == builder.seq + 1
        sound = follows and _sound(segment, roots[segment.sealed_at])
        try:
            content = unpack(segment.heading) if sound else None
        except (ValueError, KeyError, IndexError, TypeError):
            sound = False  # no heading at all, however right its digest
        if not sound:
            journal.drop_segments()
            notice(_damaged(segment.first_seq, segment.last_seq))
            break
        if content is None:
            break  # of a format that another version of this software reads
        builder.take_sealed(content, SealedRows.of(journal, builder, segment, content, notice))
        assert builder.seq == segment.last_seq, "a segment holds the events it says"
    return builder


def _damaged(first: int, last: int) -> Message:
    return Message.of("verify.segment_made_again", first=first, last=last)


def _sound(segment: SegmentHeading, root: str | None) -> bool:
    """Whether a segment is of this ledger's history and as it was sealed."""
    return root is not None and (segment.root, segment.sha256) == (root, digest(segment.heading))


@dataclass(frozen=True, slots=True)
class SealedRows:
    """Brings the rows of a segment; made from the events again, if they are not what they were."""

    journal: Journal
    builder: FactsBuilder
    first_seq: int
    last_seq: int
    heading_sha256: str
    rows_sha256: str
    notice: Notice

    @classmethod
    def of(
        cls,
        journal: Journal,
        builder: FactsBuilder,
        segment: SegmentHeading,
        content: Content,
        notice: Notice = say_nothing,
    ) -> SealedRows:
        """Returns what brings the rows of a segment; ``builder`` took its events, or will."""
        return cls(
            journal, builder, segment.first_seq, segment.last_seq, segment.sha256,
            content.rows_sha256, notice,
        )  # fmt: skip

    def __call__(self) -> Rows:
        """Returns the rows."""
        rows = self.builder.at_hand.get(self.rows_sha256)
        if rows is None:
            rows = self.builder.at_hand[self.rows_sha256] = self._fetched()
        return rows

    def _fetched(self) -> Rows:
        data = self.journal.segment_rows(self.first_seq, self.heading_sha256)
        if data is not None and digest(data) == self.rows_sha256:
            return Rows.unpacked(data)
        if data is not None:
            self.journal.drop_segments()
            self.notice(_damaged(self.first_seq, self.last_seq))
        # Damaged, or somebody has thrown it away or made a longer one of it since.
        pages = self.journal.pages(after=self.first_seq - 1, upto=self.last_seq)
        rows = self.builder.rows_again(pages)
        if digest(rows.packed()) != self.rows_sha256:
            raise VerificationFailed("verify.segment", first=self.first_seq, last=self.last_seq)
        return rows


def take(
    journal: Journal,
    builder: FactsBuilder,
    head: Head,
    counted: Callable[[Pages], Pages] = lambda pages: pages,
) -> None:
    """Lets a builder take the events up to a head, and seals them if it is worth it.

    Nobody waits for it: who cannot write at once leaves it to others.

    Args:
        journal: where the events are.
        builder: has taken what is sealed, and perhaps more.
        head: where to end.
        counted: is shown the events that are read.
    """
    first = _unsealed_from(builder)
    last_sealed = builder.last_sealed()
    worth_it = head.seq - (last_sealed.last_seq if last_sealed else 0) >= LEAST_EVENTS
    while builder.seq < head.seq:
        last = min(first + MOST_EVENTS - 1, head.seq)
        builder.take_pages(counted(journal.pages(after=builder.seq, upto=last)))
        worth_it = worth_it and _seal(journal, builder, first, last, head)
        first = last + 1


def anything_kept(journal: Journal) -> bool:
    """Whether any segment or snapshot is kept; only their headings are read."""
    lists = (name.removeprefix("list:") for name in journal.stream_names("list:"))
    return any(True for _ in journal.segment_headings()) or any(map(journal.snapshots, lists))


def _unsealed_from(builder: FactsBuilder) -> int:
    """Returns where the next segment begins: a short last one is made again with what follows."""
    last = builder.last_sealed()
    if last is None:
        return 1
    short = last.last_seq - last.first_seq + 1 < MOST_EVENTS
    return last.first_seq if short else last.last_seq + 1


def _seal(journal: Journal, builder: FactsBuilder, first: int, last: int, head: Head) -> bool:
    """Seals a range of what a builder took; whether it was kept."""
    content, rows = builder.sealed(first, last)
    heading = pack(content)
    segment = SealedSegment(first, last, head.seq, head.root, digest(heading), heading, rows)
    if not journal.keep_segment(segment):
        return False
    builder.give_away(content, SealedRows.of(journal, builder, segment, content))
    return True


class Trial:
    """Holds the segments against what is folded of the events alone, as that goes on.

    A segment that says the same takes the rows over: no more of them are in memory than of one.

    Args:
        journal: where the segments are.
        builder: takes the events, in order.
    """

    def __init__(self, journal: Journal, builder: FactsBuilder) -> None:
        self.builder = builder
        self.wrong: list[SealedSegment] = []
        self._journal = journal
        self._segments = journal.segments()
        self._next = next(self._segments, None)

    def go_on(self) -> None:
        """Looks at the segments of the events that are folded by now."""
        while self._next is not None and self._next.last_seq <= self.builder.seq:
            self._look_at(self._next)
            self._next = next(self._segments, None)

    def end(self) -> None:
        """Looks at those that are left; some may be of events that were appended meanwhile."""
        head = self._journal.head()
        while self._next is not None:
            last = self._next.last_seq
            if self.builder.seq < last <= head.seq:
                self.builder.take_pages(self._journal.pages(after=self.builder.seq, upto=last))
            self._look_at(self._next)
            self._next = next(self._segments, None)

    def _look_at(self, segment: SealedSegment) -> None:
        if 1 <= segment.first_seq <= segment.last_seq <= self.builder.seq:
            content, rows = self.builder.sealed(segment.first_seq, segment.last_seq)
            says_the_same = (segment.heading, segment.rows) == (pack(content), rows)
            if says_the_same and _sound(segment, self._journal.root_at(segment.sealed_at)):
                heading = SegmentHeading(
                    **{each.name: getattr(segment, each.name) for each in fields(SegmentHeading)}
                )
                fetch = SealedRows.of(self._journal, self.builder, heading, content)
                self.builder.give_away(content, fetch)
                return
        self.wrong.append(segment)
