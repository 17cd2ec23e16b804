"""A whole journal that comes from elsewhere, hashed anew as it goes by: nothing is believed.

This is the only way into a store for commits that were made before. Unlike ``integrity``, which
goes on to tell all that is wrong, it ends at the first thing that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ledger.errors import VerificationFailed
from ledger.journal.envelope import envelope, event_id, header_digest, peaks_text
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.records import Commit, StoredEvent

Witness = Callable[[StoredEvent, CompactRange], None]


def _nobody(_event: StoredEvent, _tree: CompactRange) -> None:
    """Sees nothing."""


class Rehash:
    """Commits, each with its events; to be gone through once, in order.

    Args:
        commits: from the first, in order.
        events: all of theirs, in order.
        witness: is shown every event that is right, with the tree that it is the last leaf of.
    """

    def __init__(
        self,
        commits: Iterable[Commit],
        events: Iterable[StoredEvent],
        witness: Witness = _nobody,
    ) -> None:
        self.tree = CompactRange()
        self.commits = 0
        self._source = commits
        self._events = iter(events)
        self._witness = witness

    def __iter__(self) -> Iterator[tuple[Commit, Iterator[StoredEvent]]]:
        """Yields every commit with its events, which must be read before the next one.

        Raises:
            VerificationFailed: a commit or an event is not what its hashes say, or not in its
                place.
        """
        for commit in self._source:
            self._check_place(commit)
            yield commit, self._events_of(commit)
            assert self.tree.size == commit.last_seq, "every event of a commit is read"
            self._check_tree(commit)
            self.commits = commit.commit_id
        beyond = next(self._events, None)
        if beyond is not None:
            raise VerificationFailed("verify.orphan", seq=beyond.seq, commit=self.commits)

    def _check_place(self, commit: Commit) -> None:
        expected, first = self.commits + 1, self.tree.size + 1
        if commit.commit_id != expected:
            raise VerificationFailed(
                "verify.commit_missing", expected=expected, found=commit.commit_id
            )
        if commit.first_seq != first or commit.last_seq < first:
            said = f"{commit.first_seq}-{commit.last_seq}"
            raise VerificationFailed(
                "verify.commit_range", commit=expected, range=said, expected=first
            )

    def _events_of(self, commit: Commit) -> Iterator[StoredEvent]:
        header, tree, witness = header_digest(commit), self.tree, self._witness
        for position in range(1, commit.last_seq - commit.first_seq + 2):
            seq = commit.first_seq - 1 + position
            event = next(self._events, None)
            if event is None or event.seq > seq:
                last = commit.last_seq if event is None else event.seq - 1
                raise VerificationFailed(
                    "verify.seq_missing", expected=seq, last=last, commit=commit.commit_id
                )
            leaf = leaf_hash(envelope(event, header))
            if leaf.hex() != event.leaf_hash:
                raise VerificationFailed("verify.leaf", seq=seq, commit=commit.commit_id)
            for column, right in (
                ("seq", event.seq == seq),
                ("commit_id", event.commit_id == commit.commit_id),
                ("event_id", event.event_id == event_id(commit.idempotency_key, position)),
            ):
                if not right:
                    raise VerificationFailed("verify.column", seq=seq, column=column)
            tree.append(leaf)
            witness(event, tree)
            yield event

    def _check_tree(self, commit: Commit) -> None:
        if (commit.peaks, commit.root) != (peaks_text(self.tree), self.tree.root().hex()):
            raise VerificationFailed(
                "verify.root",
                commit=commit.commit_id,
                first=commit.first_seq,
                last=commit.last_seq,
            )
