"""Keeps snapshots of replays beside the events, and gives only sound ones back.

A snapshot must have been made under a root that is this ledger's, and its bytes must have the
digest they were kept with. Whether it holds for what is asked, the replay finds out; whether it
says what a full replay says, ``replay --check`` does (``application.checking``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ledger.application.sealing import Notice, say_nothing
from ledger.facts.beside import Kept
from ledger.journal.entries import Head, Journal, KeptSnapshot, SnapshotHeading
from ledger.wording import Message


class JournalSnapshots:
    """The snapshots beside the events of a journal, seen from one of its heads."""

    def __init__(self, journal: Journal, head: Head, notice: Notice = say_nothing) -> None:
        self._journal = journal
        self._notice = notice
        self._head = head
        self._roots: dict[int, str | None] = {head.seq: head.root}
        self._found: dict[str, dict[Kept, SnapshotHeading]] = {}

    @property
    def head(self) -> int:
        """The seq as known at which snapshots can be kept."""
        return self._head.seq

    def find(self, list_: str) -> Sequence[Kept]:
        """Returns what is kept for a list and is of this ledger's history."""
        if list_ not in self._found:
            self._found[list_] = {
                Kept(each.list, each.period, each.basis, each.key): each
                for each in self._journal.snapshots(list_)
                if each.basis <= self._head.seq and each.root == self._root(each.basis)
            }
        return list(self._found[list_])

    def _root(self, seq: int) -> str | None:
        if seq not in self._roots:
            self._roots[seq] = self._journal.root_at(seq)
        return self._roots[seq]

    def load(self, kept: Kept) -> bytes | None:
        """Returns a snapshot; a damaged one is thrown away with all others."""
        entry = self._found[kept.list][kept]
        data = self._journal.snapshot_data(entry)
        if data is not None and hashlib.sha256(data).hexdigest() != entry.sha256:
            self._journal.drop_snapshots()
            self._notice(Message.of("verify.snapshots_made_again", list=kept.list))
            return None
        return data

    def keep(self, snapshots: Iterable[tuple[Kept, bytes]]) -> None:
        """Keeps snapshots made at the head, if that can be done at once."""
        made = [
            KeptSnapshot(
                list=kept.list,
                period=kept.period,
                basis=kept.basis,
                key=kept.key,
                root=self._head.root,
                sha256=hashlib.sha256(data).hexdigest(),
                data=data,
            )
            for kept, data in snapshots
            if kept.basis == self._head.seq
        ]
        if made:
            self._journal.keep_snapshots(made)
        self._found.clear()
