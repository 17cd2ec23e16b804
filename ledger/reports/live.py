"""Live ratings: as if the current period closed now, beside those that were published last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.calendar import Period
from ledger.lists.people import People
from ledger.replay.replay import PeriodOutcome


@dataclass(frozen=True, slots=True)
class LiveRow:
    """One player: both ratings (0 while provisional, None where he was not in the list)."""

    rank: int
    id: str
    name: str
    published: int | None
    live: int
    games: int

    @property
    def points(self) -> int | None:
        """Live minus published, where both are ratings."""
        return self.live - self.published if self.published and self.live else None

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "rank": self.rank,
            "id": self.id,
            "name": self.name,
            "published": self.published,
            "live": self.live,
            "difference": self.points,
            "games": self.games,
        }


@dataclass(frozen=True, slots=True)
class LiveList:
    """The players by live rating from the highest, then by id.

    ``published`` names the period published last and its edition; ``games`` are those rated, or put
    into a provisional bucket, in the periods after it.
    """

    list: str
    period: str
    seq: int
    published: tuple[str, int] | None
    rows: tuple[LiveRow, ...]

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        period, edition = self.published or (None, None)
        return {
            "list": self.list,
            "period": self.period,
            "seq": self.seq,
            "published": {"period": period, "edition": edition},
            "rows": [row.data() for row in self.rows],
        }


def live_list(
    outcomes: list[PeriodOutcome],
    published: tuple[Period, int, PeriodOutcome] | None,
    people: People,
    seq: int,
) -> LiveList:
    """Makes the live list.

    Args:
        outcomes: all periods as known now, up to the current one.
        published: the period published last, its edition, and it as calculated for that edition.
        people: names and ids, as known now.
        seq: what is known now.
    """
    now = outcomes[-1]
    into = now.timeline.known.merged_into
    games = sum(
        (o.games_met for o in outcomes if published is None or o.period.index > published[0].index),
        start=0 * now.rated_games,
    )
    before = published[2].closing.carried(into) if published else None
    places = [
        (int(now.closing.rating[player]), people.id(player) or "", player)
        for player in range(len(into))
        if now.closing.listed[player] and into[player] == player
    ]
    places.sort(key=lambda place: (-place[0], place[1]))
    return LiveList(
        list=now.timeline.name,
        period=now.period.name,
        seq=seq,
        published=(published[0].name, published[1]) if published else None,
        rows=tuple(
            LiveRow(
                rank=rank,
                id=id_,
                name=people.name(player) or "",
                published=int(before.rating[player]) if before and before.listed[player] else None,
                live=rating,
                games=int(games[player]),
            )
            for rank, (rating, id_, player) in enumerate(places, start=1)
        ),
    )
