"""What a ledger says: a journal, a clock, and the facts at a seq."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import RLock
from typing import TypeVar

from ledger.derived.facts_reader import FactsReader
from ledger.derived.segments import Notice, say_nothing
from ledger.derived.snapshots import JournalSnapshots
from ledger.derived.store import DerivedStore, store_of_user
from ledger.derived.tree_hashes import TreeHashes
from ledger.errors import DatabaseError, NotFound, VerificationFailed
from ledger.events.model import Dated
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import PlayerIndex, Seq
from ledger.journal.interface import Journal
from ledger.journal.records import Progress, no_progress
from ledger.journal.verify.event_check import CheckedCommits, EventCheck
from ledger.lists.people import People
from ledger.lists.publications import calculated, require_list
from ledger.registrar.register import Register
from ledger.views.federation import FederationRules
from ledger.views.outcomes import Calculate
from ledger.views.registers import read_register

Clock = Callable[[], dt.datetime]
_DOCUMENTED = (PlayerRegistered.TYPE, PlayerIdentityCorrected.TYPE)  # each with a document
_LOOKS = 10  # at a file that changes under the reader

Answer = TypeVar("Answer")


def looked_at_again(
    journal: Journal,
    look: Callable[[], Answer],
    is_doubtful: Callable[[Answer], bool] = lambda _: False,
) -> Answer:
    """Returns what a look at a journal comes to; one that finds fault may have seen a torn state.

    That happens to who may not write to the folder of a SQLite file, while another one does. So it
    is looked at again, for as long as the file changes and a few times at most.
    """
    for _ in range(_LOOKS):
        try:
            answer = look()
        except (VerificationFailed, DatabaseError):
            if not journal.reopened():
                raise
        else:
            if not (is_doubtful(answer) and journal.reopened()):
                return answer
    return look()


class LedgerView:
    """What a ledger says at a seq, by several threads; every question asks one.

    At the head of its journal it goes along with it; see ``PastLedger`` for one that stays.

    Args:
        journal: where it is stored.
        clock: tells the instant at which something is recorded, in the federation's time zone.
        progress: is told what is being done, how far it has come, and of how much.
        notice: is told what was damaged and is made again, though the answers are right.
        store: what was made of the journal before, and is believed; by default the user's.

    ``calculated`` brings one period of a list for questions about it; a face that answers many may
    put one in its place that keeps some. ``times_asked`` is how often the facts were asked for,
    ``checked_commits`` are those whose events need not be hashed again. ``federation`` is
    what it settles for itself.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        progress: Progress = no_progress,
        notice: Notice = say_nothing,
        store: DerivedStore | None = None,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.progress = progress
        self.notice = notice
        self.store = store or store_of_user()
        self.tree = TreeHashes(journal, self.store)
        self.calculated: Calculate = calculated
        self._reader = FactsReader(journal, self.store, notice, progress)
        self.checked_commits = CheckedCommits()
        # Of what is made when it is first asked for: nothing is recorded while it is held.
        self._lock = RLock()
        self._facts: Facts | None = None
        # The same as they were read, without snapshots: others are of another history.
        self._read: Facts | None = None
        self._documents = (0, 0)
        self.times_asked = 0
        self.federation = FederationRules()

    @property
    def today(self) -> dt.date:
        """The day on which commands are decided, in the time zone of the clock."""
        return self.clock().date()

    def facts(self) -> Facts:
        """Returns the facts at the head; only what is new since the last call is read.

        Every event is checked before it is believed, or was when this user sealed it.

        Raises:
            VerificationFailed: an event or a commit is not what was recorded.
            DatabaseError: the journal cannot be read.
        """
        self.times_asked += 1
        with self._lock:
            return looked_at_again(self.journal, self._facts_at_head)

    def _facts_at_head(self) -> Facts:
        head = self.journal.head()
        facts = self._reader.read(head).facts()
        if self._facts is None or self._read is not facts:
            kept = JournalSnapshots(
                self.journal, head, self._reader.root_at, self.store, self.notice
            )
            self._read, self._facts = facts, replace(facts, snapshots=kept)
        return self._facts

    def people(self, facts: Facts, seq: Seq | None = None) -> People:
        """Returns names and ids as known at the seq (default: the facts' own)."""
        known = AsOf(facts, facts.seq if seq is None else seq)
        return People(known, self.journal.personal_documents)

    def player_index(self, facts: Facts, player: str, basis: Seq | None = None) -> PlayerIndex:
        """Returns a player's index; under which one his games count depends on the basis.

        Raises:
            NotFound: nobody was registered under the id, at the basis (default: by now).
        """
        index = facts.player_index.get(player)
        known = AsOf(facts, facts.seq if basis is None else basis)
        if index is None or known.player(index) is None:
            raise NotFound("player.not_found", player=player)
        return index

    def facts_of(self, name: str) -> Facts:
        """Returns the facts at the head; raises ``NotFound`` when no list has the name."""
        facts = self.facts()
        require_list(facts, name)
        return facts

    def register(self, streams: Iterable[str], upto: Seq) -> Register:
        """Returns the register of the streams at a seq; ``list:*`` stands for all of that kind.

        It is the caller's own: what is decided is taken into it.

        Raises:
            VerificationFailed: an event is not what was recorded, or, as far as the facts were read
                by now, the index of the streams lacks some.
        """

        def known(is_of_tournament: bool) -> Facts | None:  # noqa: FBT001 - its only argument
            return self.facts() if is_of_tournament else self._facts

        register = read_register(self.journal, self.event_check(), streams, upto, known)
        register.unannounced = self.federation.unannounced
        return register

    def tournament(self, tournament: str, upto: Seq) -> TournamentRecord | None:
        """Returns a tournament as known at a seq; None where it was not open yet.

        It is only to be looked at: others may have the same one. Raises as ``register`` does.
        """
        return self.register([f"tournament:{tournament}"], upto).tournaments.get(tournament)

    def event_check(self) -> EventCheck:
        """Returns what checks the events of a question."""
        return EventCheck(self.journal, self.checked_commits)

    def tried(self, events: Iterable[Dated]) -> tuple[Facts, Facts]:
        """Returns the facts at the head, and as they would be after events that nobody records.

        Raises as ``facts`` does.
        """
        with self._lock:
            before = self.facts()
            if self._reader.builder.seq != before.seq:  # others have read these facts
                self._reader.read(self.journal.head())
            fork = self._reader.builder.fork()
        return before, replace(fork.take(events).facts(), snapshots=before.snapshots)

    def has_facts(self) -> bool:
        """Returns whether the facts were read, and not forgotten since."""
        return self._facts is not None

    def facts_since(self, seq: Seq) -> Facts:
        """Return the facts read last where they reach a seq, else those at the head."""
        facts = self._facts
        return facts if facts is not None and facts.seq >= seq else self.facts()

    def forget(self) -> None:
        """Lets go of the facts and the commits that were checked: they are read again.

        For a face that runs for long, and for one under which another history was put.
        """
        self.checked_commits.clear()
        with self._lock:
            self._reader = FactsReader(self.journal, self.store, self.notice, self.progress)
            self._facts = self._read = None

    def documents_recorded(self) -> tuple[int, int]:
        """Returns a seq, and how many documents about people had been recorded up to it."""
        head = self.journal.head().seq
        seq, count = self._documents
        if seq == 0 or seq > head:  # at first; or another ledger was put in its place
            facts = self.facts()
            corrected = len(facts.recorded(PlayerIdentityCorrected))
            self._documents = facts.seq, len(facts.players) + corrected
            return self._documents
        if seq < head:
            count += self.journal.count_of(_DOCUMENTED, after=seq, upto=head)
            self._documents = head, count
        return head, count
