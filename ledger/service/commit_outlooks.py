"""What a commit recorded, in words, and whether it can be taken back: by whom it was, what stands.

Where something stands in the way, is found out as the operation does that takes it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.answers.commits import MOST_COUNTED, numbered_commit, recorded_in_words
from ledger.events.catalogue import UNDOING
from ledger.journal.records import Commit
from ledger.service.retractions import obstacles_to, taken_back_by, why_final
from ledger.views.view import LedgerView
from ledger.wording import Message

_SHOWN: Final = 5
_NEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class CommitOutlook:
    """A commit, what it recorded, and what taking it back would come to.

    ``is_final`` says that something of it is never taken back, ``is_undoing`` that all it did was
    to take others back: taken back itself, it brings these back.
    """

    commit: Commit
    recorded: Message
    taken_back_by: Sequence[int]
    is_final: bool
    is_undoing: bool

    @property
    def can_be_undone(self) -> bool:
        """Whether it can be asked for; later facts may stand in the way."""
        return not self.taken_back_by and not self.is_final

    @property
    def is_large(self) -> bool:
        """Whether it has too many events for what stands in the way to be found while one waits."""
        return self.commit.last_seq - self.commit.first_seq >= MOST_COUNTED


def outlook_of(view: LedgerView, number: int) -> CommitOutlook:
    """Returns what is to be said of a commit, by its number; raises ``NotFound``."""
    commit = numbered_commit(view, number)
    counts = view.journal.type_counts(after=commit.first_seq - 1, upto=commit.last_seq)
    return CommitOutlook(
        commit=commit,
        recorded=recorded_in_words(counts),
        taken_back_by=taken_back_by(view, commit),
        is_final=why_final(counts) is not None,
        is_undoing=counts.keys() <= UNDOING,
    )


def obstacles(view: LedgerView, outlook: CommitOutlook) -> Sequence[Message]:
    """Returns what stands in the way of taking a commit back; nothing of a large one."""
    if outlook.taken_back_by or outlook.is_large:
        return ()
    return obstacles_to(view, outlook.commit)


def outlooks_on(view: LedgerView, *streams: str) -> list[CommitOutlook]:
    """Returns the last commits that recorded something in one of the streams, the newest first."""
    events = view.journal.streams(streams, upto=view.journal.head().seq)
    numbers = sorted({event.commit_id for event in events})
    return [outlook_of(view, number) for number in numbers[-_SHOWN:][::-1]]


def newest_outlooks(view: LedgerView) -> list[CommitOutlook]:
    """Returns the last commits of the ledger, the newest first."""
    head = view.journal.head().commit_id
    return [outlook_of(view, number) for number in range(head, max(head - _NEWEST, 0), -1)]
