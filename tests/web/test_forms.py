"""The forms of a tournament on the site: what the command line prints, in a page of the site."""

from __future__ import annotations

from html import escape

import pytest
from fastapi.testclient import TestClient

from ledger.answers.forms import FormAsked, FormName, tournament_form
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.service.desk import publish_round
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import do, empty_ledger, import_text, request
from tests.reports.test_standings import DAY
from tests.web.conftest import Browse

MARKUP = "<script>alert(1)</script>"
OF_A_ROUND = (FormName.ROUND, FormName.SEATS)
OF_ALL = [form for form in FormName if form not in {*OF_A_ROUND, FormName.TEAM_TABLES}]


@pytest.fixture
def event() -> Ledger:
    """A Swiss of four, named to do harm, with its first round."""
    ledger = empty_ledger()
    import_text(ledger, "id,name\n" + "".join(f'{one},"{one} {MARKUP}"\n' for one in "ABCD"))
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name=f"T {MARKUP}", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in "ABCD"),
    )  # fmt: skip
    publish_round(ledger, PairRound(tournament="t"), request())
    return ledger


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("form", OF_ALL)
def test_a_page_shows_what_the_file_shows(
    demo: TestClient, demo_ledger: Ledger, form: FormName, language: str
) -> None:
    said = tournament_form(demo_ledger, FormAsked(tournament="ymca-2010", form=form), language)
    answer = demo.get(f"/tournaments/ymca-2010/forms/{form.value}?lang={language}")
    assert answer.status_code == 200
    assert said.body in answer.text
    assert said.body in said.html()
    assert f'<html lang="{language}">' in answer.text


@pytest.mark.parametrize("form", OF_ALL)
def test_the_headings_of_a_table_stand_again_on_each_sheet(
    demo_ledger: Ledger, form: FormName
) -> None:
    page = tournament_form(demo_ledger, FormAsked(tournament="ymca-2010", form=form), "en").body
    assert page.count("<table>") == page.count("<thead>") > 0


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("form", [*OF_ALL, *OF_A_ROUND])
def test_who_was_erased_stands_by_the_id(
    browse: Browse, event: Ledger, form: FormName, language: str
) -> None:
    do(event, c.WithdrawPlayer(tournament="t", player="C", from_round=2))
    before = tournament_form(event, FormAsked(tournament="t", form=form), language).html()
    for player in "AC":
        erase_player(event, c.ErasePlayer(player=player, on=DAY), request("a letter"))
    said = tournament_form(event, FormAsked(tournament="t", form=form), language)
    shown = escape(MARKUP)
    assert said.html() == before.replace(f"A {shown}", "A").replace(f"C {shown}", "C") != before
    page = browse(event).get(f"/tournaments/t/forms/{form.value}?lang={language}")
    assert said.body in page.text


def test_the_sheet_of_a_round_has_its_boards(browse: Browse, event: Ledger) -> None:
    sheet = browse(event).get("/tournaments/t/forms/round?round=1").text
    assert '<td class="board">1</td>' in sheet
    assert '<td class="board">2</td>' in sheet


@pytest.mark.parametrize("form", [*OF_ALL, *OF_A_ROUND])
def test_names_and_titles_are_shown_and_do_nothing(
    browse: Browse, event: Ledger, form: FormName
) -> None:
    page = browse(event).get(f"/tournaments/t/forms/{form.value}").text
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_style_is_a_file_as_the_site_wants_it(browse: Browse, event: Ledger) -> None:
    site = browse(event)
    page = site.get("/tournaments/t/forms/crosstable").text
    assert "<style" not in page
    assert " style=" not in page
    style = next(word for word in page.split('"') if word.endswith("/form.css"))
    assert "border-collapse" in site.get(style).text


def test_a_form_is_shown_as_it_was_known(browse: Browse, event: Ledger) -> None:
    site = browse(event)
    before = event.facts().seq
    do(event, c.WithdrawRound(tournament="t", round=1))
    assert site.get("/tournaments/t/forms/round").status_code == 404
    assert site.get(f"/tournaments/t/forms/round?as-known-at={before}").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/tournaments/t/forms/poster", 404),
        ("/tournaments/nobody/forms/cards", 404),
        ("/tournaments/t/forms/round?round=2", 404),
        ("/tournaments/t/forms/round?round=0", 422),
        ("/tournaments/t/forms/standings?tie-breaks=luck", 422),
        ("/tournaments/t/forms/standings?list=NONE", 404),
        ("/tournaments/t/forms/team-tables", 422),
    ],
)
def test_what_there_is_not_is_refused(
    browse: Browse, event: Ledger, path: str, status: int
) -> None:
    assert browse(event).get(path).status_code == status
