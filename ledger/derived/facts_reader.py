"""Reads the facts of a ledger: from events that it checks, and from segments that it vouches for.

What is sealed and has this user's voucher is taken as it is. All events behind it are hashed, held
against the roots of their commits, and folded. Segments without a voucher, another user's or a
forged one, are never read: the same columns are made of the events, and if they are equal to the
byte, they get a voucher too. A long tail is sealed, for the next reader.
"""

from __future__ import annotations

from functools import cache, partial
from threading import RLock

from ledger.derived import segments
from ledger.derived.segments import (
    Link,
    Notice,
    SealedRows,
    Trial,
    Vouched,
    made_again,
    say_nothing,
    seal,
    unsealed_from,
    vouch,
    vouched,
)
from ledger.derived.store import DerivedStore, readable
from ledger.errors import VerificationFailed
from ledger.facts.builder import FactsBuilder
from ledger.facts.page_fold import FoldedPages, PageFold
from ledger.facts.segment import digest, unpack
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Head, Progress, SegmentHeading, no_progress
from ledger.journal.verify.check import require_verified
from ledger.journal.verify.ranges import PageReading
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.journal.verify.walk import VerifiedPrefix


class FactsReader:
    """Folds a journal up to one head after the other.

    ``notice`` is told what was damaged and is made again; ``progress`` "facts", the last event that
    was read, and the total. One thread reads at a time: whatever builder it goes on with, all have
    the same lock.
    """

    def __init__(
        self,
        journal: Journal,
        store: DerivedStore,
        notice: Notice = say_nothing,
        progress: Progress = no_progress,
    ) -> None:
        self._journal = journal
        self._store = store
        self._notice = notice
        self._progress = progress
        self._written: HashedEvents | None = None
        self._lock = RLock()
        self._begin()

    def _begin(self) -> None:
        self.builder = FactsBuilder(self._lock)
        self._end = VerifiedPrefix()
        # Of the history, by seq: as a voucher has them. Later ones are read from checked commits.
        self._roots: dict[int, str] = {}
        self._checked_after = self._commits_before = 0
        self._chain: list[Link] = []
        self._seals = False

    def read_back(self, head: Head, written: HashedEvents) -> None:
        """Reads up to a head, as ``read``; rows that are what was written are not hashed again."""
        with self._lock:
            self._written = written
            try:
                self.read(head)
            finally:
                self._written = None

    def read(self, head: Head) -> FactsBuilder:
        """Returns a builder that has taken everything up to a head, or more.

        Raises:
            VerificationFailed: an event or a commit is not what was recorded; the first one.
            DatabaseError: the journal cannot be read.
        """
        with self._lock:
            try:
                return self._read(head, believing=True)
            except VerificationFailed:
                # A voucher may be for another history with the same columns, a database may have
                # been out of reach for a moment: only what is wrong from the first event on is.
                return self._read(head, believing=False)

    def _read(self, head: Head, *, believing: bool) -> FactsBuilder:
        try:
            self._check_end(head)
            if believing and self._is_far_from(head):
                self._take_vouched()
            if self.builder.seq > head.seq:
                head = self._journal.head()  # others have appended, and sealed it
            if not self._leads_to(head):
                self._begin()
            self._go_on(head)
        except BaseException:
            self._begin()
            raise
        return self.builder

    def _leads_to(self, head: Head) -> bool:
        """Whether what was taken can be the beginning of the history that ends at a head."""
        if self.builder.seq < head.seq or not self.builder.seq:
            return True
        return (self._end.last_seq, self._end.tree.root().hex()) == (head.seq, head.root)

    def _is_far_from(self, head: Head) -> bool:
        """Whether so much is missing that segments are read faster than the events."""
        return not self.builder.seq or head.seq - self.builder.seq >= segments.LEAST_EVENTS

    def root_at(self, seq: int) -> str | None:
        """Returns the root of the history at a seq; None, where none is known to be right."""
        if seq in self._roots:
            return self._roots[seq]
        if not self._checked_after < seq <= self._end.seq:
            return None
        commit = self._journal.commit_by(seq)
        is_checked = (
            commit is not None
            and commit.last_seq == seq
            and self._commits_before < commit.commit_id <= self._end.commits
        )
        return commit.root if commit is not None and is_checked else None

    def _check_end(self, head: Head) -> None:
        """Raises ``VerificationFailed`` where the last event is not that of the last commit."""
        last = self._journal.last_event()
        if last < head.seq:
            values = {"expected": last + 1, "last": head.seq, "commit": head.commit_id}
            raise VerificationFailed("verify.seq_missing", **values)
        if last > head.seq:
            now = self._journal.head()
            if last > now.seq:
                raise VerificationFailed("verify.orphan", seq=now.seq + 1, commit=now.commit_id)

    # What is sealed

    def _take_vouched(self) -> None:
        """Takes the longest chain of segments that has a voucher, if one leads further."""
        found = self._chained()
        while found and found[-1][0].last_seq > self.builder.seq:
            link, _ = found[-1]
            about = vouched(self._journal, self._store, link)
            if about is not None:
                self._take_chain(found, about)
                return
            found.pop()

    def _chained(self) -> list[tuple[Link, SegmentHeading]]:
        """Returns the segments that follow each other; of others the notice is told."""
        found: list[tuple[Link, SegmentHeading]] = []
        link: Link | None = None
        root_at = cache(self._journal.root_at)
        headings = readable(self._journal.segment_headings)
        if (
            len(headings)
            > self._journal.last_event() // segments.LEAST_EVENTS + segments.MOST_SHORT
        ):
            self._journal.drop_segments()  # nobody makes so many
            self._notice(made_again(headings[0].first_seq, headings[-1].last_seq))
            return []
        for segment in headings:
            first = link.last_seq + 1 if link else 1
            shown = (digest(segment.heading), root_at(segment.sealed_at))
            follows = segment.first_seq == first <= segment.last_seq
            if not follows or shown != (segment.sha256, segment.root):
                self._journal.drop_segments()
                self._notice(made_again(segment.first_seq, segment.last_seq))
                return []
            link = Link.behind(link, segment.last_seq, segment.sha256)
            found.append((link, segment))
        return found

    def _take_chain(self, found: list[tuple[Link, SegmentHeading]], about: Vouched) -> None:
        contents = [
            content
            for link, segment in found
            if (content := unpack(segment.heading)) is not None
            and content.last_seq == link.last_seq
        ]
        if len(contents) < len(found):
            return  # made by another version of this software
        self._begin()
        for content, (_, segment) in zip(contents, found, strict=True):
            rows = SealedRows.of(self._journal, self.builder, content, segment.sha256, self._notice)
            self.builder.take_sealed(content, rows)
        self._chain = [link for link, _ in found]
        self._end, self._roots = about.prefix, about.roots
        self._checked_after = about.prefix.last_seq
        self._commits_before = about.prefix.commits

    # What is not

    def _go_on(self, head: Head) -> None:
        """Checks, folds and seals what lies between here and a head."""
        if self.builder.seq >= head.seq:
            return
        last = self._chain[-1] if self._chain else None
        trial = Trial(self._journal, self.builder, last, self._notice)
        is_long = head.seq - (last.last_seq if last else 0) >= segments.LEAST_EVENTS
        self._seals = is_long
        most = segments.MOST_EVENTS
        planned = range(unsealed_from(self.builder) + most - 1, head.seq, most)
        self._end, trees = require_verified(
            self._journal,
            head,
            PageReading(PageFold, partial(self._take, trial, head)),
            lambda _what, done, total: self._progress("facts", done, total),
            start=self._end,
            cuts=trial.ends.union(planned),
            written=self._written,
        )
        self._end_trial(trial)
        while self._seals and self._sealed_upto() < head.seq:
            first = unsealed_from(self.builder)
            self._seal(first, min(first + segments.MOST_EVENTS - 1, head.seq), head)
        self._vouch(trees | {head.seq: self._end.tree}, after=last.last_seq if last else 0)

    def _take(self, trial: Trial, head: Head, folded: FoldedPages) -> None:
        try:
            self.builder.take_folded(folded)
        except UNEXPECTED_VALUES as error:
            raise makes_no_sense(folded, error) from error
        trial.go_on()
        if any(end <= head.seq for end in trial.ends):
            return
        self._end_trial(trial)
        first, most = unsealed_from(self.builder), segments.MOST_EVENTS
        while self._seals and self.builder.seq - first >= most - 1:
            self._seal(first, first + most - 1, head)
            first += most

    def _end_trial(self, trial: Trial) -> None:
        """Goes on behind the segments that proved right; throws the others away."""
        trial.end()
        if trial.chain:
            self._chain = [*self._chain[:-1], *trial.chain] if self._chain else list(trial.chain)
            trial.chain = []
        if trial.wrong:
            first, last = trial.wrong[0].first_seq, trial.wrong[-1].last_seq
            self._notice(made_again(first, last))
            self._journal.drop_segments(self._sealed_upto() + 1)
            trial.wrong = []

    def _sealed_upto(self) -> int:
        return self._chain[-1].last_seq if self._chain else 0

    def _seal(self, first: int, last: int, head: Head) -> None:
        sha256 = seal(self._journal, self.builder, first, last, head, self._notice)
        if sha256 is None:
            self._seals = False
            return
        self._chain = [link for link in self._chain if link.last_seq < first]
        before = self._chain[-1] if self._chain else None
        self._chain.append(Link.behind(before, last, sha256))

    def _vouch(self, trees: dict[int, CompactRange], after: int) -> None:
        """Keeps vouchers for the chains that are new."""
        new = [link for link in self._chain if link.last_seq > after and link.last_seq in trees]
        if not new:
            return
        bases = {snapshot.basis for snapshot in readable(self._journal.snapshots)}
        roots = {basis: root for basis in bases if (root := self.root_at(basis)) is not None}
        for link in new:
            vouch(self._journal, self._store, link, trees[link.last_seq], roots)


def makes_no_sense(folded: FoldedPages, error: Exception) -> VerificationFailed:
    """Returns the failure of events that are right by themselves, but not together."""
    why = f"{type(error).__name__}: {error}"
    return VerificationFailed("verify.fold", first=folded.first_seq, last=folded.last_seq, why=why)
