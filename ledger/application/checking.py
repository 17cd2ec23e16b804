"""Holds what is kept of replays against full ones: shortcuts must end where the long way ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ledger.application.ledger import Ledger
from ledger.errors import VerificationFailed
from ledger.facts.beside import Kept, NothingKept
from ledger.facts.known import Known
from ledger.lists.published import calculated
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, holds, same, unpack
from ledger.replay.timeline import Timeline
from ledger.reports.impact import last_period


@dataclass(frozen=True, slots=True)
class Checked:
    """How many snapshots of a list hold at the head, and the periods of those that are wrong."""

    list: str
    snapshots: int
    wrong: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {"list": self.list, "snapshots": self.snapshots, "wrong": list(self.wrong)}


def check_list(ledger: Ledger, name: str) -> Checked:
    """Compares every snapshot of a list that holds at the head with a full replay.

    What the newest period comes to by way of them is compared as well. If anything is wrong, all
    snapshots are thrown away: they are made again.
    """
    facts = ledger.facts()
    ledger.require_list(facts, name)
    until = last_period(facts, name)
    timeline = Timeline(Known(facts, facts.seq), name)
    kept: dict[int, list[Kept]] = {}
    for each in facts.snapshots.find(name):
        if each.period <= until.index and holds(timeline, each):
            kept.setdefault(each.period, []).append(each)
    wrong = []
    for outcome in replay(replace(facts, snapshots=NothingKept()), name, facts.seq, until):
        state = State(outcome.period, outcome.closing, outcome.in_force)
        for each in kept.get(outcome.period.index, ()):
            data = facts.snapshots.load(each)  # gone, if somebody has thrown it away since
            if data is not None and not same(
                unpack(data, outcome.period, len(facts.players)), state
            ):
                wrong.append(outcome.period.name)
    shortened = calculated(facts, name, facts.seq, until)
    if not wrong and not same(State(until, shortened.closing, shortened.in_force), state):
        wrong.append(until.name)
    if wrong:
        ledger.journal.drop_snapshots()
    return Checked(name, sum(map(len, kept.values())), tuple(wrong))


def failure_of(checked: Checked) -> VerificationFailed | None:
    """Returns what is wrong as an error, or None when all is well."""
    if not checked.wrong:
        return None
    return VerificationFailed("verify.snapshot", list=checked.list, period=checked.wrong[0])
