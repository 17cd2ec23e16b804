"""The first page: search, the top ten, what changed, the lists; for who signed in, what waits."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.errors import InputRefused
from ledger.identifiers import Seq
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.accounts import grant_role
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.views.federation import FederationFace, Logo
from ledger.wording import Message, Wording
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    begin_tournament,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
    with_july_published,
)  # fmt: skip
from tests.web.conftest import ORIGIN, Browse
from tests.web.submitting import CORRECTION, Staffed, staffed
from tests.web.support import text_of
from web.app import create_app
from web.office.jobs import claim, fail, start
from web.office.webhooks import Delivery, announce, note, subjects_of
from web.pages import home
from web.read_models.answers import BeingMade
from web.settings import WebSettings
from web.site import Site

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>'


@pytest.fixture
def ledger() -> Ledger:
    """July and August are published."""
    made = with_july_published()
    publish_period(made, "2010-08")
    return made


@pytest.fixture
def staff(tmp_path: Path) -> Iterator[Staffed]:
    with staffed(with_july_published(), tmp_path) as found:
        yield found


def with_face(ledger: Ledger, folder: Path, face: FederationFace) -> TestClient:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=folder, face=face)
    return TestClient(create_app(Site(ledger, settings)), base_url=ORIGIN)


def test_the_top_of_the_largest_list_stands_there_with_moves(
    ledger: Ledger, browse: Browse
) -> None:
    do(
        ledger,
        c.AwardTitle(player="A", title="FM", on=NOW.date()),
        c.AwardTitle(player="A", title="IM", on=NOW.date()),
        c.AffiliatePlayer(
            player="A", club="Alfil Rey", region=None, licensed_until=None, on=NOW.date()
        ),
    )
    page = text_of(browse(ledger).get("/").text)
    assert "4 players on the list, and why each rating changed" in page
    assert "ENF, official since 1 September 2010" in page
    assert "1 IM A Alfil Rey +16 1836" in page
    assert page.index("1836") < page.index("1801")


def test_of_a_past_state_no_next_list_is_announced(ledger: Ledger, browse: Browse) -> None:
    site = browse(ledger)
    assert "Next list 1 " in text_of(site.get("/").text)
    past = text_of(site.get(f"/?as-known-at={ledger.facts().seq}").text)
    assert "Next list 1 " not in past
    assert "days" not in past


def test_places_moved_are_those_since_the_period_before(browse: Browse) -> None:
    ledger = with_july_published()
    import_text(ledger, GAMES_HEADER + about("T3", "2010-08-20", *["D,A,1-0"] * 4))
    publish_period(ledger, "2010-08")
    page = text_of(browse(ledger).get("/").text)
    assert "1 ↑2 D" in page
    assert "4 ↓3 A" in page


def test_the_next_list_counts_the_tournaments_of_its_rate_of_play(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger, "STD", first_on=dt.date(2025, 12, 1), rate_of_play=Rate.CLASSICAL)
    people = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "AB")
    import_text(ledger, f"{PLAYERS_HEADER}{people}", list_="STD", on=dt.date(2025, 12, 1))
    publish_period(ledger, "2025-12", "STD")
    for name, rate in (("T1", "classical"), ("T2", "rapid")):
        import_text(ledger, GAMES_HEADER + about(name, "2026-01-01", "A,B,1-0", rate=rate))
    assert "1 tournament so far" in text_of(browse(ledger).get("/").text)


def test_tournaments_with_winners_corrections_and_lists_are_the_news(
    ledger: Ledger, browse: Browse
) -> None:
    before = text_of(browse(ledger).get("/").text)
    assert "10 Aug T2 Won by A with 1½ of 2 · 3 players" in before
    assert "1 Sep New in force: ENF August 2010" in before
    assert "A win for White" not in before
    do(
        ledger,
        c.CorrectResult(tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")),
    )
    after = text_of(browse(ledger).get("/").text)
    assert "1 Jan A win for White was a win for Black: A – B T1 , round 1" in after


def test_what_is_played_today_stands_first(browse: Browse) -> None:
    ledger = with_july_published()
    begin_tournament(ledger, "T9", NOW.date())
    assert "Now T9 round 1 of 3" in text_of(browse(ledger).get("/").text)


def test_a_tournament_whose_opening_was_taken_back_is_named_where_that_is_said(
    ledger: Ledger, browse: Browse
) -> None:
    receipt = import_text(ledger, GAMES_HEADER + about("T9", "2010-08-20", "A,B,1-0"))
    assert receipt.commit_id is not None
    undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request())
    assert "T9" not in browse(ledger).get("/tournaments").text
    page = text_of(browse(ledger).get("/").text)
    assert page.count("T9") == page.count("Taken back: T9") == 1


def test_a_ledger_without_lists_has_a_first_page_too(browse: Browse) -> None:
    page = text_of(browse(empty_ledger()).get("/").text)
    assert "Ratings, and why each of them changed" in page


def test_the_federation_has_its_name_words_and_logo_in_both_languages(
    ledger: Ledger, tmp_path: Path
) -> None:
    face = FederationFace(
        Wording("Chess Union", "Unión de Ajedrez"), Wording("Play fair", "Juego limpio"),
        Logo(SVG, "image/svg+xml"),
    )  # fmt: skip
    site = with_face(ledger, tmp_path, face)
    english, spanish = site.get("/?lang=en").text, site.get("/?lang=es").text
    assert "<title>Ratings · Chess Union</title>" in english
    assert "<title>Ratings · Unión de Ajedrez</title>" in spanish
    assert "<h1>Play fair</h1>" in english
    assert "<h1>Juego limpio</h1>" in spanish
    assert english.count('"/logo"') == 2  # one request: the icon of the tab and of the header
    logo = site.get("/logo")
    assert (logo.content, logo.headers["content-type"]) == (SVG, "image/svg+xml")


def test_without_a_logo_there_is_none(ledger: Ledger, browse: Browse) -> None:
    assert browse(ledger).get("/logo").status_code == 404


@pytest.mark.parametrize(
    ("name", "size", "key"),
    [
        ("logo.gif", 10, "serve.logo_kind"),
        ("logo.png", 30_000, "serve.logo_large"),
        ("gone.svg", None, "serve.logo_unread"),
    ],
)
def test_a_logo_that_cannot_be_shown_is_refused(
    name: str, size: int | None, key: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    if size is not None:
        file.write_bytes(bytes(size))
    with pytest.raises(InputRefused) as refusal:
        Logo.read(file)
    assert refusal.value.message.key == key
    assert name in str(refusal.value)


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ("Under 14", "Under 20", "65 and over")), ("es", ("Sub 14", "Sub 20", "65 y más"))],
)
def test_age_groups_stand_there_in_words(
    ledger: Ledger, browse: Browse, lang: str, words: tuple[str, ...]
) -> None:
    page = browse(ledger).get(f"/?lang={lang}").text
    for each in words:
        assert f"{each}</a>" in page
    assert "group=U14" in page


def test_what_a_search_found_is_marked_and_the_rest_escaped() -> None:
    assert str(home.matched("Soto <b>, Ana-Inés", ["so", "ines"])) == (
        "<mark>So</mark>to &lt;b&gt;, Ana-<mark>Inés</mark>"
    )
    assert str(home.matched("Straße, O'Neill", ["stras", "onei"])) == (
        "Straße, <mark>O&#39;Nei</mark>ll"
    )


def test_suggestions_have_ratings_and_lead_to_players(ledger: Ledger, browse: Browse) -> None:
    site = browse(ledger)
    rated, newcomer = site.get("/suggestions?q=A").text, site.get("/suggestions?q=N").text
    assert 'href="/players/A"' in rated
    assert "1836" in rated
    assert "unrated" in newcomer
    assert "<mark>A</mark>" in rated
    assert site.get("/suggestions?q=").text.strip() == ""
    assert "no player fits" in site.get("/suggestions?q=zzz").text


def test_while_the_register_is_made_ready_nothing_is_suggested_and_nothing_is_kept(
    ledger: Ledger, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unready(*_asked: object) -> None:
        raise BeingMade(None)

    monkeypatch.setattr(home, "people_of", unready)
    answer = browse(ledger).get("/suggestions?q=A")
    assert (answer.status_code, answer.headers["cache-control"]) == (204, "no-store")


def test_who_signed_in_sees_what_waits(staff: Staffed) -> None:
    assert "ENF, August 2010: the list is due" in text_of(staff.ana.get("/").text)
    id_ = staff.eva.drafted_correction(**CORRECTION)
    assert "1 submission of yours to go on with" in text_of(staff.eva.get("/").text)
    staff.eva.step(id_, "hand-in")
    assert "1 submission waits for a decision" in text_of(staff.ana.get("/").text)
    assert "What waits for you" not in staff.aud.get("/").text


def test_an_arbiter_sees_the_open_boards_of_today(staff: Staffed) -> None:
    day = NOW.date()
    do(
        staff.ledger,
        c.OpenTournament(
            tournament="T9", name="Club Open", starts_on=day, ends_on=day, system=System.SWISS,
            rate_of_play=Rate.RAPID, rounds=2,
        ),
        c.AnnounceRules(tournament="T9", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="T9", player=player) for player in "AB"),
    )  # fmt: skip
    publish_round(staff.ledger, c.PairRound(tournament="T9"), request())
    page = staff.eva.get("/").text
    assert "Club Open: 1 board is open in round 1" in text_of(page)
    assert 'href="/desk/T9/rounds/1"' in page
    pages = {player: text_of(staff.eva.get(f"/players/{player}").text) for player in "AB"}
    white, black = sorted(pages, key=lambda player: "with White" not in pages[player])
    said = "To be played: round 1, board 1, with"
    assert f"{said} White against {black} Club Open" in pages[white]
    assert f"{said} Black against {white} Club Open" in pages[black]
    assert "Club Open:" not in text_of(staff.ana.get("/").text), "it is no officer's work"
    do(staff.ledger, *board_results(staff.ledger, "T9", 1, [(1, Result.parse("1-0"))]))
    done = staff.eva.get("/").text
    assert "Club Open: round 1 is complete" in text_of(done)
    assert "To be played" not in text_of(staff.eva.get("/players/A").text)
    assert 'href="/desk/T9"' in done
    do(staff.ledger, c.CloseTournament(tournament="T9", on=day, anyway=True))
    assert "Club Open:" not in text_of(staff.eva.get("/").text)
    do(staff.ledger, c.RuleOnTournament(tournament="T9", ruling="reopen", on=day))
    back = text_of(staff.eva.get("/").text)
    assert "Club Open: the report was handed back" in back
    assert "Club Open: round 1" not in back, "once is enough"


def test_an_administrator_sees_what_the_site_needs(staff: Staffed) -> None:
    page = text_of(staff.adm.get("/").text)
    assert "The ledger was never verified here" in page
    assert "have roles and no way in" not in page, "this ledger has no accounts"
    grant_role(staff.ledger, "zoe", Role.ARBITER, request=request())
    job = start(staff.office, "verification", {})
    run = claim(staff.office, "r1")
    assert run is not None
    fail(staff.office, run, "r1", Message.of("jobs.none"))
    with staff.office.writing() as connection:
        url, everything = "https://example.org/hook", subjects_of(())
        hook = announce(
            connection, url, everything, seq=Seq(1), now=1, account="adm", anywhere=False
        )
        note(connection, hook, Delivery("1", Seq(2), "lists", 1, 500, ""))
    page = text_of(staff.adm.get("/").text)
    for words in (
        "1 account has roles and no way in", "1 job failed lately",
        "1 webhook is not taken by its receiver",
    ):  # fmt: skip
        assert words in page, job


def test_it_is_light_and_asks_for_nothing_but_style_script_and_icon(
    ledger: Ledger, browse: Browse
) -> None:
    site = browse(ledger)
    page = site.get("/").text
    asked = {part.partition('"')[0] for part in page.split('href="/static')[1:]}
    asked |= {part.partition('"')[0] for part in page.split('src="/static')[1:]}
    assert len(asked) == 3
    weight = sum(len(gzip.compress(site.get(f"/static{each}").content)) for each in asked)
    assert weight + len(gzip.compress(page.encode())) < 60_000


def test_it_is_asked_for_again_on_another_day(browse: Browse) -> None:
    days = [NOW]
    site = browse(Ledger(MemoryJournal(), clock=lambda: days[-1]))
    tag = site.get("/").headers["etag"]
    assert site.get("/", headers={"if-none-match": tag}).status_code == 304
    days.append(NOW + dt.timedelta(days=1))
    assert site.get("/", headers={"if-none-match": tag}).status_code == 200


def test_what_depends_on_the_day_is_another_on_the_next(browse: Browse) -> None:
    made, days = with_july_published(), [NOW]
    begin_tournament(made, "T9", NOW.date())
    site = browse(Ledger(made.journal, clock=lambda: days[-1]))
    first = text_of(site.get("/").text)
    left = int(re.findall(r"in (\d+) days", first)[0])
    assert "Now T9 round 1" in first
    days.append(NOW + dt.timedelta(days=1))
    then = text_of(site.get("/").text)
    assert f"in {left - 1} days" in then
    assert "Now T9" not in then
