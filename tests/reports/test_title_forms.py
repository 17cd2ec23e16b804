"""Data for the forms of today: who was met, of which federation, with which title."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from html import escape

import pytest

from ledger.answers.titles import certificate_of, event_form_of
from ledger.errors import NotFound
from ledger.forms.page import saying
from ledger.forms.title_forms import certificate_page, report_form_page
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from tests.ledgers import PLAYERS_HEADER, define, do, empty_ledger, games, import_text

PLAYERS = PLAYERS_HEADER + (
    'A,"Álvarez <b>, Ana",CHI,w,1990,2300,,50\n'
    "B,Bo,ARG,m,1990,2450,,50\n"
    "C,Cy,CHI,m,1990,2400,,50\n"
    "D,Di,,m,1990,,,\n"
    "E,Ed,PER,m,1990,2350,,50\n"
)


@pytest.fixture
def event() -> Ledger:
    """A beats the grandmaster B, draws with C, meets D without a rating; E does not come."""
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    do(
        ledger,
        c.AwardTitle(player="B", title="IM", on=dt.date(2009, 1, 1)),
        c.AwardTitle(player="B", title="GM", on=dt.date(2010, 1, 1)),
        c.AwardTitle(player="C", title="GM", on=dt.date(2010, 12, 1)),
    )
    import_text(
        ledger,
        games("T", "1,,A,B,1-0", "2,,C,A,1/2-1/2", "3,,A,D,1-0", "4,,A,E,+/-", day="2010-07-10"),
    )
    return ledger


def test_a_certificate_counts_who_was_met_over_the_board(event: Ledger) -> None:
    found = certificate_of(event, "T", "A", "ENF")
    assert [(each.opponent, each.rating, each.title, each.counts) for each in found.games] == [
        ("B", 2450, "GM", True), ("C", 2400, None, True), ("D", None, None, False),
        ("E", 2350, None, False),
    ]  # fmt: skip
    assert (found.counted, found.score, found.opponents_mean) == (2, Fraction(3, 2), 2425)
    assert found.performance == 2425 + 193, "75 % of two games, D(p) of FIDE's table"
    assert (found.unrated, found.foreign) == (1, 1), "D is of no federation that is known"
    assert [(each.of, each.players) for each in found.federations] == [
        ("ARG", 1), ("CHI", 1), (None, 1),
    ]  # fmt: skip
    assert [(each.of, each.players) for each in found.titles] == [("GM", 1), (None, 2)]


def test_of_a_player_of_no_federation_nobody_is_known_to_be_foreign(event: Ledger) -> None:
    assert certificate_of(event, "T", "D", "ENF").foreign is None


def test_the_form_of_an_event_counts_all_who_were_entered(event: Ledger) -> None:
    found = event_form_of(event, "T", "ENF")
    assert (found.players, found.rated) == (5, 4)
    assert [(each.of, each.players) for each in found.federations] == [
        ("CHI", 2), ("ARG", 1), ("PER", 1), (None, 1),
    ]  # fmt: skip
    assert [(each.of, each.players) for each in found.titles] == [("GM", 1), (None, 4)]


def test_who_did_not_play_has_no_certificate(event: Ledger) -> None:
    for tournament, player in (("T", "Z"), ("U", "A")):
        with pytest.raises(NotFound):
            certificate_of(event, tournament, player, "ENF")


@pytest.mark.parametrize(("language", "foreign"), [("en", "other federations"), ("es", "otras")])
def test_both_are_pages_to_print(event: Ledger, language: str, foreign: str) -> None:
    page = certificate_page(certificate_of(event, "T", "A", "ENF"), language).html()
    assert "Álvarez &lt;b&gt;, Ana" in page
    assert foreign in page
    # The chief arbiter and the time control.
    assert page.count(saying(language)("certificate.unsaid")) == 4
    assert escape(saying(language)("certificate.by_hand"), quote=True) in page
    assert (
        "CHI 2, ARG 1, PER 1, – 1"
        in report_form_page(event_form_of(event, "T", "ENF"), language).html()
    )
