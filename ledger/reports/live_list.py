"""What is known now beside what was published last: live ratings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from ledger.calendar import Period
from ledger.facts.arrays import Column
from ledger.identifiers import PlayerId, Seq
from ledger.json_form import HIDDEN, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.lists.rating_list import ranked
from ledger.lists.rating_source import RatingState
from ledger.rating.player_state import UNRATED, nothing
from ledger.replay.period_outcome import PeriodOutcome


@dataclass(frozen=True, slots=True)
class LiveRow(JsonForm):
    """One player: both ratings (0 while provisional, None where the player was not in the list).

    ``published_lost`` and ``live_lost`` say that a rating of 0 is none any more.
    """

    rank: int
    id: PlayerId
    name: str
    published: int | None
    live: int
    games: int
    published_lost: Annotated[bool, HIDDEN] = False
    live_lost: Annotated[bool, HIDDEN] = False

    @property
    @derived
    def points(self) -> Annotated[int | None, Key("difference"), After("live")]:
        """Live minus published, where both are ratings."""
        return self.live - self.published if self.published and self.live else None


class PublishedLast(NamedTuple):
    """The edition that was published last; None where nothing was."""

    period: str | None
    edition: int | None


@dataclass(frozen=True, slots=True)
class LiveList(JsonForm):
    """The players in the order of a rating list (``ranked``), by the games that are told.

    ``published`` names the period published last and its edition; ``games`` are those rated, or put
    into a provisional bucket, in the periods after it.
    """

    list: str
    period: str
    seq: Seq
    published: PublishedLast
    rows: tuple[LiveRow, ...]

    @property
    @derived
    def state(self) -> Annotated[RatingState, After("seq")]:
        """The state of the ratings that are called ``live``."""
        return "preview"


def live_list(
    outcomes: Iterable[PeriodOutcome],
    published: tuple[Period, int, PeriodOutcome] | None,
    people: People,
    seq: Seq,
) -> LiveList:
    """Makes the live list.

    Args:
        outcomes: the periods as known now, from the one after the published, or from the first, up
            to the current one; at least this.
        published: the period published last, its edition, and it as calculated for that edition.
        people: names and ids, as known now.
        seq: what is known now.
    """
    games: Column | None = None
    for now in outcomes:
        if published is None or now.period.index > published[0].index:
            games = now.counted_games if games is None else games + now.counted_games
    into = now.timeline.known.merged_into
    before = published[2].closing.carried(into) if published else None
    counted = nothing(len(into)) if games is None else games
    players, ids, names = ranked(now, counted, people)
    was: list[int | None] = [None] * len(players)
    was_lost = np.zeros(len(players), dtype=np.bool_)
    if before is not None:
        listed = before.listed[players].astype(np.bool_).tolist()
        ratings = before.rating[players].tolist()
        was_lost = (before.rating[players] == UNRATED) & (before.peak[players] != UNRATED)
        was = [rating if there else None for rating, there in zip(ratings, listed, strict=True)]
    return LiveList(
        list=now.timeline.name,
        period=now.period.name,
        seq=seq,
        published=PublishedLast(*(published[0].name, published[1]) if published else (None, None)),
        rows=tuple(
            map(
                LiveRow,
                range(1, len(players) + 1),
                ids,
                names,
                was,
                now.closing.rating[players].tolist(),
                counted[players].tolist(),
                was_lost.tolist(),
                now.lost[players].tolist(),
            )
        ),
    )
