"""Pages of jobs: whose they are, how far they are, and that nothing is asked twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.wording import Message
from tests.web.conftest import ORIGIN
from tests.web.offices import new_office
from web.access import Account
from web.app import create_app
from web.language import told_moment
from web.office.jobs import JobState, beat, claim, fail, finish, job_of, jobs, start
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

OWN = {"origin": ORIGIN}
ROLES = {
    "ana": frozenset({Role.ARBITER}),
    "luis": frozenset({Role.ARBITER}),
    "olga": frozenset({Role.OFFICER}),
    "aude": frozenset({Role.AUDITOR}),
    "adam": frozenset({Role.ADMINISTRATOR}),
}
As = Callable[[str], TestClient]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """An empty office."""
    opened = new_office(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def signed_in(demo_ledger: Ledger, office: Office, tmp_path: Path) -> As:
    """The site of the shipped example, as somebody sees it who signed in."""

    def opened(name: str) -> TestClient:
        def identify(_request: Request) -> Account:
            return Account(name, ROLES[name])

        site = Site(demo_ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))
        app = create_app(site, office, identify)
        return TestClient(app, base_url=ORIGIN, follow_redirects=False)

    return opened


def test_where_nobody_signs_in_a_page_of_theirs_says_so(demo: TestClient) -> None:
    for page in ("/jobs", "/desk", "/submissions", "/account"):
        answer = demo.get(page, follow_redirects=False)
        assert answer.status_code == 404, page
        assert "nobody can sign in" in answer.text, page


def test_an_auditor_has_everything_verified_once(signed_in: As, office: Office) -> None:
    first = signed_in("aude").post("/jobs/verification", headers=OWN)
    again = signed_in("olga").post("/jobs/verification", headers=OWN)
    assert first.status_code == again.status_code == 303
    assert first.headers["location"] == again.headers["location"]
    assert [job.kind for job in jobs(office)] == ["verification"]


def test_it_is_verified_again_when_the_last_one_is_over(signed_in: As, office: Office) -> None:
    first = signed_in("aude").post("/jobs/verification", headers=OWN)
    job = claim(office, "r1")
    assert job is not None
    finish(office, job, "r1", {"en": {}, "es": {}})
    again = signed_in("aude").post("/jobs/verification", headers=OWN)
    assert again.headers["location"] != first.headers["location"]
    assert claim(office, "r1") is not None


def test_who_asks_for_a_study_that_a_colleague_asked_for_sees_it_made(
    signed_in: As, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.calculations.MOST_AT_ONCE", 0)
    said = {"kind": "monitor", "list": "ENF", "since": "2010-07", "until": "2010-08"}
    for name in ("ana", "luis"):
        answer = signed_in(name).post("/studies", data=said, headers=OWN)
        page = signed_in(name).get(answer.headers["location"])
        assert (answer.status_code, page.status_code) == (303, 200), name
        assert "It is being made" in page.text, name
    assert [job.account for job in jobs(office)] == ["ana"]


def test_who_may_have_everything_verified_finds_the_button(signed_in: As) -> None:
    button = 'action="/jobs/verification"'
    for name, offered in (("aude", True), ("olga", True), ("ana", False)):
        for page in ("/audit", "/jobs"):
            shown = signed_in(name).get(page).text
            assert (button in shown) == offered, (name, page)
            assert 'href="/jobs"' in shown
    assert button not in signed_in("aude").get("/audit?as-known-at=3").text


def test_an_arbiter_may_not_have_everything_verified(signed_in: As, office: Office) -> None:
    assert signed_in("ana").post("/jobs/verification", headers=OWN).status_code == 403
    assert jobs(office) == []


def test_everybody_sees_their_own_jobs_and_officials_all(signed_in: As, office: Office) -> None:
    job = start(office, "verification", {"seq": 1}, "ana")
    for name, status in (("ana", 200), ("luis", 404), ("olga", 200), ("aude", 200)):
        assert signed_in(name).get(f"/jobs/{job}").status_code == status, name
        assert (job in signed_in(name).get("/jobs").text) == (status == 200), name


def test_a_job_says_how_far_it_is_until_it_is_over(signed_in: As, office: Office) -> None:
    job = start(office, "verification", {"seq": 1}, "ana")
    ana = signed_in("ana")
    assert "waiting for its turn" in ana.get(f"/jobs/{job}").text
    claimed = claim(office, "r1")
    assert claimed is not None
    beat(office, claimed, "r1", ("verify", 30, 90))
    runs = ana.get(f"/jobs/{job}")
    assert 'value="30" max="90"' in runs.text
    assert "verifying" in runs.text
    assert "verificando" in ana.get(f"/jobs/{job}?lang=es").text
    assert 'http-equiv="refresh"' in runs.text
    assert f'hx-get="/jobs/{job}"' in runs.text
    assert runs.headers["cache-control"] == "no-store"
    finish(office, claimed, "r1", {})
    over = ana.get(f"/jobs/{job}").text
    assert 'href="/audit"' in over
    made = next(each for each in jobs(office) if each.id == job)
    began, ended = (told_moment(at, "en") for at in (made.created_at, made.ended_at))
    assert f"Asked for by ana, {began} – {ended}" in over
    assert began in ana.get("/jobs").text
    assert "refresh" not in over
    assert "hx-get" not in over


def test_a_job_leads_to_what_it_is_about_whoever_may_see_that(
    signed_in: As, office: Office
) -> None:
    told = {"submission": "a" * 16, "version": 1}
    job = start(office, "look", told, "ana")
    link = f'href="/submissions/{"a" * 16}"'
    for name, offered in (("ana", True), ("olga", True), ("adam", False)):
        for page in ("/jobs", f"/jobs/{job}"):
            assert (link in signed_in(name).get(page).text) == offered, (name, page)
    claimed = claim(office, "r1")
    assert claimed is not None
    fail(office, claimed, "r1", Message.of("web.bug"))
    assert link in signed_in("ana").get(f"/jobs/{job}").text


def test_a_job_that_failed_says_why_and_quotes_nothing_as_markup(
    signed_in: As, office: Office
) -> None:
    job = start(office, "verification", {"seq": 1}, "ana")
    claimed = claim(office, "r1")
    assert claimed is not None
    fail(office, claimed, "r1", Message.of("player.not_found", player="<b>7"))
    page = signed_in("ana").get(f"/jobs/{job}?lang=es").text
    assert "&lt;b&gt;7" in page
    assert "<b>7" not in page


def test_who_asked_for_a_job_or_an_officer_cancels_it(signed_in: As, office: Office) -> None:
    for name, status in (("luis", 404), ("aude", 404), ("ana", 303), ("olga", 303)):
        job = start(office, "verification", {"of": name}, "ana")
        answer = signed_in(name).post(f"/jobs/{job}/cancel", headers=OWN)
        assert answer.status_code == status, name
        assert (job_of(office, job).state is JobState.CANCELLED) == (status == 303), name


def test_there_is_no_other_job(signed_in: As) -> None:
    assert signed_in("olga").get("/jobs/nothing").status_code == 404
