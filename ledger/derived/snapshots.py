"""Keeps snapshots of replays beside the events, and gives back only those this user vouches for.

A snapshot gets a voucher (see ``store``) when this program has made it of facts that it
had checked. It is used only with that voucher, and only where the root it was made under is one of
the history at hand. Whether it holds for what is asked, the replay finds out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, astuple

from ledger.derived.segments import Notice, say_nothing
from ledger.derived.store import DerivedStore, EntryKey, EntryKind, readable
from ledger.facts.columns import Snapshots
from ledger.journal.interface import Journal
from ledger.journal.records import Head, KeptSnapshot, SnapshotHeading, SnapshotName
from ledger.wording import Message

RootAt = Callable[[int], str | None]
"""Returns the root of a ledger's history at a seq; None, where none is known to be right."""


def key_of(snapshot: SnapshotHeading) -> EntryKey:
    """Returns the key of a snapshot's voucher: all that its heading says."""
    parameters = (*astuple(snapshot.name), snapshot.sha256)
    return EntryKey(EntryKind.SNAPSHOT, snapshot.root, parameters)


class JournalSnapshots(Snapshots):
    """The snapshots beside the events of a journal, seen from one of its heads.

    They can be kept as known at ``head``. ``root_at`` tells the roots of the history, ``notice`` is
    told of damaged ones.
    """

    def __init__(
        self,
        journal: Journal,
        head: Head,
        root_at: RootAt,
        store: DerivedStore,
        notice: Notice = say_nothing,
    ) -> None:
        self._journal = journal
        self._head = head
        self._root_at = root_at
        self._store = store
        self._notice = notice
        self._found: dict[str, list[SnapshotHeading]] = {}

    @property
    def head(self) -> int:
        """The seq as known at which snapshots can be kept."""
        return self._head.seq

    def find(self, list_: str) -> Sequence[SnapshotHeading]:
        """Returns what is kept for a list, is of this ledger's history and has a voucher."""
        found = self._found.get(list_)
        if found is None:
            kept = readable(lambda: self._journal.snapshots(list_))
            found = self._found[list_] = list(filter(self._is_vouched, kept))
        return found

    def _is_vouched(self, snapshot: SnapshotHeading) -> bool:
        basis, head = snapshot.basis, self._head
        if basis > head.seq:
            return False
        root = head.root if basis == head.seq else self._root_at(basis)
        return snapshot.root == root and self._store.note(key_of(snapshot)) is not None

    def load(self, snapshot: SnapshotHeading) -> bytes | None:
        """Returns a snapshot; a damaged one is thrown away with all others."""
        data = self._journal.snapshot_data(snapshot)
        if data is not None and hashlib.sha256(data).hexdigest() != snapshot.sha256:
            self._journal.drop_snapshots()
            self._notice(Message.of("verify.snapshots_made_again", list=snapshot.list))
            return None
        return data

    def keep(self, snapshots: Iterable[tuple[SnapshotName, bytes]]) -> None:
        """Keeps snapshots made at the head, if that can be done at once."""
        kept = [
            KeptSnapshot(
                **asdict(name),
                root=self._head.root,
                sha256=hashlib.sha256(data).hexdigest(),
                data=data,
            )
            for name, data in snapshots
            if name.basis == self._head.seq
        ]
        if kept and self._journal.keep_snapshots(kept):
            for snapshot in kept:
                self._store.vouch(key_of(snapshot))
        self._found.clear()
