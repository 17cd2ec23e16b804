"""Holds snapshots against full replays: shortcuts must end where the long way ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.application.ledger import Ledger
from ledger.application.regulations import notice_other_code
from ledger.application.snapshot_check import is_of, kept_as, loaded, unlike
from ledger.calendar import Period
from ledger.errors import Problem, VerificationFailed
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts, NothingKept
from ledger.lists.publications import calculated
from ledger.replay.snapshot import State, holds, same
from ledger.replay.timeline import Timeline, last_period
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Checked:
    """How many snapshots of a list were compared, and the periods of those that are wrong.

    ``thrown_away`` are those that could not be compared: one of them was damaged.
    """

    list: str
    snapshots: int
    wrong: tuple[str, ...]
    thrown_away: int = 0

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "list": self.list,
            "snapshots": self.snapshots,
            "wrong": list(self.wrong),
            "thrown_away": self.thrown_away,
        }


def check_lists(ledger: Ledger, names: Sequence[str]) -> list[Checked]:
    """Compares every snapshot of lists that holds at the head with a full replay.

    All that are stored are compared, whoever made them. What the newest period comes to by way of
    those that are used is compared as well. If anything is wrong, all snapshots are thrown away:
    they are made again. A damaged one is not wrong, because nobody uses it; the ledger's
    ``notice`` is told of it, and of regulations that other code computes than at their adoption.
    """
    made = [_checked(ledger, name) for name in names]
    if any(checked.wrong for checked in made):
        ledger.journal.drop_snapshots()
    return made


def _checked(ledger: Ledger, name: str) -> Checked:
    facts = ledger.facts()
    ledger.require_list(facts, name)
    notice_other_code(ledger, facts, name)
    until = last_period(facts, name)
    timeline = Timeline(AsOf(facts, facts.seq), name)
    journal = ledger.journal
    kept = [
        each
        for each in journal.snapshots(name)
        if is_of(journal, each) and each.period <= until.index and holds(timeline, kept_as(each))
    ]
    if any(loaded(journal, each) is None for each in kept):
        journal.drop_snapshots()
        ledger.notice(Message.of("verify.snapshots_made_again", list=name))
        return Checked(name, 0, (), len(kept))
    wrong = unlike(journal, facts, name, facts.seq, kept)
    periods = [timeline.period_at(each.period).name for each in wrong]
    if not wrong and not _ends_alike(facts, name, until):
        periods.append(until.name)
    return Checked(name, len(kept), tuple(periods))


def _ends_alike(facts: Facts, name: str, until: Period) -> bool:
    """Whether a period comes to the same with the snapshots that are used, and without."""
    short, long = (
        calculated(seen, name, facts.seq, until)
        for seen in (facts, replace(facts, snapshots=NothingKept()))
    )
    return same(*(State(until, each.closing, each.in_force) for each in (short, long)))


def failure_of(made: Sequence[Checked]) -> VerificationFailed | None:
    """Returns what is wrong as an error, or None when all is well."""
    wrong = [
        Message.of("verify.snapshot", list=checked.list, period=period)
        for checked in made
        for period in checked.wrong
    ]
    if not wrong:
        return None
    return VerificationFailed("verify.snapshots", *map(Problem, wrong), count=len(wrong))
