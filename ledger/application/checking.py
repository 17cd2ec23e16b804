"""Holds what is kept of replays against full ones: shortcuts must end where the long way ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.application.ledger import Ledger
from ledger.errors import Problem, VerificationFailed
from ledger.facts.beside import Kept, NothingKept
from ledger.facts.known import Known
from ledger.lists.published import calculated
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, holds, same, unpack
from ledger.replay.timeline import Timeline
from ledger.reports.impact import last_period
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

    What the newest period comes to by way of them is compared as well. If anything is wrong, all
    snapshots are thrown away: they are made again. A damaged one is not wrong, because nobody uses
    it; the ledger's ``notice`` is told of it.
    """
    made = [_checked(ledger, name) for name in names]
    if any(checked.wrong for checked in made):
        ledger.journal.drop_snapshots()
    return made


def _checked(ledger: Ledger, name: str) -> Checked:
    facts = ledger.facts()
    ledger.require_list(facts, name)
    until = last_period(facts, name)
    timeline = Timeline(Known(facts, facts.seq), name)
    kept: dict[int, list[Kept]] = {}
    for each in facts.snapshots.find(name):
        if each.period <= until.index and holds(timeline, each):
            kept.setdefault(each.period, []).append(each)
    wrong = []
    compared = 0
    for outcome in replay(replace(facts, snapshots=NothingKept()), name, facts.seq, until):
        state = State(outcome.period, outcome.closing, outcome.in_force)
        for each in kept.get(outcome.period.index, ()):
            data = facts.snapshots.load(each)
            if data is None:  # damaged, and thrown away with all others; or somebody else did that
                continue
            compared += 1
            if not same(unpack(data, outcome.period, len(facts.players)), state):
                wrong.append(outcome.period.name)
    shortened = calculated(facts, name, facts.seq, until)
    if not wrong and not same(State(until, shortened.closing, shortened.in_force), state):
        wrong.append(until.name)
    thrown_away = sum(map(len, kept.values())) - compared
    return Checked(name, compared, tuple(wrong), thrown_away)


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
