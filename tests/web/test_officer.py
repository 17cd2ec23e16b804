"""An officer who has the site only: what waits, the three steps to a list, everything to record."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.answers.lists import described_lists
from ledger.answers.publication_checks import check_publication
from ledger.operations import commands as c
from ledger.results import Result
from ledger.terms import PairingMethod, Rate, System
from ledger.views.past import newest_of
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
)
from tests.web.conftest import Open
from tests.web.submitting import Staffed, staffed
from tests.web.support import text_of

TODAY = NOW.date()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    with staffed(empty_ledger(), tmp_path) as found:
        yield found


def recorded(site: Staffed, what: str, **words: str) -> str:
    """Hands an operation in as an officer does by its form, and accepts it; returns the page."""
    form = site.ana.get(f"/corrections/new?what={what}")
    said = {**site.ana.hidden(form, "/corrections/new"), "what": what, "reason": "first"}
    page = site.ana.post("/corrections/new", {**said, **words})
    assert page.status_code == 200, text_of(page.text)
    id_ = page.url.path.rpartition("/")[2]
    for step in ("hand-in", "accept"):
        assert site.ana.offers(site.ana.get(f"/submissions/{id_}"), step), text_of(page.text)
        answer = site.ana.step(id_, step)
        assert answer.status_code == 200, text_of(answer.text)
    return text_of(answer.text)


def done_steps(site: Staffed) -> list[str]:
    """Returns the steps to the first list that are marked as done."""
    page = site.ana.get("/office").text
    assert "Three steps to the first list" in page
    return re.findall(r'>([^<]+)</a> <span class="mark ok" role="img" aria-label="done">', page)


def test_an_empty_site_shows_three_steps_and_they_lead_to_a_list(site: Staffed) -> None:
    page = site.ana.get("/office").text
    assert "Three steps to the first list" in page
    handed_in = recorded(
        site, "define-list", list="NAT", regulation="elo-linear", calendar="monthly",
        first_on="2025-12-01",
    )  # fmt: skip
    assert "Elo's linear formula ( elo-linear )" in handed_in
    (defined,) = described_lists(site.ledger).lists
    assert (defined.list, defined.regulation, defined.policy) == ("NAT", "elo-linear", "restate")
    page = text_of(site.ana.get("/office").text)
    assert "Publish NAT, December 2025" in page
    assert "Nobody is on the list yet" in site.ana.get("/lists/NAT/2025-12/publish").text
    assert done_steps(site) == ["Define the list"]
    recorded(site, "register-player", player="7", name="Soto, Ana", birth_date="1990")
    recorded(site, "seed-rating", player="7", list="NAT", rating="1800", on="2025-12-01")
    recorded(site, "affiliate-player", player="7", club="Norte")
    recorded(site, "set-two-persons", list="NAT", required="off")
    recorded(site, "set-calendar", list="NAT", calendar="quarterly", on="2026-04-01")
    recorded(
        site, "adopt-regulation", list="NAT", regulation="elo-linear", on="2026-01-01",
        parameters="constant=20",
    )  # fmt: skip
    assert not site.ledger.facts().lists["NAT"].two_persons
    assert done_steps(site) == ["Define the list", "Bring in the players"]
    assert "Nobody is on the list yet" not in site.ana.get("/lists/NAT/2025-12/publish").text
    publish_period(site.ledger, "2025-12", "NAT")
    assert "Three steps" not in site.ana.get("/office").text


def test_what_waits_stands_first(site: Staffed) -> None:
    ledger = site.ledger
    define(ledger)
    people = "".join(f'{id_},"Soto, Ana",CHI,w,1990,,,\n' for id_ in "AB")
    import_text(ledger, PLAYERS_HEADER + people, decisions=(("all", ""),))
    opened = c.OpenTournament(
        tournament="cup", name="Cup", starts_on=TODAY.replace(year=2025), system=System.SWISS,
        ends_on=TODAY.replace(year=2025), rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    do(ledger, opened)
    site.eva.handed_in(PLAYERS_HEADER + "C,C,CHI,,1990,,,\n")
    page = text_of(site.ana.get("/office").text)
    assert "Things that wait: 3" in page
    assert "The same person twice? (1)" in page
    assert "by eva" in page
    assert "Cup: the report is not handed in" in page
    assert "Publish ENF, July 2010" in page
    pairs = site.ana.get("/office/duplicates").text
    assert "what=merge-players&amp;player=B&amp;into=A" in pairs


def test_who_look_like_two_people_are_merged_with_a_tick_only(site: Staffed) -> None:
    people = 'A,"Soto, Ana",CHI,w,1990,,,\nB,"Rojas, Luis",CHI,m,1950,,,\n'
    import_text(site.ledger, PLAYERS_HEADER + people)
    form = site.ana.get("/corrections/new?what=merge-players&player=B&into=A")
    assert "born in 1950" in form.text
    words = {"what": "merge-players", "player": "B", "into": "A", "reason": "x"}
    page = site.ana.post("/corrections/new", {**site.ana.hidden(form, "/corrections/new"), **words})
    id_ = page.url.path.rpartition("/")[2]
    assert "tick that they are" in page.text
    assert '<a href="/players/B"><bdi>Rojas, Luis</bdi></a> (B)' in page.text
    assert not site.ana.offers(page, "hand-in")
    page = site.ana.step(id_, "mend", **words, anyway="true")
    assert site.ana.offers(page, "hand-in")


def test_everything_that_can_be_handed_in_is_offered_to_officers_alone(site: Staffed) -> None:
    page = site.ana.get("/office").text
    for what in ("define-list", "merge-players", "link-player", "seed-rating", "undo-commit"):
        assert f"/corrections/new?what={what}" in page
    assert site.eva.get("/office").status_code == 403


def test_a_player_is_registered_without_an_id_where_there_is_a_rule(site: Staffed) -> None:
    form = site.ana.get("/corrections/new?what=register-player")
    sexes = re.search(r'<select id="sex" name="sex">(.*?)</select>', form.text, re.DOTALL)
    assert sexes is not None
    assert re.findall(r'value="(\w*)"', sexes[1]) == ["", "F", "M"]
    said = {**site.ana.hidden(form, "/corrections/new"), "what": "register-player", "reason": "x"}
    page = site.ana.post("/corrections/new", {**said, "name": "Soto, Ana", "sex": "F"})
    assert "Soto, Ana needs an id" in text_of(page.text)


def test_a_regulation_is_chosen_in_words_and_its_parameters_are_fields(site: Staffed) -> None:
    form = site.ana.get("/corrections/new?what=define-list&regulation=elo-linear")
    assert '<option value="elo-linear" selected>Elo&#39;s linear formula' in form.text
    names = re.findall(r'name="(parameter:\w+)"', form.text)
    assert names == ["parameter:constant", "parameter:share"]
    assert "Constant: Rn = Ra + 16 (G - P) + 4 % (SD). Usual: 16" in form.text
    said = {
        **site.ana.hidden(form, "/corrections/new"), "what": "define-list", "reason": "x",
        "list": "NAT", "regulation": "elo-linear", "calendar": "monthly", "first_on": "2025-12-01",
    }  # fmt: skip
    page = site.ana.post("/corrections/new", {**said, "parameter:constant": "much"})
    assert page.status_code == 422
    (wrong,) = re.findall(r'<input[^>]*aria-invalid="true"[^>]*>', page.text)
    assert 'name="parameter:constant"' in wrong
    assert 'value="much"' in wrong
    page = site.ana.post("/corrections/new", {**said, "parameter:constant": "20"})
    id_ = page.url.path.rpartition("/")[2]
    assert re.search(r'name="parameter:constant"[^>]* value="20"', page.text), "to be mended"
    page = site.ana.step(id_, "mend", **{**said, "parameter:constant": "24"})
    site.ana.step(id_, "hand-in")
    site.ana.step(id_, "accept")
    (adopted,) = site.ledger.facts().lists["NAT"].adoptions
    assert adopted.event.parameters == {"constant": 24}


def test_of_a_word_that_is_none_the_field_is_marked(site: Staffed) -> None:
    form = site.ana.get("/corrections/new?what=define-list")
    said = {**site.ana.hidden(form, "/corrections/new"), "what": "define-list", "reason": "x"}
    page = site.ana.post(
        "/corrections/new",
        {**said, "list": "NAT", "regulation": "elo-linear", "calendar": "daily", "first_on": "x"},
    )
    assert page.status_code == 422
    assert page.text.count('aria-invalid="true"') == 2
    assert "monthly, two-monthly, quarterly" in page.text


def test_a_published_list_that_would_be_another_one_now_is_named(tmp_path: Path) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, games("T", "1,,A,B,1-0"))
    publish_period(ledger, "2010-07")
    with staffed(ledger, tmp_path) as site:
        assert "to be published again" not in site.ana.get("/office").text
        do(ledger, c.CorrectResult(
            tournament="T", round=1, white="A", black="B", result=Result.parse("0-1")
        ))  # fmt: skip
        page = text_of(site.ana.get("/office").text)
        assert (
            "ENF: after a correction, 1 published list waits to be published again July 2010"
            in page
        )
        assert re.search(r"(One thing waits|Things that wait: \d+)", page)
        assert "Nothing waits" not in page
        publish_period(ledger, "2010-07")
        assert "to be published again" not in site.ana.get("/office").text


def test_the_list_that_comes_next_is_shown_as_it_would_be_now(tmp_path: Path) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, PLAYERS_HEADER + "N,N,CHI,,,,,\nM,M,CHI,,,,,\n")
    import_text(ledger, games("T", "1,,A,B,0-1", "1,,M,N,1-0"))
    with staffed(ledger, tmp_path) as site:
        page = site.ana.get("/office")
        assert 'hx-get="/office/next?lang=en"' in page.text
        assert "Next list: ENF, July 2010, in force from 1 August 2010" in text_of(page.text)
        shown = text_of(site.ana.get("/office/next").text)
        check = check_publication(newest_of(ledger), "ENF", "2010-07")
        assert f"Players on the list {check.players}" in shown
        assert (check.tournaments[0].games, "Rated games 1 " in shown) == (2, True)
        assert 'data-label="games">1</td>' in site.ana.get("/lists/ENF").text, "the same figure"
        assert f"new · gone {len(check.new)} · {len(check.gone)}" in shown
        for line in (
            "ENF, July 2010: 6 of 6 ready", "Every tournament of the period is closed.",
            "No claim waits.", "No two ids look like one person.", "Publish ENF, July 2010",
        ):  # fmt: skip
            assert line in shown, line
        assert site.ana.get("/office/next?list=NONE").status_code == 404
        assert site.eva.get("/office/next").status_code == 403
        publish_period(ledger, "2010-07")
        assert "Next list: ENF, August 2010" in text_of(site.ana.get("/office").text)


def test_what_stops_a_list_is_marked_and_leads_to_where_it_is_done(site: Staffed) -> None:
    define(site.ledger)
    people = "".join(f'{id_},"Soto, Ana",CHI,w,1990,,,\n' for id_ in "AB")
    import_text(site.ledger, PLAYERS_HEADER + people, decisions=(("all", ""),))
    opened = c.OpenTournament(
        tournament="cup", name="Cup", starts_on=dt.date(2010, 7, 3), system=System.SWISS,
        ends_on=dt.date(2010, 7, 4), rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    do(site.ledger, opened)
    do(site.ledger, c.AnnounceRules(tournament="cup", pairing=PairingMethod.FENAMAC_1975))
    page = site.ana.get("/office/next").text
    assert '<span class="mark stop" role="img" aria-label="to look at and tick">' in page
    assert '<a href="/tournaments/cup"><bdi>Cup</bdi></a>' in page
    assert "Events of this period are not over: 1" in text_of(page)
    assert "The same person twice? 1" in text_of(page)
    assert 'href="/office/duplicates">Look' in page
    assert "Nobody is on the list yet" in page
    assert "3 of 6 ready" in text_of(page)


def test_the_menu_says_how_many_things_wait(site: Staffed) -> None:
    define(site.ledger)
    assert "What waits (1)" in text_of(site.ana.get("/office").text), "a list is due"
    site.eva.handed_in(PLAYERS_HEADER + "C,C,CHI,,1990,,,\n")
    for page in ("/office", "/lists"):
        assert "What waits (2)" in text_of(site.ana.get(page).text)
    assert "What waits" not in text_of(site.eva.get("/lists").text)


def test_a_player_s_page_leads_an_officer_to_all_that_is_recorded_of_one(site: Staffed) -> None:
    recorded(site, "register-player", player="7", name="Soto, Ana", birth_date="1990")
    recorded(site, "register-player", player="8", name="Soto, Ana", birth_date="1990")
    page = site.ana.get("/players/7").text
    assert 'href="/corrections/new?what=award-title&amp;player=7"' in page
    assert "take the two apart" not in page
    form = text_of(site.ana.get("/corrections/new?what=award-title&player=7").text)
    assert "Soto, Ana born 1990" in form
    assert site.ana.get("/corrections/new?what=award-title&player=nobody").status_code == 200
    assert "What can be recorded of this player" not in site.eva.get("/players/7").text
    recorded(site, "merge-players", player="8", into="7")
    page = text_of(site.ana.get("/players/7").text)
    assert "8 is somebody else after all: take the two apart" in page
    assert "1 pair of ids joined" in page.partition("What was recorded last")[2]


def test_undoing_offers_the_last_commits_to_choose_from(site: Staffed) -> None:
    recorded(site, "register-player", player="7", name="Soto, Ana", birth_date="1990")
    page = site.ana.get("/corrections/new?what=undo-commit").text
    head = site.ledger.journal.head().commit_id
    assert f'href="/corrections/new?what=undo-commit&amp;commit={head}"' in page
    offered = f"Commit {head} : 1 player. By ana, 1 January 2026. Undo this"
    assert offered in text_of(page)
    other = site.ana.get("/corrections/new?what=undo-commit&commit=x")
    assert (other.status_code, offered in text_of(other.text)) == (200, True)


def test_of_two_with_other_birth_dates_it_is_likelier_that_they_are_two(site: Staffed) -> None:
    for id_, born in (("7", "1990-02-03"), ("8", "1990"), ("9", "1949-06-07")):
        recorded(site, "register-player", player=id_, name="Soto, Ana", birth_date=born)
    sections = site.ana.get("/office/duplicates").text.split("<section>")[1:]
    first = {re.findall(r'class="button" href="[^"]*what=([a-z-]+)', each)[0] for each in sections}
    assert first == {"merge-players", "tell-apart"}


def test_players_are_named_in_forms_as_on_the_command_line(site: Staffed) -> None:
    for id_, called in (("7", "Soto, Ana"), ("8", "Rojas, Luis"), ("9", "Rojas, Luisa")):
        recorded(site, "register-player", player=id_, name=called)
    recorded(site, "award-title", player="ana soto", title="WFM", on="2025-12-01")
    assert "WFM" in text_of(site.ana.get("/players/7").text)
    form = site.ana.get("/corrections/new?what=award-title")
    words = {"what": "award-title", "title": "FM", "on": "2025-12-01", "reason": "x"}
    words |= site.ana.hidden(form, "/corrections/new")
    refused = site.ana.post("/corrections/new", {**words, "player": "Roj"})
    assert refused.status_code == 422
    near = text_of(refused.text)
    assert "these come near" in near
    assert "8 Rojas, Luis" in near


def test_where_no_list_is_defined_none_is_to_be_published(sign_in: Open) -> None:
    answer = sign_in(empty_ledger()).get("/office/next")
    assert answer.status_code == 404
    assert "No list has a period that is left to publish" in text_of(answer.text)
