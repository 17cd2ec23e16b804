"""Copies a ledger from one database into another, or out of an archive, every hash anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ledger.application.archives import make_ledger, open_ledger
from ledger.application.ledger import Ledger
from ledger.archive.journal import ArchiveJournal
from ledger.archive.proof import ArchiveProof
from ledger.errors import DatabaseError
from ledger.journal.interface import Journal
from ledger.journal.records import Progress
from ledger.journal.transfer import DocumentsMissing, Transfer
from ledger.json_form import SHA256, JsonForm

_TRIES = 3
_NOT_MADE = {"database.missing", "database.not_initialised"}


@dataclass(frozen=True, slots=True)
class LedgerCopy(JsonForm):
    """Where a ledger ends that was copied; ``done`` is false where it was there already."""

    done: bool
    commits: int
    events: int
    root: Annotated[str, SHA256]


def copy_ledger(source: Ledger, target: Ledger) -> LedgerCopy:
    """Copies the whole ledger, as it is when this begins, into an empty one; all or nothing.

    Others may write to the source meanwhile. Segments and snapshots are made anew. Of an archive
    identity documents may be missing: it may have been made without.

    Raises:
        VerificationFailed: with the first thing that is wrong with the source; nothing is stored.
        Conflict: the target has another history.
        DatabaseError: one cannot be read, or the other not written.
    """
    for left in reversed(range(_TRIES)):
        transfer = _transfer(source.journal, target.progress)
        try:
            done = transfer.into(target.journal)
            break
        except DocumentsMissing:
            # Somebody may have been erased after the end of what was read: then that is read too.
            if not left or source.journal.head() == transfer.head:
                raise
    target.facts()
    head = transfer.head
    return LedgerCopy(done, head.commit_id, head.seq, head.root)


def _transfer(journal: Journal, progress: Progress) -> Transfer:
    if isinstance(journal, ArchiveJournal):
        return ArchiveProof(journal, "copy", progress)
    return Transfer(journal, what="copy", progress=progress, none_lost=True)


def make_where_missing(url: str) -> bool:
    """Makes the database of a ledger if there is none; returns whether it did.

    Raises:
        InputRefused: an archive is meant.
        DatabaseError: it cannot be made, or what is there cannot be used.
    """
    try:
        open_ledger(url).close()
    except DatabaseError as error:
        if error.message.key not in _NOT_MADE:
            raise
        return make_ledger(url)
    return False
