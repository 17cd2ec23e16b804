"""What readers want beside the rows of a list: title, club, age, the way here; and who moved.

All of it as it was known to the list's basis, on the day from which the list is in force: so the
page of an edition stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ledger.calendar import period_at
from ledger.facts.arrays import Column
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tables import NOT_TOLD
from ledger.lists.people import People
from ledger.lists.publications import period_of
from ledger.lists.rating_list import RatingList
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline
from ledger.reports.held_titles import TitlesHeld

RECENT_LISTS: Final = 12


@dataclass(frozen=True, slots=True)
class RowMark:
    """What stands beside a row.

    ``born`` is a year. ``recent`` are the ratings of up to twelve periods, this one the last;
    periods without a rating are left out.
    """

    title: str | None = None
    club: str | None = None
    born: int | None = None
    recent: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class ListMarks:
    """The marks of a list, in the order of its rows, with the sexes by which rows are chosen.

    ``entered``, ``left`` and ``moved`` are how many came into the list since the period before,
    are in it no more, and have another rating; None in the first period.
    """

    rows: Sequence[RowMark]
    sexes: Sequence[str | None]
    entered: int | None = None
    left: int | None = None
    moved: int | None = None


def list_marks(facts: Facts, rating_list: RatingList, people: People) -> ListMarks:
    """Returns the marks of a list; ``people`` are as known to its basis."""
    basis, ids = rating_list.basis.seq, rating_list.rows.published.id
    known = AsOf(facts, basis)
    players = np.array([facts.player_index[id_] for id_ in ids], dtype=np.int32)
    recent = list(_recent(facts, rating_list))
    ways = _ways(recent, players)
    titles = TitlesHeld(known, rating_list.published_on)
    clubs = known.affiliations(rating_list.published_on).club[known.merged_into[players]].tolist()
    personal, names = people.personal(players), facts.body_names
    rows = [
        RowMark(
            titles.of(player),
            names[club] or None if club != NOT_TOLD and about.name else None,
            int(about.birth_date[:4]) if about.birth_date else None,
            way,
        )
        for player, club, about, way in zip(players.tolist(), clubs, personal, ways, strict=True)
    ]
    sexes = [about.sex for about in personal]
    if len(recent) == 1:
        return ListMarks(rows, sexes)
    before, now = (each.listed.astype(np.bool_) for each in recent[-2:])
    moved = before & now & (recent[-2].rating != recent[-1].rating)
    counts = (int(np.count_nonzero(each)) for each in (now & ~before, before & ~now, moved))
    return ListMarks(rows, sexes, *counts)


def _recent(facts: Facts, rating_list: RatingList) -> Iterator[PlayerStates]:
    """Yields the states after the last periods up to that of a list, as known to its basis."""
    basis, name = rating_list.basis.seq, rating_list.list
    period = period_of(facts, name, rating_list.period, basis)
    assert period is not None, "a list is of a period of its basis' calendar"
    timeline = Timeline(AsOf(facts, basis), name)
    segments = timeline.known.list(name).segments
    since = period_at(segments, max(0, period.index + 1 - RECENT_LISTS))
    for outcome in replay(timeline, period, since=since):
        yield outcome.closing


def _ways(recent: Sequence[PlayerStates], players: Column) -> Iterator[tuple[int, ...]]:
    """Yields the ratings of each player in some periods."""
    ratings = [
        np.where(states.listed[players], states.rating[players], UNRATED) for states in recent
    ]
    for way in np.array(ratings).T.tolist():
        yield tuple(rating for rating in way if rating != UNRATED)
