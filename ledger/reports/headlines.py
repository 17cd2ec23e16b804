"""What a player came for: the official rating, the next list, the newest game, the peak.

A game is rated in the period in which its tournament ends. So once a period is over and its list is
not out, the next list stands still while games go on; what the rating is after the newest of them
is what the live list says. Where the next list is that of the current period, both are one figure.
"""

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
    """The figures at the head of a player's page; None stands for what there is not.

    ``latest`` is the rating after the newest game, with what it changes of ``upcoming`` and the
    games that this has not; None where the next list has them all.
    """

    official: OfficialRating | None
    upcoming: NextRating | None
    latest: NextRating | None
    peak: OfficialRating | None


def headline(lines: Sequence[HistoryLine], following: str | None = None) -> Headline:
    """Returns the figures of a history.

    The last edition of a list is its official one. A list that somebody is provisional in, or is
    not in, has no rating. The peak is the first time of the highest official rating.

    Args:
        lines: the history.
        following: the period after the last that was published; None: all that is not out is one.
    """
    rated = [
        (line.period, line.published[-1].rating)
        for line in lines
        if line.published and line.published[-1].rating
    ]
    outs = (place for place in reversed(range(len(lines))) if lines[place].published)
    last_out = next(outs, -1)
    is_official = bool(rated) and rated[-1][0] == lines[last_out].period
    official = _official(rated, len(rated) - 1) if is_official else None
    ahead = lines[last_out + 1 :]
    next_lines = [line for line in ahead if following in {None, line.period}]
    later = [line for line in ahead if line not in next_lines]
    upcoming = _standing(next_lines, official.rating if official else None)
    latest = _standing(later, upcoming.rating if upcoming else None)
    highest = max(range(len(rated)), key=lambda place: rated[place][1] or 0, default=None)
    peak = None if highest is None else _official(rated, highest)
    return Headline(official, upcoming, latest if latest and latest.games else None, peak)


def changes_shown(lines: Sequence[HistoryLine]) -> list[int | None]:
    """Returns by how much each rating of a history is above the one before, as they are shown.

    What is shown is the official rating, or the one as it stands where no list has gone out. A
    correction that came after a list is so in the period that shows it first. Where one of two
    ratings is none, it is the change of the period.
    """
    ratings = [line.published[-1].rating if line.published else line.restated for line in lines]
    return [
        rating - before if rating and before else line.change
        for line, rating, before in zip(lines, ratings, [None, *ratings], strict=False)
    ]


def _official(rated: Sequence[tuple[str, int | None]], place: int) -> OfficialRating:
    (period, rating), before = rated[place], rated[place - 1][1] if place else None
    assert rating, "who was in no list with a rating is left out"
    return OfficialRating(period, rating, None if before is None else rating - before)


def _standing(lines: Sequence[HistoryLine], before: int | None) -> NextRating | None:
    """Returns the rating after the last of some periods, with what they changed of another."""
    if not lines or not lines[-1].restated:
        return None
    rating = lines[-1].restated
    change = None if before is None else rating - before
    return NextRating(lines[-1].period, rating, change, sum(line.games for line in lines))
