"""The pages that explain a rating: line by line, in balance, and why it moved."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient

from ledger.answers.period_states import period_states
from ledger.answers.player_questions import explain, why_of
from ledger.answers.tournaments import names_of_tournaments
from ledger.operations import commands as c
from ledger.reports.balance import Figures
from ledger.service.ledger import Ledger
from ledger.views.list_editions import lists_compared, lists_in_turn
from ledger.wording.dates import list_in_words
from tests.ledgers import do, games, import_text, ledger_of, publish_period
from tests.web.conftest import Browse
from tests.web.test_lists import named, text_of


def figures_of(page: str) -> list[str]:
    """Returns the figures of the balance of a statement, from the opening to the closing."""
    (table,) = re.findall(r'<table class="balance">(.*?)</table>', page, re.DOTALL)
    return re.findall(r'<td class="n">([^<]*)</td>', table.replace("−", "-"))


def test_every_statement_of_the_example_balances_on_its_page(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    seen = 0
    for state in period_states(demo_ledger, "ENF"):
        for player in demo_ledger.facts().player_ids:
            period = state.period.name
            page = demo.get(f"/players/{player}/ENF/{period}?exact=true")
            assert page.status_code == 200
            made = explain(demo_ledger, player, "ENF", period)
            if made.opening is not None:
                opening, *between, closing = map(Fraction, figures_of(page.text))
                assert [opening, closing] == [made.opening, made.closing]
                assert opening + sum(between) == closing
                seen += 1
    assert seen > 20


def test_every_line_of_a_statement_is_on_its_page(demo: TestClient, demo_ledger: Ledger) -> None:
    made = explain(demo_ledger, "3404510", "ENF", "2010-07")
    said = text_of(demo.get("/players/3404510/ENF/2010-07").text)
    names = names_of_tournaments(demo_ledger, made.tournaments)
    event = ""
    for line in made.postings:
        row = f"{line.round} {line.opponent.name} {line.opponent_rating} "
        if line.tournament != event:  # its games stand below its name
            event, row = line.tournament, f"{names[line.tournament]} {row}"
        at = said.index(row)
        gain = Figures(exactly=False)(line.contribution).replace("-", "−")
        mark = " corrected" if line.round == 2 else ""
        assert re.match(rf".*? \+?{gain}{mark} ", said[at:]), row
    for excluded in made.excluded:
        assert f"{excluded.reason.message.within('en')} {excluded.clause}" in said


@pytest.mark.parametrize(
    ("player", "period", "language", "sentence"),
    [
        ("3404510", "2010-07", "en", ("−5: 1 of 4 points, where 1.7 were expected. Not rated: 1"
         " game, because: the opponent has no rating.")),
        ("3404510", "2010-07", "es", ("−5: 1 de 4 puntos, donde se esperaban 1.7. Sin evaluar: 1"
         " partida, porque: el rival no tiene rating.")),
        ("3413454", "2010-07", "en", ("−8: 3 of 4 points, where 3.65 were expected. Against the"
         " odds: lost to 1 weaker player.")),
        ("E-0009", "2010-08", "en", "First rating: 1662, from 9 games."),
        ("28858", "2010-08", "es", "±0: ninguna partida de este período se evalúa."),
    ],
)  # fmt: skip
def test_a_statement_begins_with_what_it_comes_to(
    demo: TestClient, player: str, period: str, language: str, sentence: str
) -> None:
    page = demo.get(f"/players/{player}/ENF/{period}?lang={language}").text
    assert sentence in text_of(page)
    has_games = sentence[0] == "−"
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="chart"') == 2 * has_games


def test_what_an_earlier_list_owed_is_shown_game_by_game(browse: Browse) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "d,1550,,50", policy="next-list")
    import_text(ledger, games("t", "1,,a,b,1-0"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("late", "1,,a,d,1-0", day="2010-07-20"))
    site = browse(ledger)
    made = explain(ledger, "a", "ENF", "2010-08")
    assert made.credits
    page = site.get("/players/a/ENF/2010-08?exact=true").text
    said = text_of(page)
    assert "Owed from July 2010" in said
    assert "late 1 d" in said
    opening, *between, closing = map(Fraction, figures_of(page))
    assert opening + sum(between) == closing


def test_who_ordered_a_step_and_why_is_said(browse: Browse) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    do(
        ledger,
        c.AdjustRating(player="a", list="ENF", points=-12, on=dt.date(2010, 7, 1)),
    )
    said = text_of(browse(ledger).get("/players/a/ENF/2010-07").text)
    assert "Opening (with −12 ordered)" in said
    assert "tester" in said


def test_a_statement_of_an_edition_stays_what_it_was(browse: Browse) -> None:
    ledger = named()
    address = "/players/12/ENF/2010-07?edition=1"
    before = browse(ledger).get(address)
    assert before.headers["cache-control"] == "public, no-cache"
    import_text(ledger, games("late", "1,,12,13,1-0", day="2010-07-20"))
    site = browse(ledger)
    assert figures_of(site.get(address).text) == figures_of(before.text)
    assert figures_of(site.get("/players/12/ENF/2010-07").text) == figures_of(before.text)
    now = site.get("/players/12/ENF/2010-07?recalculated=true").text
    assert figures_of(now) != figures_of(before.text)
    assert "late" in now
    assert "Not official yet" not in now
    waits = text_of(site.get("/players/12/ENF/2010-09").text)
    assert "it may change until the list is out, in force from 1 October 2010" in waits


def test_a_statement_is_shown_as_known_then(browse: Browse) -> None:
    ledger = named()
    seq = ledger.facts().seq
    before = figures_of(browse(ledger).get("/players/12/ENF/2010-07").text)
    import_text(ledger, games("late", "1,,12,13,1-0", day="2010-07-20"))
    then = browse(ledger).get(f"/players/12/ENF/2010-07?as-known-at={seq}").text
    assert figures_of(then) == before


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_causes_of_a_change_sum_on_its_page(
    demo: TestClient, demo_ledger: Ledger, lang: str
) -> None:
    made = why_of(demo_ledger, "3404510", "ENF", ("2010-07", 1), ("2010-08", 2))
    page = demo.get(f"/players/3404510/ENF/why?from=2010-07@1&to=2010-08@2&lang={lang}").text
    body = page[page.index("<tbody>") :]
    figures = re.findall(r'<td class="n[^>]*>([^<]*)</td>', body)
    *parts, total = (Fraction(figure.replace("−", "-")) for figure in figures)
    assert sum(parts) == total == made.after - made.before
    assert len(parts) == len(made.parts)
    assert 'role="img"' in page


def test_without_a_word_the_newest_list_is_held_against_the_one_before(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    page = demo.get("/players/3404510/ENF/why").text
    assert "of July 2010, 2nd edition to that of August 2010, 2nd edition." in page
    links = re.findall(r'href="/players/3404510/ENF/why\?from=([^"&]*)&amp;to=([^"]*)"', page)
    offered = [(unquote(before), unquote(after)) for before, after in links]
    assert offered == lists_in_turn(demo_ledger, "ENF", 99)
    assert offered[-1] == ("2010-07@1", "2010-07@2")
    for before, after in offered:
        address = f"/players/3404510/ENF/why?from={before}&to={after}"
        words = [list_in_words(each, "en") for each in (before, after)]
        said = demo.get(address).text
        assert f"from the list of {words[0]} to that of {words[1]}." in said


def test_of_the_first_period_the_edition_before_is_compared(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    assert lists_compared(demo_ledger, "ENF", None, "2010-07") == ("2010-07@1", "2010-07")
    assert lists_compared(demo_ledger, "ENF", None, "2010-07@2") == ("2010-07@1", "2010-07@2")
    assert demo.get("/players/3404510/ENF/why?to=2010-07@1").status_code == 404
    said = demo.get("/api/v1/players/3404510/ENF/why?to=2010-07").json()
    assert (said["from"], said["to"]) == ("2010-07@1", "2010-07")


def test_a_clause_leads_to_its_regulation(demo: TestClient) -> None:
    page = demo.get("/players/3404510/ENF/2010-07").text
    links = re.findall(r'href="/regulations/enf-2010#([^"]+)">ENF 2010 II b\)</a>', page)
    assert links
    assert f'id="{links[0]}"' in demo.get("/regulations/enf-2010").text


def test_the_newest_statement_is_led_to(demo: TestClient) -> None:
    assert str(demo.get("/players/3404510/ENF").url).endswith("/players/3404510/ENF/2010-08")


def test_names_in_a_statement_are_text(browse: Browse) -> None:
    site = browse(named())
    for player in ("1", "2", "3"):
        page = site.get(f"/players/{player}/ENF/2010-07").text
        assert "<script>alert" not in page


def test_what_was_decided_of_a_rating_leads_to_its_event_and_quotes_no_seq(
    rich: TestClient,
) -> None:
    page = rich.get("/players/3404510/ENF/2010-07").text
    assert re.search(r'K 15 assigned: [^<(]* <a class="small" href="/audit/events/\d+">', page)
    of_event = text_of(rich.get("/players/A/ENF/2010-10").text)
    assert "is rated in October 2010: root, “score sheet” Audit" in of_event
