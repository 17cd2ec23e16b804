"""Segments beside the events: how they are made, held against the events, and vouched for.

A segment is believed only if this user's program made the same of events that it had checked. For
that it keeps a voucher (see ``store``) for every *chain* of segments, from the first to
some other one: the digest of their headings (which have the digests of their rows), bound to the
root of the last commit that had ended by then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from ledger.derived.store import DerivedStore, EntryKey, EntryKind, readable
from ledger.errors import VerificationFailed
from ledger.facts.blocks import BlockRows
from ledger.facts.builder import FactsBuilder
from ledger.facts.segment import Content, digest, pack
from ledger.journal.envelope import peaks_of, peaks_text
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, Head, SealedSegment, SegmentHeading
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.journal.verify.walk import VerifiedPrefix
from ledger.wording import Message

# A shorter tail is read faster than it is worth a segment; a longer one makes several.
LEAST_EVENTS = 5_000
MOST_EVENTS = 250_000
# Of so many more segments than full ones the excess came from elsewhere, and nothing is read.
MOST_SHORT = 16

Notice = Callable[[Message], None]


def say_nothing(_message: Message) -> None:
    """Tells nobody."""


def made_again(first: int, last: int) -> Message:
    """Returns the notice of a segment that was damaged, or not what its events say."""
    return Message.of("verify.segment_made_again", first=first, last=last)


@dataclass(frozen=True, slots=True)
class Link:
    """The chain of segments from the first event to ``last_seq``, by its digest."""

    last_seq: int
    digest: str

    @classmethod
    def behind(cls, before: Link | None, last_seq: int, heading_sha256: str) -> Link:
        """Returns the chain that goes on with a segment."""
        chained = f"{before.digest if before else ''}{heading_sha256}"
        return cls(last_seq, sha256(chained.encode()).hexdigest())

    def key(self, anchor: Commit | None) -> EntryKey:
        """Returns the key of its voucher; ``anchor`` is the last commit that had ended by then."""
        return EntryKey(EntryKind.SEGMENT, anchor.root if anchor else "", (self.digest,))


@dataclass(frozen=True, slots=True)
class Vouched:
    """What a voucher says of a chain: the verified prefix, and roots of its history by seq."""

    prefix: VerifiedPrefix
    roots: dict[int, str]


def vouch(
    journal: Journal, store: DerivedStore, link: Link, tree: CompactRange, roots: Mapping[int, str]
) -> None:
    """Keeps a voucher for a chain whose events were checked.

    ``roots`` are those of its history, by seq, that will be asked for.
    """
    anchor = journal.commit_by(link.last_seq)
    earlier = {seq: root for seq, root in roots.items() if seq <= link.last_seq}
    note = {"size": tree.size, "peaks": peaks_text(tree), "roots": list(earlier.items())}
    store.vouch(link.key(anchor), json.dumps(note))


def vouched(journal: Journal, store: DerivedStore, link: Link) -> Vouched | None:
    """Returns what this user's voucher says of a chain; None, if there is none."""
    anchor = journal.commit_by(link.last_seq)
    note = store.note(link.key(anchor))
    if note is None:
        return None
    try:
        contents = json.loads(note)
        tree = CompactRange(contents["size"], peaks_of(contents["peaks"]))
        prefix, roots = VerifiedPrefix.behind(anchor), dict(contents["roots"])
    except UNEXPECTED_VALUES:
        return None
    if tree.size != link.last_seq:
        return None
    if tree.size > prefix.seq:
        prefix.within = tree
    elif tree.peaks != prefix.tree.peaks:
        return None
    elif anchor is not None:
        roots[anchor.last_seq] = anchor.root
    return Vouched(prefix, roots)


