"""What holds of a ledger whatever happened to it: all that was acknowledged is there, as it was.

And of the office of its site: what it says was recorded is in the ledger, and the other way round.

Whoever records tells the checker what came back. ``check`` asks a ledger at any time later, also
one that was restored, moved or opened after a crash.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import select

from ledger.answers.lists import regenerate
from ledger.journal.interface import Journal
from ledger.journal.records import Commit
from ledger.journal.verify.check import check as check_hashes
from ledger.lists.rating_list import RatingList
from ledger.service.ledger import Ledger, Receipt
from ledger.trust.two_persons import both
from ledger.views.list_editions import editions_of
from web.office.schema import SUBMISSIONS
from web.office.store import Office
from web.office.submissions import SubmissionState


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A commit that came back from the ledger, and the key under which it was asked for."""

    commit_id: int
    first_seq: int
    last_seq: int
    key: str


class Tail:
    """A reader that comes back from time to time and reads on from where it stopped."""

    def __init__(self) -> None:
        self.leaves: list[tuple[int, str, str]] = []

    def read(self, journal: Journal) -> None:
        """Reads on; asserts that nothing was skipped, and nothing comes twice."""
        for event in journal.events(after=len(self.leaves)):
            assert event.seq == len(self.leaves) + 1, "the reader skipped an event, or saw it twice"
            self.leaves.append((event.commit_id, event.type, event.payload))


class Checker:
    """Keeps what was acknowledged, in real-time order, and holds ledgers against it.

    Where somebody was erased, the bytes of lists with the name cannot come back: ``nameless`` says
    so, and the ledger's own proof of the rows without names stands in.
    """

    def __init__(self) -> None:
        self.acknowledged: list[Acknowledged] = []
        self.published: dict[tuple[str, str, int], bytes] = {}
        self.nameless = False
        self._tail = Tail()

    def take(self, receipt: Receipt, key: str) -> None:
        """Takes what came back for a key; the same key again has come to the same commit."""
        if receipt.commit_id is None:
            return
        new = Acknowledged(receipt.commit_id, receipt.first_seq, receipt.last_seq, key)
        known = {one.key: one for one in self.acknowledged}
        if key in known:
            assert known[key] == new, "the same request came to two commits"
            return
        if self.acknowledged and not receipt.repeated:
            last = self.acknowledged[-1]
            assert last.commit_id < new.commit_id, "asked for later, recorded earlier"
            assert last.last_seq < new.first_seq, "asked for later, recorded earlier"
        self.acknowledged.append(new)

    def take_list(self, made: RatingList) -> None:
        """Takes a list as it went out."""
        self.published[made.list, made.period, made.edition or 0] = made.document()

    def check(self, ledger: Ledger) -> None:
        """Asserts that all of it is there, and that the ledger is dense, in order and verifies."""
        journal = ledger.journal
        commits = list(journal.commits())
        self._dense(commits)
        by_key = {commit.idempotency_key: commit for commit in commits}
        assert len(by_key) == len(commits), "a key was used twice"
        for one in self.acknowledged:
            its = by_key.get(one.key)
            assert its is not None, f"acknowledged and lost: {one}"
            there = Acknowledged(its.commit_id, its.first_seq, its.last_seq, one.key)
            assert there == one, f"{one} is {there}"
        self._read(journal)
        assert check_hashes(journal).findings == ()
        self._lists(ledger)

    def _dense(self, commits: list[Commit]) -> None:
        assert [commit.commit_id for commit in commits] == list(range(1, len(commits) + 1))
        assert not commits or commits[0].first_seq == 1
        for before, after in pairwise(commits):
            assert after.first_seq == before.last_seq + 1
            assert after.recorded_at >= before.recorded_at, "recorded instants go back"

    def _read(self, journal: Journal) -> None:
        """A reader that goes on, and one that begins now, have read the same."""
        self._tail.read(journal)
        anew = Tail()
        anew.read(journal)
        assert anew.leaves == self._tail.leaves, "what was read before has changed"
        assert len(anew.leaves) == journal.head().seq

    def _lists(self, ledger: Ledger) -> None:
        """Every list comes back byte for byte."""
        for (name, period, edition), data in self.published.items():
            made, failure = regenerate(ledger, name, period, edition)
            assert failure is None, failure
            assert self.nameless or made.document() == data, (name, period, edition)
            assert edition in [one.edition for one in editions_of(ledger.facts(), name, period)]


def check_office(office: Office, journal: Journal) -> None:
    """Asserts that each submission which the office calls accepted is in the journal, and back.

    One may be recorded that the office still calls open: it is noted when somebody looks next.
    """
    with office.reading() as connection:
        said = {f"submission:{row.id}": row for row in connection.execute(select(SUBMISSIONS))}
    recorded = {
        commit.idempotency_key: commit
        for commit in journal.commits()
        if commit.idempotency_key.startswith("submission:")
    }
    assert recorded.keys() <= said.keys(), "recorded, and the office knows nothing of it"
    for key, row in said.items():
        state, commit = SubmissionState(row.state), recorded.get(key)
        if state is SubmissionState.ACCEPTED:
            assert commit is not None, f"said to be recorded, and it is not: {key}"
            assert row.commit_id in (commit.commit_id, None), key
            assert commit.actor == both(row.account, _other(row.decided_by, row.account)), key
        else:
            assert commit is None or state.is_open, f"{state}, and recorded: {key}"


def _other(account: str | None, first: str) -> str | None:
    return None if account == first else account
