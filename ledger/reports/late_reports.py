"""Tournaments that a list does not rate, since they were reported after the last list for them.

Which they are is said by the replay (``Timeline.late``), which excludes their games.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY
from ledger.identifiers import Seq, TournamentId, TournamentIndex
from ledger.json_form import JsonForm
from ledger.rating.postings import Reason
from ledger.replay.period_games import games_of
from ledger.replay.timeline import Timeline
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class LateReport(JsonForm):
    """The ``games`` of a tournament that a list would rate, had they been reported in time.

    ``last_list`` is the period of the list for which they had to be known. In ``open_period`` they
    are rated if an officer rules so.
    """

    list: str
    tournament: TournamentId
    games: int
    ended_on: dt.date
    last_list: str
    clause: str
    open_period: str

    @property
    def message(self) -> Message:
        """What is said of it, with what to do."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return Message.of("list.late_report", **values)


def late_report(timeline: Timeline, tournament: TournamentIndex) -> LateReport | None:
    """Return what a list says of a tournament that was reported too late; None: it was in time."""
    period = int(timeline.rated_in(np.array([tournament]))[0])
    if period < 0 or not timeline.late[tournament]:
        return None
    known = timeline.known
    regulation = timeline.regulation(timeline.period_at(period))
    within = regulation.report_within_lists or 0
    games = games_of(known, known.games_of_tournament(tournament))
    is_counted = (games.reason == Reason.NONE) & (games.black != NOBODY)
    return LateReport(
        list=timeline.name,
        tournament=TournamentId(known.facts.tournament_ids[tournament]),
        games=int(np.count_nonzero(is_counted)),
        ended_on=dt.date.fromordinal(int(known.tournaments.ends_on[tournament])),
        last_list=timeline.period_at(period + within - 1).name,
        clause=regulation.clause_of(Reason.LATE_REPORT),
        open_period=timeline.last_period.name,
    )


def late_reports(known: AsOf, since: Seq, list_: str | None = None) -> Iterator[LateReport]:
    """Yield the late reports of which something was recorded after a seq, in each list or one."""
    facts = known.facts
    for name, list_facts in sorted(facts.lists.items()):
        if (
            list_ not in (None, name)
            or not list_facts.publications
            or list_facts.adoptions[0].seq > known.seq
        ):
            continue
        timeline = Timeline(known, name)
        directory = facts.directory
        places = known.places[directory.seq[known.places] > since]
        for tournament in np.unique(directory.tournament[places]).tolist():
            report = late_report(timeline, tournament)
            if report is not None:
                yield report
