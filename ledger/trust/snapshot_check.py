"""Holds stored snapshots against full replays: shortcuts must end where the long way ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ledger.calendar import Period
from ledger.derived.snapshots import key_of
from ledger.derived.store import readable
from ledger.errors import Problem, VerificationFailed
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts, Snapshots
from ledger.identifiers import Seq
from ledger.journal.interface import MOST_SNAPSHOTS, Journal
from ledger.journal.records import SnapshotHeading
from ledger.journal.verify.check import Finding
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.json_form import JsonForm
from ledger.lists.publications import calculated
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, holds, pack, same, unpack
from ledger.replay.timeline import Timeline, last_period
from ledger.trust.regulation_code import notice_other_code
from ledger.views.view import LedgerView
from ledger.wording import Message


def wrong_snapshots(view: LedgerView, facts: Facts) -> list[Finding]:
    """Returns what is wrong with the snapshots of a ledger whose events are right.

    Each must have its digest and be of this history. Those that have no voucher, and that this
    software would use if they had one, are compared with a replay; if they are right, they get one.
    """
    findings: list[Finding] = []
    doubtful: dict[tuple[str, Seq], list[SnapshotHeading]] = {}
    found = readable(view.journal.snapshots)
    for name, count in Counter(snapshot.list for snapshot in found).items():
        if count > MOST_SNAPSHOTS:  # no more are kept of a list
            values = {"list": name, "period": "*", "basis": "*"}
            return [Finding(0, Message.of("verify.snapshot_foreign", **values))]
    for snapshot in found:
        message = _damage(view.journal, facts, snapshot)
        if message is not None:
            findings.append(Finding(0, message))
        elif view.store.note(key_of(snapshot)) is None:
            basis = _comparable_at(facts, snapshot)
            if basis is not None:
                doubtful.setdefault((snapshot.list, basis), []).append(snapshot)
    for (name, basis), snapshots in doubtful.items():
        wrong, exact = compared(view.journal, facts, name, basis, snapshots)
        findings += map(_unlike, wrong)
        for snapshot in exact:
            view.store.vouch(key_of(snapshot))
    return findings


def _damage(journal: Journal, facts: Facts, snapshot: SnapshotHeading) -> Message | None:
    """Returns why a snapshot cannot be of this ledger, or None."""
    values = {"list": snapshot.list, "period": snapshot.period, "basis": snapshot.basis}
    if snapshot.basis > facts.seq and journal.root_at(snapshot.basis) == snapshot.root:
        return None  # of events that were appended meanwhile
    if snapshot.list not in facts.lists or not is_of(journal, snapshot):
        return Message.of("verify.snapshot_foreign", **values)
    if snapshot.basis < facts.lists[snapshot.list].seq:
        return Message.of("verify.snapshot_foreign", **values)
    # By the calendar and the games of its basis: since then the list may have got fewer periods.
    last = Timeline(AsOf(facts, Seq(snapshot.basis)), snapshot.list).last_period.index
    if not 0 <= snapshot.period <= last:
        return Message.of("verify.snapshot_foreign", **values)
    if loaded(journal, snapshot) is None and journal.snapshot_data(snapshot) is not None:
        return Message.of("verify.snapshot_damaged", **values)
    return None


def _comparable_at(facts: Facts, snapshot: SnapshotHeading) -> Seq | None:
    """Returns the basis at which a snapshot can be held against a replay; None: it is never used.

    That is the head, where it holds there, so that one replay serves many.
    """
    if snapshot.basis > facts.seq:
        return None
    for basis in (facts.seq, Seq(snapshot.basis)):
        if holds(Timeline(AsOf(facts, basis), snapshot.list), snapshot):
            return basis
    return None


def _unlike(snapshot: SnapshotHeading) -> Finding:
    values = {"list": snapshot.list, "period": snapshot.period, "basis": snapshot.basis}
    return Finding(0, Message.of("verify.snapshot_unlike", **values))


def is_of(journal: Journal, snapshot: SnapshotHeading) -> bool:
    """Whether a snapshot says that it is of this journal's history."""
    return journal.root_at(snapshot.basis) == snapshot.root


