"""The figures at the head of a player's page."""

from __future__ import annotations

from ledger.reports.headlines import (
    Headline,
    NextRating,
    OfficialRating,
    changes_shown,
    headline,
)
from ledger.reports.histories import EditionRating, HistoryLine


def line(period: str, *published: int | None, now: int | None, games: int = 0) -> HistoryLine:
    editions = tuple(EditionRating(number, each) for number, each in enumerate(published, 1))
    return HistoryLine(period, editions, now, None, games)


def test_the_last_edition_is_official_and_the_list_that_is_not_out_stands_beside_it() -> None:
    lines = [
        line("01", 0, now=0),
        line("02", 1500, now=1500),
        line("03", 1540, 1530, now=1530, games=4),
        line("04", 1510, now=1512, games=2),
        line("05", now=1512, games=0),
        line("06", now=1525, games=3),
    ]
    assert headline(lines) == Headline(
        official=OfficialRating("04", 1510, -20),
        upcoming=NextRating("06", 1525, 15, 3),
        latest=None,
        peak=OfficialRating("03", 1530, 30),
    )


def test_changes_are_those_between_the_ratings_that_are_shown() -> None:
    """The correction that the list of 04 has not is in the period after it."""
    lines = [
        line("01", 0, now=0),
        line("02", 1500, now=1500),
        line("03", 1540, 1530, now=1530),
        line("04", 1510, now=1512),
        line("05", now=1512),
    ]
    assert changes_shown(lines) == [None, None, 30, -20, 2]


def test_games_that_the_next_list_has_not_have_a_figure_of_their_own() -> None:
    """The period after it has begun: what comes of its games stands beside the next list."""
    lines = [
        line("04", 1510, now=1510, games=2),
        line("05", now=1512, games=1),
        line("06", now=1525, games=3),
    ]
    found = headline(lines, "05")
    assert found.upcoming == NextRating("05", 1512, 2, 1)
    assert found.latest == NextRating("06", 1525, 13, 3)
    assert headline(lines[:2], "05").latest is None
    assert headline([*lines[:2], line("06", now=1512)], "05").latest is None  # nobody played
    late = headline([line("06", now=1500, games=9)], "05")  # not in the next list yet
    assert (late.upcoming, late.latest) == (None, NextRating("06", 1500, None, 9))


def test_who_has_no_rating_in_the_last_list_has_no_official_one() -> None:
    """He lost it, or is not in the list any more; the peak stays."""
    for last in (0, None):
        found = headline([line("01", 1500, now=1500), line("02", last, now=0)])
        assert found == Headline(None, None, None, OfficialRating("01", 1500, None))


def test_a_list_that_was_never_published_stands_alone() -> None:
    assert headline([line("01", now=1500, games=9)]) == Headline(
        None, NextRating("01", 1500, None, 9), None, None
    )
    assert headline([line("01", now=0)]) == headline([]) == Headline(None, None, None, None)
