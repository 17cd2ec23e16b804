"""A ledger as it was known at a seq: every question has the answer that it had then."""

from __future__ import annotations

import datetime as dt
from typing import Final

from ledger.application import segments
from ledger.application.decisions import Decider
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.events.players import PlayerErased
from ledger.facts.columns import Facts
from ledger.journal.past import PastJournal

_READ_BACK: Final = dt.timedelta(seconds=30)


class PastLedger(Ledger):
    """A ledger whose events after a seq are not there; nothing can be recorded in it.

    Its answers never change, whatever is recorded meanwhile. So the newest state is asked through
    one too, where several questions are to be answered from the same state (see ``newest_of``).

    Args:
        ledger: the whole one; this one reads its journal, by its clock and vouchers.
        seq: up to which events are known; in the middle of a commit it stands for the one before.

    Raises:
        NotFound: the ledger has no such seq.
    """

    def __init__(self, ledger: Ledger, seq: int) -> None:
        self._past = PastJournal(ledger.journal, seq)
        super().__init__(self._past, ledger.clock, ledger.progress, ledger.notice, ledger.vouchers)
        self.calculated = ledger.calculated
        self.tree = ledger.tree
        self.seq = self._past.head().seq
        self.whole = ledger

    def append_decided(self, decide: Decider, request: Request) -> Receipt:
        """Raises ``DatabaseError``: the past is not written to, nor previewed from."""
        raise self._past.refusal()

    def share(self, facts: Facts) -> None:
        """Takes facts that were read at the same seq."""
        assert facts.seq == self.seq, "they are of another seq"
        self._facts = facts

    def facts(self) -> Facts:
        """Returns the facts at its seq; they count as asked of the whole ledger."""
        self.whole.times_asked += 1
        return super().facts()

    def forget(self) -> None:
        """Lets go of the facts, its own and those of the whole one."""
        super().forget()
        self.whole.forget()

    def _facts_at_head(self) -> Facts:
        if self._facts is None and self.whole.journal.head().seq == self.seq:
            facts = self.whole.facts()
            if facts.seq == self.seq:  # else somebody has just recorded something
                self.share(facts)
        return self._facts or super()._facts_at_head()


def whole_of(ledger: Ledger) -> Ledger:
    """Returns the ledger of which one is the past; itself, if it is none."""
    return ledger.whole if isinstance(ledger, PastLedger) else ledger


def newest_of(ledger: Ledger) -> PastLedger:
    """Returns a ledger as it is known now; only what is new since the last time is read.

    Where no facts were read yet, or they were forgotten, they are when they are asked for.
    """
    if not ledger.has_facts():
        return PastLedger(ledger, ledger.journal.head().seq)
    facts = ledger.facts()
    made = PastLedger(ledger, facts.seq)
    made.share(facts)
    return made


def before_long_commit(ledger: Ledger, known: int) -> int | None:
    """Returns the last seq before a long commit that is just being read back; None: there is none.

    Whoever records a long commit reads it back for everybody (``Ledger.seal``): who does not wait
    for that reads it too, for seconds. All who ask are told the same, in whatever process. Where
    nobody reads it back it is waited for half a minute.

    Args:
        ledger: the whole one.
        known: a seq up to which the events were read.
    """
    journal = ledger.journal
    if journal.head().seq - known < segments.LEAST_EVENTS:
        return None
    read = journal.commit_by(max(known, segments.vouched_upto(journal, ledger.vouchers)))
    for commit in journal.commits(after=read.commit_id if read else 0):
        is_long = commit.last_seq - commit.first_seq + 1 >= segments.LEAST_EVENTS
        ago = ledger.clock() - dt.datetime.fromisoformat(commit.recorded_at)
        if is_long and abs(ago) < _READ_BACK:
            return commit.first_seq - 1
    return None


def is_erased_since(ledger: PastLedger, seq: int) -> bool:
    """Whether an event after a seq erased somebody: then names are gone."""
    return ledger.journal.count_of([PlayerErased.TYPE], after=seq) > 0


def documents_gone(ledger: PastLedger) -> int | None:
    """Returns how many persons were erased by now: their documents are gone; whenever it is asked.

    None: something is being recorded, and nobody can tell.
    """
    whole = ledger.whole
    seq, recorded = whole.documents_recorded()
    stored = whole.journal.personal_count()
    return recorded - stored if whole.journal.head().seq == seq else None
