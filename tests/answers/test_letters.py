"""Letters to clubs: what a list brought, as it was published."""

from __future__ import annotations

import datetime as dt
import email
import email.policy

import pytest

from ledger.answers.letters import letters_of
from ledger.errors import NotFound
from ledger.forms.letters import letter_email, letters_page
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from tests.ledgers import do, games, import_text, ledger_of, publish_period, request

JULY = "2010-07"


@pytest.fixture
def published() -> Ledger:
    """A and B are of Norte, C of Sur, D and the newcomer of nobody; A beat B, C drew with D."""
    ledger = ledger_of("A,1800,,50", "B,1800,,50", "C,1700,,50", "D,1600,,50", "E,1500,,50", "N,,,")
    for player, club in (("A", "Norte"), ("B", "Norte"), ("C", "Sur <b>"), ("E", "Sur <b>")):
        do(ledger, c.AffiliatePlayer(
            player=player, club=club, region=None, licensed_until=None, on=dt.date(2010, 1, 1),
        ))  # fmt: skip
    import_text(ledger, games("T", "1,,A,B,1-0", "1,,C,D,1/2-1/2", "2,,N,A,1-0", day="2010-07-10"))
    publish_period(ledger, JULY)
    return ledger


def test_each_club_is_told_who_played_and_what_it_brought(published: Ledger) -> None:
    found = letters_of(published, "ENF", JULY)
    assert [letter.club for letter in found.letters] == ["Norte", "Sur <b>", None]
    north, south, others = found.letters
    assert [(line.id, line.before, line.games) for line in north.lines] == [
        ("A", 1800, 1), ("B", 1800, 1),
    ]  # fmt: skip
    a, b = north.lines
    assert a.change is not None
    assert b.change is not None
    assert a.change > 0 > b.change
    assert a.change == -b.change
    assert str(north.sentence) == (
        "2 players on the list; 2 played: 1 gained, 1 lost, 0 with a first rating."
    )
    assert (south.players, [line.id for line in south.lines]) == (2, ["C"]), "E has no news"
    assert [line.id for line in others.lines] == ["D"], "one game of a newcomer counts for nothing"


def test_a_letter_is_about_the_edition_whatever_is_known_by_now(published: Ledger) -> None:
    before = letters_of(published, "ENF", JULY)
    import_text(published, games("Late", "1,,B,A,1-0", day="2010-07-20"))
    assert letters_of(published, "ENF", JULY) == before
    publish_period(published, JULY)
    after = letters_of(published, "ENF", JULY)
    assert (before.edition, after.edition) == (1, 2)
    assert after.letters != before.letters


def test_one_club_or_one_player_is_asked_for(published: Ledger) -> None:
    (letter,) = letters_of(published, "ENF", JULY, club="Norte").letters
    assert letter.players == 2
    (letter,) = letters_of(published, "ENF", JULY, club="").letters
    assert letter.club is None
    (letter,) = letters_of(published, "ENF", JULY, player="C").letters
    assert [line.id for line in letter.lines] == ["C"]
    with pytest.raises(NotFound) as refused:
        letters_of(published, "ENF", JULY, club="Este")
    assert refused.value.message.key == "letter.no_club"
    with pytest.raises(NotFound):
        letters_of(published, "ENF", "2010-08")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "2 players on the list; 1 played"), ("es", "2 jugadores en la lista; 1 jugó")],
)
def test_an_email_has_the_letter_as_text_and_as_a_page_and_no_address(
    published: Ledger, language: str, sentence: str
) -> None:
    found = letters_of(published, "ENF", JULY, club="Sur <b>")
    sent = letter_email(found, found.letters[0], language).as_bytes()
    read = email.message_from_bytes(sent, policy=email.policy.default)
    assert read["To"] is None
    assert "Sur <b>" in read["Subject"]
    text, page = read.get_body(("plain",)), read.get_body(("html",))
    assert text is not None
    assert page is not None
    assert sentence in text.get_content()
    assert sentence in page.get_content()
    assert "Sur <b>" not in page.get_content(), "it is escaped"


def test_letters_are_printed_with_a_heading_each(published: Ledger) -> None:
    page = letters_page(letters_of(published, "ENF", JULY), "en")
    assert page.html().count("<h2>") == 3
    assert "Sur &lt;b&gt;" in page.html()
    assert "Of no club" in page.html()


def test_a_letter_says_why_and_what_waits(published: Ledger) -> None:
    import_text(published, games("Next", "1,,A,E,1-0", day="2010-08-10"))
    found = letters_of(published, "ENF", JULY)
    north, south, _ = found.letters
    assert north.lines[0].reasons[0].within("en").startswith("T: 1 of 1 game, +")
    assert [(each.id, str(each.reasons[0])) for each in south.waiting] == [
        ("E", "1 game so far for 2010-08")
    ]
    page = letters_page(found, "es", "https://ratings.example.org")
    assert "1 partida hasta ahora para 2010-08" in page.html()
    assert '<td class="said">T: 1 de 1 partida' in page.html()
    assert 'href="https://ratings.example.org/players/A/ENF/2010-07?edition=1"' in page.html()
    assert "href" not in letters_page(found, "es").html()


def test_who_is_not_on_the_list_any_more_is_told(published: Ledger) -> None:
    do(published, c.CorrectResult(
        tournament="T", round=2, white="N", black="A", result=None, rating_only=True
    ))  # fmt: skip
    publish_period(published, "2010-08")
    others = letters_of(published, "ENF", "2010-08").letters[-1]
    assert [each.id for each in others.left] == ["N"]
    assert others.players == 1


def test_each_player_gets_a_letter_and_who_is_erased_has_no_name(published: Ledger) -> None:
    letters = letters_of(published, "ENF", JULY).by_player().letters
    assert [letter.only_player for letter in letters] == ["A", "B", "C", "D"]
    erase_player(published, c.ErasePlayer(player="D", on=published.today), request())
    (letter,) = letters_of(published, "ENF", JULY, player="D").letters
    assert letter.lines[0].name == ""
    assert letter.only_player == "D"
