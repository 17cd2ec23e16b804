"""Events at the desk that a period would rate before they are over.

An event that was imported, or recorded by hand from its report, is complete by its nature: nobody
is asked to close it. One with rules or a round of the desk is over when its arbiter closes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ledger.calendar import Period
from ledger.desk.rounds import unfinished
from ledger.errors import Problem
from ledger.facts.columns import Acceptance, Facts
from ledger.facts.tables import RATES
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.replay.timeline import Timeline
from ledger.views.view import LedgerView
from ledger.wording import Message


def open_events(view: LedgerView, facts: Facts, name: str, period: Period) -> Sequence[Problem]:
    """Returns the events of a list's period that are not closed at the desk, and what they lack.

    Only their streams are read: of events whose first result came with the entries, as a report
    does, their opening and that result.
    """
    candidates = begun_before_results(view, facts, _in_period(facts, name, period))
    if not candidates:
        return ()
    register = view.register([f"tournament:{each}" for each in candidates], facts.seq)
    records = ((each, register.tournaments[each]) for each in candidates)
    return [
        Problem(what)
        for tournament, record in records
        if not record.closed and (record.desk.rules is not None or record.desk.last_round)
        for what in _lacking(tournament, record)
    ]


def _in_period(facts: Facts, name: str, period: Period) -> list[int]:
    """Returns the tournaments that the period rates, or would once they have a game, by index."""
    timeline = Timeline.at_head(facts, name)
    known, wanted = timeline.known, timeline.list.defined.rate_of_play
    tournaments = known.tournaments
    rated = timeline.rated_in(np.arange(len(facts.tournaments))) == period.index
    days = tournaments.ends_on
    ends = (days >= period.starts_on.toordinal()) & (days <= period.closes_on.toordinal())
    if wanted is not None:
        ends &= tournaments.rate == RATES.index(wanted)
    chosen = (rated | (ends & ~known.with_games)) & (tournaments.acceptance == Acceptance.ACCEPTED)
    chosen[facts.is_closed] = False
    places: list[int] = np.flatnonzero(chosen).tolist()
    return places


def begun_before_results(view: LedgerView, facts: Facts, candidates: Sequence[int]) -> list[str]:
    """Returns those of some tournaments that were opened in a commit before their first result."""
    if not candidates:
        return []
    none = facts.seq + 1
    first = np.full(len(facts.tournaments), none, dtype=np.int64)
    np.minimum.at(first, facts.directory.tournament, facts.directory.seq)
    ends = {
        each: (Seq(int(facts.tournaments.seq[each])), Seq(int(first[each]))) for each in candidates
    }
    wanted = {seq for opened, result in ends.values() if result < none for seq in (opened, result)}
    commits = {seq: commit for seq, _, commit, *_ in view.journal.rows_at(wanted)}
    return [
        facts.tournament_ids[each]
        for each, (opened, result) in ends.items()
        if result == none or commits.get(opened) != commits.get(result)
    ]


def _lacking(tournament: str, record: TournamentRecord) -> Iterator[Message]:
    """Yields what an event lacks: results, rounds, or only to be closed."""
    values = {"tournament": tournament, "name": record.version.name}
    games, _ = unfinished(record)
    for round_ in sorted({round_ for round_, *_ in games}):
        count = sum(of == round_ for of, *_ in games)
        yield Message.of("list.boards_open", round=round_, count=count, **values)
    rounds = record.version.rounds
    if rounds is not None and record.known_rounds < rounds:
        yield Message.of("list.rounds_open", played=record.known_rounds, rounds=rounds, **values)
    elif not games:
        yield Message.of("list.event_open", **values)