def vouched_upto(journal: Journal, store: DerivedStore) -> int:
    """Returns up to which seq all segments reach; 0 where this user has no voucher for them."""
    link: Link | None = None
    for last_seq, heading_sha256 in readable(journal.seals):
        link = Link.behind(link, last_seq, heading_sha256)
    if link is None:
        return 0
    note = store.note(link.key(journal.commit_by(link.last_seq)))
    return 0 if note is None else link.last_seq


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
        content: Content,
        heading_sha256: str,
        notice: Notice = say_nothing,
    ) -> SealedRows:
        """Returns what brings the rows of a segment; ``builder`` took its events, or will."""
        return cls(
            journal, builder, content.first_seq, content.last_seq, heading_sha256,
            content.rows_sha256, notice,
        )  # fmt: skip

    def __call__(self) -> BlockRows:
        """Returns the rows.

        Raises:
            VerificationFailed: they are damaged, and so are the events.
        """
        rows = self.builder.rows_in_use.get(self.rows_sha256)
        if rows is None:
            rows = self.builder.rows_in_use[self.rows_sha256] = self._fetched()
        return rows

    def _fetched(self) -> BlockRows:
        data = self.journal.segment_rows(self.first_seq, self.heading_sha256)
        if data is not None and digest(data) == self.rows_sha256:
            rows = BlockRows.unpacked(data)
            rows.check(self.builder.players, self.last_seq - self.first_seq + 1)
            return rows
        if data is not None:
            self.journal.drop_segments()
            self.notice(made_again(self.first_seq, self.last_seq))
        # Damaged, or somebody has thrown it away or made a longer one of it since. The digest
        # tells whether the events are those that were checked.
        pages = self.journal.pages(after=self.first_seq - 1, upto=self.last_seq)
        try:
            rows = self.builder.rows_again(pages)
        except UNEXPECTED_VALUES as error:
            raise self._failure() from error
        if digest(rows.packed()) != self.rows_sha256:
            raise self._failure()
        return rows

    def _failure(self) -> VerificationFailed:
        return VerificationFailed("verify.segment", first=self.first_seq, last=self.last_seq)


def anything_kept(journal: Journal) -> bool:
    """Whether any segment or snapshot is kept; only their headings are read."""
    return any(True for _ in journal.segment_headings()) or bool(journal.snapshots())


def unsealed_from(builder: FactsBuilder) -> int:
    """Returns where the next segment begins: a short last one is made again with what follows."""
    last = builder.last_sealed()
    if last is None:
        return 1
    short = last.last_seq - last.first_seq + 1 < MOST_EVENTS
    return last.first_seq if short else last.last_seq + 1


def seal(
    journal: Journal, builder: FactsBuilder, first: int, last: int, head: Head, notice: Notice
) -> str | None:
    """Seals a range of what a builder took.

    Nobody waits for it: who cannot write at once leaves it to others.

    Returns:
        The digest of the heading; None, if the segment was not kept.
    """
    content, rows = builder.sealed(first, last)
    heading = pack(content)
    heading_sha256 = digest(heading)
    segment = SealedSegment(first, last, head.seq, head.root, heading_sha256, heading, rows)
    if not journal.keep_segment(segment):
        return None
    builder.give_away(content, SealedRows.of(journal, builder, content, heading_sha256, notice))
    return heading_sha256


class Trial:
    """Holds segments against what is folded of the checked events, as that goes on.

    A segment that says the same takes the rows over: no more of them are in memory than of one.

    ``before`` is the chain of the segments that the builder has taken already; ``notice`` hears of
    rows that are damaged later.
    """

    def __init__(
        self,
        journal: Journal,
        builder: FactsBuilder,
        before: Link | None = None,
        notice: Notice = say_nothing,
    ) -> None:
        self.builder = builder
        self.chain = [before] if before else []
        self.wrong: list[SegmentHeading] = []
        self._left: list[SegmentHeading] = []
        self._journal = journal
        self._notice = notice
        head = journal.head().seq
        for segment in readable(journal.segment_headings):
            if before is None or segment.first_seq > before.last_seq:
                (self._left if segment.last_seq <= head else self.wrong).append(segment)
        self._left.reverse()

    @property
    def ends(self) -> set[int]:
        """The last seqs of the segments that are not looked at yet."""
        return {segment.last_seq for segment in self._left}

    def go_on(self) -> None:
        """Looks at the segments of the events that are folded by now."""
        while self._left and self._left[-1].last_seq <= self.builder.seq:
            self._look_at(self._left.pop())

    def end(self) -> None:
        """Leaves those alone that are of events which were appended meanwhile."""
        self.go_on()
        self._left = []

    def _look_at(self, segment: SegmentHeading) -> None:
        before = self.chain[-1] if self.chain else None
        follows = segment.first_seq == (before.last_seq if before else 0) + 1
        if not follows or segment.first_seq > segment.last_seq or not self._is_right(segment):
            self.wrong.append(segment)
            return
        self.chain.append(Link.behind(before, segment.last_seq, segment.sha256))

    def _is_right(self, segment: SegmentHeading) -> bool:
        content, rows = self.builder.sealed(segment.first_seq, segment.last_seq)
        heading = pack(content)
        if segment.heading != heading or segment.sha256 != digest(heading):
            return False
        if segment.root != self._journal.root_at(segment.sealed_at):
            return False
        if self._journal.segment_rows(segment.first_seq, segment.sha256) != rows:
            return False
        fetch = SealedRows.of(self._journal, self.builder, content, segment.sha256, self._notice)
        self.builder.give_away(content, fetch)
        return True
