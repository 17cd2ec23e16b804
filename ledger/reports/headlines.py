"""What a player came for: the official rating, how the next list stands, the peak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.reports.histories import HistoryLine


@dataclass(frozen=True, slots=True)
class OfficialRating:
    """A rating of a list that went out; ``change`` is from the list before, None: there is none."""

    period: str
    rating: int
    change: int | None


@dataclass(frozen=True, slots=True)
class NextRating:
    """A rating of a list that is not out, as it stands; ``games`` are those it would rate."""

    period: str
    rating: int
    change: int | None
    games: int


@dataclass(frozen=True, slots=True)
class Headline:
    """The figures at the head of a player's page; None stands for what there is not."""

    official: OfficialRating | None
    upcoming: NextRating | None
    peak: OfficialRating | None


def headline(lines: Sequence[HistoryLine]) -> Headline:
    """Returns the figures of a history.

    The last edition of a list is its official one. A list that somebody is provisional in, or is
    not in, has no rating. The peak is the first time of the highest official rating.
    """
    out: list[OfficialRating] = []
    for line in lines:
        rating = line.published[-1].rating if line.published else None
        if rating:
            out.append(
                OfficialRating(line.period, rating, rating - out[-1].rating if out else None)
            )
    official = out[-1] if out and lines[_last_out(lines)].period == out[-1].period else None
    return Headline(official, _upcoming(lines, official), max(out, key=_rating, default=None))


def _rating(each: OfficialRating) -> int:
    return each.rating


def _last_out(lines: Sequence[HistoryLine]) -> int:
    return max((place for place, line in enumerate(lines) if line.published), default=-1)


def _upcoming(lines: Sequence[HistoryLine], official: OfficialRating | None) -> NextRating | None:
    ahead = lines[_last_out(lines) + 1 :]
    if not ahead or not ahead[-1].restated:
        return None
    rating = ahead[-1].restated
    change = rating - official.rating if official else None
    return NextRating(ahead[-1].period, rating, change, sum(line.games for line in ahead))
