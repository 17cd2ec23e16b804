"""A ledger as it was known at a seq: every question has the answer that it had then."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock
from typing import Final

from ledger.derived import segments
from ledger.errors import InputRefused
from ledger.events.model import Dated
from ledger.events.players import PlayerErased
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.envelope import instant
from ledger.journal.past import PastJournal
from ledger.journal.records import Commit
from ledger.lists.people import Documents, People
from ledger.views.outcomes import KeptValues
from ledger.views.view import LedgerView

_READ_BACK: Final = dt.timedelta(seconds=30)
_TOURNAMENTS: Final = 8  # that are kept as they were known at some seq
_DOCUMENTS: Final = 5_000  # of persons that are kept, one or two megabytes


class KeptDocuments:
    """Brings identity documents of a few persons, and keeps those that it was asked for.

    ``documents`` brings those that are not kept.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._kept: dict[str, str | None] = {}
        self._lock = Lock()  # of what takes its place: nothing goes from one that others look at

    def __call__(self, digests: Iterable[str] | None) -> dict[str, str]:
        """Returns documents by their digests, those that there are; all of them for None."""
        if digests is None:
            return dict(self._documents(None))
        # What was asked for before somebody was erased is put where nobody looks any more.
        wanted, kept = list(digests), self._kept
        found = {digest: kept.get(digest) for digest in wanted if digest in kept}
        new = [digest for digest in wanted if digest not in found]
        if new:
            read: dict[str, str | None] = dict.fromkeys(new)
            read |= self._documents(new)
            found |= read
            self._keep(kept, read)
        return {digest: text for digest, text in found.items() if text is not None}

    def _keep(self, kept: dict[str, str | None], read: dict[str, str | None]) -> None:
        if len(kept) + len(read) <= _DOCUMENTS:
            kept |= read
            return
        with self._lock:
            if self._kept is kept:  # else somebody was erased since
                self._kept = read if len(read) <= _DOCUMENTS else {}

    def forget(self) -> None:
        """Lets go of all documents."""
        with self._lock:
            self._kept = {}


