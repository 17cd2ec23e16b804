"""What stands beside the rows of a list, as it was known when it went out."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.lists import show
from ledger.operations import commands as c
from ledger.pictures.sparkline import sparkline
from ledger.reports.list_marks import RECENT_LISTS, ListMarks, RowMark, list_marks
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    publish_period,
    request,
)

PLAYERS = PLAYERS_HEADER + (
    'A,"Álvarez, Ana",CHI,w,1990-05-02,1500,,50\n'
    '"B","Bo, Bea",ARG,w,1985,1480,,50\n'
    '"C","Cy, Carl",CHI,m,,1460,,50\n'
)
LATER = PLAYERS_HEADER + '"D","Di, Dan",CHI,m,2001,,,\n'


@pytest.fixture
def federation() -> Ledger:
    """Three players in July; in August A beats B, and C has no game; then D comes."""
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    do(
        ledger,
        c.AwardTitle(player="A", title="WFM", on=dt.date(2010, 1, 1)),
        c.AffiliatePlayer(
            player="A", club="Torre", region=None, licensed_until=None, on=dt.date(2010, 1, 1)
        ),
        c.AffiliatePlayer(
            player="B", club="Alfil", region=None, licensed_until=None, on=dt.date(2010, 1, 1)
        ),
    )
    import_text(ledger, games("T", "1,,C,B,1-0", day="2010-06-10"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("U", "1,,A,B,1-0", day="2010-08-10"))
    publish_period(ledger, "2010-08")
    return ledger


def marks(ledger: Ledger, period: str, edition: int | None = None) -> dict[str, RowMark]:
    """Returns the marks of a list by the ids of its rows."""
    shown, facts = show(ledger, "ENF", period, edition=edition), ledger.facts()
    found = list_marks(facts, shown, ledger.people(facts, shown.basis.seq))
    return dict(zip(shown.rows.published.id, found.rows, strict=True))


def counted(ledger: Ledger, period: str) -> ListMarks:
    shown, facts = show(ledger, "ENF", period), ledger.facts()
    return list_marks(facts, shown, ledger.people(facts, shown.basis.seq))


def test_title_club_year_and_the_ratings_before(federation: Ledger) -> None:
    found = marks(federation, "2010-08", 1)
    of_a, of_b = found["A"], found["B"]
    assert (of_a.title, of_a.club, of_a.born) == ("WFM", "Torre", 1990)
    assert (of_b.title, of_b.club, of_b.born) == (None, "Alfil", 1985)
    assert found["C"].born is None
    rows = {row.id: row.rating for row in show(federation, "ENF", "2010-08").rows}
    before = {row.id: row.rating for row in show(federation, "ENF", "2010-07").rows}
    for id_, mark in found.items():
        assert mark.recent[-2:] == (before[id_], rows[id_])
    assert [mark.recent[-1] for mark in marks(federation, "2010-07", 1).values()] == list(
        before.values()
    )


def test_the_sexes_stand_in_the_order_of_the_rows(federation: Ledger) -> None:
    sexes = {"A": "w", "B": "w", "C": "m"}
    ids = show(federation, "ENF", "2010-08").rows.published.id
    assert counted(federation, "2010-08").sexes == [sexes[id_] for id_ in ids]


def test_who_moved_since_the_period_before_is_counted(federation: Ledger) -> None:
    found = counted(federation, "2010-08")
    assert (found.entered, found.left, found.moved) == (0, 0, 2), "A and B played"
    import_text(federation, LATER)
    import_text(federation, games("W", "1,,D,C,0-1", day="2010-09-05"))
    new = counted(federation, "2010-09")
    assert (new.entered, new.left) == (1, 0)


def test_of_an_edition_nothing_is_said_that_was_learned_later(federation: Ledger) -> None:
    before = marks(federation, "2010-08", 1)
    do(
        federation,
        c.AwardTitle(player="B", title="GM", on=dt.date(2010, 1, 1)),
        c.AffiliatePlayer(
            player="B", club="Peón", region=None, licensed_until=None, on=dt.date(2010, 2, 1)
        ),
    )
    import_text(federation, games("V", "1,,C,A,1-0", day="2010-06-12"))
    assert marks(federation, "2010-08", 1) == before
    assert marks(federation, "2010-09")["B"].title == "GM"


def test_of_who_was_erased_neither_club_nor_age_is_said(federation: Ledger) -> None:
    erase_player(federation, c.ErasePlayer(player="A", on=dt.date(2010, 9, 1)), request("a letter"))
    found = marks(federation, "2010-08", 1)["A"]
    assert (found.club, found.born) == (None, None)


def test_a_line_goes_up_where_the_rating_does() -> None:
    drawn = sparkline((1500, 1400, 1600), RECENT_LISTS, "en")
    assert 'aria-label="3 lists, from 1500 to 1600"' in drawn
    line = drawn.split('points="')[1].split('"')[0]
    points = [tuple(map(float, each.split(","))) for each in line.split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    (_, first), (_, second), (_, third) = points
    assert third < first < second, "up is less"
    assert sparkline((1500,), RECENT_LISTS, "en") == sparkline((), RECENT_LISTS, "en") == ""
    flat = sparkline((1500, 1500), RECENT_LISTS, "es")
    assert "2 listas, de 1500 a 1500" in flat