def loaded(journal: Journal, snapshot: SnapshotHeading) -> bytes | None:
    """Returns the data of a snapshot; None, where they are not what their digest says, or gone."""
    data = journal.snapshot_data(snapshot)
    right = data is not None and sha256(data).hexdigest() == snapshot.sha256
    return data if right else None


def _is_same(state_: State | None, state: State) -> bool:
    try:
        return same(state_, state)
    except UNEXPECTED_VALUES:  # some columns are read late
        return False


def compared(
    journal: Journal, facts: Facts, name: str, basis: Seq, snapshots: Sequence[SnapshotHeading]
) -> tuple[list[SnapshotHeading], list[SnapshotHeading]]:
    """Compares snapshots of a list with a full replay at a basis.

    Returns:
        Those that say something else, and those that are the same to the byte. Between them are
        some that know the ratings of other days, as replays do that began elsewhere: nobody can
        tell whether these are right.
    """
    by_period: dict[int, list[SnapshotHeading]] = {}
    for snapshot in snapshots:
        by_period.setdefault(snapshot.period, []).append(snapshot)
    if not by_period:
        return [], []
    timeline = Timeline(AsOf(replace(facts, snapshots=Snapshots()), basis), name)
    until = timeline.period_at(max(by_period))
    wrong, exact = [], []
    for outcome in replay(timeline, until):
        for snapshot in by_period.get(outcome.period.index, ()):
            data = loaded(journal, snapshot)
            state = unpack(data, outcome.period, len(facts.players)) if data else None
            if not _is_same(state, outcome.state):
                wrong.append(snapshot)
            elif data == pack(outcome.state):
                exact.append(snapshot)
    return wrong, exact


@dataclass(frozen=True, slots=True)
class Checked(JsonForm):
    """How many snapshots of a list were compared, and the periods of those that are wrong.

    ``thrown_away`` are those that could not be compared: one of them was damaged.
    """

    list: str
    snapshots: int
    wrong: tuple[str, ...]
    thrown_away: int = 0


def check_lists(view: LedgerView, names: Sequence[str]) -> list[Checked]:
    """Compares every snapshot of lists that holds at the head with a full replay.

    All that are stored are compared, whoever made them. What the newest period comes to by way of
    those that are used is compared as well. If anything is wrong, all snapshots are thrown away:
    they are made again. A damaged one is not wrong, because nobody uses it; the ledger's
    ``notice`` is told of it, and of regulations that other code computes than at their adoption.
    """
    checks = [_checked(view, name) for name in names]
    if any(checked.wrong for checked in checks):
        view.journal.drop_snapshots()
    return checks


def _checked(view: LedgerView, name: str) -> Checked:
    facts = view.facts_of(name)
    notice_other_code(view, facts, name)
    until = last_period(facts, name)
    timeline = Timeline(AsOf(facts, facts.seq), name)
    journal = view.journal
    kept = [
        each
        for each in journal.snapshots(name)
        if is_of(journal, each) and each.period <= until.index and holds(timeline, each)
    ]
    if any(loaded(journal, each) is None for each in kept):
        journal.drop_snapshots()
        view.notice(Message.of("verify.snapshots_made_again", list=name))
        return Checked(name, 0, (), len(kept))
    wrong, _ = compared(journal, facts, name, facts.seq, kept)
    periods = [timeline.period_at(each.period).name for each in wrong]
    if not wrong and not _ends_alike(facts, name, until):
        periods.append(until.name)
    return Checked(name, len(kept), tuple(periods))


def _ends_alike(facts: Facts, name: str, until: Period) -> bool:
    """Whether a period comes to the same with the snapshots that are used, and without."""
    short, long = (
        calculated(seen, name, facts.seq, until)
        for seen in (facts, replace(facts, snapshots=Snapshots()))
    )
    return same(short.state, long.state)


def failure_of(checks: Sequence[Checked]) -> VerificationFailed | None:
    """Returns what is wrong as an error, or None when all is well."""
    wrong = [
        Message.of("verify.snapshot", list=checked.list, period=period)
        for checked in checks
        for period in checked.wrong
    ]
    if not wrong:
        return None
    return VerificationFailed("verify.snapshots", *map(Problem, wrong), count=len(wrong))