class PastLedger(LedgerView):
    """A view of a ledger without the events after a seq.

    Its answers never change, whatever is recorded meanwhile. So the newest state is asked through
    one too, where several questions are to be answered from the same state (see ``newest_of``).
    They share what they read: the tournaments and names that were asked for last, until
    ``forget_names``.

    Args:
        ledger: the whole one; this one reads its journal, by its clock and store.
        seq: up to which events are known; in the middle of a commit it stands for the one before.

    Raises:
        NotFound: the ledger has no such seq.
    """

    def __init__(self, ledger: LedgerView, seq: Seq) -> None:
        self._past = PastJournal(ledger.journal, seq)
        super().__init__(self._past, ledger.clock, ledger.progress, ledger.notice, ledger.store)
        self.calculated = ledger.calculated
        self.federation = ledger.federation
        self.tree = ledger.tree
        self.seq = self._past.head().seq
        self.whole = ledger
        self.checked_commits = ledger.checked_commits
        self._tournaments = KeptValues[tuple[str, int], TournamentRecord | None](_TOURNAMENTS)
        self._names = KeptDocuments(self._past.personal_documents)
        self._known: AsOf | None = None

    @classmethod
    def upto(cls, ledger: LedgerView, seq: Seq) -> PastLedger:
        """Returns a view of the events up to a seq, also where that is in the middle of a commit.

        Of such a commit what is said beside its events is known, as who recorded it.
        """
        past = cls(ledger, seq)
        if past.seq == seq:
            return past
        commit = next(ledger.journal.commits(after=past.journal.head().commit_id))
        past = cls(ledger, commit.last_seq)
        past._facts = replace(past.facts(), seq=seq)
        past.seq = seq
        return past

    @property
    def last_commit(self) -> Commit | None:
        """The last commit that is known; None where nothing was recorded."""
        return self._past.last_commit

    def share(self, facts: Facts) -> None:
        """Takes facts that were read at the same seq."""
        assert facts.seq == self.seq, "they are of another seq"
        self._facts = facts

    def facts(self) -> Facts:
        """Returns the facts at its seq; they count as asked of the whole ledger."""
        self.whole.times_asked += 1
        return self._facts or super().facts()

    def tried(self, events: Iterable[Dated]) -> tuple[Facts, Facts]:
        """Tries events on the whole ledger while that is at the same seq: nothing is read anew."""
        tried = list(events)
        if self.whole.journal.head().seq == self.seq:
            before, after = self.whole.tried(tried)
            if before.seq == self.seq:  # else somebody has just recorded something
                return before, after
        return super().tried(tried)

    def people(self, facts: Facts, seq: Seq | None = None) -> People:
        """Returns names and ids as known at the seq; what is read of them, others have too."""
        return People(self._as_of(facts, facts.seq if seq is None else seq), self._names)

    def _as_of(self, facts: Facts, seq: Seq) -> AsOf:
        """Returns facts as known at a seq; its own at its seq are looked through once."""
        known = self._known
        if known is None or known.facts is not facts or known.seq != seq:
            known = AsOf(facts, seq)
            if facts is self._facts and seq == self.seq:
                self._known = known
        return known

    def forget_names(self) -> None:
        """Lets go of names: somebody was erased."""
        self._names.forget()

    def tournament(self, tournament: str, upto: Seq) -> TournamentRecord | None:
        """Returns a tournament as known at a seq, which is read once."""
        return self._tournaments.get(
            (tournament, upto), lambda: super(PastLedger, self).tournament(tournament, upto)
        )

    def forget(self) -> None:
        """Lets go of the facts, its own and those of the whole one, and of what it has read."""
        super().forget()
        self._known = None
        self._tournaments.clear()
        self.whole.forget()

    def _facts_at_head(self) -> Facts:
        if self._facts is None and self.whole.journal.head().seq == self.seq:
            facts = self.whole.facts()
            if facts.seq == self.seq:  # else somebody has just recorded something
                self.share(facts)
        return self._facts or super()._facts_at_head()


def known_on(view: LedgerView, day: dt.date) -> Seq:
    """Returns the last seq that had been recorded when a day was over, where the clock is.

    Raises:
        InputRefused: it is not over: more may come to be known on it.
    """
    now = view.clock()
    if day >= now.date():
        raise InputRefused("database.day_not_over", day=day, today=now.date())
    end = instant(dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), now.tzinfo))
    numbers = range(1, view.journal.head().commit_id + 1)
    count = bisect_left(numbers, end, key=lambda number: _commit(view, number).recorded_at)
    return _commit(view, count).last_seq if count else NO_EVENT


def _commit(view: LedgerView, number: int) -> Commit:
    return next(view.journal.commits(after=number - 1))


def whole_of(view: LedgerView) -> LedgerView:
    """Returns the ledger of which one is the past; itself, if it is none."""
    return view.whole if isinstance(view, PastLedger) else view


def newest_of(ledger: LedgerView) -> PastLedger:
    """Returns a ledger as it is known now; only what is new since the last time is read.

    Where no facts were read yet, or they were forgotten, they are when they are asked for.
    """
    if not ledger.has_facts():
        return PastLedger(ledger, ledger.journal.head().seq)
    facts = ledger.facts()
    past = PastLedger(ledger, facts.seq)
    past.share(facts)
    return past


def before_long_commit(ledger: LedgerView, known: Seq) -> Seq | None:
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
    read = journal.commit_by(max(known, segments.vouched_upto(journal, ledger.store)))
    for commit in journal.commits(after=read.commit_id if read else 0):
        is_long = commit.last_seq - commit.first_seq + 1 >= segments.LEAST_EVENTS
        ago = ledger.clock() - dt.datetime.fromisoformat(commit.recorded_at)
        if is_long and abs(ago) < _READ_BACK:
            return Seq(commit.first_seq - 1)
    return None


def is_erased_since(ledger: LedgerView, seq: Seq) -> bool:
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
