"""An officer publishes a period at the site: once, and what was seen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.derived.store import EntryKey
from ledger.lists.publications import publications
from ledger.operations import commands as c
from ledger.results import Result
from ledger.terms import PairingMethod, Rate, System
from ledger.trust.verification import verify
from tests.ledgers import (
    GAMES_HEADER,
    about,
    do,
    import_text,
    publish_period,
    request,
    with_july_published,
    with_officers,
)
from tests.web.filling import form_of
from tests.web.submitting import Staffed, staffed
from tests.web.support import text_of
from web.pages import restated_lists
from web.read_models.model_store import ModelStore
from web.site import View

ANEW = "/lists/ENF/restated/publish"
AUGUST = "/lists/ENF/2010-08/publish"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """July is published, August is over; ana and luis are officers."""
    with staffed(with_officers(with_july_published(), "ana", "luis"), tmp_path) as opened:
        yield opened


def test_a_period_that_is_over_goes_out_from_its_list(site: Staffed) -> None:
    assert f'href="{AUGUST}"' in site.ana.get("/lists/ENF").text
    assert "/publish" not in site.eva.get("/lists/ENF").text
    head = site.head
    page = site.ana.get(AUGUST)
    assert "The first edition would go out" in page.text
    assert site.head == head, "to look records nothing"
    form = site.ana.hidden(page, "/publish")
    done = site.ana.post(AUGUST, form)
    assert done.url.path == "/lists/ENF/2010-08@1"
    assert "The first edition is published." in done.text
    assert (site.head, site.actors[-1]) == (head + 1, "ana")
    again = site.ana.post(AUGUST, form)
    assert (again.url.path, site.head) == (done.url.path, head + 1), "pressed twice it is one"
    assert "Nothing has changed" in site.ana.get(AUGUST).text
    assert f'href="{AUGUST}"' not in site.ana.get("/lists/ENF").text


def test_an_edition_that_goes_out_is_ready_to_be_shown(
    site: Staffed, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = site.ana.hidden(site.ana.get(AUGUST), "/publish")
    ready = list[tuple[object, ...]]()
    make_ready = ModelStore.make_ready

    def noted(store: ModelStore, view: View, key: EntryKey) -> None:
        make_ready(store, view, key)
        ready.append(key.parameters)

    monkeypatch.setattr(ModelStore, "make_ready", noted)
    site.ana.post(AUGUST, form)
    assert ready == [("ENF", "2010-08", 1)]


def open_event(site: Staffed, id_: str = "desk") -> None:
    """Opens an event in August that is not over."""
    day = dt.date(2010, 8, 20)
    opened = c.OpenTournament(
        tournament=id_, name="Desk <b>", starts_on=day, ends_on=day, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL, rounds=2,
    )  # fmt: skip
    rules = c.AnnounceRules(tournament=id_, pairing=PairingMethod.FENAMAC_1975)
    do(site.ledger, opened, rules, *(c.EnterPlayer(tournament=id_, player=p) for p in "AB"))


def test_with_an_event_that_is_not_over_a_tick_is_asked_for(site: Staffed) -> None:
    open_event(site)
    page = site.ana.get(AUGUST)
    assert "Desk &lt;b&gt;: rounds paired: 0 of 2" in page.text
    form, head = site.ana.hidden(page, "/publish"), site.head
    refused = site.ana.post(AUGUST, form)
    assert (refused.status_code, site.head) == (422, head)
    assert 'name="anyway"' in refused.text
    done = site.ana.post(AUGUST, site.ana.hidden(refused, "/publish") | {"anyway": "1"})
    assert (done.url.path, site.head) == ("/lists/ENF/2010-08@1", head + 1)


def test_what_was_seen_goes_out_or_nothing(site: Staffed) -> None:
    form = site.ana.hidden(site.ana.get(AUGUST), "/publish")
    import_text(site.ledger, GAMES_HEADER + about("T3", "2010-08-20", "A,B,0-1"))
    head = site.head
    late = site.ana.post(AUGUST, form)
    assert (late.status_code, site.head) == (412, head)
    assert site.ana.post(AUGUST, site.ana.hidden(late, "/publish")).url.path.endswith("@1")


def test_a_tick_stays_while_the_events_are_those_for_which_it_was_ticked(site: Staffed) -> None:
    open_event(site)
    page, said = site.ana.get(AUGUST), {"anyway": "1", "reason": "the board met"}
    assert form_of(page.text, AUGUST).value("anyway") is None
    import_text(site.ledger, GAMES_HEADER + about("T3", "2010-08-20", "A,B,0-1"))
    late = site.ana.post(AUGUST, site.ana.hidden(page, "/publish") | said)
    assert (late.status_code, form_of(late.text, AUGUST).value("anyway")) == (412, "1")
    unticked = site.ana.hidden(page, "/publish") | {"reason": "the board met"}
    answer = site.ana.post(AUGUST, unticked).text
    assert form_of(answer, AUGUST).value("anyway") is None
    open_event(site, "other")
    other = form_of(site.ana.post(AUGUST, site.ana.hidden(late, "/publish") | said).text, AUGUST)
    assert (other.value("anyway"), other.value("reason")) == (None, "the board met")
    assert site.ana.post(AUGUST, dict(other.fields) | said).url.path.endswith("@1")


def test_a_period_is_not_passed_over_and_says_so(site: Staffed) -> None:
    import_text(site.ledger, GAMES_HEADER + about("T3", "2010-09-20", "A,B,0-1"))
    listed = site.ana.get("/lists/ENF").text
    assert "/lists/ENF/2010-09" in listed
    assert listed.count("/publish") == 1, "only the next one can go out"
    page = site.ana.get("/lists/ENF/2010-09/publish")
    assert page.status_code == 422
    assert "2010-08" in page.text
    assert not site.ana.offers(page, "/publish")


def test_a_period_that_is_not_over_shows_what_to_look_at_and_from_when(site: Staffed) -> None:
    page = site.ana.get("/lists/ENF/2026-01/publish")
    assert page.status_code == 200
    assert "It can go out from 1 February 2026" in page.text
    assert "What to look at" in page.text
    assert not site.ana.offers(page, "/publish")


def test_a_list_says_which_of_its_editions_is_to_be_published_anew_first(site: Staffed) -> None:
    assert "would be different by now" not in site.ana.get("/lists/ENF").text
    turned = c.CorrectResult(
        tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
    )
    site.ledger.execute([turned], replace(request(), actor="ana", second="luis"))
    page = site.ana.get("/lists/ENF").text
    assert "1 published list would be different by now" in page
    assert f'href="{ANEW}"' in page
    assert "would be different" not in site.eva.get("/lists/ENF").text


def corrected(site: Staffed) -> None:
    """Publishes August, then turns a result of July: both are other lists."""
    publish_period(site.ledger, "2010-08")
    turned = c.CorrectResult(
        tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
    )
    site.ledger.execute([turned], replace(request(), actor="ana", second="luis"))


def editions(site: Staffed) -> list[tuple[str, int]]:
    return [(each.period, each.edition) for each in publications(site.ledger.facts(), "ENF")]


def test_lists_that_a_correction_changed_go_out_again_in_one_go(site: Staffed) -> None:
    assert not site.ana.offers(site.ana.get(ANEW), "/publish")
    corrected(site)
    assert "2 published lists wait to be published again" in site.ana.get("/office").text
    head, page = site.head, site.ana.get(ANEW)
    assert page.text.count("What to look at") == 2
    assert site.head == head, "to look records nothing"
    form = site.ana.hidden(page, "/publish")
    done = site.ana.post(ANEW, form | {"reason": "score sheet"})
    assert done.url.path == "/lists/ENF"
    both = "July 2010, 2nd edition · August 2010, 2nd edition"
    assert f"Published again, in one step: {both}" in text_of(done.text)
    first = [("2010-07", 1), ("2010-08", 1)]
    assert editions(site) == [*first, ("2010-07", 2), ("2010-08", 2)]
    assert (site.head, site.actors[-1]) == (head + 2, "ana")
    *_, commit = site.ledger.journal.commits()
    assert (commit.last_seq - commit.first_seq, commit.reason) == (1, "score sheet")
    again = site.ana.post(ANEW, form | {"reason": "score sheet"})
    assert (again.url.path, site.head) == ("/lists/ENF", head + 2), "pressed twice it is one"
    assert verify(site.ledger).findings == ()


def test_of_many_lists_the_first_have_their_checklists_and_the_others_lead_to_them(
    site: Staffed, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrected(site)
    monkeypatch.setattr(restated_lists, "_CHECKLISTS", 1)
    page = site.ana.get(ANEW)
    assert page.text.count("<h2>What to look at") == 1
    assert f'<a href="{AUGUST}">August 2010, 2nd edition</a>' in page.text
    assert "Publish 2 lists again" in page.text


def test_none_goes_out_again_where_something_was_recorded_since(site: Staffed) -> None:
    corrected(site)
    form = site.ana.hidden(site.ana.get(ANEW), "/publish")
    import_text(site.ledger, GAMES_HEADER + about("T3", "2010-09-20", "A,B,0-1"))
    head = site.head
    late = site.ana.post(ANEW, form)
    assert (late.status_code, site.head) == (412, head)
    assert site.ana.post(ANEW, site.ana.hidden(late, "/publish")).url.path == "/lists/ENF"
    assert site.head == head + 2


def test_a_list_that_takes_long_is_published_one_period_after_the_other(
    site: Staffed, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrected(site)
    monkeypatch.setattr(restated_lists, "MOST_AT_ONCE", -1)
    page = site.ana.get(ANEW)
    assert "Who runs the site can publish all of them at once" in page.text
    assert f'href="{AUGUST}"' in page.text
    assert not site.ana.offers(page, "/publish")
